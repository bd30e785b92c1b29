/*
 * block: one transformer block, a shard of whole sequences through it and back.
 *
 *   pre-norm    sum1 = x + mixer(norm1(x))          output = sum1 + mlp(norm2(sum1))
 *   post-norm   middle = norm1(x + mixer(x))        output = norm2(middle + mlp(middle))
 *
 * and without what the configuration leaves out. Part of the model, whose way in is model.h.
 */
#ifndef BLOCK_H
#define BLOCK_H

#include "arena.h"
#include "layout.h"
#include "ops_attention.h"

/* A shard, and what all blocks of a model share for it. */
typedef struct Shard {
    ModelConfig config;
    int sequences, length;
    int joined;          /* heads x head_width */
    Attention attention; /* of one sequence */
    const float *angles; /* RoPE's table [length x head_width]; NULL without RoPE */
} Shard;

/* A layer's or norm's two tensors, NULL where there is none. A norm's weight is its gain. */
typedef struct Affine {
    float *weight, *bias;
} Affine;

/* One block's tensors in an array laid out as the layout says: the parameters or a gradient. */
typedef struct BlockTensors {
    Affine norm1, qkv, project, norm2, expand, contract;
} BlockTensors;

/* What the forward pass leaves for the backward pass. A step that the configuration leaves out has no
 * array of its own: without a norm, normed1 is input; without an MLP, output is middle. */
typedef struct BlockActivations {
    float *input;       /* [rows x width], rows = sequences x length: what the block before it left */
    float *normed1;     /* [rows x width] */
    float *statistics1; /* [rows x 2] */
    float *qkv;         /* [rows x 3 · joined]: queries of all heads, then keys, then values */
    float *weights;     /* [sequences x heads x length x length] */
    float *heads;       /* [rows x joined] */
    float *sum1;        /* [rows x width]: behind mixer and residual */
    float *middle;      /* [rows x width]: sum1, in a post-norm model normalised */
    float *normed2;     /* [rows x width] */
    float *statistics2; /* [rows x 2] */
    float *hidden;      /* [rows x 4 · width]: behind the GELU */
    float *slope;       /* [rows x 4 · width]: the GELU's derivative */
    float *sum2;        /* [rows x width]: behind MLP and residual */
    float *output;      /* [rows x width]: sum2, in a post-norm model normalised */
} BlockActivations;

/* Gradients inside a block, shared by all blocks. */
typedef struct BlockScratch {
    float *d_normed; /* [rows x width] */
    float *d_hidden; /* [rows x 4 · width] */
    float *d_qkv;    /* [rows x 3 · joined] */
    float *d_heads;  /* [rows x joined] */
    float *d_scores; /* attention_scratch() */
} BlockScratch;

/* The tensors of block number `block` in `array`. */
BlockTensors block_tensors(const Layout *layout, int block, float *array);

/* Arrays for a shard and a block that finds its input in `input`. */
BlockActivations block_activations(const Shard *shard, float *input, Arena *arena);
BlockScratch block_scratch(const Shard *shard, Arena *arena);

void block_forward(const Shard *shard, const BlockTensors *parameters, const BlockActivations *a);

/* d [rows x width], the gradient of the output, becomes that of the input; gradients of tensors are
 * added. */
void block_backward(const Shard *shard, const BlockTensors *parameters, const BlockActivations *a,
                    const BlockScratch *scratch, float *d, const BlockTensors *gradients);

#endif
