#include "rule.h"

#include "fields.h"
#include "mem.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NAMES = TEXT | LIST, NUMBERS = NUMBER | LIST, MOST_DECIMALS = 15 };

const char *const claim_kind_words[] = {"exact", "at_most", "value",    "difference", "ratio",
                                        "order", "shape",   "fraction", NULL};

/* The fields that every claim has (claims.c reads them), and those of each kind's own. */
static const Field common_fields[] = {
    {"id", TEXT, true},        {"says", TEXT, true},       {"source", EMPTY_TEXT, true},
    {"origin", TEXT, true},    {"kind", TEXT, true},       {"unit", TEXT, false},
    {"needs", NAMES, false},   {"disagrees", TEXT, false}, {"finding", TEXT, false},
    {"holds_as", TEXT, false}, {"not_run", TEXT, false},   {0}};
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
static const Field not_run_fields[] = {
    {"published", NUMBERS | NOTHING, false}, {"decimals", NUMBER, false}, {0}};

static const Field *const kind_fields[] = {exact_fields, at_most_fields, value_fields, pair_fields,
                                           pair_fields,  order_fields,   shape_fields, fraction_fields};

/* ---- one or several ---- */

static size_t entries(const Json *one_or_list)
{
    return json_kind(one_or_list) == JSON_ARRAY ? json_count(one_or_list) : 1;
}

static const Json *entry(const Json *one_or_list, size_t index)
{
    return json_kind(one_or_list) == JSON_ARRAY ? json_at(one_or_list, index) : one_or_list;
}

/* Whether all entries are of one kind, and texts not empty. */
static bool all_are(const Json *claim, const char *key, JsonKind kind, Err *err)
{
    const Json *list = json_get(claim, key);
    for (size_t i = 0; i < entries(list); i++)
        if (json_kind(entry(list, i)) != kind || (kind == JSON_STRING && !*json_string(entry(list, i))))
            return err_set(err, "key \"%s\" holds something else than %s", key,
                           kind == JSON_STRING ? "names" : "numbers");
    return entries(list) > 0 || err_set(err, "key \"%s\" is an empty list", key);
}

/* ---- targets ---- */

static Target *add_target(Rule *rule, Term term)
{
    Target *target = mem_grow(&rule->targets, &rule->count, sizeof *target);
    *target = (Target){.term = term,
                       .printed = NAN,
                       .decimals = -1,
                       .published = NAN,
                       .margin = NAN,
                       .law = NAN,
                       .above = -INFINITY,
                       .below = INFINITY};
    return target;
}

/* The numbers under a key, one for each target; none when the key is absent or null. */
static bool read_numbers(const Json *claim, const char *key, const Rule *rule, const Json **numbers, Err *err)
{
    *numbers = json_get(claim, key);
    if (*numbers && json_kind(*numbers) == JSON_NULL)
        *numbers = NULL;
    if (!*numbers)
        return true;
    return all_are(claim, key, JSON_NUMBER, err) &&
           (entries(*numbers) == rule->count ||
            err_set(err, "key \"%s\" holds %zu numbers for %zu measured ones", key, entries(*numbers),
                    rule->count));
}

static bool read_decimals(const Json *claim, int *decimals, Err *err)
{
    const Json *json = json_get(claim, "decimals");
    double number = json ? json_number(json) : -1;
    *decimals = (int)number;
    return !json || (number >= 0 && number <= MOST_DECIMALS && number == floor(number)) ||
           err_set(err, "key \"decimals\" must be a whole number from 0 to %d", MOST_DECIMALS);
}

/* The published numbers with r: half a unit of their last printed digit. */
static bool read_published(const Json *claim, bool needs_half_unit, Rule *rule, Err *err)
{
    static const char *const either[] = {"decimals", "half_unit", NULL};
    const Json *numbers, *given = json_get(claim, "half_unit");
    int decimals;
    if (!read_numbers(claim, "published", rule, &numbers, err) || !read_decimals(claim, &decimals, err))
        return false;
    if (numbers && needs_half_unit && !fields_one_of(claim, either, err))
        return false;
    double r = given ? json_number(given) : decimals >= 0 ? 0.5 * pow(10, -decimals) : 0;
    if (r < 0)
        return err_set(err, "key \"half_unit\" is negative");
    for (size_t i = 0; numbers && i < rule->count; i++) {
        Target *target = &rule->targets[i];
        bool is_log = term_is_log(&target->term) && rule->kind != CLAIM_SHAPE;
        target->printed = json_number(entry(numbers, i));
        target->decimals = decimals;
        if (is_log && !(target->printed > r))
            return err_set(
                err, "key \"published\" must be positive, and larger than half a unit, to have a logarithm");
        target->published = is_log ? log(target->printed) : target->printed;
        target->half_unit = is_log ? -log1p(-r / target->printed) : r;
    }
    return true;
}

static bool read_margin(const Json *claim, bool required, Rule *rule, Err *err)
{
    static const Field fields[] = {
        {"value", NUMBER, false}, {"share", NUMBER, false}, {"why", TEXT, true}, {0}};
    static const char *const either[] = {"value", "share", NULL};
    const Json *margin = json_get(claim, "margin"), *share = json_get(margin, "share");
    bool is_stated = !isnan(rule->targets[0].printed);
    if (!margin)
        return !(required && is_stated) || err_set(err, "key \"margin\" is missing");
    if (!fields_check(margin, fields, NULL, err) || !fields_one_of(margin, either, err))
        return err_within(err, "key \"margin\"");
    double number = json_number(share ? share : json_get(margin, "value"));
    if (!(number > 0))
        return err_set(err, "key \"margin\": it must be above 0");
    if (share && !is_stated)
        return err_set(err, "key \"margin\": a share of a number that is not stated is no margin");
    for (size_t i = 0; i < rule->count; i++) {
        Target *target = &rule->targets[i];
        if (share && target->printed == 0)
            return err_set(err, "key \"margin\": a share of a published 0 is no margin: give a \"value\"");
        target->margin = !share                       ? number
                         : term_is_log(&target->term) ? log1p(number)
                                                      : number * fabs(target->printed);
    }
    rule->why = fields_text(margin, "why");
    return true;
}

/* ---- the kinds ---- */

static bool read_measured(const Json *claim, TermForm form, Rule *rule, Err *err)
{
    const Json *measure = json_get(claim, "measure");
    if (!all_are(claim, "measure", JSON_STRING, err))
        return false;
    for (size_t i = 0; i < entries(measure); i++)
        add_target(rule, (Term){.form = form, .a = json_string(entry(measure, i))});
    return true;
}

static bool read_bound(const Json *claim, Rule *rule, Err *err)
{
    static const Field given[] = {{"value", NUMBER, true}, {"why", TEXT, true}, {0}};
    static const Field derived[] = {{"c", NUMBER, true}, {"k", NUMBER, true},
                                    {"eps", TEXT, true}, {"scale", NUMBER | TEXT, true},
                                    {"why", TEXT, true}, {0}};
    static const char *const eps_words[] = {"float32", "float64", NULL};
    static const double eps[] = {FLT_EPSILON, DBL_EPSILON};
    const Json *json = json_get(claim, "bound"), *scale = json_get(json, "scale");
    Bound *bound = &rule->bound;
    *bound = (Bound){NAN, NAN, NAN, NAN, NAN, NULL};
    rule->why = NULL;
    if (!fields_check(json, json_get(json, "value") ? given : derived, NULL, err))
        return err_within(err, "key \"bound\"");
    rule->why = fields_text(json, "why");
    if (scale && json_kind(scale) == JSON_STRING)
        bound->scale_name = json_string(scale);
    const struct {
        const char *key;
        double *to;
    } factors[] = {{"value", &bound->value}, {"c", &bound->c}, {"k", &bound->k}, {"scale", &bound->scale}};
    for (size_t i = 0; i < COUNT(factors); i++) {
        const Json *factor = json_get(json, factors[i].key);
        if (!factor || json_kind(factor) != JSON_NUMBER)
            continue;
        *factors[i].to = json_number(factor);
        if (!(*factors[i].to > 0))
            return err_set(err, "key \"bound\": \"%s\" must be above 0", factors[i].key);
    }
    if (!json_get(json, "eps"))
        return true;
    int word = fields_word(json, "eps", eps_words, err);
    bound->eps = word < 0 ? NAN : eps[word];
    return word >= 0 || err_within(err, "key \"bound\"");
}

static bool read_law(const Json *claim, Rule *rule, Err *err)
{
    static const char *const instead[] = {"margin", "pool", "log"};
    const Json *law, *errors = json_get(claim, "standard_error");
    if (!json_get(claim, "law"))
        return !errors || err_set(err, "key \"law\" is missing beside \"standard_error\"");
    if (!errors)
        return err_set(err, "key \"standard_error\" is missing beside \"law\"");
    for (size_t i = 0; i < COUNT(instead); i++)
        if (json_get(claim, instead[i]))
            return err_set(err, "key \"%s\" has no use beside \"law\"", instead[i]);
    if (!read_numbers(claim, "law", rule, &law, err) || !all_are(claim, "standard_error", JSON_STRING, err))
        return false;
    if (entries(errors) != rule->count)
        return err_set(err, "key \"standard_error\" needs as many names as \"measure\"");
    for (size_t i = 0; i < rule->count; i++) {
        rule->targets[i].law = json_number(entry(law, i));
        rule->targets[i].standard_error = json_string(entry(errors, i));
    }
    return true;
}

static bool pools(const Rule *rule, const char *name)
{
    for (size_t i = 0; i < rule->pool_count; i++)
        if (strcmp(rule->pool[i], name) == 0)
            return true;
    return false;
}

static bool read_pool(const Json *claim, Rule *rule, Err *err)
{
    const Json *pool = json_get(claim, "pool");
    if (!pool)
        return true;
    if (!all_are(claim, "pool", JSON_STRING, err))
        return false;
    for (const Json *name = json_first(pool); name; name = json_next(name))
        *(const char **)mem_grow(&rule->pool, &rule->pool_count, sizeof *rule->pool) = json_string(name);
    for (size_t i = 0; i < rule->count; i++)
        if (!pools(rule, rule->targets[i].term.a))
            return err_set(err, "key \"pool\" leaves out \"%s\", which is measured", rule->targets[i].term.a);
    return true;
}

static bool read_value(const Json *claim, Rule *rule, Err *err)
{
    const Json *log = json_get(claim, "log");
    bool by_law = json_get(claim, "law") || json_get(claim, "standard_error");
    return read_measured(claim, log && json_bool(log) ? TERM_LOG : TERM_PLAIN, rule, err) &&
           read_published(claim, !by_law, rule, err) && read_law(claim, rule, err) &&
           read_pool(claim, rule, err) && read_margin(claim, !by_law, rule, err);
}

/* Two names, as the term that they make. */
static bool read_pair(const Json *owner, const char *key, TermForm form, Term *term, Err *err)
{
    const Json *list = json_get(owner, key);
    if (json_kind(list) != JSON_ARRAY || json_count(list) != 2 ||
        json_kind(json_at(list, 0)) != JSON_STRING || json_kind(json_at(list, 1)) != JSON_STRING)
        return err_set(err, "key \"%s\" must hold two names", key);
    *term = (Term){form, json_string(json_at(list, 0)), json_string(json_at(list, 1))};
    return true;
}

static bool read_compared(const Json *claim, Rule *rule, Err *err)
{
    Term term;
    if (!read_pair(claim, "of", rule->kind == CLAIM_RATIO ? TERM_LOG_OVER : TERM_MINUS, &term, err))
        return false;
    add_target(rule, term);
    return read_published(claim, true, rule, err) && read_margin(claim, true, rule, err);
}

static bool read_order(const Json *claim, Rule *rule, Err *err)
{
    static const char *const either[] = {"falling", "rising", NULL};
    static const char *const better[] = {"smaller", "larger", NULL};
    if (!fields_one_of(claim, either, err))
        return false;
    rule->falling = json_get(claim, "falling") != NULL;
    const char *key = rule->falling ? "falling" : "rising";
    const Json *groups = json_get(claim, key);
    size_t place = 0;
    for (const Json *group = json_first(groups); group; group = json_next(group), place++) {
        if (entries(group) == 0)
            return err_set(err, "key \"%s\" holds an empty list", key);
        for (size_t i = 0; i < entries(group); i++) {
            if (json_kind(entry(group, i)) != JSON_STRING)
                return err_set(err, "key \"%s\" holds something else than names and lists of names", key);
            add_target(rule, (Term){TERM_PLAIN, json_string(entry(group, i)), NULL})->place = place;
        }
    }
    if (place < 2)
        return err_set(err, "key \"%s\" needs two names or more", key);
    int word = json_get(claim, "better") ? fields_word(claim, "better", better, err) : 0;
    rule->larger_is_better = word == 1;
    return word >= 0 && read_published(claim, false, rule, err);
}

/* A contrast's limit; a side that is not given is infinitely far away. */
static bool read_limit(const Json *contrast, const char *key, bool is_log, double *limit, Err *err)
{
    const Json *number = json_get(contrast, key);
    if (!number)
        return true;
    if (is_log && !(json_number(number) > 0))
        return err_set(err, "a ratio is compared as a logarithm: its limits must be above 0");
    *limit = is_log ? log(json_number(number)) : json_number(number);
    return true;
}

static bool read_contrast(const Json *contrast, Rule *rule, Err *err)
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
    Term term = {TERM_PLAIN, fields_text(contrast, "of"), NULL};
    if (json_get(contrast, "minus") && !read_pair(contrast, "minus", TERM_MINUS, &term, err))
        return false;
    if (json_get(contrast, "over") && !read_pair(contrast, "over", TERM_LOG_OVER, &term, err))
        return false;
    Target *target = add_target(rule, term);
    target->why = fields_text(contrast, "why");
    if (!json_get(contrast, "above") && !json_get(contrast, "below"))
        return err_set(err, "one of the keys \"above\" and \"below\" is needed");
    return read_limit(contrast, "above", term_is_log(&term), &target->above, err) &&
           read_limit(contrast, "below", term_is_log(&term), &target->below, err) &&
           (target->above < target->below || err_set(err, "nothing is above \"above\" and below \"below\""));
}

static bool read_shape(const Json *claim, Rule *rule, Err *err)
{
    const Json *contrasts = json_get(claim, "contrasts");
    size_t index = 0;
    for (const Json *contrast = json_first(contrasts); contrast; contrast = json_next(contrast))
        if (index++, !read_contrast(contrast, rule, err))
            return err_within(err, "key \"contrasts\", entry %zu", index);
    if (index == 0)
        return err_set(err, "key \"contrasts\" is an empty list");
    return read_published(claim, false, rule, err);
}

static bool read_fraction(const Json *claim, Rule *rule, Err *err)
{
    add_target(rule, (Term){TERM_PLAIN, fields_text(claim, "successes"), fields_text(claim, "trials")});
    return read_published(claim, true, rule, err) && read_margin(claim, false, rule, err);
}

/* What is not run has as many targets as published numbers, one at least, and they name no measurement. */
static bool read_not_run(const Json *claim, Rule *rule, Err *err)
{
    const Json *published = json_get(claim, "published");
    size_t count = published ? entries(published) : 1;
    for (size_t i = 0; i < count; i++)
        add_target(rule, (Term){0});
    return count > 0 ? read_published(claim, false, rule, err)
                     : err_set(err, "key \"published\" is an empty list");
}

bool rule_read(const Json *claim, bool not_run, Rule *rule, Err *err)
{
    *rule = (Rule){0};
    int kind = fields_word(claim, "kind", claim_kind_words, err);
    if (kind < 0)
        return false;
    rule->kind = (ClaimKind)kind;
    if (!fields_check(claim, common_fields, not_run ? not_run_fields : kind_fields[kind], err))
        return false;
    if (not_run)
        return read_not_run(claim, rule, err);
    switch (rule->kind) {
    case CLAIM_EXACT:
        return read_measured(claim, TERM_PLAIN, rule, err) && read_published(claim, false, rule, err);
    case CLAIM_AT_MOST:
        return read_measured(claim, TERM_PLAIN, rule, err) && read_published(claim, false, rule, err) &&
               read_bound(claim, rule, err);
    case CLAIM_VALUE:
        return read_value(claim, rule, err);
    case CLAIM_DIFFERENCE:
    case CLAIM_RATIO:
        return read_compared(claim, rule, err);
    case CLAIM_ORDER:
        return read_order(claim, rule, err);
    case CLAIM_SHAPE:
        return read_shape(claim, rule, err);
    case CLAIM_FRACTION:
        return read_fraction(claim, rule, err);
    }
    return false;
}

void rule_free(Rule *rule)
{
    free(rule->targets);
    free(rule->pool);
    *rule = (Rule){0};
}

bool rule_is_unstated(const Rule *rule)
{
    bool needs_number = rule->kind == CLAIM_EXACT || rule->kind == CLAIM_VALUE ||
                        rule->kind == CLAIM_DIFFERENCE || rule->kind == CLAIM_RATIO ||
                        rule->kind == CLAIM_FRACTION;
    return needs_number && !rule->targets[0].standard_error && isnan(rule->targets[0].printed);
}
