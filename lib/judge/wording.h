/*
 * wording: a claim and its judgement in words for a cell or a line.
 *
 * Nothing is computed here: numbers are rounded for reading. All texts are owned by the caller.
 */
#ifndef WORDING_H
#define WORDING_H

#include "judge.h"

/* "60.45", "0.0498, 0.0657"; "–" where nothing is stated. */
char *wording_published(const Claim *claim);

/* "60.12 (58.90 … 61.34)": the mean and the interval that was compared; of a list the intervals only when wanted. */
char *wording_measured(const Judgement *judgement, bool all_intervals);

/* "C9", "C9, implied", "own". */
char *wording_source(const Claim *claim);

/* "\"held_out/token\" beside the published number, both as logarithms, the same within 3.05 % (…)": how it is judged. */
char *wording_rule(const Claim *claim);

/* "FAIL", "declared", or "" for an outcome that is fine. Not owned. */
const char *wording_outcome(Outcome outcome);

#endif
