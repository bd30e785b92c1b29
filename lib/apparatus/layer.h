/*
 * layer: one attention layer by itself, forward over one sequence, for measuring what it costs.
 *
 * y = attention(x W_qkvᵀ) W_outᵀ + bias, in float32: q, k and v without a bias, the output projection with one. It runs
 * on all threads of an OpenMP region: projections are shared among them by blocks of rows, attention by heads
 * where matrices are kept and by blocks of rows in tiles. No bit depends on how many threads there are.
 */
#ifndef LAYER_H
#define LAYER_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* What it keeps of the matrices of scores and weights, [heads x length x length] each: in tiles neither. */
typedef enum LayerKeeps { KEEPS_NEITHER, KEEPS_WEIGHTS, KEEPS_BOTH } LayerKeeps;

typedef struct LayerPlan {
    int length, width, heads; /* width is a multiple of heads */
    bool causal;
    LayerKeeps keeps;
} LayerPlan;

typedef struct Layer {
    LayerPlan plan; /* causal may be changed afterwards, and heads to another divisor that is not more */
    size_t bytes;   /* that were asked for, counted one by one; nothing is given back before layer_free */
    float *w_qkv, *w_out, *bias; /* [3 width x width], [width x width], [width] */
    float *x, *qkv, *mixed, *y;  /* [length x width], qkv three times as wide */
    float *scores, *weights;     /* what is kept, else NULL */
    float *statistics;           /* in tiles: [heads x length x 2] */
} Layer;

/* Bytes of a layer, by the formula. */
size_t layer_bytes(const LayerPlan *plan);

/* Bytes of one matrix of scores or weights. */
size_t layer_matrix_bytes(const LayerPlan *plan);

/* Standard normal tokens, and weights uniform in ±1/sqrt(width); both are the same for equal sizes. False when there is
 * not enough memory; the layer is to be freed either way. */
bool layer_new(const LayerPlan *plan, Layer *layer, Err *err);
void layer_free(Layer *layer);

void layer_forward(Layer *layer);

/* The four projections alone: mixed is taken as it is. */
void layer_project(Layer *layer);

#endif
