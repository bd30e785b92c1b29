/*
 * adamw: the optimizer, as one pass over the whole array of parameters.
 *
 * What PyTorch's AdamW computes, with the decay on every parameter:
 *
 *   θ ← θ (1 − rate · decay)
 *   m ← β1 m + (1 − β1) g         v ← β2 v + (1 − β2) g²
 *   θ ← θ − rate/(1 − β1ⁿ) · m / (sqrt(v / (1 − β2ⁿ)) + ε)        n = 1, 2, 3 … the step
 *
 * Every element is computed on its own, so the pass may be cut anywhere without a bit changing.
 *
 * Source   Loshchilov and Hutter 2019, algorithm 2; Kingma and Ba 2015 for the bias correction.
 */
#ifndef ADAMW_H
#define ADAMW_H

#include <stddef.h>

typedef struct AdamW {
    double beta1, beta2;
    double epsilon;
    double decay; /* decoupled: times the rate, not a part of the gradient */
} AdamW;

/* PyTorch's defaults: 0.9, 0.999, 1e-8, 0.01. */
AdamW adamw_default(void);

/* One step on the elements begin … end − 1. The gradient is summed over the lanes (lanes.h) of `floats`
 * elements each, which are left zeroed for the next step. first and second are m and v. */
void adamw_update(const AdamW *adamw, double rate, long step, size_t begin, size_t end, size_t floats,
                  float *gradients, float *first, float *second, float *parameters);

#endif
