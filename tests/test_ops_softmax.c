#include "ops_softmax.h"
#include "oracle.h"

/* The exponential is within 4 ROUNDOFF; the difference x − top is rounded once, which moves it by
 * ROUNDOFF |x − top|; a sum of n terms by n ROUNDOFF; then one division and one product. Relative to the
 * weight: */
static double relative_bound(int n, double range)
{
    return (2 * (4 + range) + n + 2) * ROUNDOFF;
}

static void exact_softmax(int n, const double *x, double *w)
{
    double top = x[0], sum = 0;
    for (int j = 1; j < n; j++)
        top = fmax(top, x[j]);
    for (int j = 0; j < n; j++)
        sum += w[j] = exp(x[j] - top);
    for (int j = 0; j < n; j++)
        w[j] /= sum;
}

static void weights_are_the_softmax_at_every_width(void **state)
{
    (void)state;
    const int widths[] = {1, 2, 7, 16, 17, 33, 64, 1000};
    for (size_t c = 0; c < COUNT(widths); c++) {
        enum { ROWS = 3 };
        int n = widths[c];
        float *x = uniform_floats(ROWS * n, "x", 20), *w = mem_new(ROWS * n, sizeof *w);
        double *exact_x = doubles(ROWS * n, x), *exact = mem_new(n, sizeof *exact);
        softmax_forward(ROWS, n, x, w);
        for (int i = 0; i < ROWS; i++) {
            exact_softmax(n, exact_x + i * n, exact);
            for (int j = 0; j < n; j++)
                assert_close(w[i * n + j], exact[j], relative_bound(n, 40) * exact[j], "w", i * n + j);
        }
        softmax_forward(ROWS, n, x, x); /* in place */
        assert_memory_equal(x, w, ROWS * n * sizeof *w);
        free(exact);
        free(exact_x);
        free(w);
        free(x);
    }
}

static void huge_scores_do_not_overflow(void **state)
{
    (void)state;
    const float x[] = {-1e4f, 1e4f, 1e4f, 0, FLT_MAX / 4, -FLT_MAX / 4};
    float w[6];
    softmax_forward(1, 4, x, w);
    assert_true(w[0] == 0 && w[1] == 0.5f && w[2] == 0.5f && w[3] == 0);
    softmax_forward(1, 6, x, w);
    assert_true(w[4] == 1 && w[1] == 0 && w[5] == 0);
}

/* At every lane of a vector, and in the scalar remainder. */
static void a_score_of_minus_infinity_weighs_exactly_0(void **state)
{
    (void)state;
    enum { N = 35 };
    for (int masked = 0; masked < N; masked++) {
        float x[N], w[N], sum = 0;
        for (int j = 0; j < N; j++)
            x[j] = j == masked ? -INFINITY : (float)j / N;
        softmax_forward(1, N, x, w);
        const float zero = 0;
        assert_memory_equal(&w[masked], &zero, sizeof zero);
        for (int j = 0; j < N; j++)
            sum += w[j];
        assert_close(sum, 1, 2 * N * ROUNDOFF, "sum", masked);
    }
}

static void a_row_of_nothing_but_minus_infinity_is_all_zeros(void **state)
{
    (void)state;
    enum { N = 35 };
    float x[N], w[N], d[N];
    const float zeros[N] = {0};
    for (int j = 0; j < N; j++) {
        x[j] = -INFINITY;
        d[j] = (float)j;
    }
    softmax_forward(1, N, x, w);
    assert_memory_equal(w, zeros, sizeof w);
    softmax_backward(1, N, w, d, d);
    for (int j = 0; j < N; j++)
        assert_true(d[j] == 0);
}

static void a_divergence_is_not_hidden(void **state)
{
    (void)state;
    const float rows[][3] = {{0, NAN, 0}, {NAN, NAN, NAN}, {-INFINITY, NAN, -INFINITY}, {0, INFINITY, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        float w[3];
        softmax_forward(1, 3, rows[i], w);
        assert_true(isnan(w[0] + w[1] + w[2]));
    }
}

typedef struct Weighted {
    int n;
    const float *d_y;
} Weighted;

static double weighted_softmax(const double *x, const void *context)
{
    const Weighted *c = context;
    double w[64], sum = 0;
    exact_softmax(c->n, x, w);
    for (int j = 0; j < c->n; j++)
        sum += c->d_y[j] * w[j];
    return sum;
}

static void the_gradient_is_the_derivative(void **state)
{
    (void)state;
    const int widths[] = {1, 2, 17, 40};
    for (size_t c = 0; c < COUNT(widths); c++) {
        int n = widths[c];
        float *x = uniform_floats(n, "x", 3), *d_y = uniform_floats(n, "d_y", 1);
        float w[64], d_x[64];
        softmax_forward(1, n, x, w);
        softmax_backward(1, n, w, d_y, d_x);
        /* w is off by its bound; so is the weighted mean of d_y, whose entries are below 1. */
        assert_gradient(weighted_softmax, x, n, &(Weighted){n, d_y}, d_x, 3 * relative_bound(n, 6), "d_x");
        free(x);
        free(d_y);
    }
}

static void diagnostics_have_their_values_at_both_ends(void **state)
{
    (void)state;
    const float uniform[] = {0.25f, 0.25f, 0.25f, 0.25f}, hard[] = {0, 1, 0, 0};
    assert_close(softmax_entropy(4, uniform), log(4), 1e-15, "entropy", 0);
    assert_true(softmax_trace(4, uniform) == 0.75);
    assert_true(softmax_peak(4, uniform) == 0.25);
    assert_true(softmax_entropy(4, hard) == 0);
    assert_true(softmax_trace(4, hard) == 0);
    assert_true(softmax_peak(4, hard) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_the_softmax_at_every_width),
        cmocka_unit_test(huge_scores_do_not_overflow),
        cmocka_unit_test(a_score_of_minus_infinity_weighs_exactly_0),
        cmocka_unit_test(a_row_of_nothing_but_minus_infinity_is_all_zeros),
        cmocka_unit_test(a_divergence_is_not_hidden),
        cmocka_unit_test(the_gradient_is_the_derivative),
        cmocka_unit_test(diagnostics_have_their_values_at_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
