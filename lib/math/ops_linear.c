#include "ops_linear.h"

#include "blas.h"

#include <stddef.h>
#include <string.h>

/* What the product is added to: bias + residual. */
static void fill(int rows, int out, const float *bias, const float *residual, float *y)
{
    size_t row = (size_t)out * sizeof *y;
    if (!bias) {
        memcpy(y, residual, (size_t)rows * row);
        return;
    }
    for (int i = 0; i < rows; i++) {
        float *to = y + (size_t)i * out;
        if (!residual) {
            memcpy(to, bias, row);
            continue;
        }
        const float *from = residual + (size_t)i * out;
#pragma omp simd
        for (int j = 0; j < out; j++)
            to[j] = from[j] + bias[j];
    }
}

void linear_forward(int rows, int in, int out, const float *x, const float *weight, const float *bias,
                    const float *residual, float *y)
{
    if (bias || residual)
        fill(rows, out, bias, residual, y);
    gemm_nt(rows, out, in, 1, x, in, weight, in, bias || residual ? 1 : 0, y, out);
}

void linear_backward_input(int rows, int in, int out, const float *d_y, const float *weight, bool add,
                           float *d_x)
{
    gemm_nn(rows, in, out, 1, d_y, out, weight, in, add ? 1 : 0, d_x, in);
}

void linear_backward_weight(int rows, int in, int out, const float *x, const float *d_y, float *d_weight,
                            float *d_bias)
{
    gemm_tn(out, in, rows, 1, d_y, out, x, in, 1, d_weight, in);
    if (!d_bias)
        return;
    for (int i = 0; i < rows; i++) {
        const float *from = d_y + (size_t)i * out;
#pragma omp simd
        for (int j = 0; j < out; j++)
            d_bias[j] += from[j];
    }
}
