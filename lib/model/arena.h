/*
 * arena: many arrays of floats in one allocation.
 *
 * Arrays are taken twice by the same calls: from an empty arena, which only counts, and, once it has
 * memory for the count, for good. Each starts a cache line.
 */
#ifndef ARENA_H
#define ARENA_H

#include "err.h"

typedef struct Arena {
    float *memory; /* owned; NULL while counting */
    size_t used;   /* floats */
} Arena;

/* The next array of `floats`; NULL from an arena that only counts. */
float *arena_take(Arena *arena, size_t floats);

/* Gives memory, zeroed, for what was counted, and starts over. */
bool arena_allocate(Arena *arena, const char *what, Err *err);

void arena_free(Arena *arena);

#endif
