/*
 * difference: did our own numbers move between two folders of results?
 *
 * On the same machine and binary (equal in processor, flags, BLAS, compiler and a clean commit) every sample of a
 * seed must be equal, bit for bit. Elsewhere
 *   seeds      the new mean must lie in the interval in which the old seeds (three or more) expect the next draw;
 *              with fewer there is nothing to judge by, and a difference is called unresolved
 *   no chance  on the same processor, flags and BLAS: equal, since nothing but the change can be the reason; on
 *              another machine whole numbers must be equal, and a difference of others, which may be rounding, is
 *              unresolved
 *   times      are shown as ratios; on the same processor a factor beyond two is more than its load explains
 * An experiment whose settings differ has moved; one whose profile differs can't be compared. A claim whose outcome
 * turned from well to failed, or back, has moved. A measurement or claim of a compared experiment that is no longer there
 * is removed; an experiment that is not there is absent, since often only some are run again.
 */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include "json.h"
#include "table.h"

typedef struct Difference {
    Table *table; /* one row for all that is not equal, with both values */
    size_t equal, inside, moved, unresolved, added, removed, absent;
    size_t compared; /* experiments */
} Difference;

void difference_begin(Difference *difference);
void difference_free(Difference *difference);

/* Adds one experiment; before or after is NULL when the other folder alone has it. */
void difference_add(Difference *difference, const char *experiment, const Json *before, const Json *after);

/* "120 equal, 3 moved": owned by the caller. */
char *difference_words(const Difference *difference);

#endif
