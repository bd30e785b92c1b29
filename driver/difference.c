#include "difference.h"

#include "mem.h"
#include "results.h"
#include "text.h"

#include <math.h>
#include <string.h>

static const double most_ratio = 2; /* of two times on one processor */

typedef struct Pair {
    Difference *to;
    const char *experiment;
    const Json *before, *after;
    bool same_machine, same_binary, same_processor;
} Pair;

void difference_begin(Difference *difference)
{
    static const char *const heads[] = {"experiment", "what", "before", "after", "expected", ""};
    *difference = (Difference){.table = table_new(NULL)};
    for (size_t i = 0; i < COUNT(heads); i++)
        table_add_column(difference->table, heads[i], false);
}

void difference_free(Difference *difference)
{
    table_free(difference->table);
    *difference = (Difference){0};
}

/* One row; the texts are taken over. */
static void add_row(const Pair *pair, const char *what, char *before, char *after, char *expected,
                    const char *word)
{
    Table *table = pair->to->table;
    table_add(table, mem_text("%s", pair->experiment));
    table_add(table, mem_text("%s", what));
    table_add(table, before);
    table_add(table, after);
    table_add(table, expected);
    table_add(table, mem_text("%s", word));
}

static char *dash(void)
{
    return mem_text("–");
}

/* ---- where they were made ---- */

static bool is_same_text(const Pair *pair, const char *key)
{
    const char *before = field_text(json_get(pair->before, "context"), key);
    const char *after = field_text(json_get(pair->after, "context"), key);
    return strcmp(before, after) == 0;
}

/* A commit with changes on top of it ("+"), or an unknown one, does not tell which binary it was. */
static bool is_clean(const char *commit)
{
    return *commit && strcmp(commit, "unknown") != 0 && !strchr(commit, '+');
}

static void find_machines(Pair *pair)
{
    pair->same_processor = is_same_text(pair, "cpu");
    pair->same_machine = pair->same_processor && is_same_text(pair, "flags") && is_same_text(pair, "blas");
    pair->same_binary = pair->same_machine && is_same_text(pair, "compiler") &&
                        is_same_text(pair, "commit") &&
                        is_clean(field_text(json_get(pair->before, "context"), "commit"));
}

/* ---- one measurement ---- */

/* The sample of that seed (NULL: the one without a seed), or NULL. */
static const Json *sample_of(const Json *measurement, const Json *seed)
{
    const Json *samples = json_get(measurement, "samples");
    for (const Json *sample = json_first(samples); sample; sample = json_next(sample)) {
        const Json *own = json_get(sample, "seed");
        if (seed ? own && json_number(own) == json_number(seed) : !own)
            return sample;
    }
    return NULL;
}

static bool is_equal_sample(const Json *a, const Json *b)
{
    const Json *x = json_get(a, "value"), *y = json_get(b, "value");
    return x && y ? json_number(x) == json_number(y) : !x && !y;
}

/* How many seeds both have (a sample without a seed counts as one), and how many of these are equal. */
static size_t common_seeds(const Json *before, const Json *after, size_t *equal)
{
    size_t common = *equal = 0;
    const Json *samples = json_get(before, "samples");
    for (const Json *sample = json_first(samples); sample; sample = json_next(sample)) {
        const Json *other = sample_of(after, json_get(sample, "seed"));
        common += other != NULL;
        *equal += other && is_equal_sample(sample, other);
    }
    return common;
}

static bool is_fixed(const Json *measurement)
{
    return sample_of(measurement, NULL) != NULL;
}

static char *mean_words(const Json *measurement)
{
    double mean = field_number(measurement, "mean", NAN), n = field_number(measurement, "n", 0);
    if (isnan(mean))
        return mem_text("missing");
    return is_fixed(measurement) ? mem_text("%.9g", mean) : mem_text("%.9g (n = %.0f)", mean, n);
}

/* What is said of a difference, where it is counted, and what was expected. */
typedef struct Finding {
    const char *word;
    size_t *count;
    char *expected; /* owned */
} Finding;

static Finding must_be_equal(const Pair *pair)
{
    return (Finding){"moved", &pair->to->moved, mem_text("equal")};
}

static Finding unresolved(const Pair *pair)
{
    return (Finding){"unresolved", &pair->to->unresolved, dash()};
}

static Finding judge_time(const Pair *pair, double before, double after)
{
    double ratio = after / before;
    bool far = pair->same_processor && !(ratio < most_ratio && ratio > 1 / most_ratio);
    return (Finding){far ? "moved" : "time", far ? &pair->to->moved : &pair->to->inside,
                     mem_text("ratio %.3g", ratio)};
}

static Finding judge_interval(const Pair *pair, const Json *interval, double after)
{
    double low = json_number(json_at(interval, 0)), high = json_number(json_at(interval, 1));
    bool in = after >= low && after <= high;
    return (Finding){in ? "inside" : "moved", in ? &pair->to->inside : &pair->to->moved,
                     mem_text("%.6g … %.6g", low, high)};
}

/* The rules stand in difference.h; share_seeds: whether there is a seed that both have. */
static Finding judge_mean(const Pair *pair, const Json *before, const Json *after, bool share_seeds)
{
    double x = field_number(before, "mean", NAN), y = field_number(after, "mean", NAN);
    const Json *interval = json_get(before, "interval"), *timed = json_get(before, "timed");
    bool both = !isnan(x) && !isnan(y), whole = x == floor(x) && y == floor(y);
    if (both && timed && json_bool(timed))
        return judge_time(pair, x, y);
    if (!both || (pair->same_binary && share_seeds))
        return must_be_equal(pair);
    if (is_fixed(before))
        return pair->same_machine || whole ? must_be_equal(pair) : unresolved(pair);
    bool enough = field_number(before, "n", 0) >= SEEDS_FOR_AN_INTERVAL && interval;
    return enough ? judge_interval(pair, interval, y) : unresolved(pair);
}

static void compare_measurement(const Pair *pair, const Json *before, const Json *after)
{
    size_t equal, common = common_seeds(before, after, &equal);
    if (common > 0 && equal == common) {
        pair->to->equal++;
        return;
    }
    Finding found = judge_mean(pair, before, after, common > 0);
    ++*found.count;
    add_row(pair, json_key(before), mean_words(before), mean_words(after), found.expected, found.word);
}

static void compare_measurements(const Pair *pair)
{
    const Json *before = json_get(pair->before, "measurements"),
               *after = json_get(pair->after, "measurements");
    for (const Json *one = json_first(before); one; one = json_next(one)) {
        const Json *other = json_get(after, json_key(one));
        if (other) {
            compare_measurement(pair, one, other);
        } else {
            pair->to->removed++;
            add_row(pair, json_key(one), mean_words(one), dash(), dash(), "removed");
        }
    }
    for (const Json *one = json_first(after); one; one = json_next(one))
        if (!json_get(before, json_key(one))) {
            pair->to->added++;
            add_row(pair, json_key(one), dash(), mean_words(one), dash(), "added");
        }
}

/* ---- claims and settings ---- */

static const Json *claim_of(const Json *result, const char *id)
{
    const Json *claims = json_get(result, "claims");
    for (const Json *claim = json_first(claims); claim; claim = json_next(claim))
        if (strcmp(field_text(claim, "id"), id) == 0)
            return claim;
    return NULL;
}

static void compare_claim(const Pair *pair, const Json *before, const Json *after)
{
    const char *was = field_text(before, "verdict"), *is = field_text(after, "verdict");
    bool turned = strcmp(field_text(before, "outcome"), field_text(after, "outcome")) != 0;
    if (strcmp(was, is) == 0 && !turned)
        return;
    pair->to->moved += turned;
    add_row(pair, field_text(before, "id"), mem_text("%s", was), mem_text("%s", is), dash(),
            turned ? "moved" : "verdict");
}

static void compare_claims(const Pair *pair)
{
    const Json *before = json_get(pair->before, "claims"), *after = json_get(pair->after, "claims");
    for (const Json *one = json_first(before); one; one = json_next(one)) {
        const Json *other = claim_of(pair->after, field_text(one, "id"));
        if (other) {
            compare_claim(pair, one, other);
        } else {
            pair->to->removed++;
            add_row(pair, field_text(one, "id"), mem_text("%s", field_text(one, "verdict")), dash(), dash(),
                    "removed");
        }
    }
    for (const Json *one = json_first(after); one; one = json_next(one))
        if (!claim_of(pair->before, field_text(one, "id"))) {
            pair->to->added++;
            add_row(pair, field_text(one, "id"), dash(), mem_text("%s", field_text(one, "verdict")), dash(),
                    "added");
        }
}

static char *setting_words(const Json *settings, const char *key)
{
    const Json *value = json_get(settings, key);
    if (!value)
        return dash();
    const char *digest = json_kind(value) == JSON_OBJECT ? field_text(value, "sha256") : "";
    char *text = *digest ? mem_text("sha256 %.12s", digest) : json_text(value);
    text[strcspn(text, "\n")] = '\0';
    return text;
}

/* How many seeds there are is no setting of the numbers themselves. */
static bool counts_seeds(const char *key)
{
    return strcmp(key, "first_seed") == 0 || strcmp(key, "end_seed") == 0;
}

/* Adds a row for each setting of `settings` that differs; with only_missing, for each that `other` lacks. */
static size_t compare_settings(const Pair *pair, const Json *settings, bool only_missing)
{
    const Json *before = json_get(pair->before, "settings"), *after = json_get(pair->after, "settings");
    size_t differ = 0;
    for (const Json *one = json_first(settings); one; one = json_next(one)) {
        const char *key = json_key(one);
        if (counts_seeds(key) || (only_missing && json_get(before, key)))
            continue;
        char *was = setting_words(before, key), *is = setting_words(after, key);
        if (strcmp(was, is) == 0) {
            free(was);
            free(is);
            continue;
        }
        differ++;
        char *what = mem_text("setting %s", key);
        add_row(pair, what, was, is, dash(), "moved");
        free(what);
    }
    return differ;
}

void difference_add(Difference *difference, const char *experiment, const Json *before, const Json *after)
{
    Pair pair = {.to = difference, .experiment = experiment, .before = before, .after = after};
    if (!before || !after) {
        *(before ? &difference->absent : &difference->added) += 1;
        add_row(&pair, "the experiment", mem_text(before ? "there" : "–"), mem_text(after ? "there" : "–"),
                dash(), before ? "absent" : "added");
        return;
    }
    const char *was = field_text(before, "profile"), *is = field_text(after, "profile");
    if (strcmp(was, is) != 0) {
        add_row(&pair, "the budget", mem_text("%s", was), mem_text("%s", is), dash(), "not comparable");
        return;
    }
    difference->compared++;
    find_machines(&pair);
    size_t settings = compare_settings(&pair, json_get(before, "settings"), false) +
                      compare_settings(&pair, json_get(after, "settings"), true);
    difference->moved += settings;
    if (settings == 0)
        compare_measurements(&pair);
    compare_claims(&pair);
}

char *difference_words(const Difference *d)
{
    return mem_text(
        "%zu equal, %zu inside what was expected, %zu moved, %zu unresolved, %zu added, %zu removed, %zu "
        "experiments absent",
        d->equal, d->inside, d->moved, d->unresolved, d->added, d->removed, d->absent);
}
