/*
 * wording: one judged claim of a result, in words for a cell.
 *
 * Nothing is computed here: the numbers are the result's, rounded for reading. All texts are owned by the caller.
 */
#ifndef WORDING_H
#define WORDING_H

#include "judge.h"
#include "results.h"

/* "60.45", "0.0498, 0.0657", "not stated". */
char *wording_published(const Json *claim);

/* "60.12 (58.90 … 61.34)": the mean and the interval that was compared; of a list the intervals only when wanted. */
char *wording_measured(const Json *claim, bool all_intervals);

/* "C9", "C9, implied", "own". */
char *wording_source(const Json *claim);

typedef enum Mark { MARK_FINE, MARK_DECLARED, MARK_FAILED } Mark;

Mark claim_mark(const Json *claim);

enum { VERDICTS = VERDICT_NOT_RUN + 1 };

/* How often each verdict, and each outcome, stands among the claims of some results. */
typedef struct Tally {
    size_t verdicts[VERDICTS];
    size_t claims, failed, declared, stochastic;
} Tally;

void tally_add(Tally *tally, const Json *result); /* a result that is NULL adds nothing */

/* How many of the claims that rest on chance are to be expected to fail although they are true. */
double tally_false_alarms(const Tally *tally);

/* "12 reproduced, 1 inconclusive". */
char *tally_words(const Tally *tally);

#endif
