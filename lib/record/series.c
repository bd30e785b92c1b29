#include "series.h"

#include "mem.h"
#include "stats.h"

#include <math.h>

static void append(Series *series, int seed, double x, const char *reason)
{
    size_t seeds = series->count;
    *(double *)mem_grow(&series->x, &series->count, sizeof *series->x) = x;
    *(int *)mem_grow(&series->seeds, &seeds, sizeof *series->seeds) = seed;
    if (isnan(x) && series->lost++ == 0)
        series->reason = reason;
}

bool series_read(const Measurements *all, const char *name, Series *series, Err *err)
{
    *series = (Series){0};
    const Measurement *m = measurements_find(all, name);
    if (!m || m->count == 0)
        return err_set(err, "\"%s\" was not measured", name);
    for (size_t i = 0; i < m->count; i++)
        append(series, m->samples[i].seed, m->samples[i].value, m->samples[i].missing);
    series->timed = m->timed;
    series->fixed = m->samples[0].seed == FIXED;
    for (size_t i = 1; i < m->count; i++) {
        if ((m->samples[i].seed == FIXED) == series->fixed)
            continue;
        series_free(series);
        return err_set(err, "\"%s\" mixes samples by seed with one that depends on none", name);
    }
    return true;
}

static double ranked(double a, double b, double lost)
{
    if (isnan(a) && isnan(b))
        return 0;
    return isnan(a) ? lost : isnan(b) ? -lost : a - b;
}

static double paired(double a, double b, Pairing pairing)
{
    switch (pairing) {
    case PAIR_MINUS:
        return a - b;
    case PAIR_LOG_OVER:
        return a > 0 && b > 0 ? log(a) - log(b) : NAN;
    case PAIR_RANK_HIGH:
        return ranked(a, b, INFINITY);
    case PAIR_RANK_LOW:
        return ranked(a, b, -INFINITY);
    }
    return NAN;
}

static const char no_logarithm[] = "not positive, so it has no logarithm";

static void pair_all(const Series *a, const Series *b, Pairing pairing, Series *series)
{
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            if (a->seeds[i] != b->seeds[j] && !a->fixed && !b->fixed)
                continue;
            const char *reason = isnan(a->x[i]) ? a->reason : isnan(b->x[j]) ? b->reason : no_logarithm;
            append(series, b->fixed ? a->seeds[i] : b->seeds[j], paired(a->x[i], b->x[j], pairing), reason);
        }
    }
    series->fixed = a->fixed && b->fixed;
    series->timed = a->timed || b->timed;
}

bool series_pair(const Measurements *all, const char *a, const char *b, Pairing pairing, Series *series,
                 Err *err)
{
    Series first, second;
    *series = (Series){0};
    if (!series_read(all, a, &first, err))
        return false;
    if (!series_read(all, b, &second, err)) {
        series_free(&first);
        return false;
    }
    pair_all(&first, &second, pairing, series);
    series_free(&first);
    series_free(&second);
    return series->count > 0 || err_set(err, "no seed has both \"%s\" and \"%s\"", a, b);
}

void series_log(Series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        bool was_lost = isnan(series->x[i]);
        series->x[i] = series->x[i] > 0 ? log(series->x[i]) : NAN;
        if (!was_lost && isnan(series->x[i]) && series->lost++ == 0)
            series->reason = no_logarithm;
    }
}

void series_free(Series *series)
{
    free(series->x);
    free(series->seeds);
    *series = (Series){0};
}

/* What is not lost; owned by the caller. */
static double *present(const Series *series, size_t *n)
{
    double *values = mem_new(series->count, sizeof *values);
    *n = 0;
    for (size_t i = 0; i < series->count; i++)
        if (!isnan(series->x[i]))
            values[(*n)++] = series->x[i];
    return values;
}

size_t series_present(const Series *series)
{
    return series->count - series->lost;
}

double series_mean(const Series *series)
{
    size_t n;
    double *values = present(series, &n);
    double mean = n >= 1 ? stats_mean(values, n) : NAN;
    free(values);
    return mean;
}

double series_sd(const Series *series)
{
    size_t n;
    double *values = present(series, &n);
    double sd = n >= 2 ? stats_sd(values, n) : NAN;
    free(values);
    return sd;
}
