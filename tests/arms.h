/*
 * arms: the configurations that the tests of the model go through, and the batch they are given.
 */
#ifndef ARMS_H
#define ARMS_H

#include "blas.h"
#include "model.h"
#include "oracle.h"

enum { SEQUENCES = 3, LENGTH = 37, VOCABULARY = 23 };

/* One arm: a configuration, small, and of widths that fill no vector. */
typedef struct Arm {
    const char *name;
    ModelConfig config;
} Arm;

#define SIZES(n)     .vocabulary = VOCABULARY, .context = LENGTH + 3, .width = 12, .blocks = n
#define CAUSAL(h, d) .heads = h, .head_width = d, .causal = true, .scaled = true
#define HEADS(h, d)  CAUSAL(h, d), .mixer = MIXER_ATTENTION
#define ADDED        .residual = true, .output_projection = true
#define AVERAGE      CAUSAL(1, 12), .mixer = MIXER_AVERAGE
#define NO_MIXER     CAUSAL(1, 12)
#define LEARNED      .position = POSITION_LEARNED
#define PRE          .norm = NORM_PRE
#define POST         .norm = NORM_POST
#define MLP          .mlp = true

static const Arm arms[] = {
    {"token", {SIZES(0), NO_MIXER}},
    {"token, tied", {SIZES(0), NO_MIXER, .tied = true}},
    {"token, pre-norm", {SIZES(0), NO_MIXER, PRE}},
    {"average", {SIZES(1), AVERAGE}},
    {"average + position", {SIZES(1), AVERAGE, LEARNED}},
    {"average, twice", {SIZES(2), AVERAGE}},
    {"average, pre-norm, MLP", {SIZES(1), AVERAGE, PRE, MLP}},
    {"token + average", {SIZES(1), AVERAGE, .residual = true}},
    {"token + average, pre-norm", {SIZES(1), AVERAGE, .residual = true, PRE}},
    {"token + average, post-norm, twice", {SIZES(2), AVERAGE, .residual = true, POST}},
    {"one head in its place", {SIZES(1), HEADS(1, 12), LEARNED}},
    {"one wide head in its place", {SIZES(1), HEADS(1, 20)}},
    {"one narrow head in its place", {SIZES(1), HEADS(1, 3)}},
    {"heads in its place, pre-norm, twice", {SIZES(2), HEADS(3, 4), PRE}},
    {"projected in its place", {SIZES(1), HEADS(3, 4), .output_projection = true}},
    {"heads added without projection, twice", {SIZES(2), HEADS(3, 4), .residual = true}},
    {"post-norm, no projection", {SIZES(2), HEADS(3, 4), .residual = true, POST, MLP}},
    {"heads added", {SIZES(1), HEADS(3, 4), ADDED}},
    {"wide heads, unscaled",
     {SIZES(1), .mixer = MIXER_ATTENTION, .heads = 3, .head_width = 9, .causal = true, ADDED}},
    {"not causal", {SIZES(1), .mixer = MIXER_ATTENTION, .heads = 3, .head_width = 4, .scaled = true, ADDED}},
    {"ALiBi, not causal",
     {SIZES(1), .mixer = MIXER_ATTENTION, .heads = 3, .head_width = 4, .position = POSITION_ALIBI, ADDED}},
    {"MLP alone", {SIZES(2), NO_MIXER, MLP}},
    {"MLP alone, pre-norm", {SIZES(1), NO_MIXER, PRE, MLP}},
    {"MLP alone, post-norm", {SIZES(1), NO_MIXER, .residual = true, POST, MLP}},
    {"block without norms", {SIZES(1), HEADS(3, 4), ADDED, MLP, LEARNED}},
    {"block", {SIZES(1), HEADS(3, 4), ADDED, MLP, PRE, LEARNED}},
    {"three blocks", {SIZES(3), HEADS(3, 4), ADDED, MLP, PRE, LEARNED}},
    {"three post-norm blocks", {SIZES(3), HEADS(3, 4), ADDED, MLP, POST}},
    {"GPT-2", {SIZES(2), HEADS(3, 4), ADDED, MLP, PRE, LEARNED, .qkv_bias = true, .tied = true}},
    {"sinusoids", {SIZES(1), HEADS(3, 4), ADDED, MLP, PRE, .position = POSITION_SINUSOIDAL}},
    {"RoPE", {SIZES(2), HEADS(3, 4), ADDED, MLP, PRE, .position = POSITION_ROPE, .qkv_bias = true}},
    {"ALiBi", {SIZES(1), HEADS(3, 4), ADDED, MLP, PRE, .position = POSITION_ALIBI}},
};

/* A model at a generic point: gains that are not 1 and biases that are not 0. */
static inline Model *arm_model(const Arm *arm)
{
    Err err;
    Model *model = model_new(&arm->config, 1, &err);
    if (!model)
        fail_msg("%s: %s", arm->name, err.text);
    for (size_t i = 0; i < model->layout->count; i++) {
        const Tensor *t = &model->layout->list[i];
        float *x = model->parameters + t->offset, *shift = uniform_floats(tensor_size(t), t->name, 0.5);
        for (size_t j = 0; j < tensor_size(t); j++)
            x[j] += shift[j];
        free(shift);
    }
    return model;
}

static inline Activations *new_activations(const Model *model, int sequences, int length)
{
    Err err;
    Activations *a = activations_new(model, sequences, length, &err);
    if (!a)
        fail_msg("%s", err.text);
    return a;
}

static int32_t tokens[SEQUENCES * LENGTH], targets[SEQUENCES * LENGTH];

static inline int set_up(void **state)
{
    (void)state;
    Err err;
    if (!blas_start(&err))
        fail_msg("%s", err.text);
    Rng rng = rng_stream(0, "tokens");
    for (int i = 0; i < SEQUENCES * LENGTH; i++) {
        tokens[i] = (int32_t)rng_below(&rng, VOCABULARY);
        targets[i] = (int32_t)rng_below(&rng, VOCABULARY);
    }
    return 0;
}

/*
 * Rounding. A pass rounds thousands of times, and what remains of that in a result has no useful bound
 * by analysis. It is sampled instead: NUDGES times every parameter is moved at random by at most one
 * rounding of itself, after which everything behind is rounded anew. A result is as far from exact as
 * the nudged ones are from it, but for chance; 8 times their largest distance leaves none.
 */
enum { NUDGES = 6, SAFETY = 8 };

static inline Model *nudged(const Arm *arm, int index)
{
    Model *model = arm_model(arm);
    Rng nudges = rng_stream(0, "nudges"), rng = rng_substream(&nudges, (uint32_t)index);
    for (size_t i = 0; i < model->layout->floats; i++)
        model->parameters[i] *= (float)(1 + (2 * rng_uniform(&rng) - 1) * FLT_EPSILON);
    return model;
}

#endif
