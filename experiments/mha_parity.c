/*
 * mha_parity: does attention written out in C compute what PyTorch computes?
 *
 * Source   C9 compares its own attention with nn.MultiheadAttention and F.scaled_dot_product_attention.
 * Method   With weights copied, outputs are compared with tensors that PyTorch produced and that are kept in
 *          tests/data (made by make_fixtures.py there); and live, when PyTorch is installed. A whole model of two
 *          blocks is compared too: logits, loss, and every gradient.
 * Emits    module/fixture, functional/fixture, and the same /live: largest |difference|; scale/…: largest |value|;
 *          two blocks/logits, /loss and /gradient: largest difference relative to its tensor's largest value;
 *          magnitude/T<n>: mean |output| of nn.MultiheadAttention's initialisation over n tokens.
 * Verdict  mha_parity.claims.json. No threshold appears in this file.
 */
#include "experiment.h"
#include "fixture.h"
#include "largest.h"
#include "machine.h"
#include "mem.h"
#include "model.h"
#include "ops_attention.h"
#include "ops_linear.h"
#include "pytorch.h"
#include "rng.h"

#include <math.h>
#include <string.h>

static const Setting settings[] = {
    /* name, kind, full, quick, lowest, highest, meaning */
    {"width", INTEGER, 128, 128, 4, 4096, "width of the live comparison and of the magnitudes"},
    {"heads", INTEGER, 4, 4, 1, 4096, "their heads, a divisor of the width"},
    SETTINGS_END,
};

/* ---- one attention layer -------------------------------------------------------------------------------- */

/* y = attention(x W_qkvᵀ) W_outᵀ + bias, causal, as C9 writes it: q, k and v without a bias. */
typedef struct Mha {
    int width, heads, sequences, length;
    float *x, *y;                /* [sequences x length x width] */
    float *w_qkv, *w_out, *bias; /* [3 · width x width], [width x width], [width] */
} Mha;

static float *floats(size_t count)
{
    return mem_new(count, sizeof(float));
}

static size_t values_in(const Mha *m)
{
    return (size_t)m->sequences * (size_t)m->length * (size_t)m->width;
}

static size_t square_of(const Mha *m)
{
    return (size_t)m->width * (size_t)m->width;
}

static Mha mha_new(int width, int heads, int sequences, int length)
{
    Mha m = {.width = width, .heads = heads, .sequences = sequences, .length = length};
    m.x = floats(values_in(&m));
    m.y = floats(values_in(&m));
    m.w_qkv = floats(3 * square_of(&m));
    m.w_out = floats(square_of(&m));
    m.bias = floats((size_t)width);
    return m;
}

static void mha_free(Mha *m)
{
    free(m->x);
    free(m->y);
    free(m->w_qkv);
    free(m->w_out);
    free(m->bias);
}

static void mha_forward(Mha *m)
{
    int width = m->width, rows = m->sequences * m->length;
    float *qkv = floats(3 * values_in(m)), *mixed = floats(values_in(m));
    float *weights = floats((size_t)m->heads * (size_t)m->length * (size_t)m->length);
    const Attention attention = {.length = m->length,
                                 .heads = m->heads,
                                 .head_width = width / m->heads,
                                 .stride = 3 * width,
                                 .output_stride = width,
                                 .causal = true,
                                 .scale = (float)(1 / sqrt((double)width / m->heads))};
    linear_forward(rows, width, 3 * width, m->x, m->w_qkv, NULL, NULL, qkv);
    for (int s = 0; s < m->sequences; s++) {
        size_t first = (size_t)s * (size_t)m->length * (size_t)width;
        const float *q = qkv + 3 * first, *k = q + width, *v = k + width;
        attention_forward(&attention, q, k, v, NULL, weights, mixed + first);
    }
    linear_forward(rows, width, width, mixed, m->w_out, m->bias, NULL, m->y);
    free(qkv);
    free(mixed);
    free(weights);
}

/* Of the settings' sizes with nn.MultiheadAttention's own initialisation (Glorot for the joint projection, zero biases),
 * and normal inputs. */
static Mha draw(const Experiment *x, int length, int seed)
{
    int width = (int)setting_integer(x, "width");
    Mha m = mha_new(width, (int)setting_integer(x, "heads"), 1, length);
    Rng rng = rng_stream((uint64_t)seed, "mha_parity");
    rng_fill_uniform(&rng, m.w_qkv, 3 * square_of(&m), sqrt(6.0 / (4 * width)));
    rng_fill_uniform(&rng, m.w_out, square_of(&m), 1 / sqrt(width));
    rng_fill_normal(&rng, m.x, values_in(&m));
    return m;
}

/* What the sizes that C9's text lost would change: the more tokens are averaged, the smaller the output. */
static void measure_magnitudes(Experiment *x, int seed)
{
    for (int length = 4; length <= 128; length *= 2) {
        Mha m = draw(x, length, seed);
        mha_forward(&m);
        double sum = 0;
        for (size_t i = 0; i < values_in(&m); i++)
            sum += fabs(m.y[i]);
        measure(x, seed, sum / (double)values_in(&m), "magnitude/T%d", length);
        mha_free(&m);
    }
}

/* ---- against PyTorch ------------------------------------------------------------------------------------ */

static bool read_into(float *values, const char *folder, const char *name, size_t count, Err *err)
{
    float *read = fixture_read(folder, name, count, err);
    if (read)
        memcpy(values, read, count * sizeof *values);
    free(read);
    return read;
}

/* With the folder's weights and inputs; what PyTorch made of them is there too. */
static bool compare_layer(Experiment *x, Mha *m, const char *folder, const char *against, Err *err)
{
    if (!read_into(m->x, folder, "mha.x.f32", values_in(m), err) ||
        !read_into(m->w_qkv, folder, "mha.qkv.f32", 3 * square_of(m), err) ||
        !read_into(m->w_out, folder, "mha.project.f32", square_of(m), err) ||
        !read_into(m->bias, folder, "mha.project_bias.f32", (size_t)m->width, err))
        return false;
    float *module = fixture_read(folder, "mha.module.f32", values_in(m), err);
    float *functional = module ? fixture_read(folder, "mha.functional.f32", values_in(m), err) : NULL;
    bool read = functional;
    if (read) {
        mha_forward(m);
        measure(x, FIXED, largest_difference(m->y, module, values_in(m)), "module/%s", against);
        measure(x, FIXED, largest_difference(m->y, functional, values_in(m)), "functional/%s", against);
        measure(x, FIXED, largest_value(m->y, values_in(m)), "scale/%s", against);
    }
    free(module);
    free(functional);
    return read;
}

static bool compare_with_fixture(Experiment *x, const char *folder, Err *err)
{
    Mha m = mha_new(32, 4, 2, 16);
    bool good = compare_layer(x, &m, folder, "fixture", err);
    mha_free(&m);
    return good;
}

/* What PyTorch makes of the folder's weights and inputs today, when it is there; it need not be. */
static bool ask_pytorch(Experiment *x, Mha *m, char *folder, Err *err)
{
    char *script = mem_text("%s/experiments/mha_parity.py", machine_home());
    char *width = mem_text("%d", m->width), *heads = mem_text("%d", m->heads);
    char *const arguments[] = {script, folder, width, heads, NULL};
    PytorchEnd end = pytorch_run(arguments, NULL, NULL, err);
    free(script);
    free(width);
    free(heads);
    note(x, "pytorch",
         end == PYTORCH_MISSING ? "not installed: compared with kept tensors alone"
                                : "installed: compared live as well");
    return end == PYTORCH_MISSING || (end == PYTORCH_RAN && compare_layer(x, m, folder, "live", err));
}

static bool compare_live(Experiment *x, Err *err)
{
    char *folder = fixture_folder_new(err);
    Mha m = draw(x, 128, 0);
    bool good = folder && fixture_write(folder, "mha.x.f32", m.x, values_in(&m), err) &&
                fixture_write(folder, "mha.qkv.f32", m.w_qkv, 3 * square_of(&m), err) &&
                fixture_write(folder, "mha.project.f32", m.w_out, square_of(&m), err) &&
                fixture_write(folder, "mha.project_bias.f32", m.bias, (size_t)m.width, err) &&
                ask_pytorch(x, &m, folder, err);
    mha_free(&m);
    fixture_folder_free(folder);
    return good;
}

/* ---- a whole model -------------------------------------------------------------------------------------- */

enum { SEQUENCES = 3, LENGTH = 12, ROWS = SEQUENCES * LENGTH, VOCABULARY = 32, LOSSES = 10 };

static ModelConfig two_blocks(void)
{
    ModelConfig config = config_block();
    config.vocabulary = VOCABULARY;
    config.context = LENGTH;
    config.width = 16;
    config.blocks = 2;
    config.heads = 2;
    config.head_width = 8;
    return config;
}

/* The largest difference in any tensor, each relative to its own largest value. */
static double worst_tensor(const Layout *layout, const float *x, const float *expected)
{
    double worst = 0;
    for (size_t i = 0; i < layout->count; i++) {
        size_t n = tensor_size(&layout->list[i]), offset = layout->list[i].offset;
        double difference = largest_difference(x + offset, expected + offset, n);
        worst = fmax(worst, difference / largest_value(expected + offset, n));
    }
    return worst;
}

static bool compare_model(Experiment *x, const char *folder, Err *err)
{
    const ModelConfig config = two_blocks();
    Model *model = model_new(&config, 0, err);
    Activations *activations = model ? activations_new(model, SEQUENCES, LENGTH, err) : NULL;
    if (!activations) {
        model_free(model);
        return false;
    }
    const Layout *layout = model->layout;
    float *parameters = fixture_tensors(layout, folder, "two_blocks.parameters.f32", err);
    int32_t *tokens = fixture_read(folder, "two_blocks.tokens.i32", ROWS, err);
    int32_t *targets = fixture_read(folder, "two_blocks.targets.i32", ROWS, err);
    float *losses = fixture_read(folder, "two_blocks.losses.f32", LOSSES, err);
    float *their_logits = fixture_read(folder, "two_blocks.logits.f32", ROWS * VOCABULARY, err);
    float *their_gradient = fixture_tensors(layout, folder, "two_blocks.gradient.f32", err);
    bool read = parameters && tokens && targets && losses && their_logits && their_gradient;
    if (read) {
        float *gradient = mem_new(layout->floats, sizeof *gradient), logits[ROWS * VOCABULARY];
        memcpy(model->parameters, parameters, layout->floats * sizeof *parameters);
        model_logits(model, activations, tokens, SEQUENCES, logits);
        double loss =
            model_gradient(model, activations, tokens, targets, SEQUENCES, 1.0f / ROWS, gradient) / ROWS;
        double apart = largest_difference(logits, their_logits, COUNT(logits));
        measure(x, FIXED, apart / largest_value(their_logits, COUNT(logits)), "two blocks/logits");
        measure(x, FIXED, fabs(loss - losses[0]) / losses[0], "two blocks/loss");
        measure(x, FIXED, worst_tensor(layout, gradient, their_gradient), "two blocks/gradient");
        free(gradient);
    }
    free(parameters);
    free(tokens);
    free(targets);
    free(losses);
    free(their_logits);
    free(their_gradient);
    activations_free(activations);
    model_free(model);
    return read;
}

static bool run(Experiment *x, Err *err)
{
    long width = setting_integer(x, "width"), heads = setting_integer(x, "heads");
    if (width % heads != 0)
        return err_set(err, "%ld heads can't share a width of %ld: choose a divisor", heads, width);
    for (int seed = first_seed(x); seed < end_seed(x); seed++)
        measure_magnitudes(x, seed);
    char *folder = mem_text("%s/tests/data", machine_home());
    bool good = compare_with_fixture(x, folder, err) && compare_model(x, folder, err) && compare_live(x, err);
    free(folder);
    return good;
}

const ExperimentPlan experiment = {"mha_parity", settings, 10, 10, run};
