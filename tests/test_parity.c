/*
 * parity: the passes and the optimizer against what PyTorch computed (data/make_fixtures.py).
 */
#include "adamw.h"
#include "blas.h"
#include "fixture.h"
#include "lanes.h"
#include "largest.h"
#include "mem.h"
#include "model.h"
#include "ops_attention.h"
#include "ops_linear.h"
#include "test.h"

#include <float.h>
#include <math.h>

/* How far float32 may be off, relative to the largest value of a tensor, whose values end in a sum of at most so many
 * terms. Roundings add up like a random walk: the root of the terms, and twice that for what came before. A wrong
 * formula is off by many powers of ten more. */
static double bound(int terms)
{
    return 2 * sqrt(terms) * FLT_EPSILON;
}

/* `count` values of a fixture; owned by the caller. */
static void *fixture(const char *name, size_t count)
{
    Err err;
    void *values = fixture_read(TEST_DATA, name, count, &err);
    if (!values)
        fail_msg("%s", err.text);
    return values;
}

/* ---- attention ------------------------------------------------------------------------------------------ */

enum { WIDTH = 32, HEADS = 4, SEQUENCES = 2, LENGTH = 16, ROWS = SEQUENCES * LENGTH };

static void attention_is_that_of_pytorch(void **state)
{
    (void)state;
    Err err;
    float *x = fixture("mha.x.f32", ROWS * WIDTH);
    float *qkv_weight = fixture("mha.qkv.f32", 3 * WIDTH * WIDTH);
    float *project = fixture("mha.project.f32", WIDTH * WIDTH);
    float *project_bias = fixture("mha.project_bias.f32", WIDTH);
    float *qkv = mem_try(ROWS * 3 * WIDTH, sizeof *qkv, "qkv", &err);
    float *weights = mem_try(HEADS * LENGTH * LENGTH, sizeof *weights, "weights", &err);
    float *mixed = mem_try(ROWS * WIDTH, sizeof *mixed, "mixed", &err);
    float *output = mem_try(ROWS * WIDTH, sizeof *output, "output", &err);

    Attention attention = {.length = LENGTH,
                           .heads = HEADS,
                           .head_width = WIDTH / HEADS,
                           .stride = 3 * WIDTH,
                           .output_stride = WIDTH,
                           .causal = true,
                           .scale = 1 / sqrtf(WIDTH / HEADS)};
    linear_forward(ROWS, WIDTH, 3 * WIDTH, x, qkv_weight, NULL, NULL, qkv);
    for (int s = 0; s < SEQUENCES; s++) {
        const float *q = qkv + s * LENGTH * 3 * WIDTH;
        attention_forward(&attention, q, q + WIDTH, q + 2 * WIDTH, NULL, weights, mixed + s * LENGTH * WIDTH);
    }
    linear_forward(ROWS, WIDTH, WIDTH, mixed, project, project_bias, NULL, output);

    const char *const oracles[] = {"mha.module.f32", "mha.functional.f32"};
    for (size_t i = 0; i < COUNT(oracles); i++) {
        float *expected = fixture(oracles[i], ROWS * WIDTH);
        double difference = largest_difference(output, expected, ROWS * WIDTH);
        assert_true(difference < bound(WIDTH) * largest_value(expected, ROWS * WIDTH));
        free(expected);
    }
    free(x);
    free(qkv_weight);
    free(project);
    free(project_bias);
    free(qkv);
    free(weights);
    free(mixed);
    free(output);
}

/* ---- whole models --------------------------------------------------------------------------------------- */

typedef struct Parity {
    const char *name; /* of its fixtures */
    int terms;        /* in the longest sum */
    Model *model;
    Activations *activations;
    int sequences, rows;
    int32_t *tokens, *targets;
    float *gradient; /* LANES of them, the first in use */
} Parity;

/* `count` values of the fixture <name>.<what>. */
static void *part(const char *name, const char *what, size_t count)
{
    char *file = mem_text("%s.%s", name, what);
    void *values = fixture(file, count);
    free(file);
    return values;
}

/* The tensors of the fixture <name>.<what>. */
static float *tensors(const Layout *layout, const char *name, const char *what)
{
    Err err;
    char *file = mem_text("%s.%s", name, what);
    float *values = fixture_tensors(layout, TEST_DATA, file, &err);
    if (!values)
        fail_msg("%s", err.text);
    free(file);
    return values;
}

/* A model with the parameters, tokens and targets called `given`. */
static Parity parity_new(const char *name, const char *given, const ModelConfig *config, int sequences)
{
    Err err;
    int rows = sequences * config->context, widest = 4 * config->width;
    Parity p = {.name = name,
                .terms = rows > widest ? rows : widest,
                .model = model_new(config, 0, &err),
                .sequences = sequences,
                .rows = rows};
    assert_non_null(p.model);
    free(p.model->parameters);
    p.model->parameters = tensors(p.model->layout, given, "parameters.f32");
    p.activations = activations_new(p.model, sequences, config->context, &err);
    p.tokens = part(given, "tokens.i32", (size_t)rows);
    p.targets = part(given, "targets.i32", (size_t)rows);
    p.gradient = mem_try(LANES * p.model->layout->floats, sizeof(float), "gradients", &err);
    return p;
}

static void parity_free(Parity *p)
{
    activations_free(p->activations);
    model_free(p->model);
    free(p->tokens);
    free(p->targets);
    free(p->gradient);
}

static double parity_gradient(const Parity *p)
{
    return model_gradient(p->model, p->activations, p->tokens, p->targets, p->sequences,
                          1.0f / (float)p->rows, p->gradient) /
           p->rows;
}

static void compare_logits(const Parity *p)
{
    size_t n = (size_t)p->rows * (size_t)p->model->config.vocabulary;
    float *expected = part(p->name, "logits.f32", n), *logits = mem_new(n, sizeof *logits);
    model_logits(p->model, p->activations, p->tokens, p->sequences, logits);
    assert_true(largest_difference(logits, expected, n) < bound(p->terms) * largest_value(expected, n));
    free(expected);
    free(logits);
}

/* `losses`: how many the fixture has; the first is that of the given parameters. */
static void compare_gradients(const Parity *p, size_t losses)
{
    const Layout *layout = p->model->layout;
    float *loss = part(p->name, "losses.f32", losses);
    float *expected = tensors(layout, p->name, "gradient.f32");
    assert_true(fabs(parity_gradient(p) - loss[0]) < bound(p->terms) * loss[0]);
    for (size_t i = 0; i < layout->count; i++) {
        const Tensor *tensor = &layout->list[i];
        size_t n = tensor_size(tensor);
        double scale = largest_value(expected + tensor->offset, n);
        double difference = largest_difference(p->gradient + tensor->offset, expected + tensor->offset, n);
        if (!(difference < bound(p->terms) * scale))
            fail_msg("%s: differs by %g of %g", tensor->name, difference, scale);
    }
    free(loss);
    free(expected);
}

/* ---- two blocks ----------------------------------------------------------------------------------------- */

enum { STEPS = 10 };

static Parity two_blocks(void)
{
    ModelConfig config = config_block();
    config.vocabulary = 32;
    config.context = 12;
    config.width = 16;
    config.blocks = 2;
    config.heads = 2;
    config.head_width = 8;
    return parity_new("two_blocks", "two_blocks", &config, 3);
}

static void the_logits_are_those_of_pytorch(void **state)
{
    (void)state;
    Parity p = two_blocks();
    compare_logits(&p);
    parity_free(&p);
}

static void every_gradient_is_that_of_pytorch(void **state)
{
    (void)state;
    Parity p = two_blocks();
    compare_gradients(&p, STEPS);
    parity_free(&p);
}

/* A step is rate · m/sqrt(v): the relative error of a gradient counts, which is large where a gradient happens to
 * be near 0. With errors of δ · s against gradients spread evenly over ±s, the mean square of an
 * element's error is rate² · 2δ. Ten roundings of the parameter itself, of size 1, come on top. */
static void ten_steps_of_adamw_are_those_of_pytorch(void **state)
{
    (void)state;
    Err err;
    Parity p = two_blocks();
    const Layout *layout = p.model->layout;
    const AdamW adamw = adamw_default();
    const double rate = 1e-3, delta = bound(p.terms);
    float *losses = fixture("two_blocks.losses.f32", STEPS);
    float *expected = tensors(layout, "two_blocks", "trained.f32");
    float *m = mem_try(layout->floats, sizeof *m, "m", &err),
          *v = mem_try(layout->floats, sizeof *v, "v", &err);
    for (int step = 1; step <= STEPS; step++) {
        double loss = parity_gradient(&p);
        assert_true(fabs(loss - losses[step - 1]) < delta * losses[step - 1]);
        adamw_update(&adamw, rate, step, 0, layout->floats, layout->floats, p.gradient, m, v,
                     p.model->parameters);
    }
    double sum = 0;
    for (size_t i = 0; i < layout->floats; i++)
        sum += pow((double)p.model->parameters[i] - expected[i], 2);
    double error = sqrt(sum / (double)layout->parameters);
    assert_true(error < rate * sqrt(2 * delta) + sqrt(STEPS) * FLT_EPSILON);
    free(losses);
    free(expected);
    free(m);
    free(v);
    parity_free(&p);
}

/* ---- positions within attention ------------------------------------------------------------------------- */

static void compare_positions(const char *name, Position position)
{
    ModelConfig config = config_block();
    config.vocabulary = 32;
    config.context = 80; /* longer than a block of rows, and no multiple of one */
    config.mlp = false;
    config.position = position;
    Parity p = parity_new(name, "positions", &config, 2);
    compare_logits(&p);
    compare_gradients(&p, 1);
    parity_free(&p);
}

static void rotary_positions_are_those_of_pytorch(void **state)
{
    (void)state;
    compare_positions("rope", POSITION_ROPE);
}

static void a_penalty_of_distance_is_that_of_pytorch(void **state)
{
    (void)state;
    compare_positions("alibi", POSITION_ALIBI);
}

static int start(void **state)
{
    (void)state;
    Err err;
    return blas_start(&err) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attention_is_that_of_pytorch),
        cmocka_unit_test(the_logits_are_those_of_pytorch),
        cmocka_unit_test(every_gradient_is_that_of_pytorch),
        cmocka_unit_test(ten_steps_of_adamw_are_those_of_pytorch),
        cmocka_unit_test(rotary_positions_are_those_of_pytorch),
        cmocka_unit_test(a_penalty_of_distance_is_that_of_pytorch),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
