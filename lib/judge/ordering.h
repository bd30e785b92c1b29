/*
 * ordering: whether quantities stand in the claimed order, pair by neighbouring pair, each paired by seed.
 *
 * The rule and its error rates stand at the top of judge.c. Names of one place are not ordered among themselves; each of
 * them is compared with each of the neighbouring place.
 */
#ifndef ORDERING_H
#define ORDERING_H

#include "evidence.h"

/* Judges a claim of kind order: fills verdict, reason and, for each name, the measured number of a judgement whose
 * numbers hold what is published. False when a name was not measured or a pair has no seed in common. */
bool ordering_judge(const Rule *rule, Evidence *evidence, Judgement *judgement, Err *err);

#endif
