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

/* A model's parameters by the part of it that they belong to; a part that it has not has none. */
typedef struct Parts {
    double tokens, positions, final_norm, vocabulary;
    double attention_matrices, attention, mlp_matrices, mlp, norms, block; /* of the first block */
    double blocks, all;
} Parts;

static double size_of(const Layout *layout, const char *name)
{
    const Tensor *tensor = layout_find(layout, name);
    return tensor ? (double)tensor_size(tensor) : 0;
}

static Parts parts_of(const ModelConfig *config)
{
    Layout *l = layout_new(config);
    Parts p = {
        .tokens = size_of(l, "token"),
        .positions = size_of(l, "position"),
        .final_norm = size_of(l, "norm.gain") + size_of(l, "norm.bias"),
        .vocabulary = size_of(l, "vocabulary.weight") + size_of(l, "vocabulary.bias"),
        .attention_matrices = size_of(l, "block0.qkv.weight") + size_of(l, "block0.project.weight"),
        .mlp_matrices = size_of(l, "block0.expand.weight") + size_of(l, "block0.contract.weight"),
        .norms = size_of(l, "block0.norm1.gain") + size_of(l, "block0.norm1.bias") +
                 size_of(l, "block0.norm2.gain") + size_of(l, "block0.norm2.bias"),
        .all = (double)l->parameters,
    };
    p.attention = p.attention_matrices + size_of(l, "block0.qkv.bias") + size_of(l, "block0.project.bias");
    p.mlp = p.mlp_matrices + size_of(l, "block0.expand.bias") + size_of(l, "block0.contract.bias");
    for (size_t i = 0; i < l->count; i++) {
        double size = (double)tensor_size(&l->list[i]);
        p.block += l->list[i].block == 0 ? size : 0;
        p.blocks += l->list[i].block >= 0 ? size : 0;
    }
    layout_free(l);
    return p;
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

static void count_gpt2(Experiment *x)
{
    const ModelConfig small = gpt2("small"), medium = gpt2("medium"), large = gpt2("large"), xl = gpt2("xl");
    const Parts parts = parts_of(&small);
    const double d = small.width;
    const struct {
        const char *name;
        double table, formula;
    } counts[] = {
        {"gpt2_small", parts.all, gpt2_formula(&small)},
        {"gpt2_token_embeddings", parts.tokens, small.vocabulary * d},
        {"gpt2_position_embeddings", parts.positions, small.context * d},
        {"gpt2_block", parts.block, block_formula(d)},
        {"gpt2_blocks", parts.blocks, small.blocks * block_formula(d)},
        {"gpt2_final_norm", parts.final_norm, 2 * d},
        {"gpt2_medium", parts_of(&medium).all, gpt2_formula(&medium)},
        {"gpt2_large", parts_of(&large).all, gpt2_formula(&large)},
        {"gpt2_xl", parts_of(&xl).all, gpt2_formula(&xl)},
    };
    int differences = 0;
    for (size_t i = 0; i < COUNT(counts); i++) {
        measure(x, FIXED, counts[i].table, "%s/table", counts[i].name);
        measure(x, FIXED, counts[i].formula, "%s/formula", counts[i].name);
        differences += counts[i].table != counts[i].formula;
    }
    measure(x, FIXED, differences, "GPT-2/counts where table and formula differ");

    /* Two remarks of C9 on the smallest of the four. */
    ModelConfig bare = small;
    bare.qkv_bias = false;
    measure(x, FIXED, parts.tokens / parts.all, "gpt2_small/share of the token table");
    measure(x, FIXED, (parts.tokens + parts.positions) / parts.all,
            "gpt2_small/share of tokens and positions");
    measure(x, FIXED, parts.block - parts_of(&bare).block, "gpt2_block/biases of queries, keys and values");
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

static void count_blocks(Experiment *x)
{
    static const int widths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024, 4096};
    for (size_t i = 0; i < COUNT(widths); i++) {
        int d = widths[i];
        const ModelConfig config = block_of_width(d);
        const Parts parts = parts_of(&config);
        const struct {
            const char *name;
            double count;
        } shares[] = {{"attention", parts.attention}, {"MLP", parts.mlp}, {"norms", parts.norms}};
        for (size_t p = 0; p < COUNT(shares); p++) {
            measure(x, FIXED, shares[p].count, "block/d%d/%s", d, shares[p].name);
            measure(x, FIXED, shares[p].count / parts.block, "block/d%d/share/%s", d, shares[p].name);
        }
        measure(x, FIXED, parts.block, "block/d%d/all", d);
    }
}

/* The formula's three parts and its sum at every width up to 1024; and up to which width biases and norms weigh
 * enough to keep the MLP's share away from two thirds. */
static void compare_blocks(Experiment *x)
{
    enum { WIDEST = 1024 };
    int disagreements = 0, narrow = 0;
    Parts p = {0};
    for (int d = 1; d <= WIDEST; d++) {
        const ModelConfig config = block_of_width(d);
        p = parts_of(&config);
        disagreements += p.attention != attention_formula(d) || p.mlp != mlp_formula(d) ||
                         p.norms != norms_formula(d) || p.block != block_formula(d) ||
                         p.block != p.attention + p.mlp + p.norms;
        if (fabs(p.mlp / p.block - 2.0 / 3) > 0.005)
            narrow = d;
    }
    measure(x, FIXED, WIDEST, "block/widths compared");
    measure(x, FIXED, disagreements, "block/widths where table and formula differ");
    measure(x, FIXED, narrow, "block/largest width where the MLP is not within 0.005 of two thirds");
    measure(x, FIXED, p.mlp_matrices / (p.mlp_matrices + p.attention_matrices),
            "block/share of the MLP in the matrices"); /* the same at every width */
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
    measure(x, FIXED, parts_of(&no_mlp).all - parts_of(&one_head).all, "ladder/four heads over one");
    measure(x, FIXED, parts_of(&no_norm).all - parts_of(&no_mlp).all, "ladder/MLP");
    measure(x, FIXED, parts_of(&block).all - parts_of(&no_norm).all, "ladder/LayerNorm");
    measure(x, FIXED, parts_of(&block).all, "ladder/one block");
}

/* However many heads share the width out, the matrices keep their sizes. */
static void count_heads(Experiment *x)
{
    for (int heads = 1; heads <= 4; heads *= 2) {
        ModelConfig config = block_of_width(64);
        config.heads = heads;
        config.head_width = 64 / heads;
        measure(x, FIXED, parts_of(&config).attention, "attention/d64/h%d", heads);
    }

    int shapes = 0, different = 0;
    for (int d = 1; d <= 256; d++) {
        ModelConfig config = block_of_width(d);
        double one_head = parts_of(&config).attention;
        for (int heads = 1; heads <= d; heads++) {
            if (d % heads != 0)
                continue;
            config.heads = heads;
            config.head_width = d / heads;
            shapes++;
            different += parts_of(&config).attention != one_head;
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

    const Parts parts = parts_of(&config);
    measure(x, FIXED, parts.tokens, "your shape/token embeddings");
    measure(x, FIXED, parts.positions, "your shape/position embeddings");
    measure(x, FIXED, parts.block, "your shape/one block");
    measure(x, FIXED, parts.blocks, "your shape/all blocks");
    measure(x, FIXED, parts.final_norm, "your shape/final norm");
    measure(x, FIXED, parts.vocabulary, "your shape/vocabulary layer");
    measure(x, FIXED, parts.all, "your shape/all");
    return true;
}

static bool run(Experiment *x, Err *err)
{
    count_gpt2(x);
    count_blocks(x);
    compare_blocks(x);
    count_ladder(x);
    count_heads(x);
    return count_your_shape(x, err);
}

const ExperimentPlan experiment = {"parameter_count", settings, 0, 0, run};
