/*
 * result: what one run of an experiment measured, and under which conditions; as a JSON file, schema 2.
 *
 *   schema, experiment, profile ("full" or "quick"),
 *   context       where, when and with what (context.h): this and what is marked timed alone may differ between two
 *                 runs with the same settings
 *   conditions    {"published_corpus", "published_budget"}: what decides whether its claims can be compared
 *   settings      {NAME: number, …, "corpus": {"name", "sha256"}}
 *   claims        the verdicts of the rules in force when the file was written, for people and scripts; whoever reads
 *                 the file with this library judges its measurements anew
 *   warnings      [sentence]
 *   measurements, matrices, curves   (measure_json.h)
 *
 * New fields may appear in later versions of the schema: readers pass over those they don't know.
 */
#ifndef RESULT_H
#define RESULT_H

#include "context.h"
#include "measure.h"

enum { RESULT_SCHEMA = 2 };

typedef struct Conditions {
    bool published_corpus; /* the source's own corpus, or no corpus is involved */
    bool published_budget; /* the full profile with unchanged settings */
} Conditions;

typedef struct SettingValue {
    char *name;
    double value;
} SettingValue;

/* A verdict as it was called when the file was written. */
typedef struct RecordedVerdict {
    char *id, *verdict;
} RecordedVerdict;

typedef struct Result {
    char *experiment;
    bool quick;
    Conditions conditions;
    Context context;
    SettingValue *settings;
    size_t setting_count;
    char *corpus, *corpus_digest; /* its name and SHA-256; NULL when no corpus is involved */
    char **warnings;
    size_t warning_count;
    Measurements measurements;
    RecordedVerdict
        *recorded; /* of a result that was read: history, by which a comparison tells what new rules did */
    size_t recorded_count;
} Result; /* all of it is owned */

/* A result without settings and measurements, under the published conditions until something else is said. */
void result_begin(Result *result, const char *experiment, bool quick);
void result_add_setting(Result *result, const char *name, double value);
void result_set_corpus(Result *result, const char *name, const char *digest, bool is_published);
void result_warn(Result *result, const char *sentence);
void result_free(Result *result);

/* A setting's value, or the fallback when there is none of that name. */
double result_setting(const Result *result, const char *name, double fallback);

/* How many seeds were run; 0 when no chance is involved. */
int result_seeds(const Result *result);

/* Writes the file; claims, a list that is taken over, stand in it as they are. */
bool result_write(const Result *result, Json *claims, const char *path, Err *err);

/* Reads a result file and checks all of it, so that a truncated or foreign file is an error with path and key. False
 * leaves nothing to be freed. */
bool result_read(const char *path, Result *result, Err *err);

#endif
