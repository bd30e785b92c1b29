/*
 * mask_leak: what does the causal mask keep a model from?
 *
 * Source   MH and C9: without the mask the answer is in the input, and the model learns to copy it.
 * Method   The one-block model of C9, trained with the mask and without, paired by seed. The model that saw the
 *          future is then evaluated twice: as it was trained, and honestly, with the mask.
 *          And on an untrained model: whether a later token can change an earlier logit at all, and how many
 *          examples one pass over a sentence is worth.
 * Emits    held_out/<arm>, train/<arm>, honest/unmasked; curves loss/<arm>; changed logits/<arm>; examples.
 * Verdict  mask_leak.claims.json. No threshold appears in this file.
 */
#include "arm.h"
#include "evaluate.h"
#include "experiment_source.h"
#include "mem.h"
#include "rng.h"

#include <math.h>
#include <string.h>

static const Setting settings[] = {
    /* name, kind, full, quick, lowest, highest, meaning */
    {"vocabulary", INTEGER, 1024, 1024, 256, 1e5, "tokens in the vocabulary, the 256 bytes included"},
    {"width", INTEGER, 128, 128, 4, 1e4, "width of the residual stream, a multiple of 4"},
    {"context", INTEGER, 128, 64, 5, 1e4, "tokens in a window"},
    {"batch", INTEGER, 64, 16, 1, 1e4, "windows in a step"},
    {"steps", INTEGER, 1000, 300, 1, 1e6, "steps of AdamW"},
    {"rate", REAL, 1e-3, 1e-3, 0, 1, "learning rate"},
    SETTINGS_END,
};

enum { SENTENCE = 5 }; /* tokens that predict something in MH's sentence */

static ModelConfig block(const Experiment *x, bool causal)
{
    ModelConfig config = config_block();
    config.vocabulary = (int)setting_integer(x, "vocabulary");
    config.context = (int)setting_integer(x, "context");
    config.width = (int)setting_integer(x, "width");
    config.head_width = config.width / config.heads;
    config.causal = causal;
    return config;
}

/* ---- an untrained model --------------------------------------------------------------------------------- */

/* Changes each token of a window in turn, and counts the logits before it whose bits change. */
static bool count_changed_logits(const ModelConfig *config, double *changed, Err *err)
{
    int length = config->context;
    size_t row = (size_t)config->vocabulary, logits = (size_t)length * row;
    int32_t *tokens = mem_new((size_t)length, sizeof *tokens);
    float *before = mem_try(logits, sizeof *before, "logits", err);
    float *after = mem_try(logits, sizeof *after, "logits", err);
    Model *model = model_new(config, 0, err);
    Activations *activations = model ? activations_new(model, 1, length, err) : NULL;
    bool ready = before && after && activations;
    if (ready) {
        Rng rng = rng_stream(0, "mask_leak");
        for (int i = 0; i < length; i++)
            tokens[i] = (int32_t)rng_below(&rng, (uint32_t)config->vocabulary);
        model_logits(model, activations, tokens, 1, before);
        *changed = 0;
        for (int t = 1; t < length; t++) {
            int32_t kept = tokens[t];
            tokens[t] = (kept + 1) % config->vocabulary;
            model_logits(model, activations, tokens, 1, after);
            tokens[t] = kept;
            for (size_t i = 0; i < (size_t)t * row; i++)
                *changed += memcmp(&before[i], &after[i], sizeof *before) != 0;
        }
    }
    activations_free(activations);
    model_free(model);
    free(before);
    free(after);
    free(tokens);
    return ready;
}

/* The examples of one pass over a sentence: positions that have a loss of their own. */
typedef struct Examples {
    double count;
    double difference; /* of a loss from that of a pass over the sentence up to there: the largest */
    double loss;       /* the largest */
} Examples;

static bool count_examples(const ModelConfig *config, Examples *examples, Err *err)
{
    int32_t tokens[SENTENCE + 1];
    float together[SENTENCE], alone[SENTENCE];
    Rng rng = rng_stream(0, "mask_leak");
    for (int i = 0; i <= SENTENCE; i++)
        tokens[i] = (int32_t)rng_below(&rng, (uint32_t)config->vocabulary);
    *examples = (Examples){0};
    Model *model = model_new(config, 0, err);
    bool ready = model != NULL;
    for (int length = SENTENCE; ready && length >= 1; length--) {
        int last = length - 1;
        Activations *activations = activations_new(model, 1, length, err);
        ready = activations != NULL;
        if (ready) {
            model_loss(model, activations, tokens, tokens + 1, 1, alone);
            if (length == SENTENCE)
                memcpy(together, alone, sizeof together);
            examples->count += isfinite(together[last]);
            examples->difference = fmax(examples->difference, fabs((double)alone[last] - together[last]));
            examples->loss = fmax(examples->loss, together[last]);
        }
        activations_free(activations);
    }
    model_free(model);
    return ready;
}

static bool look_at_untrained(Experiment *x, Err *err)
{
    ModelConfig masked = block(x, true), unmasked = block(x, false);
    double with, without;
    Examples examples;
    if (!count_changed_logits(&masked, &with, err) || !count_changed_logits(&unmasked, &without, err) ||
        !count_examples(&masked, &examples, err))
        return false;
    measure(x, FIXED, with, "changed logits/masked");
    measure(x, FIXED, without, "changed logits/unmasked");
    measure(x, FIXED, examples.count, "examples");
    measure(x, FIXED, examples.difference, "examples/largest difference");
    measure(x, FIXED, examples.loss, "examples/largest loss");
    return true;
}

/* ---- training ------------------------------------------------------------------------------------------- */

/* The perplexity of a model that may no longer look ahead. */
static bool observe_honestly(const Model *model, const Tokens *tokens, void *context, Measurements *seen,
                             Err *err)
{
    Model honest = *model;
    honest.config.causal = true;
    double perplexity;
    if (!evaluate_perplexity(&honest, tokens->held_out, "the held-out text", *(int *)context, &perplexity,
                             NULL, err))
        return false;
    measurements_add(seen, "honest", FIXED, perplexity, false);
    return true;
}

static bool run(Experiment *x, Err *err)
{
    static const char *const observed[] = {"honest", NULL};
    int context = (int)setting_integer(x, "context");
    TrainPlan plan = {.steps = setting_integer(x, "steps"),
                      .batch = (int)setting_integer(x, "batch"),
                      .length = context,
                      .schedule = {.rate = setting_real(x, "rate")},
                      .optimizer = adamw_default()};
    const Arm arms[] = {
        {.name = "masked", .model = block(x, true), .plan = plan, .train_text = true},
        {.name = "unmasked",
         .model = block(x, false),
         .plan = plan,
         .train_text = true,
         .observe = observe_honestly,
         .context = &context,
         .observed = observed,
         .source = EXPERIMENT_SOURCE},
    };
    return look_at_untrained(x, err) && arms_run_on_corpus(x, arms, COUNT(arms), err);
}

const ExperimentPlan experiment = {"mask_leak", settings, 3, 1, run};
