/*
 * batch: the windows of tokens that a model sees.
 *
 * A window of `length` positions needs length + 1 tokens: the target of a position is the token after it.
 * Where the text consists of sentences, every window is the beginning of one. Arrays are [sequences x length],
 * row by row.
 */
#ifndef BATCH_H
#define BATCH_H

#include "rng.h"
#include "tokens.h"

/* Whether at least one window fits; otherwise a sentence in err that calls the part by `name` ("the held-out
 * part"). To be asked once, before the functions below, which take it for granted. */
bool batch_fits(TokenSpan part, int length, const char *name, Err *err);

/* Training: windows drawn independently and uniformly from all places where one fits, or from all
 * sentences. Give the substream of the step, so that a step's batch needs none of those before it. */
void batch_random(TokenSpan part, Rng *rng, int sequences, int length, int32_t *tokens, int32_t *targets);

/* Evaluation: how many windows lie side by side, from the first token on, the remainder dropped; or how many
 * sentences there are. */
size_t batch_windows(TokenSpan part, int length);

/* The first token of one of them. In running text, windows are already laid out as a batch, so nothing is copied:
 * with tokens = batch_window(part, i, length), windows i … i + n − 1 are the batch (tokens, tokens + 1) of n
 * sequences, as long as i + n <= batch_windows(part, length). */
const int32_t *batch_window(TokenSpan part, size_t index, int length);

#endif
