#include "ops_attention.h"

#include "ops_softmax.h"
#include "product.h"

#include <math.h>

enum {
    BLOCK = 128, /* rows computed together: so many that a strip of keys is copied once for all of them */
    KEYS = 32,   /* a strip of them: close enough that little of the masked half is computed */
    STRIP = 16   /* rows, or keys, of a narrow product: so close it follows the edge of the mask */
};

/* One block of rows: first … first + rows − 1, which see at most the first `columns` keys. */
typedef struct Block {
    int first, rows, columns;
} Block;

static int least(int a, int b)
{
    return a < b ? a : b;
}

static Block block_at(const Attention *a, int first)
{
    int rows = least(BLOCK, a->length - first);
    return (Block){first, rows, a->causal ? first + rows : a->length};
}

static size_t at(const Attention *a, int head, int i)
{
    return ((size_t)head * a->length + i) * a->length;
}

static const float *head_row(const float *x, int stride, int i, int head, int head_width)
{
    return x + (size_t)i * stride + (size_t)head * head_width;
}

/* Subtracts the penalty of distance from position i's scores. */
static void penalise(float slope, int i, int columns, float *scores)
{
#pragma omp simd
    for (int j = 0; j < columns; j++)
        scores[j] -= slope * (float)(j < i ? i - j : j - i);
}

/* −inf for what position i may not see. */
static void mask(const Attention *a, int i, int columns, float *scores)
{
    if (a->padding)
        for (int j = 0; j < columns; j++)
            scores[j] = a->padding[j] ? -INFINITY : scores[j];
    if (a->causal)
        for (int j = i + 1; j < columns; j++)
            scores[j] = -INFINITY;
}

/* How many of the keys row i of a block is computed for: whole strips of those that it sees. */
static int computed(const Attention *a, Block b, int i)
{
    return a->causal ? least(b.columns, ((b.first + i) / KEYS + 1) * KEYS) : b.columns;
}

/* y = alpha x keysᵀ for a block's rows of x, strip by strip of keys, each for the rows that see any of it. */
static void match_keys(const Attention *a, Block b, float alpha, const float *x, int stride,
                       const float *keys, float *y)
{
    for (int j = 0; j < b.columns; j += KEYS) {
        int skipped = a->causal && j > b.first ? j - b.first : 0;
        product_nt(b.rows - skipped, least(KEYS, b.columns - j), a->head_width, alpha,
                   x + (size_t)skipped * stride, stride, keys + (size_t)j * a->stride, a->stride, NULL, 0,
                   y + (size_t)skipped * a->length + j, a->length);
    }
}

static void score_block(const Attention *a, const float *q, const float *k, int head, Block b, float *scores)
{
    int d = a->head_width;
    match_keys(a, b, a->scale, head_row(q, a->stride, b.first, head, d), a->stride,
               head_row(k, a->stride, 0, head, d), scores);
    for (int i = 0; i < b.rows; i++) {
        float *row = scores + (size_t)i * a->length;
        if (a->slopes)
            penalise(a->slopes[head], b.first + i, computed(a, b, i), row);
        mask(a, b.first + i, computed(a, b, i), row);
    }
}

/* The columns behind those that are computed. */
static void mask_behind(const Attention *a, Block b, float *scores)
{
    for (int i = 0; i < b.rows; i++)
        for (int j = computed(a, b, i); j < a->length; j++)
            scores[(size_t)i * a->length + j] = -INFINITY;
}

void attention_scores(const Attention *a, const float *q, const float *k, int head, float *scores)
{
    for (int first = 0; first < a->length; first += BLOCK) {
        Block b = block_at(a, first);
        score_block(a, q, k, head, b, scores + (size_t)first * a->length);
        mask_behind(a, b, scores + (size_t)first * a->length);
    }
}

/* y = alpha w x for a block's rows of w: each takes what it sees of the head's rows of x. */
static void weigh_rows(const Attention *a, Block b, float alpha, const float *w, const float *x, float *y,
                       int stride)
{
    for (int i = 0; i < b.rows; i += STRIP) {
        int rows = least(STRIP, b.rows - i), seen = a->causal ? b.first + i + rows : b.columns;
        product_nn(rows, a->head_width, seen, alpha, w + (size_t)i * a->length, a->length, x, a->stride, NULL,
                   0, y + (size_t)i * stride, stride);
    }
}

/* y (+)= alpha wᵀ x: each key gathers from those of the block's rows that see it. The block with the last row,
 * which comes first, writes; the others add. */
static void weigh_keys(const Attention *a, Block b, float alpha, const float *w, const float *x, int stride,
                       float *y)
{
    for (int j = 0; j < b.columns; j += STRIP) {
        int skipped = a->causal && j > b.first ? j - b.first : 0;
        float *to = y + (size_t)j * a->stride;
        product_tn(least(STRIP, b.columns - j), a->head_width, b.rows - skipped, alpha,
                   w + (size_t)skipped * a->length + j, a->length, x + (size_t)skipped * stride, stride,
                   b.first + b.rows < a->length ? to : NULL, a->stride, to, a->stride);
    }
}

void attention_forward(const Attention *a, const float *q, const float *k, const float *v, float *scores,
                       float *weights, float *output)
{
    int n = a->length, d = a->head_width;
    for (int head = 0; head < a->heads; head++)
        for (int first = 0; first < n; first += BLOCK) {
            Block b = block_at(a, first);
            float *w = weights + at(a, head, first);
            float *s = scores ? scores + at(a, head, first) : w;
            score_block(a, q, k, head, b, s);
            if (scores)
                mask_behind(a, b, s);
            for (int i = 0; i < b.rows; i++)
                softmax_forward(1, computed(a, b, i), s + (size_t)i * n, w + (size_t)i * n);
            weigh_rows(a, b, 1, w, head_row(v, a->stride, 0, head, d),
                       output + (size_t)first * a->output_stride + (size_t)head * d, a->output_stride);
        }
}

size_t attention_scratch(const Attention *a)
{
    return (size_t)least(BLOCK, a->length) * a->length;
}

/* A block's rows of one head's d_q, and its part of d_k and d_v. d_s is room for its scores' gradients. */
static void backward_block(const Attention *a, const float *q, const float *k, const float *v, const float *w,
                           const float *d_output, int head, Block b, float *d_q, float *d_k, float *d_v,
                           float *d_s)
{
    int n = a->length, d = a->head_width;
    size_t begin = (size_t)head * d, row = begin + (size_t)b.first * a->stride;
    const float *d_o = head_row(d_output, a->output_stride, b.first, head, d);
    weigh_keys(a, b, 1, w, d_o, a->output_stride, d_v + begin);
    match_keys(a, b, 1, d_o, a->output_stride, v + begin, d_s);
    for (int i = 0; i < b.rows; i++)
        softmax_backward(1, computed(a, b, i), w + (size_t)i * n, d_s + (size_t)i * n, d_s + (size_t)i * n);
    weigh_rows(a, b, a->scale, d_s, k + begin, d_q + row, a->stride);
    weigh_keys(a, b, a->scale, d_s, q + row, a->stride, d_k + begin);
}

void attention_backward(const Attention *a, const float *q, const float *k, const float *v,
                        const float *weights, const float *d_output, float *d_q, float *d_k, float *d_v,
                        float *scratch)
{
    int last = (a->length - 1) / BLOCK * BLOCK;
    for (int head = 0; head < a->heads; head++)
        for (int first = last; first >= 0; first -= BLOCK) /* the last block touches every key */
            backward_block(a, q, k, v, weights + at(a, head, first), d_output, head, block_at(a, first), d_q,
                           d_k, d_v, scratch);
}
