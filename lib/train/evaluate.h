/*
 * evaluate: a model's perplexity on a text.
 *
 * Perplexity is exp of the mean −log p per token, over all windows of `length` tokens that fit side by side
 * into the text; the remainder is dropped. A text of sentences is taken sentence by sentence. Windows don't see
 * each other, so early positions of each predict from little context. Sums are in double and in the order of the text: the same bits for any number of
 * threads.
 */
#ifndef EVALUATE_H
#define EVALUATE_H

#include "model.h"
#include "tokens.h"

/* Writes the perplexity, which is not finite when the model's output isn't; and, unless NULL, the mean
 * −log p at each position of a window [length], in nats. False with a sentence when no window fits (the
 * text is called `name`), the windows are too long for the model, or memory is short. */
bool evaluate_perplexity(const Model *model, TokenSpan text, const char *name, int length, double *perplexity,
                         double *by_position, Err *err);

#endif
