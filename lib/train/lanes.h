/*
 * lanes: where the gradients of a batch are gathered.
 *
 * A batch is cut into shards, and each shard adds its gradient to one of a fixed number of lanes, the same
 * lane in the same order however many threads there are. The lanes are then summed in a fixed tree. So the
 * sum has the same bits for any number of threads, without atomics and without a reduction.
 *
 * Eight lanes keep 1, 2, 4 and 8 threads evenly busy and three at 8/9; each more costs one more pass over
 * memory of the model's size.
 */
#ifndef LANES_H
#define LANES_H

#include <stddef.h>

enum { LANES = 8 };

/* Element i of the sum over lanes; lane l begins at gradients + l · floats. */
static inline float lanes_sum(const float *gradients, size_t floats, size_t i)
{
    const float *g = gradients + i;
    return ((g[0] + g[floats]) + (g[2 * floats] + g[3 * floats])) +
           ((g[4 * floats] + g[5 * floats]) + (g[6 * floats] + g[7 * floats]));
}

#endif
