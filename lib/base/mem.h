/*
 * mem: memory, in two kinds.
 *
 * Tensors are large and may really not fit: mem_try says so, and the caller hands that up.
 * Bookkeeping (a name, a list, a few hundred bytes) is another matter: when that fails nothing
 * sensible is left to do, so mem_new, mem_grow and mem_text end the program with file and line.
 * Everything is zeroed, and everything is released by free().
 */
#ifndef MEM_H
#define MEM_H

#include "err.h"

#include <stddef.h>
#include <stdlib.h>

/* Elements of a fixed array. */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* count elements of size bytes, aligned to a cache line (64 bytes). NULL, with the sentence in err
 * (how many bytes, what for), when they are not to be had, when the machine has not so many free, or when the
 * product overflows. */
void *mem_try(size_t count, size_t size, const char *what, Err *err);

/* count elements of size bytes for bookkeeping; never NULL. */
void *mem_new(size_t count, size_t size);

/* Makes room for one more element behind the `count` that *array holds, doubling as it grows; the
 * new element is zeroed. Returns the new element. For a list kept as a pointer and a count,
 * starting NULL, 0: Sample *s = mem_grow(&list, &count, sizeof *list); */
void *mem_grow(void *array, size_t *count, size_t size);

/* A formatted string of its own. */
char *mem_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
