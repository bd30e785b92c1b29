/*
 * bound: numbers held against bounds that are known beforehand: exact ones, rounding noise against a derived
 * bound, and a Monte-Carlo mean against its law and standard error. The rules stand at the top of judge.c.
 *
 * Each fills verdict, interval and reason of an entry, from a series of which no sample is lost. The judgement
 * takes note of what else is read. False when that was not measured or has no value.
 */
#ifndef BOUND_H
#define BOUND_H

#include "entry.h"

void bound_judge_exact(const Claim *claim, size_t index, const Series *series, Entry *entry);
bool bound_judge_at_most(const Claim *claim, const Measurements *all, const Series *series,
                         Judgement *judgement, Entry *entry, Err *err);
bool bound_judge_law(const Claim *claim, const Measurements *all, size_t index, const Series *series,
                     Judgement *judgement, Entry *entry, Err *err);

#endif
