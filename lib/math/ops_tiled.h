/*
 * ops_tiled: multi-head attention of one sequence without its matrices: the same layer as ops_attention,
 * in memory that grows with the length and not with its square.
 *
 * Scores are computed tile by tile. Each row of them keeps a running maximum and sum (an online softmax), by
 * which what was summed before is corrected whenever the maximum rises, so that no weight is stored; the
 * backward pass computes the weights again from those two numbers a row. Outputs and gradients are those of
 * ops_attention to rounding, with its conventions: Attention says what is what, padding and slopes included,
 * and a position that sees nothing has output and gradients of 0.
 *
 * The forward pass falls into units, 0 … tiled_units(a) − 1: a block of rows of one head. A unit runs on the
 * thread that calls it and writes nothing that another writes, so units may be shared among threads in any way
 * and give the same bits. Under the causal mask later units of a head take longer.
 *
 *   #pragma omp parallel for schedule(dynamic)
 *   for (int unit = 0; unit < tiled_units(&a); unit++)
 *       tiled_forward(&a, q, k, v, unit, statistics, output);
 *
 * The backward pass's units are whole heads, 0 … heads − 1, in the same way: were blocks of rows to be
 * independent there, each tile would take seven products instead of five.
 *
 * From 1024 positions on the forward pass takes about three quarters of ops_attention's time, the backward pass
 * about a tenth more, both together a little less. Tiles are on the stack, 128 KiB of it.
 *
 * Sources  Milakov and Gimelshein 2018 (online softmax); Rabe and Staats 2021; Dao et al. 2022.
 */
#ifndef OPS_TILED_H
#define OPS_TILED_H

#include "ops_attention.h"

int tiled_units(const Attention *a);

/* Writes the unit's part of output and statistics. statistics [heads x length x 2] keeps of each row of scores
 * its maximum and 1 / Σ exp(score − maximum), so that exp(score − maximum) times the latter is a weight; both
 * are 0 for a position that sees nothing. */
void tiled_forward(const Attention *a, const float *q, const float *k, const float *v, int unit,
                   float *statistics, float *output);

/* Writes the head's columns of d_q, d_k and d_v, from what all units of the head wrote in the forward pass. */
void tiled_backward(const Attention *a, const float *q, const float *k, const float *v,
                    const float *statistics, const float *output, const float *d_output, int head, float *d_q,
                    float *d_k, float *d_v);

#endif
