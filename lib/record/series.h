/*
 * series: the numbers a claim compares, one for each seed, taken from measurements alone or in pairs.
 *
 * A sample that has no value (the run diverged, memory ran out) stays in the series as NaN and is counted as
 * lost: nothing is dropped in silence.
 */
#ifndef SERIES_H
#define SERIES_H

#include "measure.h"

typedef struct Series {
    double *x;  /* owned; NaN where lost */
    int *seeds; /* owned */
    size_t count, lost;
    bool fixed;         /* one FIXED sample: no chance is involved */
    bool timed;         /* comes from a time or a rate */
    const char *reason; /* why the first lost one has no value; points into the measurements or is static */
} Series;

typedef enum Pairing {
    PAIR_MINUS,     /* a - b; lost when either is */
    PAIR_LOG_OVER,  /* ln(a / b); lost also when either is not positive */
    PAIR_RANK_HIGH, /* a - b, where what is lost ranks as infinitely large; 0 when both are lost */
    PAIR_RANK_LOW   /* the same, as infinitely small */
} Pairing;

/* The measurement of that name; an error when nobody made it, or when it mixes a FIXED sample with seeds. */
bool series_read(const Measurements *all, const char *name, Series *series, Err *err);

/* Pairs two series by seed; a FIXED one goes with every seed of the other. An error when no seed has both. The
 * names are for the sentence. */
bool series_pair(const Measurements *all, const char *a, const char *b, Pairing pairing, Series *series,
                 Err *err);

/* Takes logarithms; a value that is not positive is lost. */
void series_log(Series *series);

void series_free(Series *series);

/* Over what is not lost: how many, their mean (NaN of none) and standard deviation (NaN of fewer than two). */
size_t series_present(const Series *series);
double series_mean(const Series *series);
double series_sd(const Series *series);

#endif
