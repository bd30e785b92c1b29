/*
 * prediction: one published number against one's own draws.
 *
 * The published number is taken as one more draw from what the seeds sample, so it is held against the
 * prediction interval of one new draw; the table of verdicts stands at the top of judge.c. "y inside the
 * confidence interval of the mean" would give 16 to 32 % false alarms, the more the more seeds; "within two
 * standard deviations" 14 to 23 %.
 *
 * Source   Spence and Stanley 2016, PLoS ONE 11(9):e0162874; Crawford and Howell 1998.
 */
#ifndef PREDICTION_H
#define PREDICTION_H

#include "evidence.h"

/* Judges one target of the rule, of which no sample is lost: fills verdict, interval and reason of an entry whose
 * published and measured numbers are known. False when a row of the rule's pool was not measured. */
bool prediction_judge(const Rule *rule, const Target *target, const Series *series, const Measurements *all,
                      Entry *entry, Err *err);

#endif
