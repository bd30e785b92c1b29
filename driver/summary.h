/*
 * summary: a run's outcome in one table and one exit code.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "results.h"

#include <stdio.h>

/* Every claim of the selected experiments, then totals, failures and the expected number of false alarms. */
void summary_print(FILE *out, const Results *results, const bool *selected);

/* EXIT_UNUSABLE when a selected experiment has no result or failed when last tried, EXIT_FAILED when a claim
 * fails, else EXIT_WELL. */
int summary_exit_code(const Results *results, const bool *selected);

#endif
