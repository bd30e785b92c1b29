/*
 * shuffle_invariance: what can a mean, and what can attention, know about the order of its tokens?
 *
 * Claim    Shuffling the window leaves its mean unchanged; without mask and positions attention is equivariant to
 *          permutations; under the causal mask all orders of a prefix look alike to the position behind it.
 * Method   Freshly initialised models (chapter 9's sizes) on distinct random tokens. A window is permuted, or only
 *          the tokens before its last position; what is compared are logits, relative to the largest one.
 * Emits    average/difference, average/largest, equivariant/<arm>, prefix/<arm>: largest difference over largest
 *          logit.
 *
 * The source's sentence on prefixes holds for one layer. In a second one the keys and values of the prefix are
 * outputs of the first, and each of those has seen a prefix of its own: the order is back.
 */
#include "blas.h"
#include "experiment.h"
#include "largest.h"
#include "mem.h"
#include "model.h"
#include "rng.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 128, HEADS = 4, VOCABULARY = 1024 };

static const Setting settings[] = {
    {"length", INTEGER, 128, 64, 2, 1024, "tokens in the window"},
    SETTINGS_END,
};

typedef struct Arm {
    const char *name;
    int blocks;
    bool causal;
    Position position;
} Arm;

/* Permuted whole, without a mask. */
static const Arm equivariant[] = {
    {"none", 1, false, POSITION_NONE},
    {"learned", 1, false, POSITION_LEARNED},
    {"sinusoidal", 1, false, POSITION_SINUSOIDAL},
    {"rope", 1, false, POSITION_ROPE},
    {"alibi", 1, false, POSITION_ALIBI},
};

/* Permuted before the last position, under the causal mask. */
static const Arm prefix[] = {
    {"depth1", 1, true, POSITION_NONE},
    {"depth2", 2, true, POSITION_NONE},
};

/* order keeps its last entry: only what is before it is shuffled. */
static void shuffle(Rng *rng, bool whole, uint32_t *order, uint32_t length)
{
    rng_permutation(rng, order, whole ? length : length - 1);
    if (!whole)
        order[length - 1] = length - 1;
}

static bool logits_of(const Arm *arm, int seed, const int32_t *tokens, int length, float *logits, Err *err)
{
    ModelConfig config = config_block();
    config.vocabulary = VOCABULARY;
    config.context = length;
    config.width = WIDTH;
    config.heads = HEADS;
    config.head_width = WIDTH / HEADS;
    config.blocks = arm->blocks;
    config.causal = arm->causal;
    config.position = arm->position;
    Model *model = model_new(&config, (uint64_t)seed, err);
    Activations *activations = model ? activations_new(model, 1, length, err) : NULL;
    if (activations)
        model_logits(model, activations, tokens, 1, logits);
    bool done = activations != NULL;
    activations_free(activations);
    model_free(model);
    return done;
}

typedef struct Window {
    int length;
    int32_t *tokens, *shuffled;
    uint32_t *order;
    float *logits, *of_shuffled; /* [length x VOCABULARY] */
} Window;

/* Largest difference between the permuted logits and the logits of the permuted tokens, at position `from` and
 * behind it, over the largest logit. */
static double apart(const Window *w, int from)
{
    double largest = 0, difference = 0;
    for (int t = from; t < w->length; t++) {
        const float *there = w->logits + w->order[t] * VOCABULARY, *here = w->of_shuffled + t * VOCABULARY;
        difference = fmax(difference, largest_difference(here, there, VOCABULARY));
        largest = fmax(largest, largest_value(there, VOCABULARY));
    }
    return difference / largest;
}

static bool measure_arm(Experiment *x, int seed, const Arm *arm, bool whole, Window *w, Err *err)
{
    Rng rng = rng_stream((uint64_t)seed, whole ? "shuffle of the window" : "shuffle of the prefix");
    shuffle(&rng, whole, w->order, (uint32_t)w->length);
    for (int t = 0; t < w->length; t++)
        w->shuffled[t] = w->tokens[w->order[t]];
    if (!logits_of(arm, seed, w->tokens, w->length, w->logits, err) ||
        !logits_of(arm, seed, w->shuffled, w->length, w->of_shuffled, err))
        return false;
    measure(x, seed, apart(w, whole ? 0 : w->length - 1), "%s/%s", whole ? "equivariant" : "prefix",
            arm->name);
    return true;
}

/* The mean of a window of random vectors as the last row of the averaging matrix, before and after a shuffle. */
static bool measure_average(Experiment *x, int seed, int length, Err *err)
{
    size_t n = (size_t)length * WIDTH;
    float *tokens = mem_try(2 * n + (size_t)length, sizeof *tokens, "the window", err);
    if (!tokens)
        return false;
    float *shuffled = tokens + n, *row = shuffled + n, mean[2][WIDTH];
    uint32_t *order = mem_new((size_t)length, sizeof *order);
    Rng rng = rng_stream((uint64_t)seed, "window");
    rng_fill_normal(&rng, tokens, n);
    shuffle(&rng, true, order, (uint32_t)length);
    for (int t = 0; t < length; t++) {
        memcpy(shuffled + (size_t)t * WIDTH, tokens + (size_t)order[t] * WIDTH, WIDTH * sizeof *tokens);
        row[t] = 1 / (float)length;
    }
    gemm_nn(1, WIDTH, length, 1, row, length, tokens, WIDTH, 0, mean[0], WIDTH);
    gemm_nn(1, WIDTH, length, 1, row, length, shuffled, WIDTH, 0, mean[1], WIDTH);
    measure(x, seed, largest_difference(mean[0], mean[1], WIDTH), "average/difference");
    measure(x, seed, largest_value(tokens, n), "average/largest");
    free(order);
    free(tokens);
    return true;
}

static bool run_seed(Experiment *x, int seed, Window *w, Err *err)
{
    Rng rng = rng_stream((uint64_t)seed, "tokens");
    uint32_t *ids = mem_new(VOCABULARY, sizeof *ids); /* distinct, so that every permutation shows */
    rng_permutation(&rng, ids, VOCABULARY);
    for (int t = 0; t < w->length; t++)
        w->tokens[t] = (int32_t)ids[t];
    free(ids);
    bool done = measure_average(x, seed, w->length, err);
    for (size_t i = 0; done && i < COUNT(equivariant); i++)
        done = measure_arm(x, seed, &equivariant[i], true, w, err);
    for (size_t i = 0; done && i < COUNT(prefix); i++)
        done = measure_arm(x, seed, &prefix[i], false, w, err);
    return done;
}

static bool run(Experiment *x, Err *err)
{
    int length = (int)setting_integer(x, "length");
    size_t n = (size_t)length;
    Window w = {.length = length};
    w.tokens = mem_new(n, sizeof *w.tokens);
    w.shuffled = mem_new(n, sizeof *w.shuffled);
    w.order = mem_new(n, sizeof *w.order);
    bool done = (w.logits = mem_try(n * VOCABULARY, sizeof *w.logits, "the logits", err)) &&
                (w.of_shuffled = mem_try(n * VOCABULARY, sizeof *w.of_shuffled, "the logits", err));
    for (int seed = first_seed(x); done && seed < end_seed(x) && !interrupted(x); seed++)
        done = run_seed(x, seed, &w, err);
    free(w.tokens);
    free(w.shuffled);
    free(w.order);
    free(w.logits);
    free(w.of_shuffled);
    return done;
}

const ExperimentPlan experiment = {"shuffle_invariance", settings, 3, 3, run};
