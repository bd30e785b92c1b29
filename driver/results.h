/*
 * results: a folder of results, one for each experiment of the catalog.
 *
 *   <name>.json         the last result (see result.h)
 *   <name>.failed.txt   what went wrong when the experiment was last tried; gone once it succeeds
 *   interrupted.txt     stands there while the last run did not come to its end
 *   report.md, report.html, junit.xml, figures/
 */
#ifndef RESULTS_H
#define RESULTS_H

#include "catalog.h"
#include "judge.h"

typedef struct Record {
    const CatalogEntry *entry;
    char *path;            /* of its result file */
    Result *result;        /* NULL when there is none that can be read */
    Judgements judgements; /* of the entry's claims by today's rules; none without a result */
    char *unread;          /* why the file that is there can't be read; NULL when it can, or there is none */
    char *trouble; /* the text of <name>.failed.txt, its first line a sentence; NULL when there is none */
} Record;

typedef struct Results {
    char *folder;
    Record *list; /* in the catalog's order */
    size_t count;
    char *interrupted; /* the text of interrupted.txt, or NULL */
    int lock;          /* the folder's, 0 when it isn't locked */
} Results;

/* The folder of that name among the results (machine_results); owned by the caller. */
char *results_default_folder(const char *name);

/* Reads what is there; a folder that isn't has no results. The catalog must outlive the results. */
void results_load(Results *results, const char *folder, const Catalog *catalog);
void results_free(Results *results);

/* Makes the folder if need be and locks it until results_free or the end of the process; an error when another process
 * has it. */
bool results_lock(Results *results, Err *err);

/* Reads one experiment's file again, and judges it. */
void record_reload(Record *record);

/* Notes, or with NULL forgets, what went wrong. */
bool record_set_trouble(Record *record, const char *trouble, Err *err);
bool results_set_interrupted(Results *results, const char *sentence, Err *err);

#endif
