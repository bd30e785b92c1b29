/*
 * ops_linear: y = x Wᵀ + b, forward and backward.
 *
 * x [rows x in], W [out x in], b [out], y [rows x out], all without gaps. As in every ops file,
 * gradients of inputs are written, gradients of parameters are added to, and nothing overlaps unless
 * it says so.
 */
#ifndef OPS_LINEAR_H
#define OPS_LINEAR_H

#include <stdbool.h>

/* y = x Wᵀ + bias + residual; bias and residual [rows x out] may be NULL. */
void linear_forward(int rows, int in, int out, const float *x, const float *weight, const float *bias,
                    const float *residual, float *y);

/* d_x = d_y W, or d_x += d_y W if add. */
void linear_backward_input(int rows, int in, int out, const float *d_y, const float *weight, bool add,
                           float *d_x);

/* d_weight += d_yᵀ x and d_bias += Σ over rows of d_y; d_bias may be NULL. */
void linear_backward_weight(int rows, int in, int out, const float *x, const float *d_y, float *d_weight,
                            float *d_bias);

#endif
