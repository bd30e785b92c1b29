/*
 * verdicts: a judged result as a person reads it on a terminal.
 */
#ifndef VERDICTS_H
#define VERDICTS_H

#include "judge.h"

#include <stdio.h>

/* For each claim: id, published, measured with its interval, verdict and reason. */
void verdicts_print(FILE *out, const Claims *claims, const Judgements *judgements);

#endif
