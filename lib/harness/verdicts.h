/*
 * verdicts: a judged result as a person reads it on a terminal.
 */
#ifndef VERDICTS_H
#define VERDICTS_H

#include "json.h"

#include <stdio.h>

/* For each claim of a result (see result.h): id, published, measured with its interval, verdict and reason. */
void verdicts_print(FILE *out, const Json *result);

#endif
