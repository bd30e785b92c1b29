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
 * An experiment whose settings differ has moved; one whose profile differs can't be compared.
 *
 * Both sides' claims are judged by the present rules, so that a verdict that differs between them was moved by
 * numbers; one whose outcome turned from well to failed, or back, has moved. What a changed rule did is told apart from
 * that: a verdict of the old result that was called otherwise when its file was written.
 *
 * A measurement of a compared experiment that is no longer there is removed; an experiment that is not there is absent,
 * since often only some are run again.
 */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include "results.h"
#include "table.h"

typedef struct Difference {
    Table *table; /* one row for all that is not equal, with both values */
    size_t equal, inside, moved, unresolved, added, removed, absent;
    size_t rules;    /* verdicts of the old results that changed rules moved */
    size_t compared; /* experiments */
} Difference;

void difference_begin(Difference *difference);
void difference_free(Difference *difference);

/* Adds one experiment: its records in the two folders, of which one may be without a result. */
void difference_add(Difference *difference, const Record *before, const Record *after);

/* The table, cut to a terminal's width, and a line of counts. */
void difference_print(const Difference *difference, FILE *out);

#endif
