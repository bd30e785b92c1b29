/*
 * lanes: where the gradients of a batch are gathered.
 *
 * A batch is cut into shards, and each shard adds its gradient to one of a fixed number of lanes, the same
 * lane in the same order however many threads there are. The lanes are then summed in a fixed tree. So the
 * sum has the same bits for any number of threads, without atomics and without a reduction.
 *
 * Twelve lanes keep 1, 2, 3, 4, 6 and 12 threads evenly busy. On two cores they cost 1 % of the step of a one-block
 * model more than four lanes do: each is one more array of the model's size to be summed.
 */
#ifndef LANES_H
#define LANES_H

#include <stddef.h>

enum { LANES = 12 };

/* Element i of the sum over lanes; lane l begins at gradients + l · floats. */
static inline float lanes_sum(const float *gradients, size_t floats, size_t i)
{
    const float *g = gradients + i;
    float low = (g[0] + g[floats]) + (g[2 * floats] + g[3 * floats]);
    float middle = (g[4 * floats] + g[5 * floats]) + (g[6 * floats] + g[7 * floats]);
    float high = (g[8 * floats] + g[9 * floats]) + (g[10 * floats] + g[11 * floats]);
    return (low + middle) + high;
}

#endif
