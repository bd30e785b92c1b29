/*
 * fixture: arrays of four-byte values in files, to be exchanged with PyTorch, row by row and nothing else
 * (tests/data/make_fixtures.py).
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "err.h"
#include "layout.h"

#include <stddef.h>

/* The `count` values of a file; owned by the caller. NULL when it has not exactly so many. */
void *fixture_read(const char *folder, const char *name, size_t count, Err *err);

bool fixture_write(const char *folder, const char *name, const float *values, size_t count, Err *err);

/* A model's tensors, which a file holds in the layout's order without gaps, where the layout has them; owned by the
 * caller, layout->floats of them. */
float *fixture_tensors(const Layout *layout, const char *folder, const char *name, Err *err);

/* A new folder for fixtures of this run; NULL when it can't be made. free removes it with the files in it. */
char *fixture_folder_new(Err *err);
void fixture_folder_free(char *folder);

#endif
