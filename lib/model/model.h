/*
 * model: forward and backward pass of every configuration, a shard of whole sequences at a time.
 *
 * The caller cuts a batch into shards; one thread takes a shard through the whole pass while its
 * activations are in cache, calling single-threaded products. Nothing here allocates within a pass,
 * locks or starts a thread. A shard's numbers depend on its own tokens and its shape alone: what other
 * shards hold, and which thread takes it, changes no bit.
 *
 * Shapes: tokens and targets are [sequences x length], row by row; logits [sequences x length x
 * vocabulary]. A pass takes at most the sequences, and exactly the length, that its activations were
 * made for. blas_start comes before any of it.
 */
#ifndef MODEL_H
#define MODEL_H

#include "layout.h"

typedef struct Model {
    ModelConfig config;
    Layout *layout;    /* owned */
    float *parameters; /* owned, layout->floats of them */
} Model;

/* A freshly initialised model; NULL when the configuration makes no sense or memory is short. */
Model *model_new(const ModelConfig *config, uint64_t seed, Err *err);
void model_free(Model *model);

/* Everything one thread needs to take shards of this model through the passes; reused from shard to
 * shard, and freed before the model. NULL when memory is short, or the length is beyond the learned
 * positions. */
typedef struct Activations Activations;
Activations *activations_new(const Model *model, int sequences, int length, Err *err);
void activations_free(Activations *activations);

/* Forward and backward. Adds weight · d(Σ −log p(target))/dθ to gradient, laid out like the
 * parameters, and returns Σ −log p(target), in nats, not weighted. NaN or infinity in the result is
 * the caller's to notice. */
double model_gradient(const Model *model, Activations *activations, const int32_t *tokens,
                      const int32_t *targets, int sequences, float weight, float *gradient);

/* Forward only: the same sum, bit for bit; nll, when not NULL, receives each position's −log p
 * [sequences x length]. */
double model_loss(const Model *model, Activations *activations, const int32_t *tokens, const int32_t *targets,
                  int sequences, float *nll);

/* Forward only: the logits. */
void model_logits(const Model *model, Activations *activations, const int32_t *tokens, int sequences,
                  float *logits);

/* For measurements, after any pass, of one head of one sequence of it. */

/* The attention weights [length x length], exactly 0 where masked; they last until the next pass. */
const float *activations_weights(const Activations *activations, int block, int head, int sequence);

/* The scores they are the softmax of (scaled, with ALiBi's penalty), computed anew into scores
 * [length x length], −inf where masked. */
void activations_scores(const Activations *activations, int block, int head, int sequence, float *scores);

#endif
