/*
 * tiny: a small model and an invented language, for tests of what surrounds the model's passes.
 */
#ifndef TINY_H
#define TINY_H

#include "mem.h"
#include "rng.h"
#include "test.h"
#include "tokens.h"
#include "trainer.h"

enum { TINY_VOCABULARY = 32, TINY_LENGTH = 12, TINY_TOKENS = 4000 };

static inline ModelConfig tiny_config(void)
{
    ModelConfig config = config_block();
    config.vocabulary = TINY_VOCABULARY;
    config.context = TINY_LENGTH;
    config.width = 16;
    config.heads = 2;
    config.head_width = 8;
    return config;
}

static inline Model *tiny_model(void)
{
    Err err;
    ModelConfig config = tiny_config();
    Model *model = model_new(&config, 1, &err);
    assert_non_null(model);
    return model;
}

/* Nine times in ten the next token follows from this one, else it is anything. */
static inline Tokens *tiny_text(void)
{
    Rng rng = rng_stream(1, "tiny text");
    int32_t *ids = mem_new(TINY_TOKENS, sizeof *ids);
    for (int i = 1; i < TINY_TOKENS; i++)
        ids[i] = rng_below(&rng, 10) == 0 ? (int32_t)rng_below(&rng, TINY_VOCABULARY)
                                          : (ids[i - 1] * 5 + 3) % TINY_VOCABULARY;
    return tokens_from_ids(ids, TINY_TOKENS, TINY_VOCABULARY);
}

/* The same words as sentences, a token longer than a sequence; the last tenth is held out. */
static inline Tokens *tiny_sentences(void)
{
    enum { SENTENCE = TINY_LENGTH + 1, SENTENCES = TINY_TOKENS / SENTENCE };
    Tokens *running = tiny_text();
    int32_t *ids = mem_new(TINY_TOKENS, sizeof *ids);
    memcpy(ids, running->ids, TINY_TOKENS * sizeof *ids);
    tokens_free(running);
    return tokens_from_sentences(ids, SENTENCES, SENTENCES / 10, SENTENCE, TINY_VOCABULARY);
}

/* 19 sequences: no multiple of anything that a batch is cut into. */
static inline TrainPlan tiny_plan(void)
{
    return (TrainPlan){.seed = 3,
                       .steps = 20,
                       .batch = 19,
                       .length = TINY_LENGTH,
                       .schedule = {.rate = 3e-3, .warmup = 5},
                       .optimizer = adamw_default()};
}

static inline Trainer *tiny_trainer(Model *model, const Tokens *text, const Probe *probe)
{
    Err err;
    TrainPlan plan = tiny_plan();
    Trainer *trainer = trainer_new(model, text->train, &plan, probe, &err);
    if (!trainer)
        fail_msg("%s", err.text);
    return trainer;
}

static inline size_t parameter_bytes(const Model *model)
{
    return model->layout->floats * sizeof *model->parameters;
}

#endif
