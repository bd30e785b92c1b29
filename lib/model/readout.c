#include "readout.h"

#include "ops_linear.h"
#include "ops_loss.h"

enum { ROWS = 128 }; /* of logits at a time: half a MiB for 1024 tokens */

static int rows_at(int rows, int first)
{
    return rows - first < ROWS ? rows - first : ROWS;
}

size_t readout_room(int vocabulary)
{
    return (size_t)ROWS * vocabulary;
}

double readout_loss(const Readout *r, int rows, const float *x, const int32_t *targets, float *nll)
{
    double sum = 0;
    for (int first = 0; first < rows; first += ROWS) {
        int n = rows_at(rows, first);
        linear_forward(n, r->width, r->vocabulary, x + (size_t)first * r->width, r->weight, r->bias, NULL,
                       r->logits);
        sum += loss_cross_entropy(n, r->vocabulary, r->logits, targets + first, 1, nll ? nll + first : NULL,
                                  NULL);
    }
    return sum;
}

double readout_gradient(const Readout *r, int rows, const float *x, const int32_t *targets, float weight,
                        float *d_x, float *d_weight, float *d_bias)
{
    double sum = 0;
    for (int first = 0; first < rows; first += ROWS) {
        int n = rows_at(rows, first);
        const float *from = x + (size_t)first * r->width;
        linear_forward(n, r->width, r->vocabulary, from, r->weight, r->bias, NULL, r->logits);
        sum += loss_cross_entropy(n, r->vocabulary, r->logits, targets + first, weight, NULL, r->logits);
        linear_backward_weight(n, r->width, r->vocabulary, from, r->logits, d_weight, d_bias);
        linear_backward_input(n, r->width, r->vocabulary, r->logits, r->weight, false,
                              d_x + (size_t)first * r->width);
    }
    return sum;
}
