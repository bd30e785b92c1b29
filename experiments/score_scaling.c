/*
 * score_scaling: what does training lose without the division of the scores by sqrt(d_k)?
 *
 * Source   C9, on two budgets. The long one (3000 steps of 64 windows) trains the ladder's one block, the short one
 *          (1500 steps of 32 windows) one head without a norm before its projections.
 * Method   Each row with the division and without, paired by seed. One of the source's four head widths is lost: 128,
 *          one head as wide as the model, is our reading, on both budgets. What follows a head wider than the model is
 *          not stated: token + head through W_o is our reading; at 1024 the head is also put straight into the
 *          vocabulary layer. Two more arms of 1024 start with the scores of the other variant: what the first scores
 *          do to a head is told from what its steps do. While a short row trains, its scores on the same held-out
 *          windows are looked at: those that the mask leaves, and the softmax of each row. The long rows carry no
 *          probe, so that the divided one of width 32 is the ladder's block and trained once for both.
 * Emits    held_out/<variant>/<row>; train/divided/32; and of the short rows, as curves by step and by their ends
 *          (arm.h): std, the standard deviation of all scores; entropy, in nats, the mean over rows; effective, the
 *          mean of exp(entropy); hard, the share of rows with more than 0.99 on one token.
 * Quick    What it judges at the reduced budget held at each of the seeds 0 to 19.
 * Verdict  score_scaling.claims.json. No threshold appears in this file.
 */
#include "arm.h"
#include "batch.h"
#include "experiment_source.h"
#include "mem.h"
#include "ops_softmax.h"
#include "training_text.h"

#include <math.h>

enum { PROBE_WINDOWS = 8 }; /* held-out windows whose scores are looked at */

static const double hard_above = 0.99;

static const Setting settings[] = {
    /* name, kind, full, quick, lowest, highest, meaning */
    {"vocabulary", INTEGER, 1024, 1024, 256, 1e5, "tokens in the vocabulary, the 256 bytes included"},
    {"context", INTEGER, 128, 64, 1, 1e4, "tokens in a window"},
    {"long_steps", INTEGER, 3000, 10, 1, 1e6, "steps of AdamW, long budget"},
    {"long_batch", INTEGER, 64, 8, 1, 1e4, "windows in a step, long budget"},
    {"short_steps", INTEGER, 1500, 40, 1, 1e6, "steps of AdamW, short budget"},
    {"short_batch", INTEGER, 32, 8, 1, 1e4, "windows in a step, short budget"},
    {"rate", REAL, 1e-3, 1e-3, 0, 1, "learning rate"},
    {"probe_every", INTEGER, 10, 10, 1, 1e6, "steps between two looks at the scores"},
    SETTINGS_END,
};

/* ---- what the scores do --------------------------------------------------------------------------------- */

enum { STD, ENTROPY, EFFECTIVE, HARD, SCORE_NUMBERS };

static const char *const score_numbers[] = {"std", "entropy", "effective", "hard"};

/* The windows that are looked at, [count x length] and one token more. */
typedef struct Windows {
    const int32_t *tokens;
    int count, length;
} Windows;

/* Welford's running mean, and the sum of squares about it. */
typedef struct Spread {
    double count, mean, squares;
} Spread;

static void spread_add(Spread *spread, double x)
{
    double from_mean = x - spread->mean;
    spread->mean += from_mean / ++spread->count;
    spread->squares += from_mean * (x - spread->mean);
}

/* One window's square of scores and weights. */
static void add_scores(int length, const float *scores, const float *weights, Spread *spread, double *sums)
{
    for (int t = 0; t < length; t++, scores += length, weights += length) {
        for (int i = 0; i <= t; i++)
            spread_add(spread, scores[i]);
        double entropy = softmax_entropy(t + 1, weights);
        sums[ENTROPY] += entropy;
        sums[EFFECTIVE] += exp(entropy);
        sums[HARD] += softmax_peak(t + 1, weights) > hard_above;
    }
}

/* Of the one head of the one block; without memory for it, a gap in the curves. */
static void measure_scores(const Model *model, void *context, double *values)
{
    Err err;
    const Windows *windows = context;
    int length = windows->length;
    double sums[SCORE_NUMBERS] = {0}, rows = (double)windows->count * length;
    Spread spread = {0};
    float *scores = mem_new((size_t)length * (size_t)length, sizeof *scores);
    Activations *a = activations_new(model, windows->count, length, &err);
    if (a) {
        model_loss(model, a, windows->tokens, windows->tokens + 1, windows->count, NULL);
        for (int w = 0; w < windows->count; w++) {
            activations_scores(a, 0, 0, w, scores);
            add_scores(length, scores, activations_weights(a, 0, 0, w), &spread, sums);
        }
    }
    for (int i = 0; i < SCORE_NUMBERS; i++)
        values[i] = a ? sums[i] / rows : NAN;
    values[STD] = a ? sqrt(spread.squares / spread.count) : NAN;
    activations_free(a);
    free(scores);
}

/* ---- the rows ------------------------------------------------------------------------------------------- */

typedef enum Form {
    BLOCK,   /* the ladder's last row, norms and MLP included; the long budget */
    THROUGH, /* token + head through W_o; the short budget, as below */
    STRAIGHT /* the vocabulary layer sees the head's output alone */
} Form;

typedef struct Row {
    const char *name;
    int head_width;
    Form form;
    bool other_start; /* the first scores are those of the other variant */
} Row;

static const Row rows[] = {
    {"32", 32, BLOCK, false},
    {"128_long", 128, BLOCK, false},
    {"128_short", 128, THROUGH, false},
    {"256", 256, THROUGH, false},
    {"1024", 1024, THROUGH, false},
    {"1024_straight", 1024, STRAIGHT, false},
    {"1024_other_start", 1024, THROUGH, true},
};

static const struct {
    const char *name;
    bool scaled;
} variants[] = {{"divided", true}, {"raw", false}};

enum { ARMS = COUNT(rows) * COUNT(variants) };

static ModelConfig row_model(const Experiment *x, const Row *row, bool scaled)
{
    ModelConfig config = config_block();
    config.vocabulary = (int)setting_integer(x, "vocabulary");
    config.context = (int)setting_integer(x, "context");
    config.head_width = row->head_width;
    config.heads = row->form == BLOCK ? config.width / row->head_width : 1;
    config.scaled = scaled;
    if (row->form == BLOCK)
        return config;
    config.norm = NORM_NONE;
    config.mlp = false;
    config.residual = config.output_projection = row->form == THROUGH;
    return config;
}

/* Queries and keys share the gain, so that scores get it whole. */
static void gain_scores(Model *model, double gain)
{
    const ModelConfig *config = &model->config;
    size_t queries_and_keys = 2 * (size_t)config->heads * (size_t)config->head_width * (size_t)config->width;
    float *weight = model->parameters + layout_find(model->layout, "block0.qkv.weight")->offset;
    for (size_t i = 0; i < queries_and_keys; i++)
        weight[i] *= (float)sqrt(gain);
}

static void start_as_divided(Model *model)
{
    gain_scores(model, 1 / sqrt(model->config.head_width));
}

static void start_as_raw(Model *model)
{
    gain_scores(model, sqrt(model->config.head_width));
}

static TrainPlan row_plan(const Experiment *x, const Row *row)
{
    bool is_long = row->form == BLOCK;
    return (TrainPlan){.steps = setting_integer(x, is_long ? "long_steps" : "short_steps"),
                       .batch = (int)setting_integer(x, is_long ? "long_batch" : "short_batch"),
                       .length = (int)setting_integer(x, "context"),
                       .schedule = {.rate = setting_real(x, "rate")},
                       .optimizer = adamw_default()};
}

static bool run_rows(Experiment *x, const Tokens *tokens, Windows *windows, Err *err)
{
    Arm arms[ARMS];
    char *names[ARMS];
    for (size_t i = 0; i < ARMS; i++) {
        const Row *row = &rows[i / COUNT(variants)];
        size_t variant = i % COUNT(variants);
        names[i] = mem_text("%s/%s", variants[variant].name, row->name);
        arms[i] = (Arm){.name = names[i],
                        .model = row_model(x, row, variants[variant].scaled),
                        .plan = row_plan(x, row),
                        .train_text = i == 0}; /* as the ladder has it, whose record this is as well */
        if (row->form != BLOCK) {
            arms[i].probe =
                (Probe){setting_integer(x, "probe_every"), SCORE_NUMBERS, measure_scores, windows};
            arms[i].probe_names = score_numbers;
            arms[i].source = EXPERIMENT_SOURCE;
        }
        if (row->other_start) {
            arms[i].alter = variants[variant].scaled ? start_as_raw : start_as_divided;
            arms[i].altered = "the first scores are those of the other variant";
        }
    }
    bool done = arms_run(x, arms, ARMS, tokens, err);
    for (size_t i = 0; i < ARMS; i++)
        free(names[i]);
    return done;
}

static bool run(Experiment *x, Err *err)
{
    if (training_text_skips(x))
        return true;
    Tokens *tokens = training_text_load(x, (int)setting_integer(x, "vocabulary"), err);
    Windows windows = {.count = PROBE_WINDOWS, .length = (int)setting_integer(x, "context")};
    bool good =
        tokens && batch_fits(tokens->held_out, windows.count * windows.length, "the held-out text", err);
    if (good) {
        windows.tokens = batch_window(tokens->held_out, 0, windows.length);
        good = run_rows(x, tokens, &windows, err);
    }
    tokens_free(tokens);
    return good;
}

const ExperimentPlan experiment = {"score_scaling", settings, 3, 1, run};
