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
#include "file.h"
#include "machine.h"
#include "mem.h"
#include "model.h"
#include "ops_attention.h"
#include "ops_linear.h"
#include "rng.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const Setting settings[] = {
    /* name, kind, full, quick, lowest, highest, meaning */
    {"width", INTEGER, 128, 128, 4, 4096, "width of the live comparison and of the magnitudes"},
    {"heads", INTEGER, 4, 4, 1, 4096, "their heads, a divisor of the width"},
    SETTINGS_END,
};

/* ---- arrays and files ----------------------------------------------------------------------------------- */

static float *floats(size_t count)
{
    return mem_new(count, sizeof(float));
}

/* Raw values of four bytes. NULL with a sentence when the file has not exactly so many. */
static void *read_raw(const char *folder, const char *name, size_t count, Err *err)
{
    Bytes bytes = {0};
    char *path = mem_text("%s/%s", folder, name);
    bool read = file_read(path, &bytes, err);
    if (read && bytes.size != 4 * count) {
        err_set(err, "%s holds %zu bytes instead of %zu", path, bytes.size, 4 * count);
        bytes_free(&bytes);
    }
    free(path);
    return bytes.data;
}

static bool write_raw(const char *folder, const char *name, const float *values, size_t count, Err *err)
{
    char *path = mem_text("%s/%s", folder, name);
    bool written = file_write(path, values, count * sizeof *values, err);
    free(path);
    return written;
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

/* ---- one attention layer -------------------------------------------------------------------------------- */

typedef struct Layer {
    int width, heads, sequences, length;
    float *x;       /* [sequences x length x width] */
    float *qkv;     /* [3 · width x width], no bias */
    float *project; /* [width x width] */
    float *bias;    /* [width] */
    float *output;  /* [sequences x length x width] */
} Layer;

static size_t layer_values(const Layer *layer)
{
    return (size_t)layer->sequences * (size_t)layer->length * (size_t)layer->width;
}

static void layer_free(Layer *layer)
{
    free(layer->x);
    free(layer->qkv);
    free(layer->project);
    free(layer->bias);
    free(layer->output);
}

static void layer_forward(Layer *layer)
{
    int width = layer->width, length = layer->length, rows = layer->sequences * length;
    float *qkv = floats((size_t)rows * 3 * (size_t)width), *mixed = floats(layer_values(layer));
    float *weights = floats((size_t)layer->heads * (size_t)length * (size_t)length);
    Attention attention = {.length = length,
                           .heads = layer->heads,
                           .head_width = width / layer->heads,
                           .stride = 3 * width,
                           .output_stride = width,
                           .causal = true,
                           .scale = (float)(1 / sqrt((double)width / layer->heads))};
    linear_forward(rows, width, 3 * width, layer->x, layer->qkv, NULL, NULL, qkv);
    for (int s = 0; s < layer->sequences; s++) {
        const float *q = qkv + (size_t)s * (size_t)length * 3 * (size_t)width;
        attention_forward(&attention, q, q + width, q + 2 * width, NULL, weights,
                          mixed + (size_t)s * (size_t)length * (size_t)width);
    }
    layer->output = floats(layer_values(layer));
    linear_forward(rows, width, width, mixed, layer->project, layer->bias, NULL, layer->output);
    free(qkv);
    free(mixed);
    free(weights);
}

/* nn.MultiheadAttention's own initialisation (Glorot for the joint projection, zero biases), and normal inputs. */
static Layer layer_draw(int width, int heads, int length, int seed)
{
    size_t square = (size_t)width * (size_t)width;
    Layer layer = {.width = width, .heads = heads, .sequences = 1, .length = length};
    Rng rng = rng_stream((uint64_t)seed, "mha_parity");
    layer.x = floats(layer_values(&layer));
    layer.qkv = floats(3 * square);
    layer.project = floats(square);
    layer.bias = floats((size_t)width);
    rng_fill_uniform(&rng, layer.qkv, 3 * square, sqrt(6.0 / (4 * width)));
    rng_fill_uniform(&rng, layer.project, square, 1 / sqrt(width));
    rng_fill_normal(&rng, layer.x, layer_values(&layer));
    return layer;
}

/* What the sizes that C9's text lost would change: the more tokens are averaged, the smaller the output. */
static void measure_magnitudes(Experiment *x, int seed)
{
    int width = (int)setting_integer(x, "width"), heads = (int)setting_integer(x, "heads");
    for (int length = 4; length <= 128; length *= 2) {
        Layer layer = layer_draw(width, heads, length, seed);
        layer_forward(&layer);
        double sum = 0;
        for (size_t i = 0; i < layer_values(&layer); i++)
            sum += fabs(layer.output[i]);
        measure(x, seed, sum / (double)layer_values(&layer), "magnitude/T%d", length);
        layer_free(&layer);
    }
}

/* ---- against PyTorch ------------------------------------------------------------------------------------ */

static bool compare_layer(Experiment *x, const Layer *layer, const char *folder, const char *prefix,
                          const char *suffix, const char *against, Err *err)
{
    static const char *const forms[] = {"module", "functional"};
    bool good = true;
    for (size_t i = 0; good && i < COUNT(forms); i++) {
        char *name = mem_text("%s%s%s", prefix, forms[i], suffix);
        float *expected = read_raw(folder, name, layer_values(layer), err);
        good = expected != NULL;
        if (good) {
            double difference = largest_difference(layer->output, expected, layer_values(layer));
            measure(x, FIXED, difference, "%s/%s", forms[i], against);
        }
        free(expected);
        free(name);
    }
    if (good)
        measure(x, FIXED, largest(layer->output, layer_values(layer)), "scale/%s", against);
    return good;
}

static bool compare_with_fixture(Experiment *x, const char *folder, Err *err)
{
    Layer layer = {.width = 32, .heads = 4, .sequences = 2, .length = 16};
    size_t square = (size_t)(layer.width * layer.width);
    bool good = (layer.x = read_raw(folder, "mha.x.f32", layer_values(&layer), err)) &&
                (layer.qkv = read_raw(folder, "mha.qkv.f32", 3 * square, err)) &&
                (layer.project = read_raw(folder, "mha.project.f32", square, err)) &&
                (layer.bias = read_raw(folder, "mha.project_bias.f32", (size_t)layer.width, err));
    if (good) {
        layer_forward(&layer);
        good = compare_layer(x, &layer, folder, "mha.", ".f32", "fixture", err);
    }
    layer_free(&layer);
    return good;
}

static bool write_layer(const Layer *layer, const char *folder, Err *err)
{
    size_t square = (size_t)layer->width * (size_t)layer->width;
    return write_raw(folder, "x", layer->x, layer_values(layer), err) &&
           write_raw(folder, "qkv", layer->qkv, 3 * square, err) &&
           write_raw(folder, "project", layer->project, square, err) &&
           write_raw(folder, "bias", layer->bias, (size_t)layer->width, err);
}

/* Debian's own interpreter, which has python3-torch. */
static int run_pytorch(const char *arguments)
{
    char *command = mem_text("/usr/bin/python3 %s 2>/dev/null", arguments);
    int code = system(command);
    free(command);
    return code;
}

/* With a layer of today's weights, when PyTorch is there; it need not be. */
static bool compare_live(Experiment *x, Err *err)
{
    if (run_pytorch("-c 'import torch'") != 0) {
        note(x, "pytorch", "not installed: compared with kept tensors alone");
        return true;
    }
    note(x, "pytorch", "installed: compared live as well");
    char folder[] = "/tmp/attest-XXXXXX";
    if (!mkdtemp(folder))
        return err_set(err, "no folder can be made in /tmp");
    Layer layer = layer_draw((int)setting_integer(x, "width"), (int)setting_integer(x, "heads"), 128, 0);
    layer_forward(&layer);
    char *arguments = mem_text("'%s/experiments/mha_parity.py' %s %d %d %d", machine_home(), folder,
                               layer.width, layer.heads, layer.length);
    bool good = write_layer(&layer, folder, err);
    if (good && run_pytorch(arguments) != 0)
        good = err_set(err, "PyTorch is installed, but experiments/mha_parity.py fails");
    good = good && compare_layer(x, &layer, folder, "", "", "live", err);
    free(arguments);
    layer_free(&layer);

    const char *const files[] = {"x", "qkv", "project", "bias", "module", "functional"};
    for (size_t i = 0; i < COUNT(files); i++) {
        char *path = mem_text("%s/%s", folder, files[i]);
        unlink(path);
        free(path);
    }
    rmdir(folder);
    return good;
}

/* ---- a whole model -------------------------------------------------------------------------------------- */

enum { SEQUENCES = 3, LENGTH = 12, ROWS = SEQUENCES * LENGTH, VOCABULARY = 32 };

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

/* Spreads tensors that are stored without gaps to where the layout has them. */
static bool read_tensors(const Layout *layout, const char *folder, const char *name, float *values, Err *err)
{
    float *packed = read_raw(folder, name, layout->parameters, err), *next = packed;
    for (size_t i = 0; packed && i < layout->count; next += tensor_size(&layout->list[i++]))
        memcpy(values + layout->list[i].offset, next, tensor_size(&layout->list[i]) * sizeof *values);
    bool read = packed != NULL;
    free(packed);
    return read;
}

/* The largest difference in any tensor, each relative to its own largest value. */
static double worst_tensor(const Layout *layout, const float *x, const float *expected)
{
    double worst = 0;
    for (size_t i = 0; i < layout->count; i++) {
        size_t n = tensor_size(&layout->list[i]), offset = layout->list[i].offset;
        worst =
            fmax(worst, largest_difference(x + offset, expected + offset, n) / largest(expected + offset, n));
    }
    return worst;
}

static bool compare_model(Experiment *x, const char *folder, Err *err)
{
    ModelConfig config = two_blocks();
    Model *model = model_new(&config, 0, err);
    Activations *activations = model ? activations_new(model, SEQUENCES, LENGTH, err) : NULL;
    if (!activations ||
        !read_tensors(model->layout, folder, "two_blocks.parameters.f32", model->parameters, err)) {
        activations_free(activations);
        model_free(model);
        return false;
    }
    const Layout *layout = model->layout;
    float *gradient = floats(layout->floats), *expected = floats(layout->floats);
    float *logits = floats(ROWS * VOCABULARY);
    int32_t *tokens = read_raw(folder, "two_blocks.tokens.i32", ROWS, err);
    int32_t *targets = read_raw(folder, "two_blocks.targets.i32", ROWS, err);
    float *losses = read_raw(folder, "two_blocks.losses.f32", 10, err);
    float *expected_logits = read_raw(folder, "two_blocks.logits.f32", ROWS * VOCABULARY, err);
    bool good = tokens && targets && losses && expected_logits &&
                read_tensors(layout, folder, "two_blocks.gradient.f32", expected, err);
    if (good) {
        model_logits(model, activations, tokens, SEQUENCES, logits);
        double loss =
            model_gradient(model, activations, tokens, targets, SEQUENCES, 1.0f / ROWS, gradient) / ROWS;
        measure(x, FIXED,
                largest_difference(logits, expected_logits, ROWS * VOCABULARY) /
                    largest(expected_logits, ROWS * VOCABULARY),
                "two blocks/logits");
        measure(x, FIXED, fabs(loss - losses[0]) / losses[0], "two blocks/loss");
        measure(x, FIXED, worst_tensor(layout, gradient, expected), "two blocks/gradient");
    }
    free(gradient);
    free(expected);
    free(logits);
    free(tokens);
    free(targets);
    free(losses);
    free(expected_logits);
    activations_free(activations);
    model_free(model);
    return good;
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
