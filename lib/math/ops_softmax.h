/*
 * ops_softmax: softmax over rows, its gradient, and what its Jacobian looks like.
 *
 * Scores of any size are safe: each row's largest is subtracted first. A score of −inf, like any more than 87.69
 * below the largest, gives a weight of exactly 0. A row of nothing but −inf, which has no softmax, is defined
 * as all zeros: nothing is attended to, and no gradient flows. NaN and +inf give NaN, so that a divergence
 * shows.
 */
#ifndef OPS_SOFTMAX_H
#define OPS_SOFTMAX_H

/* y = softmax(x), each of rows x columns; y may be x. */
void softmax_forward(int rows, int columns, const float *x, float *y);

/* d_x = y (d_y − Σ y d_y), from the output y; d_x may be d_y. */
void softmax_backward(int rows, int columns, const float *y, const float *d_y, float *d_x);

/* Of one row of n weights w. The Jacobian of a softmax is diag(w) − w wᵀ. */

/* −Σ w ln w, in nats; its exponential is the effective number of tokens. */
double softmax_entropy(int n, const float *w);

/* The trace of the Jacobian, Σ w (1 − w) = 1 − Σ w². */
double softmax_trace(int n, const float *w);

/* The largest weight. */
double softmax_peak(int n, const float *w);

#endif
