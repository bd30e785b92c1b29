/*
 * evidence: what a claim is judged from, and one of its numbers on the way from samples to a verdict.
 *
 * Inside the judge: judge.c takes a claim's targets one by one, prediction.c judges those that have one published
 * number, bound.c those with a bound known beforehand, ordering.c the names of an order.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "judge.h"
#include "series.h"

/* The measurements, and what is kept of those that were read. */
typedef struct Evidence {
    const Measurements *all;
    int seeds;  /* the fewest of a series that depends on seeds; 0 when none does */
    bool timed; /* one of them is a time or a rate */
} Evidence;

/* The term's series; what it rests on is noted. */
bool evidence_read(Evidence *evidence, const Term *term, Series *series, Err *err);

/* A number that has been judged, on the scale the reader knows, logarithms undone. */
typedef struct Entry {
    Verdict verdict;
    Number number;
    char *reason; /* owned */
} Entry;

/* By how much two numbers that are equal in decimals may differ in binary: the printed one, the measured one,
 * r and their difference carry half a unit each of the larger's last place. */
double entry_rounding(double a, double b);

/* Why fewer than FEW_SEEDS seeds do not decide, as the end of a sentence. Not owned. */
const char *entry_few(const Series *series);

/* " in 3 seeds", or "" when no chance is involved. */
const char *entry_seeds(const Series *series, char text[static 32]);

#endif
