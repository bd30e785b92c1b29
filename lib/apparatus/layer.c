#include "layer.h"

#include "mem.h"
#include "ops_linear.h"
#include "ops_tiled.h"
#include "rng.h"

#include <math.h>

/* Rows of a projection that a thread takes at once. */
enum { ROWS = 64 };

static size_t row_floats(const LayerPlan *plan)
{
    return (size_t)plan->length * (size_t)plan->width;
}

static size_t square_floats(const LayerPlan *plan)
{
    return (size_t)plan->width * (size_t)plan->width;
}

static size_t matrix_floats(const LayerPlan *plan)
{
    return (size_t)plan->heads * (size_t)plan->length * (size_t)plan->length;
}

static size_t statistic_floats(const LayerPlan *plan)
{
    return 2 * (size_t)plan->heads * (size_t)plan->length;
}

size_t layer_matrix_bytes(const LayerPlan *plan)
{
    return matrix_floats(plan) * sizeof(float);
}

size_t layer_bytes(const LayerPlan *plan)
{
    size_t kept =
        plan->keeps == KEEPS_NEITHER ? statistic_floats(plan) : (size_t)plan->keeps * matrix_floats(plan);
    return (4 * square_floats(plan) + (size_t)plan->width + 6 * row_floats(plan) + kept) * sizeof(float);
}

static bool ask(Layer *layer, float **memory, size_t count, const char *what, Err *err)
{
    *memory = mem_try(count, sizeof **memory, what, err);
    layer->bytes += *memory ? count * sizeof **memory : 0;
    return *memory;
}

bool layer_new(const LayerPlan *plan, Layer *layer, Err *err)
{
    require(plan->length > 0 && plan->heads > 0 && plan->width > 0 && plan->width % plan->heads == 0,
            "%d positions, %d heads in a width of %d", plan->length, plan->heads, plan->width);
    size_t rows = row_floats(plan), square = square_floats(plan), width = (size_t)plan->width;
    *layer = (Layer){.plan = *plan};
    bool ready = ask(layer, &layer->w_qkv, 3 * square, "the weights of q, k and v", err) &&
                 ask(layer, &layer->w_out, square, "the output's weights", err) &&
                 ask(layer, &layer->bias, width, "the output's bias", err) &&
                 ask(layer, &layer->x, rows, "the tokens", err) &&
                 ask(layer, &layer->qkv, 3 * rows, "q, k and v", err) &&
                 ask(layer, &layer->mixed, rows, "the heads' outputs", err) &&
                 ask(layer, &layer->y, rows, "the output", err);
    if (plan->keeps == KEEPS_NEITHER)
        ready =
            ready && ask(layer, &layer->statistics, statistic_floats(plan), "the rows' maxima and sums", err);
    if (plan->keeps == KEEPS_BOTH)
        ready = ready && ask(layer, &layer->scores, matrix_floats(plan), "the matrix of scores", err);
    if (plan->keeps != KEEPS_NEITHER)
        ready = ready && ask(layer, &layer->weights, matrix_floats(plan), "the matrix of weights", err);
    if (!ready)
        return false;
    Rng rng = rng_stream(0, "layer");
    double bound = 1 / sqrt(plan->width);
    rng_fill_uniform(&rng, layer->w_qkv, 3 * square, bound);
    rng_fill_uniform(&rng, layer->w_out, square, bound);
    rng_fill_uniform(&rng, layer->bias, width, bound);
    rng_fill_normal(&rng, layer->x, rows);
    return true;
}

void layer_free(Layer *layer)
{
    float *all[] = {layer->w_qkv, layer->w_out, layer->bias,   layer->x,       layer->qkv,
                    layer->mixed, layer->y,     layer->scores, layer->weights, layer->statistics};
    for (size_t i = 0; i < COUNT(all); i++)
        free(all[i]);
    *layer = (Layer){0};
}

static void project(const LayerPlan *plan, int out, const float *x, const float *weight, const float *bias,
                    float *y)
{
#pragma omp parallel for schedule(dynamic)
    for (int first = 0; first < plan->length; first += ROWS) {
        int rows = plan->length - first < ROWS ? plan->length - first : ROWS;
        linear_forward(rows, plan->width, out, x + (size_t)first * (size_t)plan->width, weight, bias, NULL,
                       y + (size_t)first * (size_t)out);
    }
}

static void attend_in_tiles(const Attention *a, const float *qkv, float *statistics, float *mixed)
{
    const float *q = qkv, *k = q + a->output_stride, *v = k + a->output_stride;
#pragma omp parallel for schedule(dynamic)
    for (int unit = 0; unit < tiled_units(a); unit++)
        tiled_forward(a, q, k, v, unit, statistics, mixed);
}

/* Head by head: to attention each is a layer of one head. */
static void attend_with_matrices(const Attention *a, const float *qkv, float *scores, float *weights,
                                 float *mixed)
{
    const float *q = qkv, *k = q + a->output_stride, *v = k + a->output_stride;
    Attention one = *a;
    one.heads = 1;
#pragma omp parallel for schedule(dynamic)
    for (int head = 0; head < a->heads; head++) {
        size_t column = (size_t)head * (size_t)a->head_width;
        size_t matrix = (size_t)head * (size_t)a->length * (size_t)a->length;
        attention_forward(&one, q + column, k + column, v + column, scores ? scores + matrix : NULL,
                          weights + matrix, mixed + column);
    }
}

void layer_forward(Layer *layer)
{
    const LayerPlan *plan = &layer->plan;
    const Attention a = {.length = plan->length,
                         .heads = plan->heads,
                         .head_width = plan->width / plan->heads,
                         .stride = 3 * plan->width,
                         .output_stride = plan->width,
                         .causal = plan->causal,
                         .scale = 1 / sqrtf((float)plan->width / (float)plan->heads)};
    project(plan, 3 * plan->width, layer->x, layer->w_qkv, NULL, layer->qkv);
    if (plan->keeps == KEEPS_NEITHER)
        attend_in_tiles(&a, layer->qkv, layer->statistics, layer->mixed);
    else
        attend_with_matrices(&a, layer->qkv, layer->scores, layer->weights, layer->mixed);
    project(plan, plan->width, layer->mixed, layer->w_out, layer->bias, layer->y);
}

void layer_project(Layer *layer)
{
    const LayerPlan *plan = &layer->plan;
    project(plan, 3 * plan->width, layer->x, layer->w_qkv, NULL, layer->qkv);
    project(plan, plan->width, layer->mixed, layer->w_out, layer->bias, layer->y);
}
