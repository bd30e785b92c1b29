#include "reference_model.h"

#include "mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Reference {
    const ModelConfig *config;
    const Layout *layout;
    const double *parameters;
    int length;
    double *weights; /* [heads x length x length] */
} Reference;

/* A tensor by name, e.g. "block0.norm1.gain"; NULL when the model has none. */
static const double *tensor(const Reference *r, int block, const char *name)
{
    char full[64];
    if (block < 0)
        snprintf(full, sizeof full, "%s", name);
    else
        snprintf(full, sizeof full, "block%d.%s", block, name);
    const Tensor *found = layout_find(r->layout, full);
    return found ? r->parameters + found->offset : NULL;
}

/* y = W x + b for one row. */
static void linear(int in, int out, const double *weight, const double *bias, const double *x, double *y)
{
    for (int j = 0; j < out; j++) {
        y[j] = bias ? bias[j] : 0;
        for (int i = 0; i < in; i++)
            y[j] += weight[(size_t)j * in + i] * x[i];
    }
}

static void normalise(int width, const double *gain, const double *bias, const double *x, double *y)
{
    double mean = 0, variance = 0;
    for (int i = 0; i < width; i++)
        mean += x[i] / width;
    for (int i = 0; i < width; i++)
        variance += (x[i] - mean) * (x[i] - mean) / width;
    for (int i = 0; i < width; i++)
        y[i] = gain[i] * (x[i] - mean) / sqrt(variance + 1e-5) + bias[i];
}

static void turn(int width, int t, double *x)
{
    for (int i = 0; i < width; i += 2) {
        double angle = t * pow(10000, -(double)i / width), a = x[i], b = x[i + 1];
        x[i] = a * cos(angle) - b * sin(angle);
        x[i + 1] = a * sin(angle) + b * cos(angle);
    }
}

/* What position t of one head takes from all positions: qkv is [length x 3 · joined]. */
static void attend(const Reference *r, int head, int t, const double *qkv, double *output)
{
    const ModelConfig *c = r->config;
    int d = c->head_width, joined = c->heads * d, last = c->causal ? t : r->length - 1;
    double *weights = r->weights + ((size_t)head * r->length + t) * r->length, sum = 0;
    const double *q = qkv + (size_t)t * 3 * joined + head * d;
    for (int u = 0; u < r->length; u++) {
        const double *k = qkv + (size_t)u * 3 * joined + joined + head * d;
        double score = 0;
        for (int i = 0; i < d; i++)
            score += q[i] * k[i];
        if (c->scaled)
            score /= sqrt(d);
        if (c->position == POSITION_ALIBI)
            score -= pow(2, -8.0 * (head + 1) / c->heads) * abs(t - u);
        weights[u] = u <= last ? exp(score) : 0; /* small models: no score is large */
        sum += weights[u];
    }
    for (int i = 0; i < d; i++)
        output[i] = 0;
    for (int u = 0; u < r->length; u++) {
        weights[u] /= sum;
        for (int i = 0; i < d; i++)
            output[i] += weights[u] * qkv[(size_t)u * 3 * joined + 2 * joined + head * d + i];
    }
}

/* mixed [length x joined, or width] of x [length x width]. */
static void mix(const Reference *r, int block, const double *x, double *mixed)
{
    const ModelConfig *c = r->config;
    int width = c->width, joined = c->heads * c->head_width;
    if (c->mixer == MIXER_AVERAGE) {
        for (int t = 0; t < r->length; t++)
            for (int i = 0; i < width; i++) {
                double sum = 0;
                for (int u = 0; u <= t; u++)
                    sum += x[u * width + i];
                mixed[t * width + i] = sum / (t + 1);
            }
        return;
    }
    double *qkv = mem_new((size_t)r->length * 3 * joined, sizeof *qkv);
    double *heads = mem_new(joined, sizeof *heads);
    for (int t = 0; t < r->length; t++) {
        double *row = qkv + (size_t)t * 3 * joined;
        linear(width, 3 * joined, tensor(r, block, "qkv.weight"), tensor(r, block, "qkv.bias"), x + t * width,
               row);
        for (int head = 0; head < 2 * c->heads && c->position == POSITION_ROPE; head++)
            turn(c->head_width, t, row + head * c->head_width); /* queries, then keys */
    }
    for (int t = 0; t < r->length; t++) {
        for (int head = 0; head < c->heads; head++)
            attend(r, head, t, qkv, heads + head * c->head_width);
        if (c->output_projection)
            linear(joined, width, tensor(r, block, "project.weight"), tensor(r, block, "project.bias"), heads,
                   mixed + t * width);
        else
            memcpy(mixed + (size_t)t * joined, heads, joined * sizeof *heads);
    }
    free(heads);
    free(qkv);
}

/* The MLP of one row. */
static void mlp(const Reference *r, int block, const double *x, double *y)
{
    int width = r->config->width;
    double *hidden = mem_new(4 * (size_t)width, sizeof *hidden);
    linear(width, 4 * width, tensor(r, block, "expand.weight"), tensor(r, block, "expand.bias"), x, hidden);
    for (int i = 0; i < 4 * width; i++)
        hidden[i] *= 0.5 * (1 + erf(hidden[i] / sqrt(2)));
    linear(4 * width, width, tensor(r, block, "contract.weight"), tensor(r, block, "contract.bias"), hidden,
           y);
    free(hidden);
}

static void normalise_rows(const Reference *r, int block, const char *gain, const char *bias, int width,
                           double *x)
{
    double *y = mem_new(width, sizeof *y);
    for (int t = 0; t < r->length; t++) {
        normalise(width, tensor(r, block, gain), tensor(r, block, bias), x + t * width, y);
        memcpy(x + t * width, y, width * sizeof *y);
    }
    free(y);
}

/* x [length x width] through one block, in place. */
static void block_forward(const Reference *r, int block, double *x)
{
    const ModelConfig *c = r->config;
    int width = c->width, joined = c->heads * c->head_width;
    size_t rows = r->length, widest = joined > width ? joined : width;
    double *in = mem_new(rows * widest, sizeof *in), *out = mem_new(rows * widest, sizeof *out);
    if (c->mixer != MIXER_NONE) {
        memcpy(in, x, rows * width * sizeof *x);
        if (c->norm == NORM_PRE)
            normalise_rows(r, block, "norm1.gain", "norm1.bias", width, in);
        mix(r, block, in, out);
        size_t n = rows * (c->output_projection || c->mixer == MIXER_AVERAGE ? width : joined);
        for (size_t i = 0; i < n; i++)
            x[i] = out[i] + (c->residual ? x[i] : 0);
        if (c->norm == NORM_POST)
            normalise_rows(r, block, "norm1.gain", "norm1.bias", width, x);
    }
    if (c->mlp) {
        memcpy(in, x, rows * width * sizeof *x);
        if (c->norm == NORM_PRE)
            normalise_rows(r, block, "norm2.gain", "norm2.bias", width, in);
        for (size_t t = 0; t < rows; t++)
            mlp(r, block, in + t * width, out + t * width);
        for (size_t i = 0; i < rows * width; i++)
            x[i] += out[i];
        if (c->norm == NORM_POST)
            normalise_rows(r, block, "norm2.gain", "norm2.bias", width, x);
    }
    free(out);
    free(in);
}

static void embed(const Reference *r, const int32_t *tokens, double *x)
{
    int width = r->config->width;
    const double *token = tensor(r, -1, "token"), *position = tensor(r, -1, "position");
    for (int t = 0; t < r->length; t++)
        for (int i = 0; i < width; i++) {
            double *to = &x[t * width + i];
            *to = token[(size_t)tokens[t] * width + i];
            double angle = t / pow(10000, (double)(i / 2 * 2) / width);
            if (r->config->position == POSITION_LEARNED)
                *to += position[t * width + i];
            if (r->config->position == POSITION_SINUSOIDAL)
                *to += i % 2 ? cos(angle) : sin(angle);
        }
}

/* −log softmax(logits)[target]. */
static double surprise(int n, const double *logits, int target)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += exp(logits[j] - logits[target]);
    return log(sum);
}

double reference_loss(const ModelConfig *config, const Layout *layout, const double *parameters,
                      const int32_t *tokens, const int32_t *targets, int length, double *logits,
                      double *weights)
{
    int out = config_output_width(config), vocabulary = config->vocabulary;
    size_t square = (size_t)config->heads * length * length;
    int widest = out > config->width ? out : config->width;
    Reference r = {config, layout, parameters, length, mem_new(square, sizeof *r.weights)};
    double *x = mem_new((size_t)length * widest, sizeof *x), sum = 0;
    double *row = mem_new(vocabulary, sizeof *row);
    embed(&r, tokens, x);
    for (int block = 0; block < config->blocks; block++) {
        block_forward(&r, block, x);
        if (weights && block == 0)
            memcpy(weights, r.weights, square * sizeof *weights);
    }
    if (config->norm == NORM_PRE)
        normalise_rows(&r, -1, "norm.gain", "norm.bias", out, x);
    const double *weight = tensor(&r, -1, config->tied ? "token" : "vocabulary.weight");
    for (int t = 0; t < length; t++) {
        linear(out, vocabulary, weight, tensor(&r, -1, "vocabulary.bias"), x + (size_t)t * out, row);
        sum += surprise(vocabulary, row, targets[t]);
        if (logits)
            memcpy(logits + (size_t)t * vocabulary, row, vocabulary * sizeof *row);
    }
    free(row);
    free(x);
    free(r.weights);
    return sum;
}
