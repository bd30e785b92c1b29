#include "block.h"

#include "ops_average.h"
#include "ops_gelu.h"
#include "ops_linear.h"
#include "ops_norm.h"
#include "ops_position.h"

#include <string.h>

/* Tensors. */

/* Asked for at every pass: the block's number tells most tensors apart without reading names. */
static float *find(const Layout *layout, int block, const char *part, const char *kind, float *array)
{
    size_t length = strlen(part);
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->list[i].block != block)
            continue;
        const char *name = strchr(layout->list[i].name, '.') + 1; /* "block0." */
        if (strncmp(name, part, length) == 0 && name[length] == '.' && strcmp(name + length + 1, kind) == 0)
            return array + layout->list[i].offset;
    }
    return NULL;
}

static Affine find_layer(const Layout *layout, int block, const char *part, float *array)
{
    return (Affine){find(layout, block, part, "weight", array), find(layout, block, part, "bias", array)};
}

static Affine find_norm(const Layout *layout, int block, const char *part, float *array)
{
    return (Affine){find(layout, block, part, "gain", array), find(layout, block, part, "bias", array)};
}

BlockTensors block_tensors(const Layout *layout, int block, float *array)
{
    return (BlockTensors){.norm1 = find_norm(layout, block, "norm1", array),
                          .qkv = find_layer(layout, block, "qkv", array),
                          .project = find_layer(layout, block, "project", array),
                          .norm2 = find_norm(layout, block, "norm2", array),
                          .expand = find_layer(layout, block, "expand", array),
                          .contract = find_layer(layout, block, "contract", array)};
}

/* Arrays. */

static int rows_of(const Shard *shard)
{
    return shard->sequences * shard->length;
}

static float *take_rows(const Shard *shard, size_t columns, Arena *arena)
{
    return arena_take(arena, rows_of(shard) * columns);
}

/* The mixer's arrays, up to `middle`. */
static void take_mixer(const Shard *shard, BlockActivations *a, Arena *arena)
{
    const ModelConfig *c = &shard->config;
    bool attention = c->mixer == MIXER_ATTENTION;
    if (c->norm != NORM_NONE)
        a->statistics1 = take_rows(shard, 2, arena);
    a->normed1 = c->norm == NORM_PRE ? take_rows(shard, c->width, arena) : a->input;
    if (attention) {
        a->qkv = take_rows(shard, 3 * (size_t)shard->joined, arena);
        a->weights = take_rows(shard, (size_t)c->heads * shard->length, arena);
        a->heads = take_rows(shard, shard->joined, arena);
    }
    bool heads_alone = attention && !c->output_projection && !c->residual;
    a->sum1 = heads_alone ? a->heads : take_rows(shard, c->width, arena);
    a->middle = c->norm == NORM_POST ? take_rows(shard, c->width, arena) : a->sum1;
}

/* The MLP's, up to `output`. */
static void take_mlp(const Shard *shard, BlockActivations *a, Arena *arena)
{
    const ModelConfig *c = &shard->config;
    if (c->norm != NORM_NONE)
        a->statistics2 = take_rows(shard, 2, arena);
    a->normed2 = c->norm == NORM_PRE ? take_rows(shard, c->width, arena) : a->middle;
    a->hidden = take_rows(shard, 4 * (size_t)c->width, arena);
    a->slope = take_rows(shard, 4 * (size_t)c->width, arena);
    a->sum2 = take_rows(shard, c->width, arena);
    a->output = c->norm == NORM_POST ? take_rows(shard, c->width, arena) : a->sum2;
}

BlockActivations block_activations(const Shard *shard, float *input, Arena *arena)
{
    BlockActivations a = {.input = input, .middle = input};
    if (shard->config.mixer != MIXER_NONE)
        take_mixer(shard, &a, arena);
    a.output = a.middle;
    if (shard->config.mlp)
        take_mlp(shard, &a, arena);
    return a;
}

BlockScratch block_scratch(const Shard *shard, Arena *arena)
{
    const ModelConfig *c = &shard->config;
    BlockScratch s = {.d_normed = take_rows(shard, c->width, arena)};
    if (c->mlp)
        s.d_hidden = take_rows(shard, 4 * (size_t)c->width, arena);
    if (c->mixer == MIXER_ATTENTION) {
        s.d_qkv = take_rows(shard, 3 * (size_t)shard->joined, arena);
        s.d_heads = take_rows(shard, shard->joined, arena);
        s.d_scores = arena_take(arena, attention_scratch(&shard->attention));
    }
    return s;
}

/* Forward. */

static void normalise(const Shard *shard, const Affine *p, const float *x, float *y, float *statistics)
{
    norm_forward(rows_of(shard), shard->config.width, x, p->weight, p->bias, y, statistics);
}

/* to += from, a shard of rows of the model's width. */
static void add_to(const Shard *shard, const float *from, float *to)
{
    size_t n = (size_t)rows_of(shard) * shard->config.width;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

/* The first element of a sequence in an array with so many columns. */
static size_t start(const Shard *shard, int sequence, size_t columns)
{
    return (size_t)sequence * shard->length * columns;
}

static void mix_heads(const Shard *shard, const BlockActivations *a)
{
    const ModelConfig *c = &shard->config;
    size_t joined = shard->joined;
    for (int i = 0; i < shard->sequences; i++) {
        float *q = a->qkv + start(shard, i, 3 * joined);
        if (shard->angles) /* queries and keys lie side by side: twice the heads */
            position_rope_forward(shard->length, 2 * c->heads, c->head_width, 3 * shard->joined,
                                  shard->angles, q);
        attention_forward(&shard->attention, q, q + joined, q + 2 * joined, NULL,
                          a->weights + start(shard, i, (size_t)c->heads * shard->length),
                          a->heads + start(shard, i, joined));
    }
}

/* sum1 = x + mixer(normed1), or the mixer alone. */
static void forward_mixer(const Shard *shard, const BlockTensors *p, const BlockActivations *a)
{
    const ModelConfig *c = &shard->config;
    int rows = rows_of(shard);
    if (c->mixer == MIXER_AVERAGE) {
        for (int i = 0; i < shard->sequences; i++)
            average_forward(shard->length, c->width, a->normed1 + start(shard, i, c->width),
                            a->sum1 + start(shard, i, c->width));
    } else {
        linear_forward(rows, c->width, 3 * shard->joined, a->normed1, p->qkv.weight, p->qkv.bias, NULL,
                       a->qkv);
        mix_heads(shard, a);
        if (c->output_projection) {
            linear_forward(rows, shard->joined, c->width, a->heads, p->project.weight, p->project.bias,
                           c->residual ? a->input : NULL, a->sum1);
            return;
        }
        if (c->residual)
            memcpy(a->sum1, a->heads, (size_t)rows * c->width * sizeof *a->sum1);
    }
    if (c->residual)
        add_to(shard, a->input, a->sum1);
}

static void forward_mlp(const Shard *shard, const BlockTensors *p, const BlockActivations *a)
{
    int rows = rows_of(shard), width = shard->config.width;
    linear_forward(rows, width, 4 * width, a->normed2, p->expand.weight, p->expand.bias, NULL, a->slope);
    gelu_forward((size_t)rows * 4 * width, a->slope, a->hidden, a->slope);
    linear_forward(rows, 4 * width, width, a->hidden, p->contract.weight, p->contract.bias, a->middle,
                   a->sum2);
}

void block_forward(const Shard *shard, const BlockTensors *p, const BlockActivations *a)
{
    const ModelConfig *c = &shard->config;
    if (c->mixer != MIXER_NONE) {
        if (c->norm == NORM_PRE)
            normalise(shard, &p->norm1, a->input, a->normed1, a->statistics1);
        forward_mixer(shard, p, a);
        if (c->norm == NORM_POST)
            normalise(shard, &p->norm1, a->sum1, a->middle, a->statistics1);
    }
    if (c->mlp) {
        if (c->norm == NORM_PRE)
            normalise(shard, &p->norm2, a->middle, a->normed2, a->statistics2);
        forward_mlp(shard, p, a);
        if (c->norm == NORM_POST)
            normalise(shard, &p->norm2, a->sum2, a->output, a->statistics2);
    }
}

/* Backward. Throughout, d is the gradient of what the step at hand gave, and becomes that of what it
 * was given. */

/* d_x = d_residual + d_y through the norm of x. */
static void normalise_backward(const Shard *shard, const Affine *p, const float *x, const float *statistics,
                               const float *d_y, const float *d_residual, float *d_x, const Affine *g)
{
    norm_backward(rows_of(shard), shard->config.width, x, p->weight, statistics, d_y, d_residual, d_x,
                  g->weight, g->bias);
}

static void backward_mlp(const Shard *shard, const BlockTensors *p, const BlockActivations *a,
                         const BlockScratch *s, float *d, const BlockTensors *g)
{
    int rows = rows_of(shard), width = shard->config.width;
    bool pre = shard->config.norm == NORM_PRE;
    linear_backward_weight(rows, 4 * width, width, a->hidden, d, g->contract.weight, g->contract.bias);
    linear_backward_input(rows, 4 * width, width, d, p->contract.weight, false, s->d_hidden);
    gelu_backward((size_t)rows * 4 * width, a->slope, s->d_hidden, s->d_hidden);
    linear_backward_weight(rows, width, 4 * width, a->normed2, s->d_hidden, g->expand.weight, g->expand.bias);
    linear_backward_input(rows, width, 4 * width, s->d_hidden, p->expand.weight, !pre, pre ? s->d_normed : d);
    if (pre)
        normalise_backward(shard, &p->norm2, a->middle, a->statistics2, s->d_normed, d, d, &g->norm2);
}

/* From d, the gradient of the mixer's output, to s->d_qkv. */
static void backward_heads(const Shard *shard, const BlockTensors *p, const BlockActivations *a,
                           const BlockScratch *s, const float *d, const BlockTensors *g)
{
    const ModelConfig *c = &shard->config;
    int rows = rows_of(shard);
    size_t joined = shard->joined;
    const float *d_heads = d;
    if (c->output_projection) {
        linear_backward_weight(rows, shard->joined, c->width, a->heads, d, g->project.weight,
                               g->project.bias);
        linear_backward_input(rows, shard->joined, c->width, d, p->project.weight, false, s->d_heads);
        d_heads = s->d_heads;
    }
    for (int i = 0; i < shard->sequences; i++) {
        const float *q = a->qkv + start(shard, i, 3 * joined);
        float *d_q = s->d_qkv + start(shard, i, 3 * joined);
        attention_backward(&shard->attention, q, q + joined, q + 2 * joined,
                           a->weights + start(shard, i, (size_t)c->heads * shard->length),
                           d_heads + start(shard, i, joined), d_q, d_q + joined, d_q + 2 * joined,
                           s->d_scores);
        if (shard->angles)
            position_rope_backward(shard->length, 2 * c->heads, c->head_width, 3 * shard->joined,
                                   shard->angles, d_q);
    }
}

/* to (+)= the gradient of normed1. */
static void backward_mixer(const Shard *shard, const BlockTensors *p, const BlockActivations *a,
                           const BlockScratch *s, const float *d, const BlockTensors *g, bool add, float *to)
{
    const ModelConfig *c = &shard->config;
    if (c->mixer == MIXER_ATTENTION) {
        int rows = rows_of(shard);
        backward_heads(shard, p, a, s, d, g);
        linear_backward_weight(rows, c->width, 3 * shard->joined, a->normed1, s->d_qkv, g->qkv.weight,
                               g->qkv.bias);
        linear_backward_input(rows, c->width, 3 * shard->joined, s->d_qkv, p->qkv.weight, add, to);
        return;
    }
    float *mean = add ? s->d_normed : to;
    for (int i = 0; i < shard->sequences; i++)
        average_backward(shard->length, c->width, d + start(shard, i, c->width),
                         mean + start(shard, i, c->width));
    if (add)
        add_to(shard, mean, to);
}

void block_backward(const Shard *shard, const BlockTensors *p, const BlockActivations *a,
                    const BlockScratch *s, float *d, const BlockTensors *g)
{
    const ModelConfig *c = &shard->config;
    if (c->mlp) {
        if (c->norm == NORM_POST)
            normalise_backward(shard, &p->norm2, a->sum2, a->statistics2, d, NULL, d, &g->norm2);
        backward_mlp(shard, p, a, s, d, g);
    }
    if (c->mixer == MIXER_NONE)
        return;
    if (c->norm == NORM_POST)
        normalise_backward(shard, &p->norm1, a->sum1, a->statistics1, d, NULL, d, &g->norm1);
    bool pre = c->norm == NORM_PRE;
    backward_mixer(shard, p, a, s, d, g, !pre && c->residual, pre ? s->d_normed : d);
    if (pre)
        normalise_backward(shard, &p->norm1, a->input, a->statistics1, s->d_normed, c->residual ? d : NULL, d,
                           &g->norm1);
}
