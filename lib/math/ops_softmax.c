#include "ops_softmax.h"

#include "vector.h"

#include <stddef.h>

static void forward_row(int n, const float *x, float *y)
{
    float top = -INFINITY, sum = 0;
#pragma omp simd reduction(max : top)
    for (int j = 0; j < n; j++)
        top = x[j] > top ? x[j] : top;
    if (top == -INFINITY) { /* nothing but −inf, or NaN */
        for (int j = 0; j < n; j++)
            y[j] = x[j] == -INFINITY ? 0 : x[j];
        return;
    }
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < n; j++) {
        float e = vector_exp(x[j] - top);
        y[j] = e;
        sum += e;
    }
    float share = 1 / sum; /* the sum is at least 1, the largest score's own term */
#pragma omp simd
    for (int j = 0; j < n; j++)
        y[j] *= share;
}

static void backward_row(int n, const float *y, const float *d_y, float *d_x)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < n; j++)
        sum += y[j] * d_y[j];
#pragma omp simd
    for (int j = 0; j < n; j++)
        d_x[j] = y[j] * (d_y[j] - sum);
}

void softmax_forward(int rows, int columns, const float *x, float *y)
{
    for (int i = 0; i < rows; i++)
        forward_row(columns, x + (size_t)i * columns, y + (size_t)i * columns);
}

void softmax_backward(int rows, int columns, const float *y, const float *d_y, float *d_x)
{
    for (int i = 0; i < rows; i++)
        backward_row(columns, y + (size_t)i * columns, d_y + (size_t)i * columns, d_x + (size_t)i * columns);
}

double softmax_entropy(int n, const float *w)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum -= w[j] > 0 ? w[j] * log((double)w[j]) : 0;
    return sum;
}

double softmax_trace(int n, const float *w)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += w[j] * (1 - (double)w[j]);
    return sum;
}

double softmax_peak(int n, const float *w)
{
    float top = 0;
    for (int j = 0; j < n; j++)
        top = w[j] > top ? w[j] : top;
    return top;
}
