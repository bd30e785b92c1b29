/*
 * pieces: a text cut where no token may reach across, and which of the pieces are the same.
 *
 * The cuts are those of GPT-2's pattern: a word with the space before it, a number with the space before it, a
 * run of other marks with the space before it, the English contractions 's 't 're 've 'm 'll 'd, and white
 * space, of which the last one before a word goes to that word if it is a space. Letters, digits and white
 * space are Unicode's. A byte that belongs to no valid UTF-8 character is a piece of its own, and the text
 * before it and behind it is cut as if it ended and began there. Pieces put together are the text.
 *
 * Source   Radford et al. 2019, "Language models are unsupervised multitask learners", section 2.2.
 */
#ifndef PIECES_H
#define PIECES_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/* Larger texts are refused: places in a text are kept in 32 bits. */
#define PIECES_LARGEST ((size_t)INT32_MAX)

typedef struct Piece {
    const char *text; /* its first occurrence, in the text that was cut */
    uint32_t length;  /* bytes, at least 1 */
    uint32_t count;   /* how often it occurs */
} Piece;

typedef struct Pieces {
    Piece *distinct; /* owned; in the order of their first occurrences */
    size_t distinct_count;
    uint32_t *order; /* owned; the text from its beginning to its end, as indices into distinct */
    size_t count;
} Pieces;

/* Cuts the text, which must outlive the pieces. NULL when it is too large. */
Pieces *pieces_new(const char *text, size_t size, Err *err);
void pieces_free(Pieces *pieces);

#endif
