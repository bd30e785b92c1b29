/*
 * catalog: the experiments there are.
 *
 * An experiment is a program in the folder "experiments" beside attest, with its claims next to it as
 * <name>.claims.json; the pair is the whole registration. Every claims file is read and checked at once, so that a
 * mistake in one is known before anything runs.
 */
#ifndef CATALOG_H
#define CATALOG_H

#include "claims.h"

typedef struct CatalogEntry {
    char *name, *program; /* program: its path */
    Claims *claims;
} CatalogEntry;

typedef struct Catalog {
    CatalogEntry *list; /* by name */
    size_t count;
} Catalog;

/* False with one sentence when there is none, one half of a pair is missing, or a claims file is wrong. */
bool catalog_load(Catalog *catalog, Err *err);
void catalog_free(Catalog *catalog);

/* The entry of that name; NULL with the name that was probably meant in err. */
const CatalogEntry *catalog_find(const Catalog *catalog, const char *name, Err *err);

/* Marks in selected (one for each entry) those named; all when count is 0. */
bool catalog_select(const Catalog *catalog, char *const *names, size_t count, bool *selected, Err *err);

#endif
