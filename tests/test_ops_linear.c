#include "blas.h"
#include "ops_linear.h"
#include "oracle.h"

enum { ROWS = 7, IN = 5, OUT = 11 };

static float *x, *weight, *bias, *residual, *d_y;

/* Every entry is below 1, so a sum of n products is off by less than n² ROUNDOFF. */
static double sum_bound(int n)
{
    return (double)n * n * ROUNDOFF;
}

static int set_up(void **state)
{
    (void)state;
    Err err;
    if (!blas_start(&err))
        fail_msg("%s", err.text);
    x = uniform_floats(ROWS * IN, "x", 1);
    weight = uniform_floats(OUT * IN, "weight", 1);
    bias = uniform_floats(OUT, "bias", 1);
    residual = uniform_floats(ROWS * OUT, "residual", 1);
    d_y = uniform_floats(ROWS * OUT, "d_y", 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(x);
    free(weight);
    free(bias);
    free(residual);
    free(d_y);
    return 0;
}

static void the_output_is_the_product_with_bias_and_residual_where_given(void **state)
{
    (void)state;
    for (int with = 0; with < 4; with++) {
        float y[ROWS * OUT];
        linear_forward(ROWS, IN, OUT, x, weight, with & 1 ? bias : NULL, with & 2 ? residual : NULL, y);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < OUT; j++) {
                double sum = (with & 1 ? bias[j] : 0) + (with & 2 ? residual[i * OUT + j] : 0.0);
                for (int p = 0; p < IN; p++)
                    sum += (double)x[i * IN + p] * weight[j * IN + p];
                assert_close(y[i * OUT + j], sum, sum_bound(IN + 2), "y", i * OUT + j);
            }
    }
}

/* Σ d_y · (x Wᵀ + b) is linear in each of the three: its derivatives are sums that can be written
 * down. */

static void the_input_gradient_is_written_or_added(void **state)
{
    (void)state;
    for (int add = 0; add < 2; add++) {
        float d_x[ROWS * IN];
        for (int i = 0; i < ROWS * IN; i++)
            d_x[i] = add ? x[i] : NAN;
        linear_backward_input(ROWS, IN, OUT, d_y, weight, add, d_x);
        for (int i = 0; i < ROWS; i++)
            for (int p = 0; p < IN; p++) {
                double sum = add ? x[i * IN + p] : 0;
                for (int j = 0; j < OUT; j++)
                    sum += (double)d_y[i * OUT + j] * weight[j * IN + p];
                assert_close(d_x[i * IN + p], sum, sum_bound(OUT + 1), "d_x", i * IN + p);
            }
    }
}

static void parameter_gradients_are_added_to(void **state)
{
    (void)state;
    float d_weight[OUT * IN], d_bias[OUT];
    memcpy(d_weight, weight, sizeof d_weight);
    memcpy(d_bias, bias, sizeof d_bias);
    linear_backward_weight(ROWS, IN, OUT, x, d_y, d_weight, d_bias);
    for (int j = 0; j < OUT; j++) {
        double sum = bias[j];
        for (int i = 0; i < ROWS; i++)
            sum += d_y[i * OUT + j];
        assert_close(d_bias[j], sum, sum_bound(ROWS + 1), "d_bias", j);
        for (int p = 0; p < IN; p++) {
            sum = weight[j * IN + p];
            for (int i = 0; i < ROWS; i++)
                sum += (double)d_y[i * OUT + j] * x[i * IN + p];
            assert_close(d_weight[j * IN + p], sum, sum_bound(ROWS + 1), "d_weight", j * IN + p);
        }
    }
}

static void a_layer_without_bias_has_no_gradient_of_one(void **state)
{
    (void)state;
    float with[OUT * IN] = {0}, without[OUT * IN] = {0}, d_bias[OUT] = {0};
    linear_backward_weight(ROWS, IN, OUT, x, d_y, with, d_bias);
    linear_backward_weight(ROWS, IN, OUT, x, d_y, without, NULL);
    assert_memory_equal(with, without, sizeof with);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_output_is_the_product_with_bias_and_residual_where_given),
        cmocka_unit_test(the_input_gradient_is_written_or_added),
        cmocka_unit_test(parameter_gradients_are_added_to),
        cmocka_unit_test(a_layer_without_bias_has_no_gradient_of_one),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
