/*
 * result: one experiment's run as a JSON file, schema 1.
 *
 *   schema, experiment, profile ("full" or "quick"), context, settings,
 *   claims: [{id, says, source, origin, kind, unit, published, measured, interval, seeds, verdict, outcome,
 *             reason, stochastic, timed, rule, finding, disagrees}],
 *   warnings: [sentence], measurements, matrices, curves (see measure.h)
 *
 * Of a claim with one entry, published and measured are numbers and interval is [low, high]; of one with more
 * they are lists; null stands for what is not there. verdict is one of the words of judge.h, outcome "fine",
 * "declared" or "failed", seeds 0 when no chance is involved. unit, finding, disagrees stand where the claims
 * file has them, timed where the claim rests on a time. rule is the digest of the rule that judged (rules.h); results
 * of earlier versions lack it.
 *
 * Only `context` (date, processor, BLAS, compiler, commit, threads, seconds, the keys of the units of work behind it …)
 * and what is marked timed may differ between two runs with the same settings. New fields may appear in later versions of the schema: readers
 * ignore those they don't know.
 */
#ifndef RESULT_H
#define RESULT_H

#include "claims.h"
#include "judge.h"
#include "measure.h"

enum { RESULT_SCHEMA = 1 };

typedef struct Result {
    const char *experiment; /* not owned */
    bool quick;
    Json *context;  /* object, owned */
    Json *settings; /* object, owned */
    Measurements measurements;
    Conditions conditions;
    Json *warnings; /* array of sentences, owned */
} Result;

/* Empty objects and lists; comparable in neither corpus nor budget until that is set. */
void result_begin(Result *result, const char *experiment, bool quick);
void result_free(Result *result);

typedef struct ResultSummary {
    size_t claims, failed;
    size_t stochastic; /* rest on chance: about 5 % of them are false alarms */
} ResultSummary;

/* Judges every claim and returns the whole as JSON (owned by the caller); NULL with a sentence when a claim can't
 * be judged. The claims are those of the same experiment. */
Json *result_judge(const Result *result, const Claims *claims, ResultSummary *summary, Err *err);

/* Whether the claim was judged by its present rule, as far as the result tells: by the digest of the rule, else by
 * kind and published number. */
bool result_claim_is_current(const Json *judged, const Claim *claim);

/* Reads a result file back and checks it against the schema, so that the fields above can be relied on: a
 * truncated or foreign file is an error, and so is a claim that was never written, with a word of no table, an
 * outcome that is not its verdict's, another experiment's id, or numbers that don't go together. */
Json *result_read(const char *path, Err *err);

#endif
