/*
 * readout: the vocabulary layer with its loss.
 *
 * The logits of a shard are the largest array of a model, and nothing but the loss wants them: they
 * are made, used and turned into gradients a few rows at a time, while they are in cache.
 * Part of the model, whose way in is model.h.
 */
#ifndef READOUT_H
#define READOUT_H

#include <stddef.h>
#include <stdint.h>

/* A layer of [vocabulary x width] weights; bias may be NULL (tied to the token table). */
typedef struct Readout {
    int width, vocabulary;
    const float *weight, *bias;
    float *logits; /* room for readout_room() floats */
} Readout;

size_t readout_room(int vocabulary);

/* Returns Σ over rows of −log p(target); nll [rows] unless NULL receives each term. */
double readout_loss(const Readout *readout, int rows, const float *x, const int32_t *targets, float *nll);

/* The same sum, times `weight` differentiated: d_x [rows x width] is written, d_weight and d_bias
 * (NULL where there is no bias) are added to. */
double readout_gradient(const Readout *readout, int rows, const float *x, const int32_t *targets,
                        float weight, float *d_x, float *d_weight, float *d_bias);

#endif
