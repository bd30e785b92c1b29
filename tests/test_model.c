#include "blas.h"
#include "model.h"
#include "oracle.h"
#include "reference_model.h"

enum { SEQUENCES = 3, LENGTH = 37, VOCABULARY = 23 };

/* One arm: a configuration, small, and of widths that fill no vector. */
typedef struct Arm {
    const char *name;
    ModelConfig config;
} Arm;

#define SIZES(n)     .vocabulary = VOCABULARY, .context = LENGTH + 3, .width = 12, .blocks = n
#define CAUSAL(h, d) .heads = h, .head_width = d, .causal = true, .scaled = true
#define HEADS(h, d)  CAUSAL(h, d), .mixer = MIXER_ATTENTION
#define ADDED        .residual = true, .output_projection = true
#define AVERAGE      CAUSAL(1, 12), .mixer = MIXER_AVERAGE
#define NO_MIXER     CAUSAL(1, 12)
#define LEARNED      .position = POSITION_LEARNED
#define PRE          .norm = NORM_PRE
#define POST         .norm = NORM_POST
#define MLP          .mlp = true

static const Arm arms[] = {
    {"token", {SIZES(0), NO_MIXER}},
    {"token, tied", {SIZES(0), NO_MIXER, .tied = true}},
    {"token, pre-norm", {SIZES(0), NO_MIXER, PRE}},
    {"average", {SIZES(1), AVERAGE}},
    {"average + position", {SIZES(1), AVERAGE, LEARNED}},
    {"average, twice", {SIZES(2), AVERAGE}},
    {"average, pre-norm, MLP", {SIZES(1), AVERAGE, PRE, MLP}},
    {"token + average", {SIZES(1), AVERAGE, .residual = true}},
    {"token + average, pre-norm", {SIZES(1), AVERAGE, .residual = true, PRE}},
    {"token + average, post-norm, twice", {SIZES(2), AVERAGE, .residual = true, POST}},
    {"one head in its place", {SIZES(1), HEADS(1, 12), LEARNED}},
    {"one wide head in its place", {SIZES(1), HEADS(1, 20)}},
    {"one narrow head in its place", {SIZES(1), HEADS(1, 3)}},
    {"heads in its place, pre-norm, twice", {SIZES(2), HEADS(3, 4), PRE}},
    {"projected in its place", {SIZES(1), HEADS(3, 4), .output_projection = true}},
    {"heads added without projection, twice", {SIZES(2), HEADS(3, 4), .residual = true}},
    {"post-norm, no projection", {SIZES(2), HEADS(3, 4), .residual = true, POST, MLP}},
    {"heads added", {SIZES(1), HEADS(3, 4), ADDED}},
    {"wide heads, unscaled",
     {SIZES(1), .mixer = MIXER_ATTENTION, .heads = 3, .head_width = 9, .causal = true, ADDED}},
    {"not causal", {SIZES(1), .mixer = MIXER_ATTENTION, .heads = 3, .head_width = 4, .scaled = true, ADDED}},
    {"ALiBi, not causal",
     {SIZES(1), .mixer = MIXER_ATTENTION, .heads = 3, .head_width = 4, .position = POSITION_ALIBI, ADDED}},
    {"MLP alone", {SIZES(2), NO_MIXER, MLP}},
    {"MLP alone, pre-norm", {SIZES(1), NO_MIXER, PRE, MLP}},
    {"MLP alone, post-norm", {SIZES(1), NO_MIXER, .residual = true, POST, MLP}},
    {"block without norms", {SIZES(1), HEADS(3, 4), ADDED, MLP, LEARNED}},
    {"block", {SIZES(1), HEADS(3, 4), ADDED, MLP, PRE, LEARNED}},
    {"three blocks", {SIZES(3), HEADS(3, 4), ADDED, MLP, PRE, LEARNED}},
    {"three post-norm blocks", {SIZES(3), HEADS(3, 4), ADDED, MLP, POST}},
    {"GPT-2", {SIZES(2), HEADS(3, 4), ADDED, MLP, PRE, LEARNED, .qkv_bias = true, .tied = true}},
    {"sinusoids", {SIZES(1), HEADS(3, 4), ADDED, MLP, PRE, .position = POSITION_SINUSOIDAL}},
    {"RoPE", {SIZES(2), HEADS(3, 4), ADDED, MLP, PRE, .position = POSITION_ROPE, .qkv_bias = true}},
    {"ALiBi", {SIZES(1), HEADS(3, 4), ADDED, MLP, PRE, .position = POSITION_ALIBI}},
};

/* A model at a generic point: gains that are not 1 and biases that are not 0. */
static Model *arm_model(const Arm *arm)
{
    Err err;
    Model *model = model_new(&arm->config, 1, &err);
    if (!model)
        fail_msg("%s: %s", arm->name, err.text);
    for (size_t i = 0; i < model->layout->count; i++) {
        const Tensor *t = &model->layout->list[i];
        float *x = model->parameters + t->offset, *shift = uniform_floats(tensor_size(t), t->name, 0.5);
        for (size_t j = 0; j < tensor_size(t); j++)
            x[j] += shift[j];
        free(shift);
    }
    return model;
}

static Activations *new_activations(const Model *model, int sequences, int length)
{
    Err err;
    Activations *a = activations_new(model, sequences, length, &err);
    if (!a)
        fail_msg("%s", err.text);
    return a;
}

static int32_t tokens[SEQUENCES * LENGTH], targets[SEQUENCES * LENGTH];

static int set_up(void **state)
{
    (void)state;
    Err err;
    if (!blas_start(&err))
        fail_msg("%s", err.text);
    Rng rng = rng_stream(0, "tokens");
    for (int i = 0; i < SEQUENCES * LENGTH; i++) {
        tokens[i] = (int32_t)rng_below(&rng, VOCABULARY);
        targets[i] = (int32_t)rng_below(&rng, VOCABULARY);
    }
    return 0;
}

/* The sum over the batch, taken in two shards, and its gradient times WEIGHT. */
static const float WEIGHT = 0.25f;

static double batch_gradient(const Model *model, float *gradient)
{
    Activations *a = new_activations(model, SEQUENCES - 1, LENGTH);
    memset(gradient, 0, model->layout->floats * sizeof *gradient);
    double sum = model_gradient(model, a, tokens, targets, SEQUENCES - 1, WEIGHT, gradient);
    size_t last = (SEQUENCES - 1) * LENGTH;
    sum += model_gradient(model, a, tokens + last, targets + last, 1, WEIGHT, gradient);
    activations_free(a);
    return sum;
}

/*
 * Rounding. A pass rounds thousands of times, and what remains of that in a result has no useful bound
 * by analysis. It is sampled instead: NUDGES times every parameter is moved at random by at most one
 * rounding of itself, after which everything behind is rounded anew. A result is as far from exact as
 * the nudged ones are from it, but for chance; 8 times their largest distance leaves none.
 */
enum { NUDGES = 6, SAFETY = 8 };

static Model *nudged(const Arm *arm, int index)
{
    Model *model = arm_model(arm);
    Rng nudges = rng_stream(0, "nudges"), rng = rng_substream(&nudges, (uint32_t)index);
    for (size_t i = 0; i < model->layout->floats; i++)
        model->parameters[i] *= (float)(1 + (2 * rng_uniform(&rng) - 1) * FLT_EPSILON);
    return model;
}

/* A direction within one tensor, of length 1, the exact derivative along it and how far rounding
 * takes a float gradient's. */
typedef struct Check {
    const Tensor *tensor;
    double *direction; /* [tensor_size] */
    double derivative, noise;
} Check;

typedef struct Problem {
    Model *model;
    float *gradient, *nudged[NUDGES];
    double *parameters, loss;
    Check *checks;
    size_t count;
} Problem;

static double project(const Check *check, const float *gradient)
{
    double sum = 0;
    for (size_t i = 0; i < tensor_size(check->tensor); i++)
        sum += check->direction[i] * gradient[check->tensor->offset + i];
    return sum;
}

/* The exact loss, times WEIGHT, `step` along the direction. */
static double loss_along(const Problem *p, const Check *check, double step)
{
    const Model *m = p->model;
    double *at = p->parameters + check->tensor->offset, sum = 0;
    size_t n = tensor_size(check->tensor);
    double *saved = mem_new(n, sizeof *saved);
    memcpy(saved, at, n * sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[i] += step * check->direction[i];
    for (int s = 0; s < SEQUENCES; s++)
        sum += reference_loss(&m->config, m->layout, p->parameters, tokens + s * LENGTH, targets + s * LENGTH,
                              LENGTH, NULL, NULL);
    memcpy(at, saved, n * sizeof *at);
    free(saved);
    return WEIGHT * sum;
}

/* By differences at h and 2h, whose errors in h² cancel. What is left is of order h⁴ and, from the
 * rounding of the loss, loss · 2^-53 / h, both near 1e-10. */
static double slope_along(const Problem *p, const Check *check)
{
    double h = 1e-3, slope[2];
    for (int i = 0; i < 2; i++, h *= 2)
        slope[i] = (loss_along(p, check, h) - loss_along(p, check, -h)) / (2 * h);
    return (4 * slope[0] - slope[1]) / 3;
}

static void add_check(Problem *p, const Tensor *tensor, double *direction)
{
    double square = 0;
    for (size_t i = 0; i < tensor_size(tensor); i++)
        square += direction[i] * direction[i];
    assert_true(square > 0);
    for (size_t i = 0; i < tensor_size(tensor); i++)
        direction[i] /= sqrt(square);
    Check *check = mem_grow(&p->checks, &p->count, sizeof *check);
    *check = (Check){tensor, direction, 0, 1e-8};
    check->derivative = slope_along(p, check);
    double own = project(check, p->gradient);
    for (int k = 0; k < NUDGES; k++)
        check->noise = fmax(check->noise, SAFETY * fabs(project(check, p->nudged[k]) - own));
}

/* Along its own gradient an error of scale shows best; along a random direction, one in any element. */
static Problem problem_new(const Arm *arm)
{
    Problem p = {.model = arm_model(arm)};
    const Layout *layout = p.model->layout;
    p.parameters = doubles(layout->floats, p.model->parameters);
    p.gradient = mem_new(layout->floats, sizeof *p.gradient);
    p.loss = batch_gradient(p.model, p.gradient);
    for (int k = 0; k < NUDGES; k++) {
        Model *model = nudged(arm, k);
        p.nudged[k] = mem_new(layout->floats, sizeof *p.gradient);
        batch_gradient(model, p.nudged[k]);
        model_free(model);
    }
    for (size_t i = 0; i < layout->count; i++) {
        const Tensor *t = &layout->list[i];
        float *random = uniform_floats(tensor_size(t), "direction", 1);
        add_check(&p, t, doubles(tensor_size(t), p.gradient + t->offset));
        add_check(&p, t, doubles(tensor_size(t), random));
        free(random);
    }
    return p;
}

static void problem_free(Problem *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->checks[i].direction);
    for (int k = 0; k < NUDGES; k++)
        free(p->nudged[k]);
    free(p->checks);
    free(p->gradient);
    free(p->parameters);
    model_free(p->model);
}

/* The first check that a gradient fails; NULL when it passes all. */
static const Check *disagreement(const Problem *p, const float *gradient)
{
    for (size_t i = 0; i < p->count; i++)
        if (!(fabs(project(&p->checks[i], gradient) - p->checks[i].derivative) <= p->checks[i].noise))
            return &p->checks[i];
    return NULL;
}

static void every_gradient_of_every_arm_is_the_exact_derivative(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Problem p = problem_new(&arms[i]);
        const Check *failed = disagreement(&p, p.gradient);
        if (failed)
            fail_msg("%s: %s has derivative %.9g, exactly %.9g, noise %.2g", arms[i].name,
                     failed->tensor->name, project(failed, p.gradient), failed->derivative, failed->noise);
        problem_free(&p);
    }
}

/* What the test above is worth: an error of one percent in one tensor, or one element without its
 * gradient, fails it. */
static void an_error_of_one_percent_in_any_tensor_is_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Problem p = problem_new(&arms[i]);
        size_t floats = p.model->layout->floats;
        float *wrong = mem_new(floats, sizeof *wrong);
        for (size_t t = 0; t < p.model->layout->count; t++) {
            const Tensor *tensor = &p.model->layout->list[t];
            memcpy(wrong, p.gradient, floats * sizeof *wrong);
            for (size_t j = 0; j < tensor_size(tensor); j++)
                wrong[tensor->offset + j] *= 1.01f;
            const Check *failed = disagreement(&p, wrong);
            if (!failed || failed->tensor != tensor)
                fail_msg("%s: nobody noticed that %s is off", arms[i].name, tensor->name);
        }
        free(wrong);
        problem_free(&p);
    }
}

static void gaps_between_tensors_get_no_gradient(void **state)
{
    (void)state;
    Model *model = arm_model(&arms[COUNT(arms) - 1]);
    float *gradient = mem_new(model->layout->floats, sizeof *gradient);
    batch_gradient(model, gradient);
    for (size_t i = 0; i < model->layout->count; i++) {
        const Tensor *t = &model->layout->list[i];
        memset(gradient + t->offset, 0, tensor_size(t) * sizeof *gradient);
    }
    for (size_t i = 0; i < model->layout->floats; i++)
        assert_true(gradient[i] == 0);
    free(gradient);
    model_free(model);
}

/* Forward. */

enum { LOGITS = LENGTH * VOCABULARY };

static float *first_logits(const Model *model)
{
    Activations *a = new_activations(model, 1, LENGTH);
    float *logits = mem_new(LOGITS, sizeof *logits);
    model_logits(model, a, tokens, 1, logits);
    activations_free(a);
    return logits;
}

static void logits_of_every_arm_are_exact_to_rounding(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        float *logits = first_logits(model);
        double *parameters = doubles(model->layout->floats, model->parameters), noise = 0;
        double *exact = mem_new(LOGITS, sizeof *exact);
        reference_loss(&model->config, model->layout, parameters, tokens, targets, LENGTH, exact, NULL);
        for (int k = 0; k < NUDGES; k++) {
            Model *other = nudged(&arms[i], k);
            float *moved = first_logits(other);
            for (int j = 0; j < LOGITS; j++)
                noise = fmax(noise, fabsf(moved[j] - logits[j]));
            free(moved);
            model_free(other);
        }
        for (int j = 0; j < LOGITS; j++)
            assert_close(logits[j], exact[j], SAFETY * noise, arms[i].name, j);
        free(exact);
        free(parameters);
        free(logits);
        model_free(model);
    }
}

static void the_loss_is_the_same_bits_with_and_without_a_gradient(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        float *gradient = mem_new(model->layout->floats, sizeof *gradient);
        float nll[SEQUENCES * LENGTH];
        double sum = 0;
        Activations *a = new_activations(model, SEQUENCES, LENGTH);
        double with = model_gradient(model, a, tokens, targets, SEQUENCES, 1, gradient);
        assert_true(model_loss(model, a, tokens, targets, SEQUENCES, NULL) == with);
        assert_true(model_loss(model, a, tokens, targets, SEQUENCES, nll) == with);
        for (int j = 0; j < SEQUENCES * LENGTH; j++)
            sum += nll[j];
        /* the terms are the same floats; their sums in double may be cut differently */
        assert_close(sum, with, 1e-12 * with, "loss", i);
        activations_free(a);
        free(gradient);
        model_free(model);
    }
}

static void under_the_causal_mask_a_later_token_changes_no_earlier_bit(void **state)
{
    (void)state;
    enum { CHANGED = 20 };
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        float *before = first_logits(model);
        int32_t kept = tokens[CHANGED];
        tokens[CHANGED] = (kept + 1) % VOCABULARY;
        float *after = first_logits(model);
        tokens[CHANGED] = kept;
        size_t earlier = CHANGED * VOCABULARY * sizeof *before;
        bool equal = memcmp(before, after, earlier) == 0;
        if (equal != model->config.causal)
            fail_msg("%s: earlier logits are %s", arms[i].name, equal ? "equal" : "changed");
        assert_memory_not_equal(before + CHANGED * VOCABULARY, after + CHANGED * VOCABULARY,
                                VOCABULARY * sizeof *before);
        free(before);
        free(after);
        model_free(model);
    }
}

static void what_else_is_in_the_shard_changes_no_bit_of_a_sequence(void **state)
{
    (void)state;
    int32_t other[SEQUENCES * LENGTH];
    for (int i = 0; i < SEQUENCES * LENGTH; i++)
        other[i] = i / LENGTH == 1 ? tokens[i] : (tokens[i] + 1) % VOCABULARY;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        float *logits[2] = {mem_new(SEQUENCES * LOGITS, sizeof **logits),
                            mem_new(SEQUENCES * LOGITS, sizeof **logits)};
        Activations *a = new_activations(model, SEQUENCES, LENGTH);
        model_logits(model, a, tokens, SEQUENCES, logits[0]);
        model_logits(model, a, other, SEQUENCES, logits[1]);
        assert_memory_equal(logits[0] + LOGITS, logits[1] + LOGITS, LOGITS * sizeof **logits);
        assert_memory_not_equal(logits[0], logits[1], LOGITS * sizeof **logits);
        activations_free(a);
        free(logits[0]);
        free(logits[1]);
        model_free(model);
    }
}

static void equal_shards_have_equal_gradients_whoever_computes_them(void **state)
{
    (void)state;
    Model *model = arm_model(&arms[COUNT(arms) - 1]);
    size_t floats = model->layout->floats;
    float *gradients[2] = {mem_new(floats, sizeof **gradients), mem_new(floats, sizeof **gradients)};
    double sums[2];
    Activations *a[2] = {new_activations(model, SEQUENCES, LENGTH),
                         new_activations(model, SEQUENCES, LENGTH)};
    model_loss(model, a[1], targets, tokens, 2, NULL); /* leaves other numbers in the second */
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 2; i++)
        sums[i] = model_gradient(model, a[i], tokens, targets, SEQUENCES, 1, gradients[i]);
    assert_true(sums[0] == sums[1]);
    assert_memory_equal(gradients[0], gradients[1], floats * sizeof **gradients);
    for (int i = 0; i < 2; i++) {
        activations_free(a[i]);
        free(gradients[i]);
    }
    model_free(model);
}

static void weights_and_scores_can_be_read_after_a_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        if (model->config.mixer != MIXER_ATTENTION) {
            model_free(model);
            continue;
        }
        int heads = model->config.heads;
        double *parameters = doubles(model->layout->floats, model->parameters);
        double *exact = mem_new((size_t)heads * LENGTH * LENGTH, sizeof *exact);
        Activations *a = new_activations(model, SEQUENCES, LENGTH);
        model_loss(model, a, tokens, targets, SEQUENCES, NULL);
        reference_loss(&model->config, model->layout, parameters, tokens + LENGTH, targets + LENGTH, LENGTH,
                       NULL, exact);
        for (int head = 0; head < heads; head++) {
            const float *w = activations_weights(a, 0, head, 1);
            float scores[LENGTH * LENGTH];
            activations_scores(a, 0, head, 1, scores);
            for (int t = 0; t < LENGTH; t++) {
                double sum = 0;
                for (int u = 0; u < LENGTH; u++)
                    sum += exp(scores[t * LENGTH + u]);
                for (int u = 0; u < LENGTH; u++) {
                    size_t at = (size_t)t * LENGTH + u;
                    double expected = exact[(size_t)head * LENGTH * LENGTH + at];
                    assert_true((w[at] == 0) == (expected == 0));
                    /* scores are below 20 in size, sums of at most 20 + 4 terms and products */
                    double bound = 2 * 20 * 24 * ROUNDOFF * expected;
                    assert_close(w[at], expected, bound, arms[i].name, at);
                    assert_close(w[at], exp(scores[at]) / sum, bound, arms[i].name, at);
                }
            }
        }
        activations_free(a);
        free(exact);
        free(parameters);
        model_free(model);
    }
}

/* Limits. */

static void what_makes_no_sense_is_refused_in_a_sentence(void **state)
{
    (void)state;
    Err err;
    ModelConfig config = config_block();
    config.position = POSITION_ROPE;
    config.head_width = 33;
    assert_null(model_new(&config, 1, &err));
    assert_says(err.text, "RoPE");
    config = config_block();
    Model *model = model_new(&config, 1, &err);
    assert_null(activations_new(model, 1, config.context + 1, &err));
    assert_says(err.text, "129");
    model_free(model);
}

static void the_size_of_activations_is_known_and_nothing_can_be_freed(void **state)
{
    (void)state;
    Model *model = arm_model(&arms[COUNT(arms) - 1]);
    Activations *one = new_activations(model, 1, LENGTH), *three = new_activations(model, 3, LENGTH);
    assert_true(activations_bytes(one) > LENGTH * LENGTH * sizeof(float));
    assert_true(activations_bytes(three) > 2 * activations_bytes(one));
    activations_free(one);
    activations_free(three);
    activations_free(NULL);
    model_free(model);
    model_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_gradient_of_every_arm_is_the_exact_derivative),
        cmocka_unit_test(an_error_of_one_percent_in_any_tensor_is_noticed),
        cmocka_unit_test(gaps_between_tensors_get_no_gradient),
        cmocka_unit_test(logits_of_every_arm_are_exact_to_rounding),
        cmocka_unit_test(the_loss_is_the_same_bits_with_and_without_a_gradient),
        cmocka_unit_test(under_the_causal_mask_a_later_token_changes_no_earlier_bit),
        cmocka_unit_test(what_else_is_in_the_shard_changes_no_bit_of_a_sequence),
        cmocka_unit_test(equal_shards_have_equal_gradients_whoever_computes_them),
        cmocka_unit_test(weights_and_scores_can_be_read_after_a_pass),
        cmocka_unit_test(what_makes_no_sense_is_refused_in_a_sentence),
        cmocka_unit_test(the_size_of_activations_is_known_and_nothing_can_be_freed),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
