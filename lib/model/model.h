/*
 * model: forward and backward pass of every configuration, a shard of whole sequences at a time.
 *
 * The caller cuts a batch into shards; one thread takes a shard through the whole pass while its
 * activations are in cache, calling single-threaded products. Nothing here allocates, locks or
 * starts a thread, and a shard's numbers depend on its own tokens alone.
 *
 * Shapes: tokens and targets are [sequences x length], row by row; logits [sequences x length x
 * vocabulary].
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

/* Everything one thread needs to take shards through the passes; reused from shard to shard. */
typedef struct Activations Activations;
Activations *activations_new(const Model *model, int sequences, int length, Err *err);
void activations_free(Activations *activations);
size_t activations_bytes(const Activations *activations);

/* Forward and backward. Adds weight · d(Σ −log p(target))/dθ to gradient, laid out like the
 * parameters, and returns Σ −log p(target), in nats, not weighted. At most the sequences and
 * exactly the length the activations were made for. NaN or infinity in the result is the caller's
 * to notice. */
double model_gradient(const Model *model, Activations *activations, const int32_t *tokens,
                      const int32_t *targets, int sequences, float weight, float *gradient);

/* Forward only: the same sum; nll, when not NULL, receives each position's −log p [sequences x
 * length]. */
double model_loss(const Model *model, Activations *activations, const int32_t *tokens, const int32_t *targets,
                  int sequences, float *nll);

/* Forward only: the logits. */
void model_logits(const Model *model, Activations *activations, const int32_t *tokens, int sequences,
                  float *logits);

#endif
