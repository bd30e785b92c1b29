/*
 * reference_model: the forward pass of every configuration, in double and by plain loops.
 *
 * Written from the papers' formulas, one position at a time, sharing nothing with lib/model but the
 * configuration and the table of tensors. Its derivatives, by differences, are what the model's
 * gradients are tested against.
 */
#ifndef REFERENCE_MODEL_H
#define REFERENCE_MODEL_H

#include "layout.h"

/* Σ −log p(target) of one sequence. parameters are laid out as the layout says. logits, unless NULL,
 * receives [length x vocabulary]; weights, unless NULL, block 0's attention [heads x length x length]. */
double reference_loss(const ModelConfig *config, const Layout *layout, const double *parameters,
                      const int32_t *tokens, const int32_t *targets, int length, double *logits,
                      double *weights);

#endif
