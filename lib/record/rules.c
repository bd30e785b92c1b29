#include "rules.h"

#include "fields.h"
#include "mem.h"

#include <math.h>
#include <string.h>

enum { NAMES = TEXT | LIST, NUMBERS = NUMBER | LIST, MOST_DECIMALS = 15 };

static const Field common_fields[] = {
    {"id", TEXT, true},        {"says", TEXT, true},       {"source", EMPTY_TEXT, true},
    {"origin", TEXT, true},    {"kind", TEXT, true},       {"unit", TEXT, false},
    {"needs", NAMES, false},   {"disagrees", TEXT, false}, {"finding", TEXT, false},
    {"holds_as", TEXT, false}, {"not_run", TEXT, false},   {0}};

/* The fields of a kind's own. */
static const Field exact_fields[] = {
    {"measure", NAMES, true}, {"published", NUMBERS | NOTHING, true}, {"decimals", NUMBER, false}, {0}};
static const Field at_most_fields[] = {
    {"measure", NAMES, true}, {"published", NUMBERS | NOTHING, false}, {"bound", OBJECT, true}, {0}};
static const Field value_fields[] = {{"measure", NAMES, true},
                                     {"published", NUMBERS | NOTHING, true},
                                     {"decimals", NUMBER, false},
                                     {"half_unit", NUMBER, false},
                                     {"margin", OBJECT, false},
                                     {"log", FLAG, false},
                                     {"pool", LIST, false},
                                     {"law", NUMBERS, false},
                                     {"standard_error", NAMES, false},
                                     {0}};
static const Field pair_fields[] = {{"of", LIST, true},          {"published", NUMBER | NOTHING, true},
                                    {"decimals", NUMBER, false}, {"half_unit", NUMBER, false},
                                    {"margin", OBJECT, false},   {0}};
static const Field order_fields[] = {{"falling", LIST, false},
                                     {"rising", LIST, false},
                                     {"better", TEXT, false},
                                     {"published", NUMBERS | NOTHING, false},
                                     {0}};
static const Field shape_fields[] = {{"contrasts", LIST, true}, {"published", NUMBERS | NOTHING, false}, {0}};
static const Field fraction_fields[] = {{"successes", TEXT, true},
                                        {"trials", TEXT, true},
                                        {"published", NUMBER | NOTHING, true},
                                        {"decimals", NUMBER, false},
                                        {"half_unit", NUMBER, false},
                                        {"margin", OBJECT, false},
                                        {0}};
/* What is not run names no measurement and needs no rule. */
static const Field not_run_fields[] = {
    {"published", NUMBERS | NOTHING, false}, {"decimals", NUMBER, false}, {0}};

static const Field *const kind_fields[] = {exact_fields, at_most_fields, value_fields, pair_fields,
                                           pair_fields,  order_fields,   shape_fields, fraction_fields};

size_t claim_entries(const Json *one_or_list)
{
    return json_kind(one_or_list) == JSON_ARRAY ? json_count(one_or_list) : 1;
}

const Json *claim_entry(const Json *one_or_list, size_t index)
{
    return json_kind(one_or_list) == JSON_ARRAY ? json_at(one_or_list, index) : one_or_list;
}

/* Whether all entries are of one kind, and texts not empty. */
bool rules_all_are(const Json *claim, const char *key, JsonKind kind, Err *err)
{
    const Json *entries = json_get(claim, key);
    size_t count = claim_entries(entries);
    for (size_t i = 0; i < count; i++) {
        const Json *entry = claim_entry(entries, i);
        if (json_kind(entry) != kind || (kind == JSON_STRING && !*json_string(entry)))
            return err_set(err, "key \"%s\" holds something else than %s", key,
                           kind == JSON_STRING ? "names" : "numbers");
    }
    return count > 0 || err_set(err, "key \"%s\" is an empty list", key);
}

static bool is_stated(const Json *claim)
{
    const Json *published = json_get(claim, "published");
    return published && json_kind(published) != JSON_NULL;
}

/* Whether the key, when it is there, holds as many numbers as there are things to be measured. */
static bool check_numbers(const Json *claim, const char *key, size_t count, Err *err)
{
    const Json *numbers = json_get(claim, key);
    if (!numbers || json_kind(numbers) == JSON_NULL)
        return true;
    if (!rules_all_are(claim, key, JSON_NUMBER, err))
        return false;
    return claim_entries(numbers) == count ||
           err_set(err, "key \"%s\" holds %zu numbers for %zu measured ones", key, claim_entries(numbers),
                   count);
}

/* r: half a unit of the last printed digit. */
static double half_unit(const Json *claim)
{
    const Json *given = json_get(claim, "half_unit"), *decimals = json_get(claim, "decimals");
    if (given)
        return json_number(given);
    return decimals ? 0.5 * pow(10, -json_number(decimals)) : 0;
}

static bool check_half_unit(const Json *claim, bool is_log, Err *err)
{
    static const char *const either[] = {"decimals", "half_unit", NULL};
    if (is_stated(claim) && !json_get(claim, "law") && !fields_one_of(claim, either, err))
        return false;
    const Json *given = json_get(claim, "half_unit"), *published = json_get(claim, "published");
    if (given && !(json_number(given) >= 0))
        return err_set(err, "key \"half_unit\" is negative");
    for (size_t i = 0; is_log && is_stated(claim) && i < claim_entries(published); i++)
        if (!(json_number(claim_entry(published, i)) > half_unit(claim)))
            return err_set(
                err, "key \"published\" must be positive, and larger than half a unit, to have a logarithm");
    return true;
}

static bool check_decimals(const Json *claim, Err *err)
{
    const Json *decimals = json_get(claim, "decimals");
    if (!decimals)
        return true;
    double number = json_number(decimals);
    return (number >= 0 && number <= MOST_DECIMALS && number == floor(number)) ||
           err_set(err, "key \"decimals\" must be a whole number from 0 to %d", MOST_DECIMALS);
}

static bool check_margin(const Json *claim, bool required, Err *err)
{
    static const Field fields[] = {
        {"value", NUMBER, false}, {"share", NUMBER, false}, {"why", TEXT, true}, {0}};
    static const char *const either[] = {"value", "share", NULL};
    const Json *margin = json_get(claim, "margin"), *share = json_get(margin, "share");
    if (!margin)
        return !(required && is_stated(claim)) || err_set(err, "key \"margin\" is missing");
    if (!fields_check(margin, fields, NULL, err) || !fields_one_of(margin, either, err))
        return err_within(err, "key \"margin\"");
    if (!(json_number(share ? share : json_get(margin, "value")) > 0))
        return err_set(err, "key \"margin\": it must be above 0");
    if (share && !is_stated(claim))
        return err_set(err, "key \"margin\": a share of a number that is not stated is no margin");
    const Json *published = json_get(claim, "published");
    for (size_t i = 0; share && i < claim_entries(published); i++)
        if (json_number(claim_entry(published, i)) == 0)
            return err_set(err, "key \"margin\": a share of a published 0 is no margin: give a \"value\"");
    return true;
}

static bool check_bound(const Json *claim, Err *err)
{
    static const Field given[] = {{"value", NUMBER, true}, {"why", TEXT, true}, {0}};
    static const Field derived[] = {{"c", NUMBER, true}, {"k", NUMBER, true},
                                    {"eps", TEXT, true}, {"scale", NUMBER | TEXT, true},
                                    {"why", TEXT, true}, {0}};
    static const char *const factors[] = {"value", "c", "k", "scale"};
    static const char *const eps_words[] = {"float32", "float64", NULL};
    const Json *bound = json_get(claim, "bound");
    if (!fields_check(bound, json_get(bound, "value") ? given : derived, NULL, err))
        return err_within(err, "key \"bound\"");
    if (json_get(bound, "eps") && fields_word(bound, "eps", eps_words, err) < 0)
        return err_within(err, "key \"bound\"");
    for (size_t i = 0; i < COUNT(factors); i++) {
        const Json *factor = json_get(bound, factors[i]);
        if (factor && json_kind(factor) == JSON_NUMBER && !(json_number(factor) > 0))
            return err_set(err, "key \"bound\": \"%s\" must be above 0", factors[i]);
    }
    return true;
}

static bool check_law(const Json *claim, size_t count, Err *err)
{
    static const char *const instead[] = {"margin", "pool", "log"};
    if (!json_get(claim, "law"))
        return !json_get(claim, "standard_error") ||
               err_set(err, "key \"law\" is missing beside \"standard_error\"");
    if (!json_get(claim, "standard_error"))
        return err_set(err, "key \"standard_error\" is missing beside \"law\"");
    for (size_t i = 0; i < COUNT(instead); i++)
        if (json_get(claim, instead[i]))
            return err_set(err, "key \"%s\" has no use beside \"law\"", instead[i]);
    return check_numbers(claim, "law", count, err) &&
           rules_all_are(claim, "standard_error", JSON_STRING, err) &&
           (claim_entries(json_get(claim, "standard_error")) == count ||
            err_set(err, "key \"standard_error\" needs as many names as \"measure\""));
}

static bool holds_name(const Json *list, const char *name)
{
    for (const Json *item = json_first(list); item; item = json_next(item))
        if (strcmp(json_string(item), name) == 0)
            return true;
    return false;
}

static bool check_pool(const Json *claim, Err *err)
{
    const Json *pool = json_get(claim, "pool"), *measure = json_get(claim, "measure");
    if (!pool)
        return true;
    if (!rules_all_are(claim, "pool", JSON_STRING, err))
        return false;
    for (size_t i = 0; i < claim_entries(measure); i++)
        if (!holds_name(pool, json_string(claim_entry(measure, i))))
            return err_set(err, "key \"pool\" leaves out \"%s\", which is measured",
                           json_string(claim_entry(measure, i)));
    return true;
}

static bool check_value(const Json *claim, size_t count, Err *err)
{
    const Json *log = json_get(claim, "log");
    return check_law(claim, count, err) && check_pool(claim, err) &&
           check_margin(claim, !json_get(claim, "law"), err) &&
           check_half_unit(claim, log && json_bool(log), err);
}

static bool is_pair(const Json *list)
{
    return json_kind(list) == JSON_ARRAY && json_count(list) == 2 &&
           json_kind(json_at(list, 0)) == JSON_STRING && json_kind(json_at(list, 1)) == JSON_STRING;
}

static bool check_pair(const Json *claim, bool is_ratio, Err *err)
{
    if (!is_pair(json_get(claim, "of")))
        return err_set(err, "key \"of\" must hold two names");
    return check_numbers(claim, "published", 1, err) && check_half_unit(claim, is_ratio, err) &&
           check_margin(claim, true, err);
}

/* Counts the names, which are strings or lists of strings. */
static bool check_order(const Json *claim, Err *err)
{
    static const char *const either[] = {"falling", "rising", NULL};
    static const char *const better[] = {"smaller", "larger", NULL};
    if (!fields_one_of(claim, either, err))
        return false;
    const char *key = json_get(claim, "falling") ? "falling" : "rising";
    const Json *groups = json_get(claim, key);
    size_t names = 0;
    if (json_count(groups) < 2)
        return err_set(err, "key \"%s\" needs two names or more", key);
    for (const Json *group = json_first(groups); group; group = json_next(group)) {
        for (size_t i = 0; i < claim_entries(group); i++, names++)
            if (json_kind(claim_entry(group, i)) != JSON_STRING)
                return err_set(err, "key \"%s\" holds something else than names and lists of names", key);
        if (claim_entries(group) == 0)
            return err_set(err, "key \"%s\" holds an empty list", key);
    }
    if (json_get(claim, "better") && fields_word(claim, "better", better, err) < 0)
        return false;
    return check_numbers(claim, "published", names, err);
}

static bool check_contrast(const Json *contrast, Err *err)
{
    static const Field fields[] = {{"of", TEXT, false},
                                   {"minus", LIST, false},
                                   {"over", LIST, false},
                                   {"above", NUMBER, false},
                                   {"below", NUMBER, false},
                                   {"why", TEXT, true},
                                   {0}};
    static const char *const either[] = {"of", "minus", "over", NULL};
    if (!fields_check(contrast, fields, NULL, err) || !fields_one_of(contrast, either, err))
        return false;
    const Json *minus = json_get(contrast, "minus"), *over = json_get(contrast, "over");
    const Json *above = json_get(contrast, "above"), *below = json_get(contrast, "below");
    if ((minus && !is_pair(minus)) || (over && !is_pair(over)))
        return err_set(err, "key \"%s\" must hold two names", minus ? "minus" : "over");
    if (!above && !below)
        return err_set(err, "one of the keys \"above\" and \"below\" is needed");
    if (above && below && !(json_number(above) < json_number(below)))
        return err_set(err, "nothing is above \"above\" and below \"below\"");
    if (over && ((above && !(json_number(above) > 0)) || (below && !(json_number(below) > 0))))
        return err_set(err, "a ratio is compared as a logarithm: its limits must be above 0");
    return true;
}

static bool check_shape(const Json *claim, Err *err)
{
    size_t count = 0;
    const Json *contrasts = json_get(claim, "contrasts");
    for (const Json *contrast = json_first(contrasts); contrast; contrast = json_next(contrast))
        if (count++, !check_contrast(contrast, err))
            return err_within(err, "key \"contrasts\", entry %zu", count);
    if (count == 0)
        return err_set(err, "key \"contrasts\" is an empty list");
    return check_numbers(claim, "published", count, err);
}

bool rules_check(const Claim *claim, Err *err)
{
    const Json *json = claim->json, *measure = json_get(json, "measure");
    if (!fields_check(json, common_fields, claim->not_run ? not_run_fields : kind_fields[claim->kind], err) ||
        !check_decimals(json, err))
        return false;
    if (claim->not_run)
        return !is_stated(json) || rules_all_are(json, "published", JSON_NUMBER, err);
    size_t count = measure ? claim_entries(measure) : 1;
    if (measure &&
        !(rules_all_are(json, "measure", JSON_STRING, err) && check_numbers(json, "published", count, err)))
        return false;
    switch (claim->kind) {
    case CLAIM_EXACT:
        return true;
    case CLAIM_AT_MOST:
        return check_bound(json, err);
    case CLAIM_VALUE:
        return check_value(json, count, err);
    case CLAIM_DIFFERENCE:
        return check_pair(json, false, err);
    case CLAIM_RATIO:
        return check_pair(json, true, err);
    case CLAIM_ORDER:
        return check_order(json, err);
    case CLAIM_SHAPE:
        return check_shape(json, err);
    case CLAIM_FRACTION:
        return check_half_unit(json, false, err) && check_margin(json, false, err);
    }
    return false;
}

void rule_digest(const Claim *claim, char digest[static DIGEST_TEXT])
{
    static const char *const words[] = {"says", "source", "unit", "finding"};
    Json *rule = json_object();
    for (const Json *field = json_first(claim->json); field; field = json_next(field)) {
        bool explains = false;
        for (size_t i = 0; i < COUNT(words); i++)
            explains = explains || strcmp(json_key(field), words[i]) == 0;
        if (!explains)
            json_add(rule, json_key(field), json_copy(field));
    }
    char *text = json_text(rule);
    digest_hex(text, strlen(text), digest);
    free(text);
    json_free(rule);
}

bool rule_larger_is_better(const Claim *claim)
{
    const char *better = fields_text(claim->json, "better");
    return better && strcmp(better, "larger") == 0;
}

bool rule_is_log(const Claim *claim)
{
    const Json *log = json_get(claim->json, "log");
    return claim->kind == CLAIM_RATIO || (log && json_bool(log));
}

double rule_printed(const Claim *claim, size_t index)
{
    if (!is_stated(claim->json))
        return NAN;
    const Json *entry = claim_entry(json_get(claim->json, "published"), index);
    return entry ? json_number(entry) : NAN;
}

double rule_published(const Claim *claim, size_t index)
{
    double y = rule_printed(claim, index);
    return rule_is_log(claim) ? log(y) : y;
}

double rule_half_unit(const Claim *claim, size_t index)
{
    double r = half_unit(claim->json);
    return rule_is_log(claim) ? -log1p(-r / rule_printed(claim, index)) : r;
}

double rule_margin(const Claim *claim, size_t index)
{
    const Json *margin = json_get(claim->json, "margin"), *share = json_get(margin, "share");
    if (!margin)
        return NAN;
    if (!share)
        return json_number(json_get(margin, "value"));
    if (rule_is_log(claim))
        return log1p(json_number(share));
    return json_number(share) * fabs(rule_printed(claim, index));
}
