/*
 * series: the numbers a claim compares, one for each seed, taken from measurements alone or in pairs.
 *
 * A sample that has no value (the run diverged, memory ran out) stays in the series as NaN and is counted as
 * lost: nothing is dropped in silence.
 */
#ifndef SERIES_H
#define SERIES_H

#include "err.h"
#include "measure.h"

/* What is compared: a measurement a, or two of them paired by seed. */
typedef enum TermForm {
    TERM_PLAIN,     /* a */
    TERM_LOG,       /* ln a; lost when a is not positive */
    TERM_MINUS,     /* a - b; lost when either is */
    TERM_LOG_OVER,  /* ln(a / b); lost also when either is not positive */
    TERM_RANK_HIGH, /* a - b, where a lost sample ranks as infinitely large; 0 when both are lost */
    TERM_RANK_LOW   /* the same, as infinitely small */
} TermForm;

typedef struct Term {
    TermForm form;
    const char *a, *b; /* names; b is NULL where there is no second */
} Term;

typedef struct Series {
    double *x;  /* owned; NaN where lost */
    int *seeds; /* owned */
    size_t count, lost;
    bool fixed;         /* one FIXED sample: no chance is involved */
    bool timed;         /* comes from a time or a rate */
    const char *reason; /* why the first lost one has no value; points into the measurements or is static */
} Series;

/* The term's numbers by seed; a FIXED sample goes with every seed of the other. False with a sentence, and nothing to
 * be freed, when a measurement was not made or mixes a FIXED sample with seeds, or when no seed has both. */
bool series_read(const Measurements *all, const Term *term, Series *series, Err *err);
void series_free(Series *series);

/* Whether its numbers are logarithms, and a number as the reader knows it: the logarithm undone. */
bool term_is_log(const Term *term);
double term_plain(const Term *term, double x);

/* Over what is not lost: how many, their mean (NaN of none) and standard deviation (NaN of fewer than two). */
size_t series_present(const Series *series);
double series_mean(const Series *series);
double series_sd(const Series *series);

#endif
