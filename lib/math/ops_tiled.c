#include "ops_tiled.h"

#include "product.h"
#include "vector.h"

#include <math.h>
#include <stddef.h>

/* Rows of one side that are worked on, and rows of the other side that make a tile with them: enough for
 * products near full speed, few enough that a tile stays in the second cache and little of the masked half is
 * computed. */
enum { ROWS = 64, COLUMNS = 256, TILE = ROWS * COLUMNS };

/* One tile: queries first_query … + queries − 1 and keys first_key … + keys − 1 of one head. */
typedef struct Tile {
    int head, first_query, queries, first_key, keys;
} Tile;

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int blocks(const Attention *a)
{
    return (a->length + ROWS - 1) / ROWS;
}

int tiled_units(const Attention *a)
{
    return a->heads * blocks(a);
}

/* Where position i's part of a head begins, in rows `stride` apart. */
static size_t at(const Attention *a, int stride, int i, int head)
{
    return (size_t)i * stride + (size_t)head * a->head_width;
}

static size_t statistic(const Attention *a, int i, int head)
{
    return 2 * ((size_t)head * a->length + i);
}

/* Subtracts the penalty of distance from position i's scores with keys `first` and after. */
static void penalise(float slope, int i, int first, int keys, float *scores)
{
#pragma omp simd
    for (int j = 0; j < keys; j++) {
        int distance = i - (first + j);
        scores[j] -= slope * (float)(distance < 0 ? -distance : distance);
    }
}

/* −inf for the keys that position i may not see. */
static void mask(const Attention *a, int i, int first, int keys, float *scores)
{
    if (a->padding)
        for (int j = 0; j < keys; j++)
            scores[j] = a->padding[first + j] ? -INFINITY : scores[j];
    if (a->causal)
        for (int j = i + 1 > first ? i + 1 - first : 0; j < keys; j++)
            scores[j] = -INFINITY;
}

/* scores [queries x keys], −inf where masked. */
static void score_tile(const Attention *a, const float *q, const float *k, Tile t, float *scores)
{
    product_nt(t.queries, t.keys, a->head_width, a->scale, q + at(a, a->stride, t.first_query, t.head),
               a->stride, k + at(a, a->stride, t.first_key, t.head), a->stride, NULL, 0, scores, t.keys);
    for (int i = 0; i < t.queries; i++) {
        float *row = scores + i * t.keys;
        if (a->slopes)
            penalise(a->slopes[t.head], t.first_query + i, t.first_key, t.keys, row);
        mask(a, t.first_query + i, t.first_key, t.keys, row);
    }
}

/* A row's running maximum and sum. */
typedef struct Running {
    float top;
    double sum;
} Running;

/* Turns scores into exp(score − top) for the maximum so far; returns the factor for what was summed before. */
static float take_row(int keys, float *x, Running *running)
{
    float before = running->top, top = before, sum = 0;
#pragma omp simd reduction(max : top)
    for (int j = 0; j < keys; j++)
        top = x[j] > top ? x[j] : top;
    float from = top == -INFINITY ? 0 : top; /* nothing but −inf, whose exponential is 0, or NaN */
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < keys; j++) {
        float e = vector_exp(x[j] - from);
        x[j] = e;
        sum += e;
    }
    float factor = before == top ? 1 : vector_exp(before - top);
    running->top = top;
    running->sum = running->sum * factor + sum;
    return factor;
}

static void scale_row(int n, float factor, float *x)
{
#pragma omp simd
    for (int j = 0; j < n; j++)
        x[j] *= factor;
}

void tiled_forward(const Attention *a, const float *q, const float *k, const float *v, int unit,
                   float *statistics, float *output)
{
    int head = unit / blocks(a), first = unit % blocks(a) * ROWS, rows = least(ROWS, a->length - first);
    int visible = a->causal ? first + rows : a->length, d = a->head_width;
    float *to = output + at(a, a->output_stride, first, head);
    float weights[TILE] __attribute__((aligned(64)));
    Running running[ROWS];
    for (int i = 0; i < rows; i++)
        running[i] = (Running){-INFINITY, 0};
    for (int key = 0; key < visible; key += COLUMNS) {
        Tile t = {head, first, rows, key, least(COLUMNS, visible - key)};
        score_tile(a, q, k, t, weights);
        for (int i = 0; i < rows; i++) {
            float factor = take_row(t.keys, weights + i * t.keys, &running[i]);
            if (key > 0 && factor != 1)
                scale_row(d, factor, to + (size_t)i * a->output_stride);
        }
        product_nn(rows, d, t.keys, 1, weights, t.keys, v + at(a, a->stride, key, head), a->stride,
                   key > 0 ? to : NULL, a->output_stride, to, a->output_stride);
    }
    for (int i = 0; i < rows; i++) {
        float *row = statistics + statistic(a, first + i, head);
        bool sees = running[i].sum != 0; /* or NaN */
        row[0] = sees ? running[i].top : 0;
        row[1] = sees ? (float)(1 / running[i].sum) : 0;
        scale_row(d, row[1], to + (size_t)i * a->output_stride);
    }
}

/* What the backward pass reads. */
typedef struct Inputs {
    const Attention *a;
    const float *q, *k, *v, *statistics, *output, *d_output;
} Inputs;

/* weights w and the gradient of the scores, w (d_w − Σ w d_w), both [queries x keys]. The sum over a whole row
 * is that of the output times its gradient. */
static void gradient_tile(const Inputs *in, Tile t, float *weights, float *d_scores)
{
    const Attention *a = in->a;
    const float *d_o = in->d_output + at(a, a->output_stride, t.first_query, t.head);
    const float *o = in->output + at(a, a->output_stride, t.first_query, t.head);
    score_tile(a, in->q, in->k, t, weights);
    product_nt(t.queries, t.keys, a->head_width, 1, d_o, a->output_stride,
               in->v + at(a, a->stride, t.first_key, t.head), a->stride, NULL, 0, d_scores, t.keys);
    for (int i = 0; i < t.queries; i++, d_o += a->output_stride, o += a->output_stride) {
        const float *row = in->statistics + statistic(a, t.first_query + i, t.head);
        float *w = weights + i * t.keys, *d_s = d_scores + i * t.keys, top = row[0], share = row[1], sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int x = 0; x < a->head_width; x++)
            sum += o[x] * d_o[x];
#pragma omp simd
        for (int j = 0; j < t.keys; j++) {
            w[j] = vector_exp(w[j] - top) * share;
            d_s[j] = w[j] * (d_s[j] - sum);
        }
    }
}

/* Keys outside, queries inside: the first keys, which every query sees, write d_q and the others add to it. */
void tiled_backward(const Attention *a, const float *q, const float *k, const float *v,
                    const float *statistics, const float *output, const float *d_output, int head, float *d_q,
                    float *d_k, float *d_v)
{
    int n = a->length, d = a->head_width, stride = a->stride, o_stride = a->output_stride;
    const Inputs in = {a, q, k, v, statistics, output, d_output};
    float weights[TILE] __attribute__((aligned(64))), d_scores[TILE] __attribute__((aligned(64)));
    for (int key = 0; key < n; key += ROWS) {
        int begin = a->causal ? key : 0, keys = least(ROWS, n - key);
        size_t to = at(a, stride, key, head);
        for (int query = begin; query < n; query += COLUMNS) {
            Tile t = {head, query, least(COLUMNS, n - query), key, keys};
            size_t from = at(a, stride, query, head), o_from = at(a, o_stride, query, head);
            float *d_key = d_k + to, *d_value = d_v + to, *d_query = d_q + from;
            bool add_to_keys = query > begin, add_to_queries = key > 0;
            gradient_tile(&in, t, weights, d_scores);
            product_tn(keys, d, t.queries, 1, weights, keys, d_output + o_from, o_stride,
                       add_to_keys ? d_value : NULL, stride, d_value, stride);
            product_tn(keys, d, t.queries, a->scale, d_scores, keys, q + from, stride,
                       add_to_keys ? d_key : NULL, stride, d_key, stride);
            product_nn(t.queries, d, keys, a->scale, d_scores, keys, k + to, stride,
                       add_to_queries ? d_query : NULL, stride, d_query, stride);
        }
    }
}
