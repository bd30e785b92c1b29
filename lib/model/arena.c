#include "arena.h"

#include "mem.h"

enum { CACHE_LINE = 16 }; /* floats */

float *arena_take(Arena *arena, size_t floats)
{
    float *array = arena->memory ? arena->memory + arena->used : NULL;
    arena->used += (floats + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return array;
}

bool arena_allocate(Arena *arena, const char *what, Err *err)
{
    arena->memory = mem_try(arena->used, sizeof *arena->memory, what, err);
    arena->used = 0;
    return arena->memory;
}

void arena_free(Arena *arena)
{
    free(arena->memory);
    *arena = (Arena){0};
}
