#include "model.h"

#include "block.h"
#include "embedding.h"
#include "mem.h"
#include "ops_linear.h"
#include "ops_norm.h"
#include "ops_position.h"
#include "readout.h"

#include <math.h>

Model *model_new(const ModelConfig *config, uint64_t seed, Err *err)
{
    if (!config_check(config, err))
        return NULL;
    Model *model = mem_new(1, sizeof *model);
    model->config = *config;
    model->layout = layout_new(config);
    model->parameters =
        mem_try(model->layout->floats, sizeof *model->parameters, "a model's parameters", err);
    if (!model->parameters) {
        model_free(model);
        return NULL;
    }
    layout_initialise(model->layout, seed, model->parameters);
    return model;
}

void model_free(Model *model)
{
    if (!model)
        return;
    layout_free(model->layout);
    free(model->parameters);
    free(model);
}

/* All tensors, in an array laid out like the parameters. */
typedef struct Tensors {
    float *token, *position;
    BlockTensors *blocks; /* [blocks] */
    Affine norm, vocabulary;
} Tensors;

struct Activations {
    const Model *model;
    int capacity; /* sequences */
    Shard shard;
    Arena arena;
    Tensors parameters, gradients;
    float *positions;         /* [length x width] of sinusoids; NULL for other kinds */
    float *embedded;          /* [rows x width] */
    BlockActivations *blocks; /* [blocks] */
    float *left;              /* [rows x output width]: by the last block */
    float *normed;            /* [rows x output width]: what enters the vocabulary layer */
    float *statistics;        /* [rows x 2], of the norm before it */
    float *logits;
    float *d; /* [rows x output width or width, the larger]: the gradient on its way back */
    BlockScratch scratch;
};

static float *find(const Layout *layout, const char *name, float *array)
{
    const Tensor *tensor = layout_find(layout, name);
    return tensor ? array + tensor->offset : NULL;
}

static void find_tensors(const Model *model, float *array, Tensors *t)
{
    const Layout *layout = model->layout;
    t->token = find(layout, "token", array);
    t->position = find(layout, "position", array);
    for (int b = 0; b < model->config.blocks; b++)
        t->blocks[b] = block_tensors(layout, b, array);
    t->norm = (Affine){find(layout, "norm.gain", array), find(layout, "norm.bias", array)};
    t->vocabulary =
        (Affine){find(layout, "vocabulary.weight", array), find(layout, "vocabulary.bias", array)};
    if (model->config.tied)
        t->vocabulary.weight = t->token;
}

/* Tables that positions need; from an arena that only counts, room for them alone. */
static void take_positions(Activations *a)
{
    const ModelConfig *c = &a->shard.config;
    int length = a->shard.length;
    float *angles, *slopes;
    switch (c->position) {
    case POSITION_SINUSOIDAL:
        a->positions = arena_take(&a->arena, (size_t)length * c->width);
        if (a->positions)
            position_sinusoidal(length, c->width, a->positions);
        break;
    case POSITION_ROPE:
        a->shard.angles = angles = arena_take(&a->arena, (size_t)length * c->head_width);
        if (angles)
            position_rope_table(length, c->head_width, angles);
        break;
    case POSITION_ALIBI:
        a->shard.attention.slopes = slopes = arena_take(&a->arena, c->heads);
        if (slopes)
            position_alibi(c->heads, slopes);
        break;
    case POSITION_NONE:
    case POSITION_LEARNED:
        break;
    }
}

static void take_arrays(Activations *a)
{
    const ModelConfig *c = &a->shard.config;
    int out = config_output_width(c);
    size_t rows = (size_t)a->capacity * a->shard.length;
    take_positions(a);
    a->embedded = arena_take(&a->arena, rows * c->width);
    float *input = a->embedded;
    for (int b = 0; b < c->blocks; b++) {
        a->blocks[b] = block_activations(&a->shard, input, &a->arena);
        input = a->blocks[b].output;
    }
    a->left = a->normed = input;
    if (c->norm == NORM_PRE) {
        a->normed = arena_take(&a->arena, rows * out);
        a->statistics = arena_take(&a->arena, rows * 2);
    }
    a->logits = arena_take(&a->arena, readout_room(c->vocabulary));
    a->d = arena_take(&a->arena, rows * (out > c->width ? out : c->width));
    a->scratch = block_scratch(&a->shard, &a->arena);
}

Activations *activations_new(const Model *model, int sequences, int length, Err *err)
{
    const ModelConfig *c = &model->config;
    require(sequences > 0 && length > 0, "a shard of %d sequences of %d", sequences, length);
    if (c->position == POSITION_LEARNED && length > c->context) {
        err_set(err, "sequences of %d tokens, and positions were learned for %d: raise the context", length,
                c->context);
        return NULL;
    }
    Activations *a = mem_new(1, sizeof *a);
    int joined = c->heads * c->head_width;
    a->model = model;
    a->capacity = sequences;
    a->blocks = mem_new(c->blocks, sizeof *a->blocks);
    a->parameters.blocks = mem_new(c->blocks, sizeof *a->parameters.blocks);
    a->gradients.blocks = mem_new(c->blocks, sizeof *a->gradients.blocks);
    a->shard = (Shard){
        .config = *c,
        .sequences = sequences,
        .length = length,
        .joined = joined,
        .attention = {.length = length,
                      .heads = c->heads,
                      .head_width = c->head_width,
                      .stride = 3 * joined,
                      .output_stride = joined,
                      .causal = c->causal,
                      .scale = c->scaled ? 1 / sqrtf((float)c->head_width) : 1},
    };
    take_arrays(a);
    if (!arena_allocate(&a->arena, "a shard's activations", err)) {
        activations_free(a);
        return NULL;
    }
    take_arrays(a);
    find_tensors(model, model->parameters, &a->parameters);
    return a;
}

void activations_free(Activations *a)
{
    if (!a)
        return;
    arena_free(&a->arena);
    free(a->blocks);
    free(a->parameters.blocks);
    free(a->gradients.blocks);
    free(a);
}

/* Passes. */

/* From tokens to what enters the vocabulary layer; returns how many rows. */
static int forward(const Model *model, Activations *a, const int32_t *tokens, int sequences)
{
    const ModelConfig *c = &model->config;
    const Tensors *p = &a->parameters;
    require(model == a->model, "activations of another model");
    require(sequences > 0 && sequences <= a->capacity, "%d sequences, room for %d", sequences, a->capacity);
    a->shard.sequences = sequences;
    embedding_forward(sequences, a->shard.length, c->width, tokens, p->token,
                      a->positions ? a->positions : p->position, a->embedded);
    for (int b = 0; b < c->blocks; b++)
        block_forward(&a->shard, &p->blocks[b], &a->blocks[b]);
    int rows = sequences * a->shard.length;
    if (c->norm == NORM_PRE)
        norm_forward(rows, config_output_width(c), a->left, p->norm.weight, p->norm.bias, a->normed,
                     a->statistics);
    return rows;
}

static Readout readout(const Activations *a)
{
    const ModelConfig *c = &a->shard.config;
    return (Readout){config_output_width(c), c->vocabulary, a->parameters.vocabulary.weight,
                     a->parameters.vocabulary.bias, a->logits};
}

double model_gradient(const Model *model, Activations *a, const int32_t *tokens, const int32_t *targets,
                      int sequences, float weight, float *gradient)
{
    const ModelConfig *c = &model->config;
    const Tensors *p = &a->parameters, *g = &a->gradients;
    int rows = forward(model, a, tokens, sequences);
    find_tensors(model, gradient, &a->gradients);
    Readout layer = readout(a);
    double sum = readout_gradient(&layer, rows, a->normed, targets, weight, a->d, g->vocabulary.weight,
                                  g->vocabulary.bias);
    if (c->norm == NORM_PRE)
        norm_backward(rows, layer.width, a->left, p->norm.weight, a->statistics, a->d, NULL, a->d,
                      g->norm.weight, g->norm.bias);
    for (int b = c->blocks - 1; b >= 0; b--)
        block_backward(&a->shard, &p->blocks[b], &a->blocks[b], &a->scratch, a->d, &g->blocks[b]);
    embedding_backward(sequences, a->shard.length, c->width, tokens, a->d, g->token, g->position);
    return sum;
}

double model_loss(const Model *model, Activations *a, const int32_t *tokens, const int32_t *targets,
                  int sequences, float *nll)
{
    int rows = forward(model, a, tokens, sequences);
    Readout layer = readout(a);
    return readout_loss(&layer, rows, a->normed, targets, nll);
}

void model_logits(const Model *model, Activations *a, const int32_t *tokens, int sequences, float *logits)
{
    int rows = forward(model, a, tokens, sequences);
    Readout layer = readout(a);
    linear_forward(rows, layer.width, layer.vocabulary, a->normed, layer.weight, layer.bias, NULL, logits);
}

/* Measurements. */

static void require_head(const Activations *a, int block, int head, int sequence)
{
    const ModelConfig *c = &a->shard.config;
    require(c->mixer == MIXER_ATTENTION && block >= 0 && block < c->blocks && head >= 0 && head < c->heads &&
                sequence >= 0 && sequence < a->shard.sequences,
            "no head %d in block %d of sequence %d", head, block, sequence);
}

const float *activations_weights(const Activations *a, int block, int head, int sequence)
{
    require_head(a, block, head, sequence);
    size_t square = (size_t)a->shard.length * a->shard.length;
    return a->blocks[block].weights + ((size_t)sequence * a->shard.config.heads + head) * square;
}

void activations_scores(const Activations *a, int block, int head, int sequence, float *scores)
{
    require_head(a, block, head, sequence);
    const float *q = a->blocks[block].qkv + (size_t)sequence * a->shard.length * a->shard.attention.stride;
    attention_scores(&a->shard.attention, q, q + a->shard.joined, head, scores);
}
