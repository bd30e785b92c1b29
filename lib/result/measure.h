/*
 * measure: what an experiment saw, before anyone judges it.
 *
 * A measurement is a name ("held_out/one block") with one sample per seed, or a single FIXED sample
 * when no chance is involved. Curves and matrices are data for figures; no claim is judged on them.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>

/* The seed of a sample that depends on none. */
enum { FIXED = -1 };

typedef struct Sample {
    int seed;
    double value;  /* NaN exactly when missing */
    char *missing; /* why there is no value, e.g. "diverged at step 120"; NULL when there is one */
} Sample;

typedef struct Measurement {
    char *name;
    bool timed;      /* a time or a rate: differs between two runs, compared as a ratio */
    Sample *samples; /* in the order of measuring */
    size_t count;
} Measurement;

typedef struct Curve {
    char *name;
    int seed;
    double *x, *y;
    size_t points;
} Curve;

typedef struct Matrix {
    char *name;
    int seed;
    double *values; /* rows x columns */
    size_t rows, columns;
    char **row_labels, **column_labels; /* may be NULL */
} Matrix;

typedef struct Measurements {
    Measurement *list;
    size_t count;
    Curve *curves;
    size_t curve_count;
    Matrix *matrices;
    size_t matrix_count;
} Measurements;

/* Add one sample. The same name and seed twice is a programmer's mistake. A value that is not finite becomes a
 * missing one that says so. In curves and matrices what is not finite (a masked score, a loss after divergence)
 * is kept as NaN, a gap in the figure. Everything is copied. */
void measurements_add(Measurements *all, const char *name, int seed, double value, bool timed);
void measurements_add_missing(Measurements *all, const char *name, int seed, const char *reason);
void measurements_add_curve(Measurements *all, const char *name, int seed, const double *x, const double *y,
                            size_t points);
void measurements_add_matrix(Measurements *all, const char *name, int seed, const double *values, size_t rows,
                             size_t columns, const char *const *row_labels, const char *const *column_labels);

/* The samples that have a value: how many, mean (NaN of none), standard deviation and the 95 % interval of the next
 * draw (NaN of fewer than two). */
typedef struct Summary {
    size_t n;
    double mean, sd, low, high;
} Summary;

Summary measurement_summary(const Measurement *measurement);

/* The measurement of that name, and its sample at that seed; NULL when there is none. */
const Measurement *measurements_find(const Measurements *all, const char *name);
const Sample *measurement_at(const Measurement *measurement, int seed);

/* The next curve or matrix of that name behind `after`, in the order of recording, or the first when after is NULL;
 * and the one at that seed. NULL when there is none. */
const Curve *curves_find(const Measurements *all, const Curve *after, const char *name);
const Curve *curve_at(const Measurements *all, const char *name, int seed);
const Matrix *matrices_find(const Measurements *all, const Matrix *after, const char *name);
const Matrix *matrix_at(const Measurements *all, const char *name, int seed);

void measurements_free(Measurements *all);

#endif
