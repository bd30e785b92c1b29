#include "series.h"

#include "mem.h"
#include "stats.h"

#include <math.h>

static const char no_logarithm[] = "not positive, so it has no logarithm";

static void append(Series *series, int seed, double x, const char *reason)
{
    size_t seeds = series->count;
    *(double *)mem_grow(&series->x, &series->count, sizeof *series->x) = x;
    *(int *)mem_grow(&series->seeds, &seeds, sizeof *series->seeds) = seed;
    if (isnan(x) && series->lost++ == 0)
        series->reason = reason;
}

/* Whether the samples are all of seeds, or a single FIXED one. */
static bool check_samples(const Measurement *m, const char *name, Err *err)
{
    if (!m || m->count == 0)
        return err_set(err, "\"%s\" was not measured", name);
    for (size_t i = 1; i < m->count; i++)
        if ((m->samples[i].seed == FIXED) != (m->samples[0].seed == FIXED))
            return err_set(err, "\"%s\" mixes samples by seed with one that depends on none", name);
    return true;
}

static double ranked(double a, double b, double lost)
{
    if (isnan(a) && isnan(b))
        return 0;
    return isnan(a) ? lost : isnan(b) ? -lost : a - b;
}

/* The term's value of two samples; of one, b is not looked at. */
static double combined(TermForm form, double a, double b)
{
    switch (form) {
    case TERM_PLAIN:
        return a;
    case TERM_LOG:
        return a > 0 ? log(a) : NAN;
    case TERM_MINUS:
        return a - b;
    case TERM_LOG_OVER:
        return a > 0 && b > 0 ? log(a) - log(b) : NAN;
    case TERM_RANK_HIGH:
        return ranked(a, b, INFINITY);
    case TERM_RANK_LOW:
        return ranked(a, b, -INFINITY);
    }
    return NAN;
}

static void pair_all(const Measurement *a, const Measurement *b, TermForm form, Series *series)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            const Sample *x = &a->samples[i], *y = &b->samples[j];
            if (x->seed != y->seed && x->seed != FIXED && y->seed != FIXED)
                continue;
            const char *reason = x->missing ? x->missing : y->missing ? y->missing : no_logarithm;
            append(series, y->seed == FIXED ? x->seed : y->seed, combined(form, x->value, y->value), reason);
        }
}

bool series_read(const Measurements *all, const Term *term, Series *series, Err *err)
{
    const Measurement *a = measurements_find(all, term->a);
    const Measurement *b = term->b ? measurements_find(all, term->b) : NULL;
    *series = (Series){0};
    if (!check_samples(a, term->a, err) || (term->b && !check_samples(b, term->b, err)))
        return false;
    if (b)
        pair_all(a, b, term->form, series);
    for (size_t i = 0; i < a->count && !b; i++)
        append(series, a->samples[i].seed, combined(term->form, a->samples[i].value, NAN),
               a->samples[i].missing ? a->samples[i].missing : no_logarithm);
    series->fixed = a->samples[0].seed == FIXED && (!b || b->samples[0].seed == FIXED);
    series->timed = a->timed || (b && b->timed);
    return series->count > 0 || err_set(err, "no seed has both \"%s\" and \"%s\"", term->a, term->b);
}

void series_free(Series *series)
{
    free(series->x);
    free(series->seeds);
    *series = (Series){0};
}

bool term_is_log(const Term *term)
{
    return term->form == TERM_LOG || term->form == TERM_LOG_OVER;
}

double term_plain(const Term *term, double x)
{
    return term_is_log(term) ? exp(x) : x;
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
