/*
 * entry: one of the numbers of a claim, from the samples it is judged by to what became of it.
 *
 * Inside the judge: judge.c takes a claim's entries one by one, prediction.c judges those that have one
 * published number, ordering.c the names of an order.
 */
#ifndef ENTRY_H
#define ENTRY_H

#include "judge.h"
#include "series.h"

/* Fewer seeds than this decide nothing. */
enum { FEW_SEEDS = 3 };

/* Numbers on the scale the reader knows, logarithms undone. */
typedef struct Entry {
    Verdict verdict;
    double published, measured, low, high; /* NaN where there is none */
    char *reason;                          /* owned */
} Entry;

/* How many entries the claim has; an order has as many as names, and they are ordering.c's. */
size_t entry_count(const Claim *claim);

/* The samples of the index-th entry, on the scale on which they are compared; a fraction's are read by name. */
bool entry_read(const Claim *claim, const Measurements *all, size_t index, Judgement *judgement,
                Series *series, Err *err);

/* Reads a series by name; the sentence says which key of the claim named it. Both leave in the judgement what it
 * keeps of a series it rests on: the fewest seeds, and whether any is timed. */
bool entry_read_name(const Measurements *all, const char *key, const char *name, Judgement *judgement,
                     Series *series, Err *err);

/* The same for a pair of names. */
bool entry_read_pair(const Measurements *all, const char *key, const char *a, const char *b, Pairing pairing,
                     Judgement *judgement, Series *series, Err *err);

/* Whether the entry is compared as a logarithm, and a compared number as the reader knows it. */
bool entry_is_log(const Claim *claim, size_t index);
double entry_plain(const Claim *claim, size_t index, double x);

/* By how much two numbers that are equal in decimals may differ in binary: the printed one, the measured one,
 * r and their difference carry half a unit each of the larger's last place. */
double entry_rounding(double a, double b);

/* " in 3 seeds", or "" when no chance is involved. */
const char *entry_seeds(const Series *series, char text[static 32]);

#endif
