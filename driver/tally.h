/*
 * tally: how often each verdict, and each outcome, stands among the claims of some results.
 */
#ifndef TALLY_H
#define TALLY_H

#include "judge.h"

typedef struct Tally {
    size_t verdicts[VERDICTS];
    size_t claims, failed, declared, stochastic;
} Tally;

void tally_add(Tally *tally, const Judgements *judgements);

/* How many of the claims that rest on chance are to be expected to fail although they are true. */
double tally_false_alarms(const Tally *tally);

/* "12 reproduced, 1 inconclusive"; owned by the caller. */
char *tally_words(const Tally *tally);

#endif
