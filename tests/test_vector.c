#include "oracle.h"
#include "vector.h"

/* The reduced argument rounds twice, at most 0.35 · 2 ROUNDOFF; the polynomial's last sum and the product by a
 * power of two round once, its other terms less than once; the fit adds 2^-28. Together below 4 ROUNDOFF. */
static void the_exponential_is_within_two_ulp_as_long_as_floats_are(void **state)
{
    (void)state;
    for (float x = 0; x >= -87.68f; x -= 0x1p-12f) {
        double exact = exp(x);
        assert_close(vector_exp(x), exact, 4 * ROUNDOFF * exact, "exp", (size_t)(-x * 4096));
    }
}

static void it_is_exact_at_both_ends(void **state)
{
    (void)state;
    const float below[] = {-87.69f, -88, -88.5f, -1e4f, -FLT_MAX, -INFINITY};
    assert_true(vector_exp(0) == 1);
    for (size_t i = 0; i < COUNT(below); i++) {
        const float zero = 0, found = vector_exp(below[i]);
        assert_memory_equal(&found, &zero, sizeof zero);
    }
    assert_true(isnan(vector_exp(NAN)));
}

/* A vector and the scalar rest of a loop must give a number the same bits. */
static void every_lane_gives_the_same_bits(void **state)
{
    (void)state;
    enum { N = 67 };
    float *x = uniform_floats(N, "x", 40), y[N];
    for (int i = 0; i < N; i++)
        x[i] = -fabsf(x[i]);
#pragma omp simd
    for (int i = 0; i < N; i++)
        y[i] = vector_exp(x[i]);
    for (int i = 0; i < N; i++) {
        volatile float alone = x[i]; /* volatile: not in a vector */
        float expected = vector_exp(alone);
        assert_memory_equal(&y[i], &expected, sizeof expected);
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exponential_is_within_two_ulp_as_long_as_floats_are),
        cmocka_unit_test(it_is_exact_at_both_ends),
        cmocka_unit_test(every_lane_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
