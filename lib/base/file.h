/*
 * file: whole files in, whole files out.
 *
 * A file is either read entirely or not at all, and written so that a crash at any moment leaves
 * the old content or the new one, never half of either.
 */
#ifndef FILE_H
#define FILE_H

#include "err.h"

#include <stddef.h>

/* A file's bytes, with a zero byte behind them that size does not count. */
typedef struct Bytes {
    char *data; /* owned */
    size_t size;
} Bytes;

/* Reads the file. On failure returns false with path and reason, and bytes is {NULL, 0}. */
bool file_read(const char *path, Bytes *bytes, Err *err);

void bytes_free(Bytes *bytes);

/* Writes temporary + fsync + rename, making missing folders above path. Refuses to take the place of a device, a
 * pipe or a folder. */
bool file_write(const char *path, const void *data, size_t size, Err *err);

/* Makes the folder and all missing ones above it; one that exists is success. */
bool file_make_folder(const char *path, Err *err);

/* Whether the folder (made if missing) can be written to: asked before hours of computing. */
bool file_can_write(const char *folder, Err *err);

bool file_exists(const char *path);

/* The names in folder that end in `ending`, sorted; count through *count. NULL-safe to free by
 * file_list_free. A folder that isn't there has no names. */
char **file_list(const char *folder, const char *ending, size_t *count);
void file_list_free(char **names, size_t count);

/* The folder that holds the running program, without a slash at its end; owned by the caller. */
char *file_program_folder(void);

#endif
