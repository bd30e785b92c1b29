/*
 * position_extrapolation: which way of telling positions still works beyond the length it was trained at?
 *
 * Source   C9: trained on windows of 64 tokens, evaluated on windows of 64, 128 and 256.
 * Method   Our reading: one block of four heads and C9's setting otherwise; RoPE with base 10000 on interleaved pairs,
 *          ALiBi with slopes 2^(−8i/h), i = 1 … h; windows of each length side by side. The four arms are paired by seed.
 *          The learned table has a row for each position evaluated; the rows behind the trained length get no gradient,
 *          and AdamW's decay shrinks them all the same.
 *          Whether scores depend on the distance alone is seen in windows that repeat one token: nothing but the
 *          position tells two places apart there.
 * Emits    held_out/<arm>, held_out_2x/<arm>, held_out_4x/<arm>: perplexity at the trained length, twice and four times
 *          that; curves perplexity/<arm> by length, and by position/<arm>, over groups of 8 positions of the longest
 *          windows; shift/<arm>, the largest difference of two scores at the same distance, and score/<arm>, the largest
 *          score in size; unseen_start/learned and unseen_end/learned, the norm of the rows behind the trained length.
 * Quick    What it judges at the reduced budget held at each of the seeds 0 to 19.
 * Verdict  position_extrapolation.claims.json. No threshold appears in this file.
 */
#include "arm.h"
#include "evaluate.h"
#include "experiment_source.h"
#include "mem.h"

#include <math.h>

enum {
    FURTHEST = 4, /* times the trained length */
    GROUP = 8,    /* positions of a point in the curve by position */
    REPEATED = 8  /* tokens that are repeated, a window each: the first ones held out */
};

static const Setting settings[] = {
    /* name, kind, full, quick, lowest, highest, meaning */
    {"vocabulary", INTEGER, 1024, 1024, 256, 1e5, "tokens in the vocabulary, the 256 bytes included"},
    {"length", INTEGER, 64, 32, GROUP, 1e4, "tokens in a window to train on"},
    {"batch", INTEGER, 64, 16, 1, 1e4, "windows in a step"},
    {"steps", INTEGER, 3000, 100, 1, 1e6, "steps of AdamW"},
    {"rate", REAL, 1e-3, 1e-3, 0, 1, "learning rate"},
    SETTINGS_END,
};

/* ---- beyond the trained length -------------------------------------------------------------------------- */

/* exp of the mean −log p of each group of positions; the rest of an uneven length is left out. */
static void see_positions(int length, const double *by_position, Measurements *seen)
{
    size_t groups = (size_t)(length / GROUP);
    double *x = mem_new(2 * groups, sizeof *x), *y = x + groups;
    for (size_t g = 0; g < groups; g++) {
        double sum = 0;
        for (size_t i = 0; i < GROUP; i++)
            sum += by_position[g * GROUP + i];
        x[g] = (double)(g * GROUP) + (GROUP + 1) / 2.0;
        y[g] = exp(sum / GROUP);
    }
    measurements_add_curve(seen, "by position", FIXED, x, y, groups);
    free(x);
}

static bool see_lengths(const Model *model, const Tokens *tokens, int trained, Measurements *seen, Err *err)
{
    static const char *const names[] = {NULL, "held_out_2x", "held_out_4x"}; /* the first is every arm's */
    double lengths[COUNT(names)], perplexities[COUNT(names)];
    double *by_position = mem_new((size_t)FURTHEST * (size_t)trained, sizeof *by_position);
    bool good = true;
    for (size_t i = 0; good && i < COUNT(names); i++) {
        int length = trained << i;
        lengths[i] = length;
        good = evaluate_perplexity(model, tokens->held_out, "the held-out text", length, &perplexities[i],
                                   by_position, err);
        if (good && names[i])
            arm_see(seen, names[i], perplexities[i]);
    }
    if (good) {
        measurements_add_curve(seen, "perplexity", FIXED, lengths, perplexities, COUNT(names));
        see_positions(FURTHEST * trained, by_position, seen);
    }
    free(by_position);
    return good;
}

/* ---- what scores depend on ------------------------------------------------------------------------------ */

/* Of a head's scores [length x length], how far those at one distance differ. */
static double largest_shift(int length, const float *scores)
{
    double shift = 0;
    for (int distance = 0; distance < length; distance++) {
        double low = INFINITY, high = -INFINITY;
        for (int t = distance; t < length; t++) {
            double score = scores[(size_t)t * (size_t)length + (size_t)(t - distance)];
            low = fmin(low, score);
            high = fmax(high, score);
        }
        shift = fmax(shift, high - low);
    }
    return shift;
}

static double largest_score(int length, const float *scores)
{
    double largest = 0;
    for (int t = 0; t < length; t++)
        for (int i = 0; i <= t; i++)
            largest = fmax(largest, fabs((double)scores[(size_t)t * (size_t)length + (size_t)i]));
    return largest;
}

static bool see_scores(const Model *model, const Tokens *tokens, int length, Measurements *seen, Err *err)
{
    size_t n = (size_t)length;
    int32_t *repeated = mem_new(n, sizeof *repeated);
    float *scores = mem_try(n * n, sizeof *scores, "the scores", err);
    Activations *a = scores ? activations_new(model, 1, length, err) : NULL;
    double shift = 0, largest = 0;
    for (int r = 0; a && r < REPEATED; r++) {
        for (size_t t = 0; t < n; t++)
            repeated[t] = tokens->held_out.ids[r];
        model_loss(model, a, repeated, repeated, 1, NULL);
        for (int head = 0; head < model->config.heads; head++) {
            activations_scores(a, 0, head, 0, scores);
            shift = fmax(shift, largest_shift(length, scores));
            largest = fmax(largest, largest_score(length, scores));
        }
    }
    bool done = a != NULL;
    if (done) {
        arm_see(seen, "shift", shift);
        arm_see(seen, "score", largest);
    }
    activations_free(a);
    free(scores);
    free(repeated);
    return done;
}

/* ---- the arms ------------------------------------------------------------------------------------------- */

static bool observe(const Model *model, const Tokens *tokens, void *context, Measurements *seen, Err *err)
{
    int trained = *(int *)context;
    return see_lengths(model, tokens, trained, seen, err) &&
           see_scores(model, tokens, FURTHEST * trained, seen, err);
}

/* The norm of the learned rows behind the trained length. */
static void measure_unseen(const Model *model, void *context, double *values)
{
    const Tensor *table = layout_find(model->layout, "position");
    const float *rows = model->parameters + table->offset;
    size_t trained = (size_t) * (int *)context * (size_t)table->columns;
    double sum = 0;
    for (size_t i = trained; i < tensor_size(table); i++)
        sum += (double)rows[i] * rows[i];
    values[0] = sqrt(sum);
}

static const struct {
    const char *name;
    Position position;
} encodings[] = {{"learned", POSITION_LEARNED},
                 {"sinusoidal", POSITION_SINUSOIDAL},
                 {"rope", POSITION_ROPE},
                 {"alibi", POSITION_ALIBI}};

static bool run(Experiment *x, Err *err)
{
    static const char *const observed[] = {"held_out_2x", "held_out_4x", "shift", "score", NULL};
    static const char *const probe_names[] = {"unseen"};
    int trained = (int)setting_integer(x, "length");
    long steps = setting_integer(x, "steps");
    Arm arms[COUNT(encodings)];
    for (size_t i = 0; i < COUNT(encodings); i++) {
        ModelConfig model = config_block();
        model.vocabulary = (int)setting_integer(x, "vocabulary");
        model.context = FURTHEST * trained;
        model.position = encodings[i].position;
        arms[i] = (Arm){.name = encodings[i].name,
                        .model = model,
                        .plan = {.steps = steps,
                                 .batch = (int)setting_integer(x, "batch"),
                                 .length = trained,
                                 .schedule = {.rate = setting_real(x, "rate")},
                                 .optimizer = adamw_default()},
                        .observe = observe,
                        .context = &trained,
                        .observed = observed,
                        .source = EXPERIMENT_SOURCE};
        if (model.position == POSITION_LEARNED) {
            arms[i].probe =
                (Probe){.every = steps, .count = 1, .measure = measure_unseen, .context = &trained};
            arms[i].probe_names = probe_names;
        }
    }
    return arms_run_on_corpus(x, arms, COUNT(arms), err);
}

const ExperimentPlan experiment = {"position_extrapolation", settings, 3, 1, run};
