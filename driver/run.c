#include "commands.h"

#include "attempt.h"
#include "child.h"
#include "digest.h"
#include "duration.h"
#include "figures.h"
#include "file.h"
#include "mem.h"
#include "report.h"
#include "summary.h"
#include "tally.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SEEDS_WANTED = 3 };

/* Bounds for a child that hangs, far above what any experiment needs. */
static const double quick_limit = 1800, full_limit = 86400;

/* An experiment whose seeds take no longer than this runs all of them at once. */
static const double short_seconds = 30;

typedef struct Job {
    Record *record;
    double seed_seconds; /* of the full budget, as far as known; NaN */
    double expected;     /* what it is ordered by: seconds of its last full run, else of its quick one */
    bool finished, failed;
} Job;

typedef struct Run {
    const CommandLine *line;
    Catalog catalog;
    Results results;
    bool *selected; /* by entry of the catalog */
    Job *jobs;      /* the selected experiments */
    size_t count;
    int seeds;    /* to work towards */
    double limit; /* from ATTEST_TIME_LIMIT, else 0 */
} Run;

/* ---- one step ---- */

static void explain(const Run *run, const Attempt *attempt, const Record *record, const char *why)
{
    if (!run->line->explain)
        return;
    char *command = attempt_command(attempt, record);
    terminal_say("%s%s: %s\n     %s", attempt->label, record->entry->name, why, command);
    free(command);
}

/* Why its units of work were not found, as the experiment itself noted. */
static void explain_units(const Run *run, const Record *record)
{
    const char *why = context_noted(&record->result->context, "first_unit_trained");
    if (run->line->explain && *why)
        terminal_say("     trained anew: %s", why);
}

/* Says how the claims did, and draws the figures. */
static void conclude(const Run *run, const Record *record, const char *label, double seconds)
{
    Tally tally = {0};
    tally_add(&tally, &record->judgements);
    char *words = tally_words(&tally), time[32];
    duration_text(seconds, time, sizeof time);
    terminal_say("%s %s%s: %s (%s)", terminal_mark(stderr, tally.failed == 0), label, record->entry->name,
                 words, time);
    free(words);
    explain_units(run, record);
    figures_draw(&run->results, record);
}

/* Runs one experiment, then brings figures and report up to date. False when the run is to end: stopped, or the
 * folder can no longer be written. */
static bool step(Run *run, Job *job, bool quick, int seeds, const char *label, const char *why, Err *err)
{
    Record *record = job->record;
    Attempt attempt = {.line = run->line, .quick = quick, .seeds = seeds, .label = label};
    attempt.limit = run->limit > 0 ? run->limit : quick ? quick_limit : full_limit;
    explain(run, &attempt, record, why);
    terminal_status("%s%s …", label, record->entry->name);

    double seconds;
    AttemptEnd end = attempt_run(&attempt, record, &seconds, err);
    job->failed = end == ATTEMPT_FAILED;
    if (end == ATTEMPT_DONE) {
        conclude(run, record, label, seconds);
        if (!quick)
            job->seed_seconds = record->result->context.seconds / fmax(1, result_seeds(record->result));
    }
    return err->text[0] == '\0' && report_write(&run->results, err) && !child_stop_asked();
}

/* ---- the passes ---- */

/* Every table within minutes. A result with the full budget is worth hours and stands for more than a quick one,
 * so it is kept, also when the sources have changed since: the full pass replaces it. */
static bool quick_pass(Run *run, Err *err)
{
    for (size_t i = 0; i < run->count; i++) {
        Job *job = &run->jobs[i];
        char *label = mem_text("[%zu/%zu quick] ", i + 1, run->count);
        bool kept = job->record->result && !job->record->result->quick, more = true;
        if (!kept)
            more = step(run, job, true, run->line->quick ? run->line->seeds : 0, label,
                        job->record->result ? "its result is a quick one" : "it has no result", err);
        else if (run->line->quick || run->line->explain)
            terminal_say("     %s%s: kept, its result has the full budget (%s, commit %s)", label,
                         job->record->entry->name, job->record->result->context.date,
                         job->record->result->context.commit);
        free(label);
        if (!more)
            return false;
    }
    return true;
}

static int by_expected(const void *a, const void *b)
{
    double x = ((const Job *)a)->expected, y = ((const Job *)b)->expected;
    return (x > y) - (x < y);
}

/* Cheapest first: by the reference's time, else that of the last result. */
static void order_jobs(Run *run)
{
    Results reference;
    char *folder = results_default_folder("reference");
    results_load(&reference, folder, &run->catalog);
    for (size_t i = 0; i < run->count; i++) {
        Job *job = &run->jobs[i];
        const Result *known = reference.list[job->record->entry - run->catalog.list].result;
        if (!known)
            known = job->record->result;
        job->expected = known ? known->context.seconds : 0;
        job->seed_seconds =
            known && !known->quick ? known->context.seconds / fmax(1, result_seeds(known)) : NAN;
    }
    qsort(run->jobs, run->count, sizeof *run->jobs, by_expected);
    results_free(&reference);
    free(folder);
}

/* Whether seeds make a difference, as far as a result tells. */
static bool has_chance(const Job *job)
{
    return !job->record->result || result_seeds(job->record->result) > 0;
}

/* How many seeds the job's full result has; 0 when there is none. */
static int full_seeds(const Job *job)
{
    const Result *result = job->record->result;
    return result && !result->quick ? result_seeds(result) : 0;
}

/* ", about 2 h 10 min left"; "" while some experiment's time is unknown. Owned by the caller. */
static char *time_left(const Run *run)
{
    double left = 0;
    for (size_t i = 0; i < run->count; i++) {
        const Job *job = &run->jobs[i];
        if (!job->finished && !job->failed)
            left += job->seed_seconds * (has_chance(job) ? fmax(1, run->seeds - full_seeds(job)) : 1);
    }
    if (isnan(left) || left < 1)
        return mem_text("%s", "");
    char duration[32];
    duration_text(left, duration, sizeof duration);
    return mem_text(", about %s left", duration);
}

static bool is_short(const Job *job)
{
    return job->seed_seconds <= short_seconds; /* false while it is not known */
}

/* One job in the pass that works towards `pass` seeds. */
static bool full_step(Run *run, Job *job, size_t place, int pass, Err *err)
{
    if (is_short(job))
        pass = run->seeds;
    int have = full_seeds(job);
    bool chance = has_chance(job), last = pass == run->seeds;
    if (job->finished || job->failed || (!last && have >= pass))
        return true;

    char *left = time_left(run);
    char *of = chance ? mem_text(" seed %d of %d", pass, run->seeds) : mem_text("%s", "");
    char *label = mem_text("[%zu/%zu%s%s] ", place + 1, run->count, of, left);
    char *why = chance ? mem_text("its full result has %d of %d seeds", have < pass ? have : pass, run->seeds)
                       : mem_text("no chance is involved: it is run once");
    /* More seeds than asked for by default are not thrown away. */
    int seeds = !chance ? 0 : last && have > pass && !run->line->seeds ? have : pass;
    bool more = step(run, job, false, seeds, label, why, err);
    job->finished = last || !chance;
    free(why);
    free(label);
    free(of);
    free(left);
    return more && (!is_short(job) || full_step(run, job, place, pass, err));
}

static bool full_passes(Run *run, Err *err)
{
    order_jobs(run);
    for (int pass = 1; pass <= run->seeds; pass++)
        for (size_t i = 0; i < run->count; i++)
            if (!full_step(run, &run->jobs[i], i, pass, err))
                return false;
    return true;
}

/* ---- the whole run ---- */

static bool read_limit(double *limit, Err *err)
{
    const char *text = getenv("ATTEST_TIME_LIMIT");
    char *end;
    *limit = text && *text ? strtod(text, &end) : 0;
    if (!text || !*text || (*end == '\0' && *limit > 0 && isfinite(*limit)))
        return true;
    return err_set(err, "ATTEST_TIME_LIMIT takes a number of seconds, not \"%s\"", text);
}

/* The digest of the corpus that is named by --corpus or ATTEST_CORPUS; "" when none is. */
static bool read_corpus(const CommandLine *line, char digest[static DIGEST_TEXT], Err *err)
{
    const char *path = line->corpus ? line->corpus : getenv("ATTEST_CORPUS");
    Bytes bytes;
    *digest = '\0';
    if (!path || !*path)
        return true;
    if (!file_read(path, &bytes, err))
        return err_within(err, "the corpus");
    digest_hex(bytes.data, bytes.size, digest);
    bytes_free(&bytes);
    return true;
}

/* A quick run keeps results with the full budget, and what can't be read may be one. So these must be what was asked
 * for: of the corpus that is named, if any is. */
static bool check_kept(const Record *record, const char *corpus, Err *err)
{
    if (record->unread)
        return err_set(err, "%s; mend it or move it away: it may be worth more than a quick result",
                       record->unread);
    const char *used = record->result ? record->result->corpus_digest : NULL;
    return !record->result || record->result->quick || !*corpus || !used || strcmp(corpus, used) == 0 ||
           err_set(err,
                   "%s has the full budget and another corpus, and a quick run would keep it: choose another "
                   "folder "
                   "with --out",
                   record->path);
}

/* Everything that can be refused is refused here, before anything runs. */
static bool prepare(Run *run, Err *err)
{
    const CommandLine *line = run->line;
    char corpus[DIGEST_TEXT];
    if (!catalog_load(&run->catalog, err) || !read_limit(&run->limit, err) || !read_corpus(line, corpus, err))
        return false;
    run->selected = mem_new(run->catalog.count, sizeof *run->selected);
    char *folder = line->out ? mem_text("%s", line->out) : results_default_folder("latest");
    bool ready = catalog_select(&run->catalog, line->only, line->only_count, run->selected, err) &&
                 file_can_write(folder, err);
    results_load(&run->results, folder, &run->catalog);
    free(folder);
    for (size_t i = 0; i < run->catalog.count && ready; i++) {
        if (!run->selected[i])
            continue;
        ((Job *)mem_grow(&run->jobs, &run->count, sizeof *run->jobs))->record = &run->results.list[i];
        ready = !line->quick || check_kept(&run->results.list[i], corpus, err);
    }
    return ready && results_lock(&run->results, err);
}

static void say_plan(const Run *run)
{
    if (run->line->quick)
        terminal_say("%zu experiments at reduced budgets; Ctrl-C at any moment leaves a valid report",
                     run->count);
    else
        terminal_say(
            "%zu experiments: first all at reduced budgets, then the published ones with up to %d seeds, "
            "cheapest first; Ctrl-C at any moment leaves a valid report, and the next call goes on from "
            "there",
            run->count, run->seeds);
}

/* The passes, with the folder marked as incomplete until they have come to their end. */
static int run_passes(Run *run, Err *err)
{
    say_plan(run);
    if (!results_set_interrupted(&run->results,
                                 "the run has not come to its end; the next one goes on from here", err))
        return EXIT_UNUSABLE;
    bool done = quick_pass(run, err) && (run->line->quick || full_passes(run, err));
    if (done && !results_set_interrupted(&run->results, NULL, err))
        return EXIT_UNUSABLE;
    if (err->text[0] || !report_write(&run->results, err))
        return EXIT_UNUSABLE;
    summary_print(stdout, &run->results, run->selected);
    printf("report: %s/report.md and report.html%s\n", run->results.folder,
           done ? "" : " (INCOMPLETE: interrupted)");
    return done ? summary_exit_code(&run->results, run->selected) : EXIT_INTERRUPTED;
}

int command_run(const CommandLine *line, Err *err)
{
    Run run = {.line = line, .seeds = line->seeds ? line->seeds : SEEDS_WANTED};
    child_take_stops();
    int code = prepare(&run, err) ? run_passes(&run, err) : EXIT_UNUSABLE;
    results_free(&run.results);
    catalog_free(&run.catalog);
    free(run.selected);
    free(run.jobs);
    return code;
}
