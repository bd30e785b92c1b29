#include "layout.h"

#include "mem.h"
#include "rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CACHE_LINE = 16 }; /* floats */

static void add(Layout *layout, int block, const char *name, int rows, int columns, Initial initial,
                int fan_in)
{
    Tensor *tensor = mem_grow(&layout->list, &layout->count, sizeof *layout->list);
    if (block < 0)
        snprintf(tensor->name, sizeof tensor->name, "%s", name);
    else
        snprintf(tensor->name, sizeof tensor->name, "block%d.%s", block, name);
    tensor->rows = rows;
    tensor->columns = columns;
    tensor->offset = layout->floats;
    tensor->initial = initial;
    tensor->fan_in = fan_in;
    tensor->block = block;

    size_t size = tensor_size(tensor);
    layout->parameters += size;
    layout->floats += (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

static void add_norm(Layout *layout, int block, const char *name, int width)
{
    char gain[24], bias[24];
    snprintf(gain, sizeof gain, "%s.gain", name);
    snprintf(bias, sizeof bias, "%s.bias", name);
    add(layout, block, gain, 1, width, INITIAL_ONE, 0);
    add(layout, block, bias, 1, width, INITIAL_ZERO, 0);
}

static void add_linear(Layout *layout, int block, const char *name, int out, int in, bool bias)
{
    char weight[24], shift[24];
    snprintf(weight, sizeof weight, "%s.weight", name);
    snprintf(shift, sizeof shift, "%s.bias", name);
    add(layout, block, weight, out, in, INITIAL_UNIFORM, in);
    if (bias)
        add(layout, block, shift, 1, out, INITIAL_UNIFORM, in);
}

static void add_block(Layout *layout, int block, const ModelConfig *config)
{
    int width = config->width, joined = config->heads * config->head_width;
    if (config->norm != NORM_NONE && config->mixer != MIXER_NONE)
        add_norm(layout, block, "norm1", width);
    if (config->mixer == MIXER_ATTENTION)
        add_linear(layout, block, "qkv", 3 * joined, width, config->qkv_bias);
    if (config->output_projection)
        add_linear(layout, block, "project", width, joined, true);
    if (config->norm != NORM_NONE && config->mlp)
        add_norm(layout, block, "norm2", width);
    if (config->mlp) {
        add_linear(layout, block, "expand", 4 * width, width, true);
        add_linear(layout, block, "contract", width, 4 * width, true);
    }
}

Layout *layout_new(const ModelConfig *config)
{
    Err err;
    require(config_check(config, &err), "%s", err.text);
    Layout *layout = mem_new(1, sizeof *layout);
    add(layout, -1, "token", config->vocabulary, config->width, INITIAL_NORMAL, 0);
    if (config->position == POSITION_LEARNED)
        add(layout, -1, "position", config->context, config->width, INITIAL_NORMAL, 0);
    for (int block = 0; block < config->blocks; block++)
        add_block(layout, block, config);
    if (config->norm == NORM_PRE)
        add_norm(layout, -1, "norm", config_output_width(config));
    if (!config->tied)
        add_linear(layout, -1, "vocabulary", config->vocabulary, config_output_width(config), true);
    return layout;
}

void layout_free(Layout *layout)
{
    if (!layout)
        return;
    free(layout->list);
    free(layout);
}

const Tensor *layout_find(const Layout *layout, const char *name)
{
    for (size_t i = 0; i < layout->count; i++)
        if (strcmp(layout->list[i].name, name) == 0)
            return &layout->list[i];
    return NULL;
}

size_t tensor_size(const Tensor *tensor)
{
    return (size_t)tensor->rows * (size_t)tensor->columns;
}

void layout_initialise(const Layout *layout, uint64_t seed, float *parameters)
{
    memset(parameters, 0, layout->floats * sizeof *parameters);
    for (size_t i = 0; i < layout->count; i++) {
        const Tensor *tensor = &layout->list[i];
        float *values = parameters + tensor->offset;
        size_t size = tensor_size(tensor);
        char stream[48];
        snprintf(stream, sizeof stream, "init %s", tensor->name);
        Rng rng = rng_stream(seed, stream);
        switch (tensor->initial) {
        case INITIAL_NORMAL:
            rng_fill_normal(&rng, values, size);
            break;
        case INITIAL_UNIFORM:
            rng_fill_uniform(&rng, values, size, 1 / sqrt(tensor->fan_in));
            break;
        case INITIAL_ONE:
            for (size_t j = 0; j < size; j++)
                values[j] = 1;
            break;
        case INITIAL_ZERO:
            break;
        }
    }
}
