/*
 * ops_loss: softmax and cross-entropy of rows of logits, with their common gradient.
 */
#ifndef OPS_LOSS_H
#define OPS_LOSS_H

#include <stdint.h>

/*
 * Returns Σ over rows of −log p(target), in nats, p = softmax(logits).
 *
 * logits [rows x vocabulary], targets [rows] in 0 … vocabulary − 1. nll [rows], unless NULL,
 * receives each row's term; d_logits, unless NULL, weight · (p − 1 at the target), and may be logits.
 */
double loss_cross_entropy(int rows, int vocabulary, const float *logits, const int32_t *targets, float weight,
                          float *nll, float *d_logits);

#endif
