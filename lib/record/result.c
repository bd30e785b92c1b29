#include "result.h"

#include "fields.h"
#include "mem.h"
#include "rules.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char *const outcome_words[] = {
    [OUTCOME_FINE] = "fine", [OUTCOME_DECLARED] = "declared", [OUTCOME_FAILED] = "failed", NULL};
static const char *const profile_words[] = {"full", "quick", NULL};

void result_begin(Result *result, const char *experiment, bool quick)
{
    *result = (Result){.experiment = experiment,
                       .quick = quick,
                       .context = json_object(),
                       .settings = json_object(),
                       .warnings = json_array()};
}

void result_free(Result *result)
{
    json_free(result->context);
    json_free(result->settings);
    json_free(result->warnings);
    measurements_free(&result->measurements);
    *result = (Result){0};
}

/* Writing. */

/* What is not there, or too large for a number, is null. */
static Json *number_or_null(double value)
{
    return isfinite(value) ? json_from_number(value) : json_from_null();
}

static Json *interval_or_null(double low, double high)
{
    if (isnan(low) && isnan(high))
        return json_from_null();
    Json *pair = json_array();
    json_append(pair, number_or_null(low));
    json_append(pair, number_or_null(high));
    return pair;
}

/* A single entry stands alone, several in a list. */
static Json *measured_to_json(const Judgement *judgement)
{
    if (judgement->count == 1)
        return number_or_null(judgement->measured[0]);
    Json *list = json_array();
    for (size_t i = 0; i < judgement->count; i++)
        json_append(list, number_or_null(judgement->measured[i]));
    return list;
}

static Json *interval_to_json(const Judgement *judgement)
{
    if (judgement->count == 1)
        return interval_or_null(judgement->low[0], judgement->high[0]);
    Json *list = json_array();
    for (size_t i = 0; i < judgement->count; i++)
        json_append(list, interval_or_null(judgement->low[i], judgement->high[i]));
    return list;
}

static void add_text(Json *object, const char *key, const char *text)
{
    if (text)
        json_add(object, key, json_from_string(text));
}

static Json *claim_to_json(const Claim *claim, const Judgement *judgement)
{
    const Json *published = json_get(claim->json, "published");
    Json *json = json_object();
    add_text(json, "id", claim->id);
    add_text(json, "says", claim->says);
    add_text(json, "source", claim->source);
    add_text(json, "origin", claim_origin_word(claim->origin));
    add_text(json, "kind", claim_kind_word(claim->kind));
    add_text(json, "unit", claim->unit);
    json_add(json, "published", published ? json_copy(published) : json_from_null());
    json_add(json, "measured", measured_to_json(judgement));
    json_add(json, "interval", interval_to_json(judgement));
    json_add(json, "seeds", json_from_number(judgement->seeds));
    add_text(json, "verdict", verdict_word(judgement->verdict));
    add_text(json, "outcome", outcome_words[judgement->outcome]);
    add_text(json, "reason", judgement->reason);
    json_add(json, "stochastic", json_from_bool(judgement_is_stochastic(claim, judgement)));
    if (judgement->timed)
        json_add(json, "timed", json_from_bool(true));
    char rule[DIGEST_TEXT];
    rule_digest(claim, rule);
    add_text(json, "rule", rule);
    add_text(json, "finding", claim->finding);
    add_text(json, "disagrees", claim->disagrees);
    return json;
}

/* Judges all claims; NULL when one of them can't be. */
static Json *judge_claims(const Result *result, const Claims *claims, ResultSummary *summary, Err *err)
{
    Json *list = json_array();
    *summary = (ResultSummary){.claims = claims->count};
    for (size_t i = 0; i < claims->count; i++) {
        Judgement judgement;
        if (!judge(&claims->list[i], &result->measurements, result->conditions, &judgement, err)) {
            json_free(list);
            return NULL;
        }
        summary->failed += judgement.outcome == OUTCOME_FAILED;
        summary->stochastic += judgement_is_stochastic(&claims->list[i], &judgement);
        json_append(list, claim_to_json(&claims->list[i], &judgement));
        judgement_free(&judgement);
    }
    return list;
}

Json *result_judge(const Result *result, const Claims *claims, ResultSummary *summary, Err *err)
{
    require(strcmp(result->experiment, claims->experiment) == 0, "claims of %s for a result of %s",
            claims->experiment, result->experiment);
    Json *judged = judge_claims(result, claims, summary, err);
    if (!judged)
        return NULL;
    Json *json = json_object();
    json_add(json, "schema", json_from_number(RESULT_SCHEMA));
    json_add(json, "experiment", json_from_string(result->experiment));
    json_add(json, "profile", json_from_string(profile_words[result->quick]));
    json_add(json, "context", json_copy(result->context));
    json_add(json, "settings", json_copy(result->settings));
    json_add(json, "claims", judged);
    json_add(json, "warnings", json_copy(result->warnings));
    json_add(json, "measurements", measurements_to_json(&result->measurements));
    json_add(json, "matrices", matrices_to_json(&result->measurements));
    json_add(json, "curves", curves_to_json(&result->measurements));
    return json;
}

/* Reading. */

static const Field result_fields[] = {{"schema", NUMBER, true},
                                      {"experiment", TEXT, true},
                                      {"profile", TEXT, true},
                                      {"context", OBJECT, true},
                                      {"settings", OBJECT, true},
                                      {"claims", LIST, true},
                                      {"warnings", LIST, true},
                                      {"measurements", OBJECT, true},
                                      {"matrices", LIST, true},
                                      {"curves", LIST, true},
                                      {0}};

static const Field claim_fields[] = {{"id", TEXT, true},
                                     {"says", TEXT, true},
                                     {"source", EMPTY_TEXT, true},
                                     {"origin", TEXT, true},
                                     {"kind", TEXT, true},
                                     {"unit", TEXT, false},
                                     {"published", NUMBER | LIST | NOTHING, true},
                                     {"measured", NUMBER | LIST | NOTHING, true},
                                     {"interval", LIST | NOTHING, true},
                                     {"seeds", NUMBER, true},
                                     {"verdict", TEXT, true},
                                     {"outcome", TEXT, true},
                                     {"reason", TEXT, true},
                                     {"stochastic", FLAG, true},
                                     {"timed", FLAG, false},
                                     {"rule", TEXT, false},
                                     {"finding", TEXT, false},
                                     {"disagrees", TEXT, false},
                                     {0}};

/* Whether every entry of a list, to the given depth of lists, is a number or null. */
static bool are_numbers(const Json *json, int depth)
{
    if (json_kind(json) != JSON_ARRAY)
        return json_kind(json) == JSON_NUMBER || json_kind(json) == JSON_NULL;
    for (const Json *item = json_first(json); item; item = json_next(item))
        if (depth == 0 || !are_numbers(item, depth - 1))
            return false;
    return true;
}

/* [low, high] of a single number, or one pair or null for each of a list. */
static bool check_interval(const Json *claim, Err *err)
{
    const Json *measured = json_get(claim, "measured"), *interval = json_get(claim, "interval");
    bool many = json_kind(measured) == JSON_ARRAY, good = are_numbers(interval, 1 + many);
    size_t expected = many ? json_count(measured) : 2;
    good = good && (json_kind(interval) == JSON_ARRAY ? json_count(interval) == expected : !many);
    for (const Json *pair = many ? json_first(interval) : NULL; pair && good; pair = json_next(pair))
        good = json_kind(pair) == JSON_NULL || (json_kind(pair) == JSON_ARRAY && json_count(pair) == 2);
    return good || err_set(err, "key \"interval\" does not go with \"measured\"");
}

/* How many numbers stand under a key: a single one, or null, is one. */
static size_t count_numbers(const Json *json)
{
    return json_kind(json) == JSON_ARRAY ? json_count(json) : 1;
}

/* As many published as measured numbers, or none; a list of measured ones has two or more. */
static bool check_numbers(const Json *claim, Err *err)
{
    static const char *const numbers[] = {"published", "measured"};
    for (size_t i = 0; i < COUNT(numbers); i++)
        if (!are_numbers(json_get(claim, numbers[i]), 1))
            return err_set(err, "key \"%s\" holds something else than numbers", numbers[i]);
    const Json *published = json_get(claim, "published"), *measured = json_get(claim, "measured");
    size_t count = count_numbers(measured);
    if (json_kind(measured) == JSON_ARRAY && count < 2)
        return err_set(err, "key \"measured\" is a list of %zu, and a single number stands alone", count);
    if (json_kind(published) != JSON_NULL && count_numbers(published) != count)
        return err_set(err, "key \"published\" holds %zu numbers for %zu measured ones",
                       count_numbers(published), count);
    return check_interval(claim, err);
}

static bool check_seeds(const Json *claim, Err *err)
{
    double seeds = json_number(json_get(claim, "seeds"));
    return (seeds >= 0 && seeds <= INT_MAX && seeds == floor(seeds)) ||
           err_set(err, "key \"seeds\" must be a whole number from 0 on");
}

/* The words are those that are written, and the outcome, by which a run fails or not, is the verdict's. */
static bool check_words(const Json *claim, Err *err)
{
    int origin = fields_word(claim, "origin", claim_origin_words, err);
    int kind = origin < 0 ? -1 : fields_word(claim, "kind", claim_kind_words, err);
    int verdict = kind < 0 ? -1 : fields_word(claim, "verdict", claim_verdict_words, err);
    int outcome = verdict < 0 ? -1 : fields_word(claim, "outcome", outcome_words, err);
    if (outcome < 0)
        return false;
    int seeds = (int)json_number(json_get(claim, "seeds"));
    bool disagrees = json_get(claim, "disagrees") != NULL;
    Outcome due = verdict_outcome((Verdict)verdict, (ClaimKind)kind, seeds, disagrees);
    return (Outcome)outcome == due ||
           err_set(err, "key \"outcome\" says \"%s\", and the verdict \"%s\" makes it \"%s\"",
                   outcome_words[outcome], claim_verdict_words[verdict], outcome_words[due]);
}

static bool check_id(const Json *claim, const Json *claims, const char *experiment, Err *err)
{
    const char *id = fields_text(claim, "id");
    size_t length = strlen(experiment);
    if (strncmp(id, experiment, length) != 0 || id[length] != '.' || !id[length + 1])
        return err_set(err, "key \"id\" must begin with \"%s.\"", experiment);
    for (const Json *other = json_first(claims); other != claim; other = json_next(other))
        if (strcmp(fields_text(other, "id"), id) == 0)
            return err_set(err, "key \"id\" says \"%s\", as an earlier claim's does", id);
    return true;
}

/* The units of work are copied to the reference by their keys; an experiment that has none may leave them out. */
static bool check_units(const Json *context, Err *err)
{
    const Json *units = json_get(context, "units");
    bool good = !units || json_kind(units) == JSON_ARRAY;
    for (const Json *unit = units && good ? json_first(units) : NULL; unit && good; unit = json_next(unit))
        good = json_kind(unit) == JSON_STRING;
    return good || err_set(err, "key \"context\": \"units\" is something else than a list of keys");
}

static bool check_lists(const Json *json, Err *err)
{
    const Json *claims = json_get(json, "claims");
    const char *experiment = fields_text(json, "experiment");
    size_t index = 0;
    for (const Json *claim = json_first(claims); claim; claim = json_next(claim))
        if (index++, !fields_check_known(claim, claim_fields, err) ||
                         !check_id(claim, claims, experiment, err) || !check_seeds(claim, err) ||
                         !check_words(claim, err) || !check_numbers(claim, err))
            return err_within(err, "claim %zu", index);
    for (const Json *warning = json_first(json_get(json, "warnings")); warning; warning = json_next(warning))
        if (json_kind(warning) != JSON_STRING)
            return err_set(err, "key \"warnings\" holds something else than sentences");
    return true;
}

static bool check_result(const Json *json, const char *path, Err *err)
{
    if (!fields_check_known(json, result_fields, err))
        return err_within(err, "%s is not a result", path);
    double schema = json_number(json_get(json, "schema"));
    if (schema != RESULT_SCHEMA)
        return err_set(err, "%s has schema %g, and this program reads schema %d", path, schema,
                       RESULT_SCHEMA);
    if (fields_word(json, "profile", profile_words, err) < 0 || !check_lists(json, err) ||
        !check_units(json_get(json, "context"), err))
        return err_within(err, "%s", path);
    Measurements all;
    if (!measurements_from_json(json_get(json, "measurements"), json_get(json, "curves"),
                                json_get(json, "matrices"), path, &all, err))
        return false;
    measurements_free(&all);
    return true;
}

bool result_claim_is_current(const Json *judged, const Claim *claim)
{
    const char *rule = fields_text(judged, "rule");
    char present[DIGEST_TEXT];
    rule_digest(claim, present);
    if (rule)
        return strcmp(rule, present) == 0;
    const Json *published = json_get(claim->json, "published");
    char *then = json_text(json_get(judged, "published")), *now = published ? json_text(published) : NULL;
    bool same = strcmp(then, now ? now : "null\n") == 0 &&
                strcmp(fields_text(judged, "kind"), claim_kind_word(claim->kind)) == 0;
    free(then);
    free(now);
    return same;
}

Json *result_read(const char *path, Err *err)
{
    Json *json = json_read(path, err);
    if (json && check_result(json, path, err))
        return json;
    json_free(json);
    return NULL;
}
