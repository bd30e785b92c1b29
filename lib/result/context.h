/*
 * context: where, when and with what a result was made: all that may differ between two runs of the same settings.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "json.h"

/* A fact that an experiment notes for its reader ("blas": "OpenBLAS 0.3.21, …"). */
typedef struct Note {
    char *key, *text;
} Note;

typedef struct Context {
    char *date, *version, *commit, *compiler, *flags, *cpu; /* owned */
    int cores, threads;
    double memory_mib, peak_memory_mib; /* of the machine; of the run */
    double seconds, saved_seconds;      /* of the whole; of units of work that were found, not computed */
    char **units;                       /* the keys of the units of work behind it (unit.h), owned */
    size_t unit_count;
    Note *notes;
    size_t note_count;
} Context;

/* All that is known when a run begins. */
void context_begin(Context *context, int threads);

/* Notes a fact; one that is noted already is replaced. */
void context_note(Context *context, const char *key, const char *text);
void context_add_unit(Context *context, const char *key);

/* What was noted; "" when nothing was. */
const char *context_noted(const Context *context, const char *key);

void context_free(Context *context);

Json *context_to_json(const Context *context);

/* Takes unknown members, which a later version may write, for notes when they are texts, and leaves out others.
 * False with a sentence that names the member; then there is nothing to free. */
bool context_from_json(const Json *json, Context *context, Err *err);

#endif
