/*
 * parameter_count: how many parameters has a transformer, and where are they?
 *
 * Every number is taken twice: from the formula on paper, and from the table of tensors (layout.h) that the
 * models of this project are really made of. The two must agree.
 *
 * Source   C9 (the formula, GPT-2 small, the ladder's rows), ID (nn.MultiheadAttention of width 64), MH.
 * Emits    <claim>/table and <claim>/formula, e.g. gpt2_block/table; block/d<d>/<part> and block/d<d>/share/<part>;
 *          ladder/…, attention/…, your shape/…
 * Verdict  parameter_count.claims.json. No published number appears in this file.
 *
 * With --set the shape of the last part is yours: --set width=1024 --set blocks=24 --set vocabulary=50257 …
 */
#include "experiment.h"
#include "layout.h"
#include "mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const Setting settings[] = {
    /* name, kind, full, quick, lowest, highest, meaning */
    {"width", INTEGER, 128, 128, 1, 1e6, "your shape: width of the residual stream"},
    {"blocks", INTEGER, 1, 1, 0, 1e4, "your shape: transformer blocks"},
    {"heads", INTEGER, 4, 4, 1, 1e6, "your shape: attention heads; they share the width out"},
    {"vocabulary", INTEGER, 1024, 1024, 1, 1e7, "your shape: tokens in the vocabulary"},
    {"context", INTEGER, 128, 128, 1, 1e7, "your shape: learned positions"},
    {"qkv_bias", INTEGER, 0, 0, 0, 1, "your shape: 1 gives queries, keys and values a bias, as GPT-2 does"},
    {"tied", INTEGER, 0, 0, 0, 1, "your shape: 1 shares the token table with the vocabulary layer"},
    SETTINGS_END,
};

/* Parameters of all tensors whose name begins with `part`: "block0." is the first block, "" the model. */
static double count(const ModelConfig *config, const char *part)
{
    Layout *layout = layout_new(config);
    size_t sum = 0;
    for (size_t i = 0; i < layout->count; i++)
        if (strncmp(layout->list[i].name, part, strlen(part)) == 0)
            sum += tensor_size(&layout->list[i]);
    layout_free(layout);
    return (double)sum;
}

/* The parts of a block with biases everywhere, by C9's formula; d is the width. */
static double attention_formula(double d)
{
    return 4 * d * d + 4 * d; /* W_q, W_k, W_v, W_o */
}

static double mlp_formula(double d)
{
    return 8 * d * d + 5 * d; /* d → 4d → d */
}

static double norms_formula(double d)
{
    return 4 * d; /* two gains, two biases */
}

static double block_formula(double d)
{
    return 12 * d * d + 13 * d;
}

/* A model of GPT-2's kind: learned positions, pre-norm, tied vocabulary. */
static double gpt2_formula(const ModelConfig *c)
{
    double d = c->width;
    return c->vocabulary * d + c->context * d + c->blocks * block_formula(d) + 2 * d;
}

static ModelConfig gpt2(const char *size)
{
    ModelConfig config;
    require(config_gpt2(size, &config), "GPT-2 comes in no size %s", size);
    return config;
}

/* Measures both counts of a model or a part of it; returns whether they differ. */
static int compare(Experiment *x, const char *name, double table, double formula)
{
    measure(x, FIXED, table, "%s/table", name);
    measure(x, FIXED, formula, "%s/formula", name);
    return table != formula;
}

static void count_gpt2(Experiment *x)
{
    const ModelConfig small = gpt2("small"), medium = gpt2("medium"), large = gpt2("large"), xl = gpt2("xl");
    const double d = small.width;
    const struct {
        const char *name;
        const ModelConfig *config;
        const char *part;
        double formula;
    } counts[] = {
        {"gpt2_small", &small, "", gpt2_formula(&small)},
        {"gpt2_token_embeddings", &small, "token", small.vocabulary * d},
        {"gpt2_position_embeddings", &small, "position", small.context * d},
        {"gpt2_block", &small, "block0.", block_formula(d)},
        {"gpt2_blocks", &small, "block", small.blocks * block_formula(d)},
        {"gpt2_final_norm", &small, "norm.", 2 * d},
        {"gpt2_medium", &medium, "", gpt2_formula(&medium)},
        {"gpt2_large", &large, "", gpt2_formula(&large)},
        {"gpt2_xl", &xl, "", gpt2_formula(&xl)},
    };
    int differences = 0;
    for (size_t i = 0; i < COUNT(counts); i++)
        differences += compare(x, counts[i].name, count(counts[i].config, counts[i].part), counts[i].formula);
    measure(x, FIXED, differences, "GPT-2/counts where table and formula differ");
}

/* Two remarks of C9 on the smallest of the four. */
static void look_into_gpt2_small(Experiment *x)
{
    const ModelConfig config = gpt2("small");
    double all = count(&config, ""), tokens = count(&config, "token");
    measure(x, FIXED, tokens / all, "gpt2_small/share of the token table");
    measure(x, FIXED, (tokens + count(&config, "position")) / all,
            "gpt2_small/share of tokens and positions");

    ModelConfig bare = config;
    bare.qkv_bias = false;
    measure(x, FIXED, count(&config, "block0.") - count(&bare, "block0."),
            "gpt2_block/biases of queries, keys and values");
}

/* A block of GPT-2's kind at any width, with one head: the number of heads changes nothing, see below. */
static ModelConfig block_of_width(int width)
{
    ModelConfig config = config_block();
    config.width = config.head_width = width;
    config.heads = 1;
    config.qkv_bias = true;
    return config;
}

static double attention_count(const ModelConfig *config)
{
    return count(config, "block0.qkv.") + count(config, "block0.project.");
}

static double mlp_count(const ModelConfig *config)
{
    return count(config, "block0.expand.") + count(config, "block0.contract.");
}

static void count_blocks(Experiment *x)
{
    static const int widths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024, 4096};
    for (size_t i = 0; i < COUNT(widths); i++) {
        int d = widths[i];
        ModelConfig config = block_of_width(d);
        const struct {
            const char *name;
            double count;
        } parts[] = {
            {"attention", attention_count(&config)},
            {"MLP", mlp_count(&config)},
            {"norms", count(&config, "block0.norm")},
        };
        double block = count(&config, "block0.");
        for (size_t p = 0; p < COUNT(parts); p++) {
            measure(x, FIXED, parts[p].count, "block/d%d/%s", d, parts[p].name);
            measure(x, FIXED, parts[p].count / block, "block/d%d/share/%s", d, parts[p].name);
        }
        measure(x, FIXED, block, "block/d%d/all", d);
    }
}

/* The formula's three parts and its sum at every width up to 1024; and up to which width biases and norms weigh
 * enough to keep the MLP's share away from two thirds. */
static void compare_blocks(Experiment *x)
{
    enum { WIDEST = 1024 };
    int disagreements = 0, narrow = 0;
    for (int d = 1; d <= WIDEST; d++) {
        ModelConfig config = block_of_width(d);
        double attention = attention_count(&config), mlp = mlp_count(&config);
        double norms = count(&config, "block0.norm"), block = count(&config, "block0.");
        disagreements += attention != attention_formula(d) || mlp != mlp_formula(d) ||
                         norms != norms_formula(d) || block != block_formula(d) ||
                         block != attention + mlp + norms;
        if (fabs(mlp / block - 2.0 / 3) > 0.005)
            narrow = d;
    }
    measure(x, FIXED, WIDEST, "block/widths compared");
    measure(x, FIXED, disagreements, "block/widths where table and formula differ");
    measure(x, FIXED, narrow, "block/largest width where the MLP is not within 0.005 of two thirds");

    ModelConfig config = block_of_width(WIDEST);
    double mlp = count(&config, "block0.expand.weight") + count(&config, "block0.contract.weight");
    double attention = count(&config, "block0.qkv.weight") + count(&config, "block0.project.weight");
    measure(x, FIXED, mlp / (mlp + attention), "block/share of the MLP in the matrices");
}

/* What C9's ladder pays for its last rows. */
static void count_ladder(Experiment *x)
{
    ModelConfig block = config_block(), no_norm = block, no_mlp, one_head;
    no_norm.norm = NORM_NONE;
    no_mlp = no_norm;
    no_mlp.mlp = false;
    one_head = no_mlp;
    one_head.output_projection = false;
    one_head.heads = 1;
    one_head.head_width = one_head.width;
    measure(x, FIXED, count(&no_mlp, "") - count(&one_head, ""), "ladder/four heads over one");
    measure(x, FIXED, count(&no_norm, "") - count(&no_mlp, ""), "ladder/MLP");
    measure(x, FIXED, count(&block, "") - count(&no_norm, ""), "ladder/LayerNorm");
    measure(x, FIXED, count(&block, ""), "ladder/one block");
}

/* However many heads share the width out, the matrices keep their sizes. */
static void count_heads(Experiment *x)
{
    for (int heads = 1; heads <= 4; heads *= 2) {
        ModelConfig config = block_of_width(64);
        config.heads = heads;
        config.head_width = 64 / heads;
        measure(x, FIXED, attention_count(&config), "attention/d64/h%d", heads);
    }

    int shapes = 0, different = 0;
    for (int d = 1; d <= 256; d++) {
        ModelConfig config = block_of_width(d);
        double one_head = attention_count(&config);
        for (int heads = 1; heads <= d; heads++) {
            if (d % heads != 0)
                continue;
            config.heads = heads;
            config.head_width = d / heads;
            shapes++;
            different += attention_count(&config) != one_head;
        }
    }
    measure(x, FIXED, shapes, "attention/pairs of width and heads compared");
    measure(x, FIXED, different, "attention/pairs that differ from one head");
}

/* The shape from the command line. */
static bool count_your_shape(Experiment *x, Err *err)
{
    ModelConfig config = config_block();
    config.width = (int)setting_integer(x, "width");
    config.blocks = (int)setting_integer(x, "blocks");
    config.heads = (int)setting_integer(x, "heads");
    config.vocabulary = (int)setting_integer(x, "vocabulary");
    config.context = (int)setting_integer(x, "context");
    config.qkv_bias = setting_integer(x, "qkv_bias") == 1;
    config.tied = setting_integer(x, "tied") == 1;
    if (config.width % config.heads != 0)
        return err_set(err, "%d heads can't share a width of %d: choose a divisor", config.heads,
                       config.width);
    config.head_width = config.width / config.heads;
    if (!config_check(&config, err))
        return false;

    const struct {
        const char *name, *tensors;
    } parts[] = {
        {"token embeddings", "token"},
        {"position embeddings", "position"},
        {"one block", "block0."},
        {"all blocks", "block"},
        {"final norm", "norm."},
        {"vocabulary layer", "vocabulary"},
        {"all", ""},
    };
    for (size_t i = 0; i < COUNT(parts); i++)
        measure(x, FIXED, count(&config, parts[i].tensors), "your shape/%s", parts[i].name);
    return true;
}

static bool run(Experiment *x, Err *err)
{
    count_gpt2(x);
    look_into_gpt2_small(x);
    count_blocks(x);
    compare_blocks(x);
    count_ladder(x);
    count_heads(x);
    return count_your_shape(x, err);
}

const ExperimentPlan experiment = {"parameter_count", settings, 0, 0, run};
