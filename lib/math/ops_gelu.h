/*
 * ops_gelu: the Gaussian error linear unit in its exact form, x Φ(x), with Φ the normal distribution
 * by erf.  Source: Hendrycks and Gimpel 2016.
 */
#ifndef OPS_GELU_H
#define OPS_GELU_H

#include <stddef.h>

/* y = gelu(x), n elements. slope, unless NULL, receives gelu'(x) = Φ(x) + x φ(x), which shares its exponential,
 * for the backward pass. y or slope may be x. */
void gelu_forward(size_t n, const float *x, float *y, float *slope);

/* d_x = d_y · slope; d_x may be d_y. */
void gelu_backward(size_t n, const float *slope, const float *d_y, float *d_x);

#endif
