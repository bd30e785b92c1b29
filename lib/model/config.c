#include "config.h"

#include "mem.h"

#include <string.h>

/* Far beyond any published model, and small enough that no row or column count overflows an int. */
enum { LARGEST = 1 << 24 };

ModelConfig config_block(void)
{
    return (ModelConfig){.vocabulary = 1024,
                         .context = 128,
                         .width = 128,
                         .blocks = 1,
                         .heads = 4,
                         .head_width = 32,
                         .mixer = MIXER_ATTENTION,
                         .position = POSITION_LEARNED,
                         .norm = NORM_PRE,
                         .residual = true,
                         .causal = true,
                         .scaled = true,
                         .output_projection = true,
                         .mlp = true};
}

bool config_gpt2(const char *size, ModelConfig *config)
{
    static const struct {
        const char *size;
        int width, blocks, heads;
    } shapes[] = {
        {"small", 768, 12, 12},
        {"medium", 1024, 24, 16},
        {"large", 1280, 36, 20},
        {"xl", 1600, 48, 25},
    };
    for (size_t i = 0; i < COUNT(shapes); i++) {
        if (strcmp(size, shapes[i].size) != 0)
            continue;
        *config = config_block();
        config->vocabulary = 50257;
        config->context = 1024;
        config->width = shapes[i].width;
        config->blocks = shapes[i].blocks;
        config->heads = shapes[i].heads;
        config->head_width = shapes[i].width / shapes[i].heads;
        config->qkv_bias = true;
        config->tied = true;
        return true;
    }
    return false;
}

static bool check_sizes(const ModelConfig *config, Err *err)
{
    const struct {
        const char *name;
        int value, lowest;
    } sizes[] = {
        {"vocabulary", config->vocabulary, 1}, {"context", config->context, 1},
        {"width", config->width, 1},           {"blocks", config->blocks, 0},
        {"heads", config->heads, 1},           {"head_width", config->head_width, 1},
    };
    for (size_t i = 0; i < COUNT(sizes); i++)
        if (sizes[i].value < sizes[i].lowest || sizes[i].value > LARGEST)
            return err_set(err, "%s is %d: it must be in %d … %d", sizes[i].name, sizes[i].value,
                           sizes[i].lowest, LARGEST);
    if ((long)config->heads * config->head_width > LARGEST)
        return err_set(err, "heads x head_width is %d x %d: it must be at most %d", config->heads,
                       config->head_width, LARGEST);
    return true;
}

static bool check_attention(const ModelConfig *config, Err *err)
{
    int joined = config->heads * config->head_width;
    if (config->position == POSITION_ROPE && config->head_width % 2 != 0)
        return err_set(err,
                       "RoPE turns pairs, and head_width %d is odd: make it even, or choose other "
                       "positions",
                       config->head_width);
    if (config->output_projection || joined == config->width)
        return true;
    if (config->residual || config->mlp || config->norm != NORM_NONE || config->blocks > 1)
        return err_set(err,
                       "heads x head_width is %d x %d, the width is %d: without an output "
                       "projection they must agree, unless one head layer alone feeds the "
                       "vocabulary layer (no residual, MLP or norm, one block)",
                       config->heads, config->head_width, config->width);
    if (config->tied)
        return err_set(err,
                       "the vocabulary layer is tied to a token table of width %d, and heads of "
                       "width %d in all feed it: untie it, or add the output projection",
                       config->width, joined);
    return true;
}

bool config_check(const ModelConfig *config, Err *err)
{
    if (!check_sizes(config, err))
        return false;
    if (config->norm == NORM_POST && !config->residual)
        return err_set(err, "a post-norm stands behind a residual sum: set residual, or choose "
                            "another norm");
    if (config->mixer == MIXER_ATTENTION)
        return check_attention(config, err);

    if (config->position == POSITION_ROPE || config->position == POSITION_ALIBI)
        return err_set(err, "RoPE and ALiBi act on attention's scores: choose the attention mixer, "
                            "or positions that are added to the token");
    if (config->output_projection || config->qkv_bias)
        return err_set(err, "output_projection and qkv_bias belong to attention: choose the "
                            "attention mixer, or turn them off");
    if (config->mixer == MIXER_AVERAGE && !config->causal)
        return err_set(err, "the average is over the past: set causal, or choose attention");
    if (config->mixer == MIXER_NONE && config->blocks > 0 && !config->mlp)
        return err_set(err, "a block with neither mixer nor MLP does nothing: choose one of them, "
                            "or no blocks");
    return true;
}

int config_output_width(const ModelConfig *config)
{
    bool head_alone = config->blocks > 0 && config->mixer == MIXER_ATTENTION && !config->output_projection &&
                      !config->residual;
    return head_alone ? config->heads * config->head_width : config->width;
}
