/*
 * ordering: whether quantities stand in the claimed order, pair by neighbouring pair, each paired by seed.
 *
 * The rule and its error rates stand at the top of judge.c. Names of a nested list are not ordered among
 * themselves; each of them is compared with each of the neighbouring place.
 */
#ifndef ORDERING_H
#define ORDERING_H

#include "entry.h"

/* Judges a claim of kind order: fills verdict, reason, seeds, timed and, for each name from first to last,
 * published and measured (the interval is NaN) of a judgement that is zero. False when a name was not measured
 * or a pair has no seed in common; nothing is to be freed then. */
bool ordering_judge(const Claim *claim, const Measurements *all, Judgement *judgement, Err *err);

#endif
