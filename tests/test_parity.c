/*
 * parity: the passes and the optimizer against what PyTorch computed (data/make_fixtures.py).
 */
#include "adamw.h"
#include "blas.h"
#include "file.h"
#include "lanes.h"
#include "mem.h"
#include "model.h"
#include "ops_attention.h"
#include "ops_linear.h"
#include "test.h"

#include <float.h>
#include <math.h>

/* How far float32 may be off, relative to the largest value of a tensor. Every value ends in a sum of at most 64
 * terms, and roundings add up like a random walk: 8 eps, and twice that for what came before. A wrong formula is
 * off by many powers of ten more. */
static const double bound = 16 * FLT_EPSILON;

/* `count` values of four bytes from a fixture; owned by the caller. */
static void *fixture(const char *name, size_t count)
{
    Err err;
    Bytes bytes;
    char *path = mem_text("%s/%s", TEST_DATA, name);
    if (!file_read(path, &bytes, &err))
        fail_msg("%s", err.text);
    assert_int_equal(bytes.size, 4 * count);
    free(path);
    return bytes.data;
}

static double largest(const float *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static double largest_difference(const float *x, const float *y, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs((double)x[i] - y[i]));
    return most;
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
        assert_true(difference < bound * largest(expected, ROWS * WIDTH));
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

/* ---- a model of two blocks ------------------------------------------------------------------------------ */

enum { MODEL_SEQUENCES = 3, MODEL_LENGTH = 12, MODEL_ROWS = MODEL_SEQUENCES * MODEL_LENGTH, STEPS = 10 };

typedef struct Parity {
    Model *model;
    Activations *activations;
    int32_t *tokens, *targets;
    float *gradient; /* LANES of them, the first in use */
} Parity;

/* Spreads a fixture's tensors, stored without gaps, to where the layout has them. */
static float *spread(const Layout *layout, const char *name)
{
    Err err;
    float *packed = fixture(name, layout->parameters), *next = packed;
    float *values = mem_try(layout->floats, sizeof *values, name, &err);
    for (size_t i = 0; i < layout->count; next += tensor_size(&layout->list[i++]))
        memcpy(values + layout->list[i].offset, next, tensor_size(&layout->list[i]) * sizeof *values);
    free(packed);
    return values;
}

static Parity parity_new(void)
{
    Err err;
    ModelConfig config = config_block();
    config.vocabulary = 32;
    config.context = MODEL_LENGTH;
    config.width = 16;
    config.blocks = 2;
    config.heads = 2;
    config.head_width = 8;
    Parity p = {.model = model_new(&config, 0, &err)};
    assert_non_null(p.model);
    free(p.model->parameters);
    p.model->parameters = spread(p.model->layout, "two_blocks.parameters.f32");
    p.activations = activations_new(p.model, MODEL_SEQUENCES, MODEL_LENGTH, &err);
    p.tokens = fixture("two_blocks.tokens.i32", MODEL_ROWS);
    p.targets = fixture("two_blocks.targets.i32", MODEL_ROWS);
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
    return model_gradient(p->model, p->activations, p->tokens, p->targets, MODEL_SEQUENCES, 1.0f / MODEL_ROWS,
                          p->gradient) /
           MODEL_ROWS;
}

static void the_logits_are_those_of_pytorch(void **state)
{
    (void)state;
    enum { LOGITS = MODEL_ROWS * 32 };
    Parity p = parity_new();
    float *expected = fixture("two_blocks.logits.f32", LOGITS), *logits = malloc(LOGITS * sizeof *logits);
    model_logits(p.model, p.activations, p.tokens, MODEL_SEQUENCES, logits);
    assert_true(largest_difference(logits, expected, LOGITS) < bound * largest(expected, LOGITS));
    free(expected);
    free(logits);
    parity_free(&p);
}

static void every_gradient_is_that_of_pytorch(void **state)
{
    (void)state;
    Parity p = parity_new();
    const Layout *layout = p.model->layout;
    float *losses = fixture("two_blocks.losses.f32", STEPS);
    float *expected = spread(layout, "two_blocks.gradient.f32");
    double loss = parity_gradient(&p);
    assert_true(fabs(loss - losses[0]) < bound * losses[0]);
    for (size_t i = 0; i < layout->count; i++) {
        const Tensor *tensor = &layout->list[i];
        size_t n = tensor_size(tensor);
        double scale = largest(expected + tensor->offset, n);
        double difference = largest_difference(p.gradient + tensor->offset, expected + tensor->offset, n);
        if (!(difference < bound * scale))
            fail_msg("%s: differs by %g of %g", tensor->name, difference, scale);
    }
    free(losses);
    free(expected);
    parity_free(&p);
}

/* A step is rate · m/sqrt(v): the relative error of a gradient counts, which is large where a gradient happens to
 * be near 0. With errors of δ = bound · s against gradients spread evenly over ±s, the mean square of an
 * element's error is rate² · 2δ/s. Ten roundings of the parameter itself, of size 1, come on top. */
static void ten_steps_of_adamw_are_those_of_pytorch(void **state)
{
    (void)state;
    Err err;
    Parity p = parity_new();
    const Layout *layout = p.model->layout;
    const AdamW adamw = adamw_default();
    const double rate = 1e-3;
    float *losses = fixture("two_blocks.losses.f32", STEPS);
    float *expected = spread(layout, "two_blocks.trained.f32");
    float *m = mem_try(layout->floats, sizeof *m, "m", &err),
          *v = mem_try(layout->floats, sizeof *v, "v", &err);
    for (int step = 1; step <= STEPS; step++) {
        double loss = parity_gradient(&p);
        assert_true(fabs(loss - losses[step - 1]) < bound * losses[step - 1]);
        adamw_update(&adamw, rate, step, 0, layout->floats, layout->floats, p.gradient, m, v,
                     p.model->parameters);
    }
    double sum = 0;
    for (size_t i = 0; i < layout->floats; i++)
        sum += pow((double)p.model->parameters[i] - expected[i], 2);
    double error = sqrt(sum / (double)layout->parameters);
    assert_true(error < rate * sqrt(2 * bound) + sqrt(STEPS) * FLT_EPSILON);
    free(losses);
    free(expected);
    free(m);
    free(v);
    parity_free(&p);
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
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
