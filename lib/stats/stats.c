#include "stats.h"

#include "mem.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <string.h>

double stats_mean(const double *x, size_t n)
{
    require(n >= 1, "a mean of nothing");
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

double stats_sd(const double *x, size_t n)
{
    require(n >= 2, "a standard deviation of %zu values", n);
    double mean = stats_mean(x, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sqrt(sum / (double)(n - 1));
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_median(const double *x, size_t n)
{
    require(n >= 1, "a median of nothing");
    double *sorted = mem_new(n, sizeof *sorted);
    memcpy(sorted, x, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    double median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    free(sorted);
    return median;
}

double stats_t_quantile(double p, double df)
{
    require(p > 0 && p < 1 && df > 0, "quantile %g of t with %g degrees of freedom", p, df);
    return gsl_cdf_tdist_Pinv(p, df);
}

double stats_beta_quantile(double p, double a, double b)
{
    require(p > 0 && p < 1 && a > 0 && b > 0, "quantile %g of Beta(%g, %g)", p, a, b);
    /* By halving: GSL's own inverse does not converge for every shape. */
    double low = 0, high = 1;
    for (double x = 0.5; x > low && x < high; x = low + (high - low) / 2) {
        if (gsl_cdf_beta_P(x, a, b) < p)
            low = x;
        else
            high = x;
    }
    return high;
}

double stats_f_probability(double x, double df1, double df2)
{
    require(x >= 0 && df1 > 0 && df2 > 0, "F(%g, %g) below %g", df1, df2, x);
    return isinf(x) ? 1 : gsl_cdf_fdist_P(x, df1, df2);
}

double stats_prediction_half_width(double sd, size_t n, double df, double alpha)
{
    require(n >= 1, "a prediction from no draw");
    return stats_t_quantile(1 - alpha / 2, df) * sd * sqrt(1 + 1 / (double)n);
}

double stats_mean_bound(double sd, size_t n, double alpha)
{
    require(n >= 2, "a bound from %zu draws", n);
    return stats_t_quantile(1 - alpha, (double)(n - 1)) * sd / sqrt((double)n);
}

Interval stats_proportion_interval(double successes, double trials, double alpha)
{
    require(trials >= 1 && successes >= 0 && successes <= trials, "%g of %g trials", successes, trials);
    double failures = trials - successes;
    Interval interval = {0, 1};
    if (successes > 0)
        interval.low = stats_beta_quantile(alpha / 2, successes, failures + 1);
    if (failures > 0)
        interval.high = stats_beta_quantile(1 - alpha / 2, successes + 1, failures);
    return interval;
}

PowerFit stats_power_fit(const double *x, const double *y, size_t n, double alpha)
{
    require(n >= 2, "a line through %zu points", n);
    double *log_x = mem_new(n, sizeof *log_x), *log_y = mem_new(n, sizeof *log_y);
    bool distinct = false;
    for (size_t i = 0; i < n; i++) {
        require(x[i] > 0 && y[i] > 0, "a logarithm of (%g, %g)", x[i], y[i]);
        log_x[i] = log(x[i]);
        log_y[i] = log(y[i]);
        distinct = distinct || x[i] != x[0];
    }
    require(distinct, "a slope from points above one x");

    PowerFit fit;
    double variance, covariance, slope_variance, squares;
    gsl_fit_linear(log_x, 1, log_y, 1, n, &fit.intercept, &fit.slope, &variance, &covariance, &slope_variance,
                   &squares);
    double half = INFINITY;
    if (n > 2)
        half = stats_t_quantile(1 - alpha / 2, (double)(n - 2)) * sqrt(slope_variance);
    fit.interval = (Interval){fit.slope - half, fit.slope + half};
    free(log_x);
    free(log_y);
    return fit;
}
