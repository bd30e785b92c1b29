#include "ops_norm.h"
#include "oracle.h"

enum { ROWS = 3, WIDEST = 130 };

typedef struct Shape {
    int width;
    double offset; /* added to every x: a mean that variance must not see */
} Shape;

static const Shape shapes[] = {{1, 0}, {2, 0}, {17, 0}, {128, 0}, {130, 0}, {64, 100}};

static void exact_norm(int width, const double *x, const float *gain, const float *bias, double *y)
{
    double mean = 0, variance = 0;
    for (int j = 0; j < width; j++)
        mean += x[j] / width;
    for (int j = 0; j < width; j++)
        variance += (x[j] - mean) * (x[j] - mean) / width;
    for (int j = 0; j < width; j++)
        y[j] = (x[j] - mean) / sqrt(variance + 1e-5) * gain[j] + bias[j];
}

/*
 * How far a normalised row may be off. Its mean is a sum of `width` terms of at most `largest`, off by
 * width · largest · ROUNDOFF, which the division by the row's own deviation magnifies. Entries are at
 * most sqrt(width), and their scale comes from a sum whose terms, all positive, are off by width/2 + 8
 * roundings.
 */
static double norm_bound(int width, const double *row)
{
    double mean = 0, variance = 1e-5, largest = 0;
    for (int j = 0; j < width; j++)
        mean += row[j] / width;
    for (int j = 0; j < width; j++) {
        variance += (row[j] - mean) * (row[j] - mean) / width;
        largest = fmax(largest, fabs(row[j]));
    }
    return ROUNDOFF * (width * largest / sqrt(variance) + sqrt(width) * (width / 2.0 + 8));
}

static void rows_are_normalised_whatever_their_mean(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(shapes); c++) {
        int width = shapes[c].width;
        float *x = uniform_floats((size_t)ROWS * width, "x", 1), *gain = uniform_floats(width, "g", 1);
        float *bias = uniform_floats(width, "b", 1), y[ROWS * WIDEST], statistics[2 * ROWS];
        for (int i = 0; i < ROWS * width; i++)
            x[i] += (float)shapes[c].offset;
        norm_forward(ROWS, width, x, gain, bias, y, statistics);
        double *exact_x = doubles((size_t)ROWS * width, x), exact[WIDEST];
        for (int i = 0; i < ROWS; i++) {
            exact_norm(width, exact_x + i * width, gain, bias, exact);
            double bound = norm_bound(width, exact_x + i * width) + 2 * ROUNDOFF;
            for (int j = 0; j < width; j++)
                assert_close(y[i * width + j], exact[j], bound, "y", i * width + j);
        }
        free(exact_x);
        free(bias);
        free(gain);
        free(x);
    }
}

static void a_constant_row_becomes_the_bias(void **state)
{
    (void)state;
    const float x[] = {3, 3, 3, 3}, gain[] = {2, 2, 2, 2}, bias[] = {1, 2, 3, 4};
    float y[4], statistics[2];
    norm_forward(1, 4, x, gain, bias, y, statistics);
    assert_memory_equal(y, bias, sizeof y);
}

/* One row of Σ d_y · norm(x), as a function of x and of gain. */
typedef struct Row {
    int width;
    const float *x, *gain, *bias, *d_y;
} Row;

static double of_x(const double *x, const void *context)
{
    const Row *r = context;
    double sum = 0, y[WIDEST];
    exact_norm(r->width, x, r->gain, r->bias, y);
    for (int j = 0; j < r->width; j++)
        sum += r->d_y[j] * y[j];
    return sum;
}

static void the_input_gradient_is_the_derivative(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(shapes); s++) {
        int width = shapes[s].width;
        float *x = uniform_floats(width, "x", 1), *d_y = uniform_floats(width, "d_y", 1);
        float *gain = uniform_floats(width, "g", 1), *bias = uniform_floats(width, "b", 1);
        float y[WIDEST], d_x[WIDEST], d_gain[WIDEST] = {0}, d_bias[WIDEST] = {0}, statistics[2];
        for (int j = 0; j < width; j++)
            x[j] += (float)shapes[s].offset;
        norm_forward(1, width, x, gain, bias, y, statistics);
        norm_backward(1, width, x, gain, statistics, d_y, NULL, d_x, d_gain, d_bias);
        /* Each element is scale · (t − mean(t) − z mean(t z)) with |t| ≤ 1 and |mean(t z)| ≤ 1: z is
         * in it twice and the scale once, each off by the bound. The derivative's own truncation
         * grows with scale³. */
        double *row = doubles(width, x), scale = statistics[1];
        double bound = 4 * scale * (norm_bound(width, row) + width * ROUNDOFF);
        assert_gradient(of_x, x, width, &(Row){width, x, gain, bias, d_y}, d_x,
                        bound + 1e-10 * (1 + scale * scale * scale), "d_x");
        free(row);
        free(bias);
        free(gain);
        free(d_y);
        free(x);
    }
}

/* y is linear in gain and bias: their gradients are sums over rows that can be written down. */
static void parameter_gradients_are_summed_over_rows_and_added(void **state)
{
    (void)state;
    enum { WIDTH = 17 };
    float *x = uniform_floats(ROWS * WIDTH, "x", 1), *d_y = uniform_floats(ROWS * WIDTH, "d_y", 1);
    float gain[WIDTH], bias[WIDTH] = {0}, d_gain[WIDTH], d_bias[WIDTH];
    float z[ROWS * WIDTH], d_x[ROWS * WIDTH], statistics[2 * ROWS];
    for (int j = 0; j < WIDTH; j++) {
        gain[j] = 1;
        d_gain[j] = d_bias[j] = 0.5f;
    }
    norm_forward(ROWS, WIDTH, x, gain, bias, z, statistics); /* the normalised rows themselves */
    norm_backward(ROWS, WIDTH, x, gain, statistics, d_y, NULL, d_x, d_gain, d_bias);
    for (int j = 0; j < WIDTH; j++) {
        double gain_sum = 0.5, bias_sum = 0.5;
        for (int i = 0; i < ROWS; i++) {
            gain_sum += (double)d_y[i * WIDTH + j] * z[i * WIDTH + j];
            bias_sum += d_y[i * WIDTH + j];
        }
        /* terms of at most sqrt(WIDTH), z computed with at most two other roundings */
        double bound = (ROWS + 3) * (ROWS * sqrt(WIDTH) + 1) * ROUNDOFF;
        assert_close(d_gain[j], gain_sum, bound, "d_gain", j);
        assert_close(d_bias[j], bias_sum, bound, "d_bias", j);
    }
    free(d_y);
    free(x);
}

static void what_reaches_the_input_past_the_norm_is_added(void **state)
{
    (void)state;
    enum { WIDTH = 19 };
    float *x = uniform_floats(WIDTH, "x", 1), *d_y = uniform_floats(WIDTH, "d_y", 1);
    float *gain = uniform_floats(WIDTH, "g", 1), *past = uniform_floats(WIDTH, "past", 1);
    float y[WIDTH], d_x[WIDTH], both[WIDTH], ignored[2 * WIDTH] = {0}, statistics[2];
    norm_forward(1, WIDTH, x, gain, gain, y, statistics);
    norm_backward(1, WIDTH, x, gain, statistics, d_y, NULL, d_x, ignored, ignored + WIDTH);
    norm_backward(1, WIDTH, x, gain, statistics, d_y, past, both, ignored, ignored + WIDTH);
    for (int j = 0; j < WIDTH; j++) /* the sum may be fused with the last product */
        assert_close(both[j], (double)d_x[j] + past[j], 2 * ROUNDOFF * (fabs(d_x[j]) + 1), "d_x", j);
    norm_backward(1, WIDTH, x, gain, statistics, d_y, past, past, ignored, ignored + WIDTH);
    assert_memory_equal(past, both, sizeof both); /* in place of d_residual */
    norm_backward(1, WIDTH, x, gain, statistics, d_y, NULL, d_y, ignored, ignored + WIDTH);
    assert_memory_equal(d_y, d_x, sizeof d_x); /* in place of d_y */
    free(past);
    free(gain);
    free(d_y);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_normalised_whatever_their_mean),
        cmocka_unit_test(a_constant_row_becomes_the_bias),
        cmocka_unit_test(the_input_gradient_is_the_derivative),
        cmocka_unit_test(parameter_gradients_are_summed_over_rows_and_added),
        cmocka_unit_test(what_reaches_the_input_past_the_norm_is_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
