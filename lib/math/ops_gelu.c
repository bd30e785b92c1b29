#include "ops_gelu.h"

#include "vector.h"

static const float SQRT_HALF = 0.70710678118654752f; /* 1/sqrt(2) */
static const float PHI_OF_0 = 0.39894228040143268f;  /* 1/sqrt(2 pi), the density at 0 */

void gelu_forward(size_t n, const float *x, float *y, float *slope)
{
    if (!slope) {
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            y[i] = 0.5f * x[i] * (1 + erff(x[i] * SQRT_HALF));
        return;
    }
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        float a = x[i];
        float distribution = 0.5f * (1 + erff(a * SQRT_HALF));
        float density = PHI_OF_0 * expf(-0.5f * a * a);
        y[i] = a * distribution;
        slope[i] = distribution + a * density;
    }
}

void gelu_backward(size_t n, const float *slope, const float *d_y, float *d_x)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        d_x[i] = d_y[i] * slope[i];
}
