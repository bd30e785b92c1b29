/*
 * ops_norm: layer normalisation of rows, forward and backward.
 *
 * y = (x − mean) / sqrt(variance + 1e-5) · gain + bias, mean and variance (by its own pass, divided by
 * width) of each row.  Source: Ba et al. 2016, equation 4; the epsilon is PyTorch's.
 */
#ifndef OPS_NORM_H
#define OPS_NORM_H

/* x and y [rows x width], gain and bias [width]; statistics [rows x 2] receives each row's mean and
 * 1/sqrt(variance + 1e-5) for the backward pass. */
void norm_forward(int rows, int width, const float *x, const float *gain, const float *bias, float *y,
                  float *statistics);

/* d_x = d_residual + the gradient through the norm; d_gain and d_bias are added to. d_residual, what
 * reaches x past the norm, may be NULL, and d_x may be d_residual or d_y. */
void norm_backward(int rows, int width, const float *x, const float *gain, const float *statistics,
                   const float *d_y, const float *d_residual, float *d_x, float *d_gain, float *d_bias);

#endif
