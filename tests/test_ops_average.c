#include "ops_average.h"
#include "oracle.h"

typedef struct Shape {
    int length, width;
} Shape;

static const Shape shapes[] = {{1, 1}, {1, 5}, {7, 1}, {128, 128}, {33, 65}};

/* The running sum in double is exact to far below a float's rounding: one rounding is left. */
static void each_row_is_the_mean_of_what_is_before_it(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(shapes); c++) {
        int n = shapes[c].length, width = shapes[c].width;
        float *x = uniform_floats((size_t)n * width, "x", 1);
        float *y = mem_new((size_t)n * width, sizeof *y);
        average_forward(n, width, x, y);
        for (int j = 0; j < width; j++) {
            double sum = 0;
            for (int t = 0; t < n; t++) {
                sum += x[t * width + j];
                assert_close(y[t * width + j], sum / (t + 1), 1.001 * ROUNDOFF * fabs(sum / (t + 1)), "y",
                             t * width + j);
            }
        }
        free(y);
        free(x);
    }
}

static void the_gradient_is_the_transposed_matrix(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(shapes); c++) {
        int n = shapes[c].length, width = shapes[c].width;
        float *d_y = uniform_floats((size_t)n * width, "d_y", 1);
        float *d_x = mem_new((size_t)n * width, sizeof *d_x);
        average_backward(n, width, d_y, d_x);
        for (int j = 0; j < width; j++)
            for (int t = 0; t < n; t++) {
                double sum = 0;
                for (int u = t; u < n; u++)
                    sum += d_y[u * width + j] / (u + 1.0);
                assert_close(d_x[t * width + j], sum, 1.001 * ROUNDOFF * fabs(sum) + 1e-14, "d_x",
                             t * width + j);
            }
        average_backward(n, width, d_y, d_y); /* in place */
        assert_memory_equal(d_y, d_x, (size_t)n * width * sizeof *d_x);
        free(d_x);
        free(d_y);
    }
}

static void a_later_row_changes_no_earlier_one(void **state)
{
    (void)state;
    enum { N = 20, WIDTH = 9 };
    float *x = uniform_floats(N * WIDTH, "x", 1), before[N * WIDTH], after[N * WIDTH];
    average_forward(N, WIDTH, x, before);
    x[12 * WIDTH] += 1;
    average_forward(N, WIDTH, x, after);
    assert_memory_equal(before, after, 12 * WIDTH * sizeof *x);
    assert_true(before[12 * WIDTH] != after[12 * WIDTH]);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_the_mean_of_what_is_before_it),
        cmocka_unit_test(the_gradient_is_the_transposed_matrix),
        cmocka_unit_test(a_later_row_changes_no_earlier_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
