#include "difference.h"

#include "mem.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

static const double most_ratio = 2; /* of two times on one processor */

typedef struct Pair {
    Difference *to;
    const char *experiment;
    const Result *before, *after;
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

static char *text(const char *words)
{
    return mem_text("%s", words);
}

/* ---- where they were made ---- */

/* A commit with changes on top of it ("+"), or an unknown one, does not tell which binary it was. */
static bool is_clean(const char *commit)
{
    return *commit && strcmp(commit, "unknown") != 0 && !strchr(commit, '+');
}

static void find_machines(Pair *pair)
{
    const Context *before = &pair->before->context, *after = &pair->after->context;
    pair->same_processor = strcmp(before->cpu, after->cpu) == 0;
    pair->same_machine = pair->same_processor && strcmp(before->flags, after->flags) == 0 &&
                         strcmp(context_noted(before, "blas"), context_noted(after, "blas")) == 0;
    pair->same_binary = pair->same_machine && strcmp(before->compiler, after->compiler) == 0 &&
                        strcmp(before->commit, after->commit) == 0 && is_clean(before->commit);
}

/* ---- one measurement ---- */

static bool is_equal_sample(const Sample *a, const Sample *b)
{
    return a->missing || b->missing ? a->missing && b->missing : a->value == b->value;
}

/* How many seeds both have (a sample without a seed counts as one), and how many of these are equal. */
static size_t common_seeds(const Measurement *before, const Measurement *after, size_t *equal)
{
    size_t common = *equal = 0;
    for (size_t i = 0; i < before->count; i++) {
        const Sample *other = measurement_at(after, before->samples[i].seed);
        common += other != NULL;
        *equal += other && is_equal_sample(&before->samples[i], other);
    }
    return common;
}

static bool is_fixed(const Measurement *measurement)
{
    return measurement_at(measurement, FIXED) != NULL;
}

static char *mean_words(const Measurement *measurement)
{
    Summary summary = measurement_summary(measurement);
    if (summary.n == 0)
        return text("missing");
    return is_fixed(measurement) ? mem_text("%.9g", summary.mean)
                                 : mem_text("%.9g (n = %zu)", summary.mean, summary.n);
}

/* What is said of a difference, where it is counted, and what was expected. */
typedef struct Finding {
    const char *word;
    size_t *count;
    char *expected; /* owned */
} Finding;

static Finding must_be_equal(const Pair *pair)
{
    return (Finding){"moved", &pair->to->moved, text("equal")};
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

static Finding judge_interval(const Pair *pair, const Summary *before, double after)
{
    bool in = after >= before->low && after <= before->high;
    return (Finding){in ? "inside" : "moved", in ? &pair->to->inside : &pair->to->moved,
                     mem_text("%.6g … %.6g", before->low, before->high)};
}

/* The rules stand in difference.h; share_seeds: whether there is a seed that both have. */
static Finding judge_mean(const Pair *pair, const Measurement *before, const Measurement *after,
                          bool share_seeds)
{
    Summary was = measurement_summary(before), is = measurement_summary(after);
    bool both = was.n > 0 && is.n > 0, whole = was.mean == floor(was.mean) && is.mean == floor(is.mean);
    if (both && before->timed)
        return judge_time(pair, was.mean, is.mean);
    if (!both || (pair->same_binary && share_seeds))
        return must_be_equal(pair);
    if (is_fixed(before))
        return pair->same_machine || whole ? must_be_equal(pair) : unresolved(pair);
    return was.n >= FEW_SEEDS && !isnan(was.low) ? judge_interval(pair, &was, is.mean) : unresolved(pair);
}

static void compare_measurement(const Pair *pair, const Measurement *before, const Measurement *after)
{
    size_t equal, common = common_seeds(before, after, &equal);
    if (common > 0 && equal == common) {
        pair->to->equal++;
        return;
    }
    Finding found = judge_mean(pair, before, after, common > 0);
    ++*found.count;
    add_row(pair, before->name, mean_words(before), mean_words(after), found.expected, found.word);
}

static void compare_measurements(const Pair *pair)
{
    const Measurements *before = &pair->before->measurements, *after = &pair->after->measurements;
    for (size_t i = 0; i < before->count; i++) {
        const Measurement *one = &before->list[i], *other = measurements_find(after, one->name);
        if (other) {
            compare_measurement(pair, one, other);
        } else {
            pair->to->removed++;
            add_row(pair, one->name, mean_words(one), dash(), dash(), "removed");
        }
    }
    for (size_t i = 0; i < after->count; i++)
        if (!measurements_find(before, after->list[i].name)) {
            pair->to->added++;
            add_row(pair, after->list[i].name, dash(), mean_words(&after->list[i]), dash(), "added");
        }
}

/* ---- verdicts ---- */

/* What a verdict was called when its file was written; NULL when the claim is younger than the file. */
static const char *recorded_verdict(const Result *result, const char *id)
{
    for (size_t i = 0; i < result->recorded_count; i++)
        if (strcmp(result->recorded[i].id, id) == 0)
            return result->recorded[i].verdict;
    return NULL;
}

static void compare_verdict(const Pair *pair, const Claim *claim, const Judgement *before,
                            const Judgement *after)
{
    const char *was = verdict_word(before->verdict), *is = verdict_word(after->verdict);
    const char *recorded = recorded_verdict(pair->before, claim->id);
    if (recorded && strcmp(recorded, was) != 0) {
        pair->to->rules++;
        add_row(pair, claim->id, text(recorded), text(was), dash(), "rule");
    }
    bool turned = before->outcome != after->outcome;
    pair->to->moved += turned;
    if (turned || strcmp(was, is) != 0)
        add_row(pair, claim->id, text(was), text(is), dash(), turned ? "moved" : "verdict");
}

/* ---- settings ---- */

/* How many seeds there are is no setting of the numbers themselves. */
static bool counts_seeds(const char *name)
{
    return strcmp(name, "first_seed") == 0 || strcmp(name, "end_seed") == 0;
}

static void add_setting(const Pair *pair, const char *name, char *before, char *after)
{
    char *what = mem_text("setting %s", name);
    add_row(pair, what, before, after, dash(), "moved");
    free(what);
}

static char *setting_words(double value)
{
    return isnan(value) ? dash() : mem_text("%.17g", value);
}

/* Adds a row for each setting of `list` that differs; those that both have are taken from the older one. */
static size_t compare_settings(const Pair *pair, const Result *list)
{
    size_t differ = 0;
    for (size_t i = 0; i < list->setting_count; i++) {
        const char *name = list->settings[i].name;
        double before = result_setting(pair->before, name, NAN),
               after = result_setting(pair->after, name, NAN);
        if (counts_seeds(name) || before == after || (list == pair->after && !isnan(before)))
            continue;
        differ++;
        add_setting(pair, name, setting_words(before), setting_words(after));
    }
    return differ;
}

static size_t compare_corpora(const Pair *pair)
{
    const char *before = pair->before->corpus_digest, *after = pair->after->corpus_digest;
    if (before && after ? strcmp(before, after) == 0 : before == after)
        return 0;
    add_setting(pair, "corpus", before ? mem_text("sha256 %.12s", before) : dash(),
                after ? mem_text("sha256 %.12s", after) : dash());
    return 1;
}

/* ---- one experiment ---- */

void difference_add(Difference *difference, const Record *before, const Record *after)
{
    static const char *const profiles[] = {"full", "quick"};
    Pair pair = {difference, before->entry->name, before->result, after->result, false, false, false};
    if (!pair.before && !pair.after)
        return;
    if (!pair.before || !pair.after) {
        *(pair.before ? &difference->absent : &difference->added) += 1;
        add_row(&pair, "the experiment", text(pair.before ? "there" : "–"), text(pair.after ? "there" : "–"),
                dash(), pair.before ? "absent" : "added");
        return;
    }
    if (pair.before->quick != pair.after->quick) {
        add_row(&pair, "the budget", text(profiles[pair.before->quick]), text(profiles[pair.after->quick]),
                dash(), "not comparable");
        return;
    }
    difference->compared++;
    find_machines(&pair);
    size_t settings =
        compare_settings(&pair, pair.before) + compare_settings(&pair, pair.after) + compare_corpora(&pair);
    difference->moved += settings;
    if (settings == 0)
        compare_measurements(&pair);
    for (size_t i = 0; i < before->judgements.count; i++)
        compare_verdict(&pair, &before->entry->claims->list[i], &before->judgements.list[i],
                        &after->judgements.list[i]);
}

void difference_print(const Difference *d, FILE *out)
{
    if (table_rows(d->table) > 0)
        table_print(out, d->table, (size_t)terminal_width(out));
    fprintf(out,
            "%zu equal, %zu inside what was expected, %zu moved, %zu unresolved, %zu added, %zu removed, %zu "
            "experiments absent, %zu verdicts moved by changed rules\n",
            d->equal, d->inside, d->moved, d->unresolved, d->added, d->removed, d->absent, d->rules);
}
