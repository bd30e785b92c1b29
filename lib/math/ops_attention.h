/*
 * ops_attention: multi-head attention of one sequence, with its weights kept.
 *
 * For each head: scores S = scale · Q Kᵀ (− slope · distance), weights W = softmax(S) row by row,
 * output = W V. A position sees itself and what is before it (causal) or everything, except keys
 * marked as padding. A position that sees nothing has weights, output and gradients of 0.
 *
 * The projections around it are ops_linear's. q, k and v are [length] rows of `stride` floats with
 * head h at column h · head_width: interleaved in one array of 3 · heads · head_width columns, the
 * three are pointers into it. Scores and weights are [heads x length x length].
 *
 * Work is cut into blocks of rows and strips of keys, and under the causal mask a strip is only computed for
 * the rows that see any of it.
 *
 * Source   Vaswani et al. 2017, equation 1; Press et al. 2022 for the slopes.
 */
#ifndef OPS_ATTENTION_H
#define OPS_ATTENTION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Attention {
    int length;        /* n or T: positions */
    int heads;         /* h */
    int head_width;    /* d_k */
    int stride;        /* from one row of q, k, v or their gradients to the next */
    int output_stride; /* from one row of the output or its gradient to the next */
    bool causal;
    float scale;         /* 1/sqrt(head_width), or 1 where scores are not divided */
    const float *slopes; /* [heads]: ALiBi's penalty per position of distance; or NULL */
    const bool *padding; /* [length]: true where no position may look; or NULL */
} Attention;

/* Writes output, weights and, unless NULL, the scores, −inf where masked. Of the weights, those that
 * the causal mask makes 0 are partly left as they are: an array that starts as zeros is right
 * everywhere. */
void attention_forward(const Attention *a, const float *q, const float *k, const float *v, float *scores,
                       float *weights, float *output);

/* Gradients of q, k and v from the weights of the forward pass; scratch holds
 * attention_scratch(a) floats. */
void attention_backward(const Attention *a, const float *q, const float *k, const float *v,
                        const float *weights, const float *d_output, float *d_q, float *d_k, float *d_v,
                        float *scratch);

size_t attention_scratch(const Attention *a);

/* One head's scores alone [length x length], −inf where masked: for measurements. */
void attention_scores(const Attention *a, const float *q, const float *k, int head, float *scores);

#endif
