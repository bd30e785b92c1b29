#include "measure.h"

#include "mem.h"
#include "stats.h"

#include <math.h>
#include <string.h>

static Measurement *find(const Measurements *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].name, name) == 0)
            return &all->list[i];
    return NULL;
}

const Measurement *measurements_find(const Measurements *all, const char *name)
{
    return find(all, name);
}

const Sample *measurement_at(const Measurement *m, int seed)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->samples[i].seed == seed)
            return &m->samples[i];
    return NULL;
}

const Curve *curves_find(const Measurements *all, const Curve *after, const char *name)
{
    for (size_t i = after ? (size_t)(after - all->curves) + 1 : 0; i < all->curve_count; i++)
        if (strcmp(all->curves[i].name, name) == 0)
            return &all->curves[i];
    return NULL;
}

const Matrix *matrices_find(const Measurements *all, const Matrix *after, const char *name)
{
    for (size_t i = after ? (size_t)(after - all->matrices) + 1 : 0; i < all->matrix_count; i++)
        if (strcmp(all->matrices[i].name, name) == 0)
            return &all->matrices[i];
    return NULL;
}

const Curve *curve_at(const Measurements *all, const char *name, int seed)
{
    const Curve *curve = NULL;
    while ((curve = curves_find(all, curve, name)) && curve->seed != seed)
        ;
    return curve;
}

const Matrix *matrix_at(const Measurements *all, const char *name, int seed)
{
    const Matrix *matrix = NULL;
    while ((matrix = matrices_find(all, matrix, name)) && matrix->seed != seed)
        ;
    return matrix;
}

static Measurement *find_or_begin(Measurements *all, const char *name)
{
    Measurement *m = find(all, name);
    if (!m) {
        m = mem_grow(&all->list, &all->count, sizeof *m);
        m->name = mem_text("%s", name);
    }
    return m;
}

static Sample *begin_sample(Measurements *all, const char *name, int seed)
{
    require(seed >= FIXED, "seed %d of \"%s\"", seed, name);
    Measurement *m = find_or_begin(all, name);
    require(!measurement_at(m, seed), "\"%s\" is measured twice at seed %d", name, seed);
    Sample *sample = mem_grow(&m->samples, &m->count, sizeof *sample);
    sample->seed = seed;
    return sample;
}

void measurements_add_missing(Measurements *all, const char *name, int seed, const char *reason)
{
    Sample *sample = begin_sample(all, name, seed);
    sample->value = NAN;
    sample->missing = mem_text("%s", reason);
}

void measurements_add(Measurements *all, const char *name, int seed, double value, bool timed)
{
    if (isfinite(value))
        begin_sample(all, name, seed)->value = value;
    else
        measurements_add_missing(all, name, seed, isnan(value) ? "not a number" : "infinite");
    find(all, name)->timed |= timed;
}

static double *copy_numbers(const double *values, size_t count)
{
    double *copy = mem_new(count, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = isfinite(values[i]) ? values[i] : NAN;
    return copy;
}

static char **copy_labels(const char *const *labels, size_t count)
{
    if (!labels)
        return NULL;
    char **copy = mem_new(count, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = mem_text("%s", labels[i]);
    return copy;
}

void measurements_add_curve(Measurements *all, const char *name, int seed, const double *x, const double *y,
                            size_t points)
{
    require(!curve_at(all, name, seed), "the curve \"%s\" is recorded twice at seed %d", name, seed);
    Curve *curve = mem_grow(&all->curves, &all->curve_count, sizeof *curve);
    *curve = (Curve){mem_text("%s", name), seed, copy_numbers(x, points), copy_numbers(y, points), points};
}

void measurements_add_matrix(Measurements *all, const char *name, int seed, const double *values, size_t rows,
                             size_t columns, const char *const *row_labels, const char *const *column_labels)
{
    require(!matrix_at(all, name, seed), "the matrix \"%s\" is recorded twice at seed %d", name, seed);
    Matrix *matrix = mem_grow(&all->matrices, &all->matrix_count, sizeof *matrix);
    *matrix = (Matrix){.name = mem_text("%s", name),
                       .seed = seed,
                       .values = copy_numbers(values, rows * columns),
                       .rows = rows,
                       .columns = columns,
                       .row_labels = copy_labels(row_labels, rows),
                       .column_labels = copy_labels(column_labels, columns)};
}

static void free_labels(char **labels, size_t count)
{
    for (size_t i = 0; labels && i < count; i++)
        free(labels[i]);
    free(labels);
}

void measurements_free(Measurements *all)
{
    for (size_t i = 0; i < all->count; i++) {
        for (size_t s = 0; s < all->list[i].count; s++)
            free(all->list[i].samples[s].missing);
        free(all->list[i].samples);
        free(all->list[i].name);
    }
    for (size_t i = 0; i < all->curve_count; i++) {
        free(all->curves[i].x);
        free(all->curves[i].y);
        free(all->curves[i].name);
    }
    for (size_t i = 0; i < all->matrix_count; i++) {
        free_labels(all->matrices[i].row_labels, all->matrices[i].rows);
        free_labels(all->matrices[i].column_labels, all->matrices[i].columns);
        free(all->matrices[i].values);
        free(all->matrices[i].name);
    }
    free(all->list);
    free(all->curves);
    free(all->matrices);
    *all = (Measurements){0};
}

Summary measurement_summary(const Measurement *m)
{
    Summary summary = {.mean = NAN, .sd = NAN, .low = NAN, .high = NAN};
    double *values = mem_new(m->count, sizeof *values);
    for (size_t i = 0; i < m->count; i++)
        if (!m->samples[i].missing)
            values[summary.n++] = m->samples[i].value;
    if (summary.n >= 1)
        summary.mean = stats_mean(values, summary.n);
    double sd = summary.n >= 2 ? stats_sd(values, summary.n) : NAN;
    double half =
        summary.n >= 2 ? stats_prediction_half_width(sd, summary.n, (double)(summary.n - 1), ALPHA) : NAN;
    if (isfinite(half)) { /* the squares of values beyond 1e154 are not */
        summary.sd = sd;
        summary.low = summary.mean - half;
        summary.high = summary.mean + half;
    }
    free(values);
    return summary;
}
