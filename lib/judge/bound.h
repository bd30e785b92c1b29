/*
 * bound: numbers held against bounds that are known beforehand: exact ones, rounding noise against a derived
 * bound, and a Monte-Carlo mean against its law and standard error. The rules stand at the top of judge.c.
 *
 * Each fills verdict, interval and reason of an entry, from a series of which no sample is lost. False when what the
 * bound rests on was not measured or has no value.
 */
#ifndef BOUND_H
#define BOUND_H

#include "evidence.h"

void bound_judge_exact(const Target *target, const Series *series, Entry *entry);
bool bound_judge_at_most(const Rule *rule, const Series *series, Evidence *evidence, Entry *entry, Err *err);
bool bound_judge_law(const Target *target, const Series *series, Evidence *evidence, Entry *entry, Err *err);

#endif
