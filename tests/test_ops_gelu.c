#include "ops_gelu.h"
#include "oracle.h"

static double exact_gelu(double x)
{
    return 0.5 * x * erfc(-x / sqrt(2));
}

static double exact_slope(double x)
{
    return 0.5 * erfc(-x / sqrt(2)) + x * exp(-x * x / 2) / sqrt(2 * M_PI);
}

/*
 * Relative to the distribution at x: the argument x²/2 of the exponential is rounded, which moves it by
 * x²/2 · ROUNDOFF, and it is within 4 ROUNDOFF; the polynomial's terms sum in size to twice its value and
 * round 3 times each at most, t rounds 3 times and is in it; the fit adds 1; then one product.
 */
static double relative_bound(double x)
{
    return (x * x / 2 + 4 + 2 * 3 + 3 + 1 + 2) * ROUNDOFF;
}

static void values_and_slopes_are_exact_to_rounding(void **state)
{
    (void)state;
    enum { N = 4001 };
    float x[N], y[N], alone[N], slope[N];
    for (int i = 0; i < N; i++)
        x[i] = ((float)(i - N / 2) + 0.5f) / 200; /* ±10, 0 left out */
    gelu_forward(N, x, y, slope);
    gelu_forward(N, x, alone, NULL);
    for (int i = 0; i < N; i++) { /* relative even where Φ is 1e-23: the tail keeps its digits */
        double bound = relative_bound(x[i]), density = fabs(x[i]) * exp(-x[i] * x[i] / 2.0);
        assert_close(y[i], exact_gelu(x[i]), bound * fabs(exact_gelu(x[i])), "y", i);
        assert_close(alone[i], exact_gelu(x[i]), bound * fabs(exact_gelu(x[i])), "y without slope", i);
        assert_close(slope[i], exact_slope(x[i]), bound * (exact_gelu(x[i]) / x[i] + density), "slope", i);
    }
}

static void the_slope_is_the_derivative(void **state)
{
    (void)state;
    for (double x = -6; x <= 6; x += 0.37) {
        double h = 1e-5;
        /* truncation h²/6 · |gelu'''| < 1e-10, rounding 1e-16/h */
        assert_close(exact_slope(x), (exact_gelu(x + h) - exact_gelu(x - h)) / (2 * h), 1e-9, "derivative",
                     0);
    }
}

static void far_from_0_it_is_the_identity_or_0(void **state)
{
    (void)state;
    const float x[] = {1e4f, -1e4f, 1e30f, -1e30f, 0};
    float y[5], slope[5];
    gelu_forward(5, x, y, slope);
    assert_true(y[0] == x[0] && y[1] == 0 && y[2] == x[2] && y[3] == 0 && y[4] == 0);
    assert_true(slope[0] == 1 && slope[1] == 0 && slope[2] == 1 && slope[3] == 0);
    assert_true(slope[4] == 0.5f);
}

static void the_gradient_is_the_slope_times_what_comes_back(void **state)
{
    (void)state;
    enum { N = 37 };
    float *d = uniform_floats(N, "d_y", 1), *slope = uniform_floats(N, "slope", 1), d_x[N];
    gelu_backward(N, slope, d, d_x);
    gelu_backward(N, slope, d, d); /* in place */
    for (int i = 0; i < N; i++)
        assert_true(d[i] == d_x[i]);
    float *fresh = uniform_floats(N, "d_y", 1);
    for (int i = 0; i < N; i++)
        assert_true(d[i] == fresh[i] * slope[i]);
    free(fresh);
    free(slope);
    free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_slopes_are_exact_to_rounding),
        cmocka_unit_test(the_slope_is_the_derivative),
        cmocka_unit_test(far_from_0_it_is_the_identity_or_0),
        cmocka_unit_test(the_gradient_is_the_slope_times_what_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
