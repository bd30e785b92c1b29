/*
 * measure: what an experiment saw, before anyone judges it.
 *
 * A measurement is a name ("held_out/one block") with one sample per seed, or a single FIXED sample
 * when no chance is involved. Curves and matrices are data for figures; no claim is judged on them.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "json.h"

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

/* Add one sample. The same name and seed twice is a programmer's mistake, and so is a value that is not finite:
 * what has none is missing, with its reason. In curves and matrices what is not finite (a masked score, a
 * loss after divergence) is kept as NaN, a gap in the figure. Everything is copied. */
void measurements_add(Measurements *all, const char *name, int seed, double value, bool timed);
void measurements_add_missing(Measurements *all, const char *name, int seed, const char *reason);
void measurements_add_curve(Measurements *all, const char *name, int seed, const double *x, const double *y,
                            size_t points);
void measurements_add_matrix(Measurements *all, const char *name, int seed, const double *values, size_t rows,
                             size_t columns, const char *const *row_labels, const char *const *column_labels);

/* The measurement of that name, or NULL. */
const Measurement *measurements_find(const Measurements *all, const char *name);

void measurements_free(Measurements *all);

/* As the result file holds them, with n, mean, SD and the 95 % interval of the next draw beside the samples, so
 * that tables and figures need not compute; n counts the samples that have a value, and what n is too small for
 * is left out. "seed" is absent from what is FIXED, "timed" from what is not; null is a gap.
 *   measurements  {NAME: {"timed": true, "samples": [{"seed": 0, "value": 38.1},
 *                         {"seed": 1, "missing": "diverged at step 120"}], "n", "mean", "sd", "interval": [low, high]}}
 *   curves        [{"name", "seed", "x": [numbers], "y": [numbers]}]
 *   matrices      [{"name", "seed", "values": [[a row's numbers], …], "row_labels", "column_labels"}] */
Json *measurements_to_json(const Measurements *all);
Json *curves_to_json(const Measurements *all);
Json *matrices_to_json(const Measurements *all);

/* Reads the three back; name is the file, for messages. On failure nothing is left in *all. */
bool measurements_from_json(const Json *measurements, const Json *curves, const Json *matrices,
                            const char *name, Measurements *all, Err *err);

#endif
