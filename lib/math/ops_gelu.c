#include "ops_gelu.h"

#include "vector.h"

static const float DENSITY_AT_0 = 0.398942280f; /* 1/sqrt(2 pi) */

/*
 * Φ(x), given e^(−x²/2), which the density needs as well. For x ≤ 0 it is t p(t) e^(−x²/2) with
 * t = 1 / (1 + 0.214 |x|), the form of Abramowitz and Stegun 7.1.26; p is a least-maximum fit over the range of
 * floats, off by 2^-25 of Φ(x). So the lower tail keeps its digits, which 1 + erf would lose.
 */
static inline float distribution(float x, float exponential)
{
    float t = 1 / (1 + 0.214f * fabsf(x));
    float p = -5.82101730e-2f;
    p = p * t + 0.206202621f;
    p = p * t - 0.190975118f;
    p = p * t + 0.208108958f;
    p = p * t - 7.03888754e-3f;
    p = p * t + 9.24655233e-2f;
    p = p * t + 7.84609472e-2f;
    p = p * t + 8.56194189e-2f;
    p = p * t + 8.53666966e-2f;
    float whole = x > 0 ? 1 : 0;
    return fabsf(whole - p * t * exponential); /* a choice of numbers: compilers keep loops of it vectors */
}

void gelu_forward(size_t n, const float *x, float *y, float *slope)
{
    if (!slope) {
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            y[i] = x[i] * distribution(x[i], vector_exp(-0.5f * x[i] * x[i]));
        return;
    }
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        float a = x[i], exponential = vector_exp(-0.5f * a * a), below = distribution(a, exponential);
        y[i] = a * below;
        slope[i] = below + a * (DENSITY_AT_0 * exponential);
    }
}

void gelu_backward(size_t n, const float *slope, const float *d_y, float *d_x)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        d_x[i] = d_y[i] * slope[i];
}
