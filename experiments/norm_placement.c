/*
 * norm_placement: does training need the learning rate warmed up, and does the answer depend on where the norm sits?
 *
 * Source   C9: 12 blocks, 1000 steps at a rate of 3e-3, pre-norm and post-norm, without warm-up and with 200 steps of it.
 * Method   Four runs, paired by seed. The source repeats no batch here; 32 windows are our reading, since its
 *          chapter-wide 64 overfits: that is a control, at the first seed alone. Pre-norm ends in one norm more, post-norm
 *          has none (our reading). Before all training: the gradient of the first batch's mean loss at the first weights,
 *          block by block. Which norm of it the source prints is not stated, so several are taken:
 *            matrices  the mean over the block's weight matrices, W_q, W_k and W_v apart, of each one's L2 norm
 *            heads     the same with each head's part of W_q, W_k and W_v for itself
 *            tensors   the same over all tensors, biases and norms too; W_q, W_k and W_v are one
 *            largest   the largest of `matrices`
 *            whole     the L2 norm of all of the block's gradient
 *          Whether a run learnt no more than how frequent tokens are is seen by the perplexity of just that (training
 *          counts and one more for each), and by how much the predictions differ: the mean of the Kullback-Leibler
 *          divergence of each from their average.
 * Emits    held_out/<run>, dependence/<run>, unigram; curves loss/<run>; first/<norm>/<placement>, last/…, ratio/… (last
 *          over first), and curves gradient/<norm>/<placement> by block.
 * Quick    What it judges at the reduced budget held at each of the seeds 0 to 19.
 * Verdict  norm_placement.claims.json. No threshold appears in this file.
 */
#include "arm.h"
#include "batch.h"
#include "experiment_source.h"
#include "mem.h"
#include "ops_softmax.h"
#include "training_text.h"

#include <math.h>
#include <string.h>

static const Setting settings[] = {
    /* name, kind, full, quick, lowest, highest, meaning */
    {"vocabulary", INTEGER, 1024, 1024, 256, 1e5, "tokens in the vocabulary, the 256 bytes included"},
    {"context", INTEGER, 128, 64, 1, 1e4, "tokens in a window"},
    {"blocks", INTEGER, 12, 12, 1, 1e3, "blocks of the model"},
    {"batch", INTEGER, 32, 4, 1, 1e4, "windows in a step"},
    {"larger_batch", INTEGER, 64, 8, 1, 1e4, "windows in a step of the control"},
    {"steps", INTEGER, 1000, 40, 1, 1e6, "steps of AdamW"},
    {"warmup", INTEGER, 200, 10, 1, 1e6, "steps of warm-up, in the runs that have one"},
    {"rate", REAL, 3e-3, 3e-3, 0, 1, "learning rate"},
    SETTINGS_END,
};

enum { COMPARED = 64 }; /* held-out windows whose predictions are compared with their average */

typedef struct Placement {
    const char *name;
    Norm norm;
} Placement;

static const Placement placements[] = {{"pre", NORM_PRE}, {"post", NORM_POST}};

static ModelConfig placement_model(const Experiment *x, Norm norm)
{
    ModelConfig config = config_block();
    config.vocabulary = (int)setting_integer(x, "vocabulary");
    config.context = (int)setting_integer(x, "context");
    config.blocks = (int)setting_integer(x, "blocks");
    config.norm = norm;
    return config;
}

static TrainPlan run_plan(const Experiment *x, const char *batch, bool warm)
{
    return (TrainPlan){
        .steps = setting_integer(x, "steps"),
        .batch = (int)setting_integer(x, batch),
        .length = (int)setting_integer(x, "context"),
        .schedule = {.rate = setting_real(x, "rate"), .warmup = warm ? setting_integer(x, "warmup") : 0},
        .optimizer = adamw_default()};
}

/* ---- the gradient before any step ----------------------------------------------------------------------- */

enum { MATRICES, HEADS, TENSORS, LARGEST, WHOLE, GRADIENT_NORMS };

static const char *const gradient_norms[] = {"matrices", "heads", "tensors", "largest", "whole"};

static double sum_squares(const float *g, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)g[i] * g[i];
    return sum;
}

/* A mean that is being gathered. */
typedef struct Mean {
    double sum;
    int count;
} Mean;

/* Adds the L2 norm of each of so many equal parts; returns the largest. */
static double add_parts(const float *g, size_t size, int parts, Mean *mean)
{
    size_t part = size / (size_t)parts;
    double largest = 0;
    for (int i = 0; i < parts; i++) {
        double norm = sqrt(sum_squares(g + (size_t)i * part, part));
        mean->sum += norm;
        mean->count++;
        largest = fmax(largest, norm);
    }
    return largest;
}

static void take_norms(const Model *model, int block, const float *gradient, double *norms)
{
    Mean matrices = {0}, heads = {0}, tensors = {0};
    double largest = 0, squares = 0;
    for (size_t i = 0; i < model->layout->count; i++) {
        const Tensor *t = &model->layout->list[i];
        if (t->block != block)
            continue;
        const float *g = gradient + t->offset;
        size_t size = tensor_size(t);
        squares += sum_squares(g, size);
        add_parts(g, size, 1, &tensors);
        if (t->rows == 1)
            continue;
        bool is_qkv = strstr(t->name, ".qkv.") != NULL;
        largest = fmax(largest, add_parts(g, size, is_qkv ? 3 : 1, &matrices));
        add_parts(g, size, is_qkv ? 3 * model->config.heads : 1, &heads);
    }
    norms[MATRICES] = matrices.sum / matrices.count;
    norms[HEADS] = heads.sum / heads.count;
    norms[TENSORS] = tensors.sum / tensors.count;
    norms[LARGEST] = largest;
    norms[WHOLE] = sqrt(squares);
}

static void report_norms(Experiment *x, int seed, const char *placement, const Model *model,
                         const float *gradient)
{
    size_t blocks = (size_t)model->config.blocks;
    double *all = mem_new((GRADIENT_NORMS + 1) * blocks, sizeof *all),
           *number = all + GRADIENT_NORMS * blocks;
    for (size_t b = 0; b < blocks; b++) {
        double norms[GRADIENT_NORMS];
        take_norms(model, (int)b, gradient, norms);
        number[b] = (double)b + 1;
        for (size_t n = 0; n < GRADIENT_NORMS; n++)
            all[n * blocks + b] = norms[n];
    }
    for (size_t n = 0; n < GRADIENT_NORMS; n++) {
        const double *norms = all + n * blocks;
        double first = norms[0], last = norms[blocks - 1];
        measure(x, seed, first, "first/%s/%s", gradient_norms[n], placement);
        measure(x, seed, last, "last/%s/%s", gradient_norms[n], placement);
        measure(x, seed, last / first, "ratio/%s/%s", gradient_norms[n], placement);
        record_curve(x, seed, number, norms, blocks, "gradient/%s/%s", gradient_norms[n], placement);
    }
    free(all);
}

static bool look_at_gradient(Experiment *x, int seed, const Placement *placement, const Tokens *tokens,
                             Err *err)
{
    ModelConfig config = placement_model(x, placement->norm);
    TrainPlan plan = run_plan(x, "batch", false);
    plan.seed = (uint64_t)seed;
    Model *model = model_new(&config, plan.seed, err);
    Trainer *trainer = model ? trainer_new(model, tokens->train, &plan, NULL, err) : NULL;
    float *gradient = trainer ? mem_try(model->layout->floats, sizeof *gradient, "a gradient", err) : NULL;
    if (gradient) {
        trainer_gradient(trainer, 1, gradient);
        report_norms(x, seed, placement->name, model, gradient);
    }
    bool done = gradient != NULL;
    free(gradient);
    trainer_free(trainer);
    model_free(model);
    return done;
}

/* ---- what was learnt ------------------------------------------------------------------------------------ */

/* On the tokens that held-out perplexity is about, of predicting each by its frequency in training. */
static double unigram_perplexity(const Tokens *tokens, int length)
{
    size_t vocabulary = (size_t)tokens->vocabulary,
           targets = batch_windows(tokens->held_out, length) * (size_t)length;
    double *count = mem_new(vocabulary, sizeof *count), sum = 0;
    for (size_t i = 0; i < tokens->train.count; i++)
        count[tokens->train.ids[i]]++;
    for (size_t i = 1; i <= targets; i++)
        sum -= log((count[tokens->held_out.ids[i]] + 1) / (double)(tokens->train.count + vocabulary));
    free(count);
    return exp(sum / (double)targets);
}

/* Entropy of the mean of `rows` distributions, whose sums these are, in nats. */
static double mean_entropy(int vocabulary, const double *sums, size_t rows)
{
    double entropy = 0;
    for (int i = 0; i < vocabulary; i++)
        if (sums[i] > 0)
            entropy -= sums[i] / (double)rows * log(sums[i] / (double)rows);
    return entropy;
}

/* The mean over predictions p of Σ p ln(p / their mean): the entropy of the mean minus the mean of the entropies. */
static bool observe_dependence(const Model *model, const Tokens *tokens, void *context, Measurements *seen,
                               Err *err)
{
    int vocabulary = model->config.vocabulary, length = *(int *)context;
    size_t windows = batch_windows(tokens->held_out, length), row = (size_t)vocabulary;
    windows = windows < COMPARED ? windows : COMPARED;
    float *predictions = mem_try((size_t)length * row, sizeof *predictions, "predictions", err);
    Activations *a = predictions ? activations_new(model, 1, length, err) : NULL;
    double *sums = mem_new(row, sizeof *sums), entropies = 0;
    for (size_t w = 0; a && w < windows; w++) {
        model_logits(model, a, batch_window(tokens->held_out, w, length), 1, predictions);
        softmax_forward(length, vocabulary, predictions, predictions);
        for (const float *p = predictions; p < predictions + (size_t)length * row; p += row) {
            entropies += softmax_entropy(vocabulary, p);
            for (size_t i = 0; i < row; i++)
                sums[i] += p[i];
        }
    }
    bool done = a != NULL;
    if (done) {
        size_t rows = windows * (size_t)length;
        double dependence = mean_entropy(vocabulary, sums, rows) - entropies / (double)rows;
        arm_see(seen, "dependence", dependence);
    }
    activations_free(a);
    free(predictions);
    free(sums);
    return done;
}

/* ---- the runs ------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    Norm norm;
    bool warm, control;
} runs[] = {
    {"pre_cold", NORM_PRE, false, false},      {"pre_warm", NORM_PRE, true, false},
    {"post_cold", NORM_POST, false, false},    {"post_warm", NORM_POST, true, false},
    {"pre_cold_batch", NORM_PRE, false, true},
};

static bool train_runs(Experiment *x, const Tokens *tokens, Err *err)
{
    static const char *const observed[] = {"dependence", NULL};
    int length = (int)setting_integer(x, "context");
    Arm arms[COUNT(runs)];
    for (size_t i = 0; i < COUNT(runs); i++)
        arms[i] = (Arm){.name = runs[i].name,
                        .model = placement_model(x, runs[i].norm),
                        .plan = run_plan(x, runs[i].control ? "larger_batch" : "batch", runs[i].warm),
                        .once = runs[i].control,
                        .observe = observe_dependence,
                        .context = &length,
                        .observed = observed,
                        .source = EXPERIMENT_SOURCE};
    return arms_run(x, arms, COUNT(arms), tokens, err);
}

static bool look_before(Experiment *x, const Tokens *tokens, Err *err)
{
    double unigram = unigram_perplexity(tokens, (int)setting_integer(x, "context"));
    for (int seed = first_seed(x); seed < end_seed(x); seed++) {
        measure(x, seed, unigram, "unigram");
        for (size_t i = 0; i < COUNT(placements); i++)
            if (!look_at_gradient(x, seed, &placements[i], tokens, err))
                return false;
    }
    return true;
}

static bool run(Experiment *x, Err *err)
{
    if (training_text_skips(x))
        return true;
    Tokens *tokens = training_text_load(x, (int)setting_integer(x, "vocabulary"), err);
    bool good = tokens &&
                batch_fits(tokens->held_out, (int)setting_integer(x, "context"), "the held-out text", err) &&
                look_before(x, tokens, err) && train_runs(x, tokens, err);
    tokens_free(tokens);
    return good;
}

const ExperimentPlan experiment = {"norm_placement", settings, 3, 1, run};
