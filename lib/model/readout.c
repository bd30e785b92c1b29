#include "readout.h"

#include "ops_loss.h"
#include "product.h"

enum {
    ROWS = 128, /* of logits at a time: half a MiB for 1024 tokens */
    GAP = 16 /* floats between them: rows a whole page apart would drive each other out of the first cache */
};

static int rows_at(int rows, int first)
{
    return rows - first < ROWS ? rows - first : ROWS;
}

static int stride(int vocabulary)
{
    return vocabulary + GAP;
}

size_t readout_room(int vocabulary)
{
    return (size_t)ROWS * stride(vocabulary);
}

static void make_logits(const Readout *r, int rows, const float *x)
{
    product_nt(rows, r->vocabulary, r->width, 1, x, r->width, r->weight, r->width, r->bias, 0, r->logits,
               stride(r->vocabulary));
}

double readout_loss(const Readout *r, int rows, const float *x, const int32_t *targets, float *nll)
{
    double sum = 0;
    for (int first = 0; first < rows; first += ROWS) {
        int n = rows_at(rows, first);
        make_logits(r, n, x + (size_t)first * r->width);
        for (int i = 0; i < n; i++)
            sum += loss_cross_entropy(1, r->vocabulary, r->logits + (size_t)i * stride(r->vocabulary),
                                      targets + first + i, 1, nll ? nll + first + i : NULL, NULL);
    }
    return sum;
}

/* The loss of a row of logits, which becomes its gradient and is added to that of the bias. */
static double take_row(const Readout *r, float *row, int32_t target, float weight, float *d_bias)
{
    double loss = loss_cross_entropy(1, r->vocabulary, row, &target, weight, NULL, row);
    if (d_bias)
#pragma omp simd
        for (int j = 0; j < r->vocabulary; j++)
            d_bias[j] += row[j];
    return loss;
}

double readout_gradient(const Readout *r, int rows, const float *x, const int32_t *targets, float weight,
                        float *d_x, float *d_weight, float *d_bias)
{
    double sum = 0;
    int width = r->width, vocabulary = r->vocabulary, step = stride(vocabulary);
    for (int first = 0; first < rows; first += ROWS) {
        int n = rows_at(rows, first);
        const float *from = x + (size_t)first * width;
        make_logits(r, n, from);
        for (int i = 0; i < n; i++)
            sum += take_row(r, r->logits + (size_t)i * step, targets[first + i], weight, d_bias);
        product_tn(vocabulary, width, n, 1, r->logits, step, from, width, d_weight, width, d_weight, width);
        product_nn(n, width, vocabulary, 1, r->logits, step, r->weight, width, NULL, 0,
                   d_x + (size_t)first * width, width);
    }
    return sum;
}
