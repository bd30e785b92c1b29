/*
 * ops_average: the uniform causal mean, y[t] = (x[0] + … + x[t]) / (t + 1), and its gradient.
 *
 * Computed as a running sum in double, so that each y is the exact mean rounded once or, rarely, to
 * the neighbour. x and y are [length x width].
 */
#ifndef OPS_AVERAGE_H
#define OPS_AVERAGE_H

void average_forward(int length, int width, const float *x, float *y);

/* d_x[t] = Σ over u ≥ t of d_y[u] / (u + 1); d_x may be d_y. */
void average_backward(int length, int width, const float *d_y, float *d_x);

#endif
