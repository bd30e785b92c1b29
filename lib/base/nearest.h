/*
 * nearest: the word that was probably meant, for "did you mean …" behind a typing error.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

/* The candidate with the fewest insertions, deletions, replacements and swaps of neighbours away
 * from word, when they are at most a third of its length (at least 1); NULL when none is that near.
 */
const char *nearest(const char *word, const char *const *candidates, size_t count);

#endif
