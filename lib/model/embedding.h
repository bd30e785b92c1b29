/*
 * embedding: tokens to rows, with positions added where they are added at all.
 *
 * Part of the model, whose way in is model.h.
 */
#ifndef EMBEDDING_H
#define EMBEDDING_H

#include <stdint.h>

/* y [sequences x length x width]: row tokens[i] of token [vocabulary x width] plus row t of position
 * [at least length x width], which may be NULL. */
void embedding_forward(int sequences, int length, int width, const int32_t *tokens, const float *token,
                       const float *position, float *y);

/* Adds d_y to the rows of d_token and, unless NULL, of d_position. */
void embedding_backward(int sequences, int length, int width, const int32_t *tokens, const float *d_y,
                        float *d_token, float *d_position);

#endif
