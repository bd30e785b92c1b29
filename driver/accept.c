#include "commands.h"

#include "child.h"
#include "difference.h"
#include "figures.h"
#include "file.h"
#include "mem.h"
#include "report.h"
#include "tally.h"

#include <stdio.h>
#include <string.h>

/* Why a result can't become the reference; the sentence is in err. */
static bool is_acceptable(const Record *record, Err *err)
{
    const char *name = record->entry->name;
    if (record->unread)
        return err_set(err, "%s", record->unread);
    if (record->trouble)
        return err_set(err, "%.*s: run it again first, or name others with --only",
                       (int)strcspn(record->trouble, "\n"), record->trouble);
    if (!record->result)
        return err_set(err, "%s has no result to accept", name);
    if (record->result->quick)
        return err_set(
            err,
            "the result of %s is a quick one: run it with the full budget first, or name others with --only",
            name);
    Tally tally = {0};
    tally_add(&tally, &record->judgements);
    if (tally.verdicts[VERDICT_NOT_COMPARABLE] > 0)
        return err_set(
            err,
            "the result of %s is from another corpus, or from settings other than the published ones: "
            "run it without them first, or name others with --only",
            name);
    return tally.failed == 0 ||
           err_set(err,
                   "%zu claim%s of %s fail%s: mend the experiment, or declare the disagreement in its claims "
                   "file",
                   tally.failed, tally.failed == 1 ? "" : "s", name, tally.failed == 1 ? "s" : "");
}

/* Which results are to be accepted: those named, else all that are there. */
static bool choose(const CommandLine *line, const Catalog *catalog, const Results *latest, bool *chosen,
                   Err *err)
{
    if (!catalog_select(catalog, line->only, line->only_count, chosen, err))
        return false;
    size_t count = 0;
    for (size_t i = 0; i < latest->count; i++) {
        const Record *record = &latest->list[i];
        bool is_there = record->result || record->unread || record->trouble;
        if (line->only_count == 0)
            chosen[i] = is_there;
        if (chosen[i] && !is_acceptable(record, err))
            return false;
        count += chosen[i];
    }
    if (count == 0)
        return err_set(err, "there are no results in %s", latest->folder);
    if (latest->interrupted && line->only_count == 0)
        return err_set(
            err, "the last run has not come to its end: finish it, or name what is finished with --only");
    return true;
}

static void show_difference(const Results *reference, const Results *latest, const bool *chosen)
{
    Difference difference;
    difference_begin(&difference);
    for (size_t i = 0; i < latest->count; i++)
        if (chosen[i])
            difference_add(&difference, &reference->list[i], &latest->list[i]);
    difference_print(&difference, stdout);
    difference_free(&difference);
}

static bool copy_file(const char *from, const char *to, Err *err)
{
    Bytes bytes;
    bool good = file_read(from, &bytes, err) && file_write(to, bytes.data, bytes.size, err);
    bytes_free(&bytes);
    return good;
}

/* The units of work behind a result, as its context lists them; those of an earlier reference are there already. */
static bool copy_units(const Result *result, const Results *reference, Err *err)
{
    bool good = true;
    for (size_t i = 0; i < result->context.unit_count && good; i++) {
        const char *key = result->context.units[i];
        char *folder = results_default_folder("units");
        char *from = mem_text("%s/%s.json", folder, key);
        char *to = mem_text("%s/units/%s.json", reference->folder, key);
        good = file_exists(to) || copy_file(from, to, err);
        free(folder);
        free(from);
        free(to);
    }
    return good;
}

static bool accept(const Results *latest, Results *reference, const bool *chosen, Err *err)
{
    child_take_stops(); /* none may leave it half done */
    for (size_t i = 0; i < latest->count; i++) {
        if (!chosen[i])
            continue;
        Record *old = &reference->list[i];
        if (!copy_units(latest->list[i].result, reference, err) ||
            !copy_file(latest->list[i].path, old->path, err))
            return false;
        record_reload(old);
        figures_draw(reference, old);
        printf("accepted: %s\n", old->path);
    }
    return report_write(reference, err);
}

int command_accept(const CommandLine *line, Err *err)
{
    const char *ci = getenv("CI");
    Catalog catalog = {0};
    Results latest = {0}, reference = {0};
    bool *chosen = NULL;
    bool good = !(ci && *ci) ||
                err_set(err, "the reference is accepted by a person, never by CI (the variable CI is set)");
    good = good && catalog_load(&catalog, err);
    if (good) {
        char *from = line->out ? mem_text("%s", line->out) : results_default_folder("latest");
        char *to = results_default_folder("reference");
        results_load(&latest, from, &catalog);
        results_load(&reference, to, &catalog);
        chosen = mem_new(catalog.count, sizeof *chosen);
        good = choose(line, &catalog, &latest, chosen, err);
        if (good) {
            show_difference(&reference, &latest, chosen);
            good = accept(&latest, &reference, chosen, err);
        }
        free(from);
        free(to);
    }
    free(chosen);
    results_free(&latest);
    results_free(&reference);
    catalog_free(&catalog);
    return good ? EXIT_WELL : EXIT_UNUSABLE;
}
