#include "nearest.h"

#include "mem.h"

#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The distance of Damerau and Levenshtein in its restricted form, row by row. */
static size_t distance(const char *a, const char *b)
{
    size_t rows = strlen(a), columns = strlen(b), width = columns + 1;
    size_t *cost = mem_new((rows + 1) * width, sizeof *cost);
    for (size_t j = 0; j <= columns; j++)
        cost[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t *row = cost + i * width, *above = row - width;
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], 1 + above[j - 2 - width]);
        }
    }
    size_t result = cost[rows * width + columns];
    free(cost);
    return result;
}

const char *nearest(const char *word, const char *const *candidates, size_t count)
{
    size_t allowed = strlen(word) / 3, best = (allowed ? allowed : 1) + 1;
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t away = distance(word, candidates[i]);
        if (away < best) {
            best = away;
            found = candidates[i];
        }
    }
    return found;
}
