/*
 * layout: the one table of a model's tensors.
 *
 * All parameters of a model lie in one array of floats, each tensor at an offset that is a multiple of
 * 16 floats (a cache line); the gaps are zero and stay zero. The table drives allocation,
 * initialisation, AdamW, the parameter count, checkpoints and the tests of the gradients, so a tensor
 * is described nowhere else.
 *
 * Names, in the table's order; what a configuration has not is left out:
 *   token                  [vocabulary x width]
 *   position               [context x width]
 *   block0.norm1.gain      [width]                        and block0.norm1.bias
 *   block0.qkv.weight      [3 · heads · head_width x width]  query rows, then key, then value; and .bias
 *   block0.project.weight  [width x heads · head_width]   and block0.project.bias
 *   block0.norm2.gain      [width]                        and block0.norm2.bias
 *   block0.expand.weight   [4 · width x width]            and block0.expand.bias
 *   block0.contract.weight [width x 4 · width]            and block0.contract.bias
 *   … the other blocks …
 *   norm.gain              [output width]                 and norm.bias
 *   vocabulary.weight      [vocabulary x output width]    and vocabulary.bias
 * Weights are stored as [out x in], so that y = x Wᵀ + b.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "config.h"

#include <stddef.h>
#include <stdint.h>

typedef enum Initial {
    INITIAL_NORMAL,  /* N(0, 1): embeddings */
    INITIAL_UNIFORM, /* ±1/sqrt(fan_in): weights and biases of linear layers, as PyTorch has them */
    INITIAL_ONE,     /* gain of a norm */
    INITIAL_ZERO     /* bias of a norm */
} Initial;

typedef struct Tensor {
    char name[40];
    int rows, columns; /* a vector is 1 x columns */
    size_t offset;     /* floats from the array's start */
    Initial initial;
    int fan_in;
    int block; /* which block it belongs to, −1 for none */
} Tensor;

typedef struct Layout {
    Tensor *list;
    size_t count;
    size_t floats;     /* of the whole array, gaps included */
    size_t parameters; /* without the gaps: the published kind of count */
} Layout;

/* The table of a checked configuration. */
Layout *layout_new(const ModelConfig *config);
void layout_free(Layout *layout);

/* The tensor of that name, or NULL. */
const Tensor *layout_find(const Layout *layout, const char *name);

size_t tensor_size(const Tensor *tensor); /* rows x columns */

/* Fills parameters (layout->floats of them). Each tensor draws from a stream named after it, so
 * that two models with the same seed agree wherever their tensors have the same name and shape. */
void layout_initialise(const Layout *layout, uint64_t seed, float *parameters);

#endif
