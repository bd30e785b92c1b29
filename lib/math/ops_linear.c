#include "ops_linear.h"

#include "product.h"

#include <stddef.h>

void linear_forward(int rows, int in, int out, const float *x, const float *weight, const float *bias,
                    const float *residual, float *y)
{
    const float *past = residual ? residual : bias;
    int step = residual ? out : 0; /* the bias is one row for all */
    if (bias && residual) {
        for (int i = 0; i < rows; i++) {
            const float *from = residual + (size_t)i * out;
            float *to = y + (size_t)i * out;
#pragma omp simd
            for (int j = 0; j < out; j++)
                to[j] = from[j] + bias[j];
        }
        past = y;
    }
    product_nt(rows, out, in, 1, x, in, weight, in, past, step, y, out);
}

void linear_backward_input(int rows, int in, int out, const float *d_y, const float *weight, bool add,
                           float *d_x)
{
    product_nn(rows, in, out, 1, d_y, out, weight, in, add ? d_x : NULL, in, d_x, in);
}

void linear_backward_weight(int rows, int in, int out, const float *x, const float *d_y, float *d_weight,
                            float *d_bias)
{
    product_tn(out, in, rows, 1, d_y, out, x, in, d_weight, in, d_weight, in);
    if (!d_bias)
        return;
    for (int i = 0; i < rows; i++) {
        const float *from = d_y + (size_t)i * out;
#pragma omp simd
        for (int j = 0; j < out; j++)
            d_bias[j] += from[j];
    }
}
