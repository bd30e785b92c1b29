/*
 * config: one description for every model in the project, from a token table to GPT-2.
 *
 * A model is: token table (+ positions) → blocks → (final norm) → vocabulary layer. A block is a
 * mixer and, if asked for, an MLP of four times the width with an exact-erf GELU. Rows of the
 * ladder, arms of the experiments and the shapes whose parameters are counted are all one such
 * description, never code.
 *
 * Letters of the papers: d = width, h = heads, d_k = head_width, n or T = length, V = vocabulary.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include "err.h"

typedef enum Mixer {
    MIXER_NONE,
    MIXER_AVERAGE, /* the uniform causal mean: no parameters */
    MIXER_ATTENTION
} Mixer;

typedef enum Position {
    POSITION_NONE,
    POSITION_LEARNED,    /* a table, added to the token */
    POSITION_SINUSOIDAL, /* added to the token; Vaswani et al. 2017, section 3.5 */
    POSITION_ROPE,       /* turns queries and keys, interleaved pairs, base 10000; Su et al. 2021 */
    POSITION_ALIBI       /* score − slope · distance, slopes 2^(−8i/h), i = 1…h; Press et al. 2022 */
} Position;

typedef enum Norm {
    NORM_NONE,
    NORM_PRE, /* before each sublayer, and one more before the vocabulary layer */
    NORM_POST /* behind each residual sum, and none more */
} Norm;

typedef struct ModelConfig {
    int vocabulary;
    int context; /* rows of the learned position table; the longest sequence for it */
    int width;
    int blocks; /* 0: the token's own row goes straight into the vocabulary layer */
    int heads;
    int head_width; /* anything with an output projection, width/heads without (see config_check) */
    Mixer mixer;
    Position position;
    Norm norm;
    bool residual;          /* the mixer's output is added to its input, not put in its place */
    bool causal;            /* each position sees itself and what is before it */
    bool scaled;            /* scores divided by sqrt(head_width) */
    bool output_projection; /* W_o, with bias, behind the concatenated heads */
    bool qkv_bias;          /* on queries, keys and values (GPT-2 has them, C9 has not) */
    bool mlp;               /* with its own residual, as every published block has it */
    bool tied;              /* the vocabulary layer is the token table, without bias */
} ModelConfig;

/* C9's one block: width and context 128, four heads, pre-norm, learned positions, vocabulary 1024. */
ModelConfig config_block(void);

/* GPT-2's published shapes: "small", "medium", "large", "xl". False for another name. */
bool config_gpt2(const char *size, ModelConfig *config);

/* Whether the combination makes sense; otherwise says which two fields clash and what to do. */
bool config_check(const ModelConfig *config, Err *err);

/* Width of what enters the vocabulary layer: heads x head_width where the heads replace the token
 * without W_o, else the width. */
int config_output_width(const ModelConfig *config);

#endif
