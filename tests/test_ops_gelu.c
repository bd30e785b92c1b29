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

/* erff and expf are within 4 ulp, 8 ROUNDOFF of a value of at most 1; the argument x/sqrt(2) is
 * rounded twice, which moves erf by less than 2 ROUNDOFF; sum and products round 4 times more. */
enum { ROUNDINGS = 14 };

static void values_and_slopes_are_exact_to_rounding(void **state)
{
    (void)state;
    enum { N = 4001 };
    float x[N], y[N], alone[N], slope[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)(i - N / 2) / 200; /* ±10 */
    gelu_forward(N, x, y, slope);
    gelu_forward(N, x, alone, NULL);
    for (int i = 0; i < N; i++) {
        double bound = ROUNDINGS * ROUNDOFF * fabs(x[i]);
        assert_close(y[i], exact_gelu(x[i]), bound, "y", i);
        assert_close(alone[i], exact_gelu(x[i]), bound, "y without slope", i);
        /* x φ(x): the exponent x²/2 is rounded, and |x|³ φ(x)/2 is below 0.25 */
        assert_close(slope[i], exact_slope(x[i]), (2 * ROUNDINGS) * ROUNDOFF, "slope", i);
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
