#include "ops_norm.h"

#include <math.h>
#include <stddef.h>

static const float EPSILON = 1e-5f;

void norm_forward(int rows, int width, const float *x, const float *gain, const float *bias, float *y,
                  float *statistics)
{
    for (int i = 0; i < rows; i++) {
        const float *from = x + (size_t)i * width;
        float *to = y + (size_t)i * width;
        float sum = 0, square = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < width; j++)
            sum += from[j];
        float mean = sum / (float)width;
#pragma omp simd reduction(+ : square)
        for (int j = 0; j < width; j++)
            square += (from[j] - mean) * (from[j] - mean);
        float scale = 1 / sqrtf(square / (float)width + EPSILON);
#pragma omp simd
        for (int j = 0; j < width; j++)
            to[j] = (from[j] - mean) * scale * gain[j] + bias[j];
        statistics[2 * i] = mean;
        statistics[2 * i + 1] = scale;
    }
}

/* With z the normalised row and t = d_y · gain: d_x = scale · (t − mean(t) − z · mean(t z)). */
void norm_backward(int rows, int width, const float *x, const float *gain, const float *statistics,
                   const float *d_y, const float *d_residual, float *d_x, float *d_gain, float *d_bias)
{
    for (int i = 0; i < rows; i++) {
        const float *row = x + (size_t)i * width, *d_row = d_y + (size_t)i * width;
        const float *past = d_residual ? d_residual + (size_t)i * width : NULL;
        float *to = d_x + (size_t)i * width;
        float mean = statistics[2 * i], scale = statistics[2 * i + 1];
        float sum_t = 0, sum_tz = 0;
#pragma omp simd reduction(+ : sum_t, sum_tz)
        for (int j = 0; j < width; j++) {
            float t = d_row[j] * gain[j], z = (row[j] - mean) * scale;
            sum_t += t;
            sum_tz += t * z;
        }
        float mean_t = sum_t / (float)width, mean_tz = sum_tz / (float)width;
#pragma omp simd
        for (int j = 0; j < width; j++) {
            float z = (row[j] - mean) * scale, d = d_row[j];
            to[j] = (past ? past[j] : 0) + scale * (d * gain[j] - mean_t - z * mean_tz);
            d_gain[j] += d * z;
            d_bias[j] += d;
        }
    }
}
