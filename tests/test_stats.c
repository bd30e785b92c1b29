#include "mem.h"
#include "rng.h"
#include "stats.h"
#include "test.h"

/* One and two degrees of freedom have closed quantiles: tan(pi (p - 1/2)) and
 * (2p - 1) sqrt(2 / (4p (1 - p))); three is in every table; many approach the normal law. */
static void quantiles_of_t_meet_their_closed_forms_and_tables(void **state)
{
    (void)state;
    for (double p = 0.005; p < 1; p += 0.01) {
        assert_near(stats_t_quantile(p, 1), tan(M_PI * (p - 0.5)), 1e-11);
        assert_near(stats_t_quantile(p, 2), (2 * p - 1) * sqrt(2 / (4 * p * (1 - p))), 1e-12);
    }
    assert_near(stats_t_quantile(0.975, 3), 3.182446305284263, 1e-12);
    assert_near(stats_t_quantile(0.975, 1e9), 1.959963984540054, 1e-8);
}

static void the_prediction_interval_has_the_published_widths(void **state)
{
    (void)state;
    assert_near(stats_prediction_half_width(1, 3, 2, 0.05), 4.97, 0.005);
    assert_near(stats_prediction_half_width(1, 4, 3, 0.05), 3.56, 0.005);
    assert_near(stats_prediction_half_width(1, 5, 4, 0.05), 3.04, 0.005);
}

/* Beta(a, 1) has the closed quantile p^(1/a), Beta(1, b) 1 - (1-p)^(1/b). */
static void quantiles_of_beta_meet_their_closed_forms(void **state)
{
    (void)state;
    for (double a = 0.5; a < 1e6; a *= 3) {
        double expected = pow(0.025, 1 / a);
        assert_near(stats_beta_quantile(0.025, a, 1) / expected, 1, 1e-12);
        expected = -expm1(log1p(-0.975) / a);
        assert_near(stats_beta_quantile(0.975, 1, a) / expected, 1, 1e-9);
    }
}

static void the_exact_interval_of_a_proportion_is_clopper_and_pearsons(void **state)
{
    (void)state;
    Interval none = stats_proportion_interval(0, 10, 0.05), all = stats_proportion_interval(10, 10, 0.05);
    assert_true(none.low == 0 && all.high == 1);
    assert_near(none.high, 1 - pow(0.025, 0.1), 1e-12);
    assert_near(all.low, pow(0.025, 0.1), 1e-12);
    Interval some = stats_proportion_interval(3, 10, 0.05);
    assert_near(some.low, 0.06673951117773447, 1e-12);
    assert_near(some.high, 0.6524528500599972, 1e-12);
}

/* By definition the bounds are where the binomial tails are alpha/2; summed here directly. Sizes up
 * to 1e5 include shapes for which GSL's own inverse of Beta gives up. */
static void the_bounds_of_a_proportion_leave_half_of_alpha_in_each_tail(void **state)
{
    (void)state;
    static const double cases[][2] = {{1, 2}, {1400, 2000}, {11809, 19683}, {56096, 59049}, {99999, 100000}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        double k = cases[i][0], n = cases[i][1], above = 0, below = 0;
        Interval interval = stats_proportion_interval(k, n, 0.05);
        for (double j = 0; j <= n; j++) {
            double choose = lgamma(n + 1) - lgamma(j + 1) - lgamma(n - j + 1);
            if (j >= k)
                above += exp(choose + j * log(interval.low) + (n - j) * log1p(-interval.low));
            if (j <= k)
                below += exp(choose + j * log(interval.high) + (n - j) * log1p(-interval.high));
        }
        /* lgamma(1e5) is about 1e6 and carries an error of 1e-10 */
        assert_near(above, 0.025, 1e-9);
        assert_near(below, 0.025, 1e-9);
    }
}

static void mean_sd_and_median_are_those_of_their_definitions(void **state)
{
    (void)state;
    double x[] = {4, 1, 3, 2};
    assert_near(stats_mean(x, 4), 2.5, 0);
    assert_near(stats_sd(x, 4), sqrt(5.0 / 3), 1e-15);
    assert_near(stats_median(x, 4), 2.5, 0);
    assert_near(stats_median(x, 3), 3, 0);
    assert_near(x[0], 4, 0); /* not sorted in place */
    assert_near(stats_median(x, 1), 4, 0);
}

/* E[x^2] - E[x]^2 would lose all digits here. */
static void a_small_spread_on_a_large_mean_is_kept(void **state)
{
    (void)state;
    double x[] = {1e9 + 1, 1e9 + 2, 1e9 + 3};
    assert_near(stats_sd(x, 3), 1, 0);
}

static void the_bound_of_a_mean_is_one_sided(void **state)
{
    (void)state;
    assert_near(stats_mean_bound(2, 4, 0.05), 2.353363434801824 * 2 / 2, 1e-12);
}

/* With two degrees of freedom above, F has the closed form 1 - (1 + 2 x / df2)^(-df2 / 2). */
static void f_probabilities_follow_their_closed_form(void **state)
{
    (void)state;
    for (double df2 = 1; df2 <= 40; df2 += 3)
        for (double x = 0.01; x < 100; x *= 3)
            assert_near(stats_f_probability(x, 2, df2), 1 - pow(1 + 2 * x / df2, -df2 / 2), 1e-12);
    assert_near(stats_f_probability(0, 3, 4), 0, 0);
    assert_near(stats_f_probability(INFINITY, 3, 4), 1, 0);
}

static void an_exact_power_law_is_found_with_no_uncertainty(void **state)
{
    (void)state;
    double x[5], y[5];
    for (int i = 0; i < 5; i++) {
        x[i] = pow(4, i + 1);
        y[i] = 3 * sqrt(x[i]);
    }
    PowerFit fit = stats_power_fit(x, y, 5, 0.05);
    assert_near(fit.slope, 0.5, 1e-14);
    assert_near(fit.intercept, log(3), 1e-13);
    assert_true(fit.interval.high - fit.interval.low < 1e-13);
    fit = stats_power_fit(x, y, 2, 0.05);
    assert_near(fit.slope, 0.5, 1e-14);
    assert_true(isinf(fit.interval.low) && isinf(fit.interval.high));
}

/* 95 % within five standard errors of the count, sqrt(n p (1-p)). */
static void the_slopes_interval_holds_the_slope_in_95_percent_of_the_cases(void **state)
{
    (void)state;
    enum { CASES = 4000, POINTS = 6 };
    Rng rng = rng_stream(1, "slope");
    int held = 0;
    for (int c = 0; c < CASES; c++) {
        double x[POINTS], y[POINTS];
        for (int i = 0; i < POINTS; i++) {
            x[i] = exp2(i);
            y[i] = exp(1.9 * log(x[i]) + 0.1 * rng_normal(&rng));
        }
        PowerFit fit = stats_power_fit(x, y, POINTS, 0.05);
        held += fit.interval.low <= 1.9 && 1.9 <= fit.interval.high;
    }
    assert_true(fabs(held - 0.95 * CASES) < 5 * sqrt(0.95 * 0.05 * CASES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_of_t_meet_their_closed_forms_and_tables),
        cmocka_unit_test(the_prediction_interval_has_the_published_widths),
        cmocka_unit_test(quantiles_of_beta_meet_their_closed_forms),
        cmocka_unit_test(the_exact_interval_of_a_proportion_is_clopper_and_pearsons),
        cmocka_unit_test(the_bounds_of_a_proportion_leave_half_of_alpha_in_each_tail),
        cmocka_unit_test(mean_sd_and_median_are_those_of_their_definitions),
        cmocka_unit_test(a_small_spread_on_a_large_mean_is_kept),
        cmocka_unit_test(the_bound_of_a_mean_is_one_sided),
        cmocka_unit_test(f_probabilities_follow_their_closed_form),
        cmocka_unit_test(an_exact_power_law_is_found_with_no_uncertainty),
        cmocka_unit_test(the_slopes_interval_holds_the_slope_in_95_percent_of_the_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
