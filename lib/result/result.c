#include "result.h"

#include "fields.h"
#include "measure_json.h"
#include "mem.h"

#include <string.h>

static const char *const profile_words[] = {"full", "quick", NULL};

void result_begin(Result *result, const char *experiment, bool quick)
{
    *result = (Result){.experiment = mem_text("%s", experiment), .quick = quick, .conditions = {true, true}};
}

void result_add_setting(Result *result, const char *name, double value)
{
    SettingValue *setting = mem_grow(&result->settings, &result->setting_count, sizeof *setting);
    *setting = (SettingValue){mem_text("%s", name), value};
}

void result_set_corpus(Result *result, const char *name, const char *digest, bool is_published)
{
    require(!result->corpus, "a second corpus, %s", name);
    result->corpus = mem_text("%s", name);
    result->corpus_digest = mem_text("%s", digest);
    result->conditions.published_corpus = is_published;
}

void result_warn(Result *result, const char *sentence)
{
    *(char **)mem_grow(&result->warnings, &result->warning_count, sizeof *result->warnings) =
        mem_text("%s", sentence);
}

void result_free(Result *result)
{
    for (size_t i = 0; i < result->setting_count; i++)
        free(result->settings[i].name);
    for (size_t i = 0; i < result->warning_count; i++)
        free(result->warnings[i]);
    for (size_t i = 0; i < result->recorded_count; i++) {
        free(result->recorded[i].id);
        free(result->recorded[i].verdict);
    }
    free(result->experiment);
    free(result->settings);
    free(result->corpus);
    free(result->corpus_digest);
    free(result->warnings);
    free(result->recorded);
    context_free(&result->context);
    measurements_free(&result->measurements);
    *result = (Result){0};
}

double result_setting(const Result *result, const char *name, double fallback)
{
    for (size_t i = 0; i < result->setting_count; i++)
        if (strcmp(result->settings[i].name, name) == 0)
            return result->settings[i].value;
    return fallback;
}

int result_seeds(const Result *result)
{
    return (int)(result_setting(result, "end_seed", 0) - result_setting(result, "first_seed", 0));
}

/* ---- writing ---- */

static Json *settings_to_json(const Result *result)
{
    Json *settings = json_object();
    for (size_t i = 0; i < result->setting_count; i++)
        json_add(settings, result->settings[i].name, json_from_number(result->settings[i].value));
    if (result->corpus) {
        Json *corpus = json_object();
        json_add(corpus, "name", json_from_string(result->corpus));
        json_add(corpus, "sha256", json_from_string(result->corpus_digest));
        json_add(settings, "corpus", corpus);
    }
    return settings;
}

bool result_write(const Result *result, Json *claims, const char *path, Err *err)
{
    Json *json = json_object(), *conditions = json_object(), *warnings = json_array();
    json_add(conditions, "published_corpus", json_from_bool(result->conditions.published_corpus));
    json_add(conditions, "published_budget", json_from_bool(result->conditions.published_budget));
    for (size_t i = 0; i < result->warning_count; i++)
        json_append(warnings, json_from_string(result->warnings[i]));
    json_add(json, "schema", json_from_number(RESULT_SCHEMA));
    json_add(json, "experiment", json_from_string(result->experiment));
    json_add(json, "profile", json_from_string(profile_words[result->quick]));
    json_add(json, "context", context_to_json(&result->context));
    json_add(json, "conditions", conditions);
    json_add(json, "settings", settings_to_json(result));
    json_add(json, "claims", claims);
    json_add(json, "warnings", warnings);
    json_add(json, "measurements", measurements_to_json(&result->measurements));
    json_add(json, "matrices", matrices_to_json(&result->measurements));
    json_add(json, "curves", curves_to_json(&result->measurements));
    bool written = json_write(json, path, err);
    json_free(json);
    return written;
}

/* ---- reading ---- */

static bool read_conditions(const Json *json, Conditions *conditions, Err *err)
{
    static const Field fields[] = {{"published_corpus", FLAG, true}, {"published_budget", FLAG, true}, {0}};
    if (!fields_check_known(json, fields, err))
        return err_within(err, "key \"conditions\"");
    *conditions = (Conditions){.published_corpus = json_bool(json_get(json, "published_corpus")),
                               .published_budget = json_bool(json_get(json, "published_budget"))};
    return true;
}

static bool read_settings(const Json *json, Result *result, Err *err)
{
    static const Field corpus_fields[] = {{"name", TEXT, true}, {"sha256", TEXT, true}, {0}};
    for (const Json *setting = json_first(json); setting; setting = json_next(setting)) {
        const char *name = json_key(setting);
        if (json_kind(setting) == JSON_NUMBER) {
            result_add_setting(result, name, json_number(setting));
        } else if (strcmp(name, "corpus") == 0) {
            if (!fields_check_known(setting, corpus_fields, err))
                return err_within(err, "key \"settings\", \"corpus\"");
            result->corpus = mem_text("%s", fields_text(setting, "name"));
            result->corpus_digest = mem_text("%s", fields_text(setting, "sha256"));
        } else {
            return err_set(err, "key \"settings\": \"%s\" is not a number", name);
        }
    }
    return true;
}

static bool read_warnings(const Json *json, Result *result, Err *err)
{
    for (const Json *warning = json_first(json); warning; warning = json_next(warning)) {
        if (json_kind(warning) != JSON_STRING)
            return err_set(err, "key \"warnings\" holds something else than sentences");
        result_warn(result, json_string(warning));
    }
    return true;
}

static void read_recorded(const Json *claims, Result *result)
{
    for (const Json *claim = json_first(claims); claim; claim = json_next(claim)) {
        const Json *id = json_get(claim, "id"), *verdict = json_get(claim, "verdict");
        if (!id || !verdict || json_kind(id) != JSON_STRING || json_kind(verdict) != JSON_STRING)
            continue;
        RecordedVerdict *recorded = mem_grow(&result->recorded, &result->recorded_count, sizeof *recorded);
        *recorded = (RecordedVerdict){mem_text("%s", json_string(id)), mem_text("%s", json_string(verdict))};
    }
}

static bool read_parts(const Json *json, Result *result, Err *err)
{
    int profile = fields_word(json, "profile", profile_words, err);
    if (profile < 0)
        return false;
    result_begin(result, fields_text(json, "experiment"), profile == 1);
    read_recorded(json_get(json, "claims"), result);
    return (context_from_json(json_get(json, "context"), &result->context, err) ||
            err_within(err, "key \"context\"")) &&
           read_conditions(json_get(json, "conditions"), &result->conditions, err) &&
           read_settings(json_get(json, "settings"), result, err) &&
           read_warnings(json_get(json, "warnings"), result, err) &&
           measurements_from_json(json_get(json, "measurements"), json_get(json, "curves"),
                                  json_get(json, "matrices"), &result->measurements, err);
}

/* The schema is read first: another one may have other keys. */
static bool check_schema(const Json *json, Err *err)
{
    static const Field schema[] = {{"schema", NUMBER, true}, {0}};
    static const Field fields[] = {{"experiment", TEXT, true},
                                   {"profile", TEXT, true},
                                   {"context", OBJECT, true},
                                   {"conditions", OBJECT, true},
                                   {"settings", OBJECT, true},
                                   {"claims", LIST, true},
                                   {"warnings", LIST, true},
                                   {"measurements", OBJECT, true},
                                   {"matrices", LIST, true},
                                   {"curves", LIST, true},
                                   {0}};
    if (!fields_check_known(json, schema, err))
        return err_within(err, "it is not a result");
    double found = json_number(json_get(json, "schema"));
    if (found != RESULT_SCHEMA)
        return err_set(err, "it has schema %g, and this program reads schema %d: run the experiment again",
                       found, RESULT_SCHEMA);
    return fields_check_known(json, fields, err) || err_within(err, "it is not a result");
}

bool result_read(const char *path, Result *result, Err *err)
{
    *result = (Result){0};
    Json *json = json_read(path, err);
    if (!json)
        return false;
    bool good = check_schema(json, err) && read_parts(json, result, err);
    json_free(json);
    if (good)
        return true;
    result_free(result);
    return err_within(err, "%s", path);
}
