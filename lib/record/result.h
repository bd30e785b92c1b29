/*
 * result: one experiment's run as a JSON file, schema 1.
 *
 *   schema, experiment, profile ("full" or "quick"), context, settings, measurements, curves,
 * matrices, claims (each: id, says, source, origin, kind, published, measured, interval, seeds,
 * verdict, outcome, reason, and finding or disagrees where the claims file has one), warnings
 *
 * Only `context` (date, processor, BLAS, compiler, commit, threads, seconds …) and measurements
 * marked timed may differ between two runs with the same settings. New fields may appear in later
 * versions of the schema: readers ignore those they don't know.
 */
#ifndef RESULT_H
#define RESULT_H

#include "claims.h"
#include "judge.h"
#include "measure.h"

enum { RESULT_SCHEMA = 1 };

typedef struct Result {
    const char *experiment;
    bool quick;
    Json *context;  /* object, owned */
    Json *settings; /* object, owned */
    Measurements measurements;
    Conditions conditions;
    Json *warnings; /* array of sentences, owned */
} Result;

void result_begin(Result *result, const char *experiment, bool quick);
void result_free(Result *result);

typedef struct ResultSummary {
    size_t claims, failed, stochastic;
} ResultSummary;

/* Judges every claim and returns the whole as JSON (owned by the caller); NULL with a sentence when
 * a claim can't be judged. */
Json *result_judge(const Result *result, const Claims *claims, ResultSummary *summary, Err *err);

/* Reads a result file back and checks its schema: a truncated or foreign file is an error. */
Json *result_read(const char *path, Err *err);

#endif
