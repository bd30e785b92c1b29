/*
 * stats: the few statistics that verdicts, tables and fits rest on (quantiles by GSL, which stats.c
 * alone sees).
 *
 * Sums are double and two-pass: the mean first, then squares about it. Arrays are read only; a
 * wrong size is a programmer's mistake. Nothing here knows of claims.
 *
 * Sources  Spence and Stanley 2016, PLoS ONE 11(9):e0162874 (prediction interval); Clopper and
 *          Pearson 1934, Biometrika 26:404 (exact interval of a proportion).
 */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

/* The error rate at which this project judges: its intervals hold in 95 % of the cases. */
#define ALPHA 0.05

typedef struct Interval {
    double low, high;
} Interval;

/* n >= 1 for mean and median, n >= 2 for the standard deviation (divisor n - 1). */
double stats_mean(const double *x, size_t n);
double stats_sd(const double *x, size_t n);
double stats_median(const double *x, size_t n);

/* The x below which Student's t with df > 0 degrees of freedom falls with probability p, 0 < p < 1.
 */
double stats_t_quantile(double p, double df);

/* The same for Beta(a, b), a and b > 0. */
double stats_beta_quantile(double p, double a, double b);

/* How often Fisher's F with df1 and df2 > 0 degrees of freedom falls below x; x may be infinite. */
double stats_f_probability(double x, double df1, double df2);

/* One new draw beside n earlier ones lies within mean ± this with probability 1 - alpha:
 * t(1 - alpha/2, df) sd sqrt(1 + 1/n). df is n - 1 when sd is the n draws' own, more when pooled.
 */
double stats_prediction_half_width(double sd, size_t n, double df, double alpha);

/* How far a one-sided bound of the mean of n draws lies from it: t(1 - alpha, n - 1) sd / sqrt(n).
 */
double stats_mean_bound(double sd, size_t n, double alpha);

/* Clopper and Pearson's exact two-sided 1 - alpha interval of a proportion; trials >= 1. */
Interval stats_proportion_interval(double successes, double trials, double alpha);

/* A power law y = c x^slope fitted by least squares to logarithms; x and y > 0, n >= 2, not all x
 * equal. The interval is the slope's 1 - alpha one, infinitely wide when n == 2. */
typedef struct PowerFit {
    double slope, intercept; /* of ln y on ln x */
    Interval interval;
} PowerFit;

PowerFit stats_power_fit(const double *x, const double *y, size_t n, double alpha);

#endif
