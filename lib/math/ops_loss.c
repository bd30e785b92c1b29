#include "ops_loss.h"

#include "vector.h"

#include <stddef.h>

static float largest(int n, const float *x)
{
    float top = -INFINITY;
#pragma omp simd reduction(max : top)
    for (int j = 0; j < n; j++)
        top = x[j] > top ? x[j] : top;
    return top;
}

/* Σ exp(x − top), each term kept. */
static float exponentials(int n, const float *x, float top, float *y)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < n; j++) {
        float e = vector_exp(x[j] - top);
        y[j] = e;
        sum += e;
    }
    return sum;
}

static float sum_of_exponentials(int n, const float *x, float top)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < n; j++)
        sum += vector_exp(x[j] - top);
    return sum;
}

double loss_cross_entropy(int rows, int vocabulary, const float *logits, const int32_t *targets, float weight,
                          float *nll, float *d_logits)
{
    double total = 0;
    for (int i = 0; i < rows; i++) {
        const float *x = logits + (size_t)i * vocabulary;
        float *d_x = d_logits ? d_logits + (size_t)i * vocabulary : NULL;
        float top = largest(vocabulary, x), target = x[targets[i]]; /* x may be overwritten now */
        float sum = d_x ? exponentials(vocabulary, x, top, d_x) : sum_of_exponentials(vocabulary, x, top);
        float loss = logf(sum) - (target - top);
        total += loss;
        if (nll)
            nll[i] = loss;
        if (!d_x)
            continue;
        float share = weight / sum;
#pragma omp simd
        for (int j = 0; j < vocabulary; j++)
            d_x[j] *= share;
        d_x[targets[i]] -= weight;
    }
    return total;
}
