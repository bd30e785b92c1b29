#include "commands.h"

#include "catalog.h"
#include "claims.h"
#include "markup.h"
#include "mem.h"
#include "nearest.h"
#include "results.h"
#include "table.h"
#include "terminal.h"
#include "wording.h"

#include <string.h>

int command_list(const CommandLine *line, Err *err)
{
    (void)line;
    Catalog catalog;
    bool loaded = catalog_load(&catalog, err);
    if (loaded) {
        Table *table = table_new(NULL);
        table_add_column(table, "experiment", false);
        table_add_column(table, "claims", true);
        table_add_column(table, "about", false);
        for (size_t i = 0; i < catalog.count; i++) {
            table_add(table, mem_text("%s", catalog.list[i].name));
            table_add(table, mem_text("%zu", catalog.list[i].claims->count));
            table_add(table, mem_text("%s", catalog.list[i].claims->about));
        }
        table_print(stdout, table, (size_t)terminal_width(stdout));
        table_free(table);
    }
    catalog_free(&catalog);
    return loaded ? EXIT_WELL : EXIT_UNUSABLE;
}

static void put_line(const char *label, const char *text)
{
    if (text && *text)
        printf("  %-10s %s\n", label, text);
}

static void put_judgement(const Judgement *judgement, const Result *result)
{
    static const char *const outcomes[] = {
        [OUTCOME_FINE] = "", [OUTCOME_DECLARED] = ", as declared", [OUTCOME_FAILED] = ", FAIL"};
    char *measured = wording_measured(judgement, true);
    char *with = judgement->seeds > 0
                     ? mem_text("%s, %d seed%s", measured, judgement->seeds, judgement->seeds == 1 ? "" : "s")
                     : mem_text("%s", measured);
    char *verdict =
        mem_text("%s%s (%s budget, %s)", verdict_word(judgement->verdict), outcomes[judgement->outcome],
                 result->quick ? "quick" : "full", result->context.date);
    put_line("measured", with);
    put_line("verdict", verdict);
    put_line("reason", judgement->reason);
    free(verdict);
    free(with);
    free(measured);
}

static void show_claim(const Record *record, size_t index)
{
    const Claim *claim = &record->entry->claims->list[index];
    const char *source = claim_source_title(claim->source), *origin = claim_origin_words[claim->origin];
    char *from = *source ? mem_text("%s (%s)", source, origin) : mem_text("%s", origin);
    char *numbers = wording_published(claim), *rule = wording_rule(claim);
    char *published = mem_text("%s%s%s", numbers, claim->unit ? " " : "", claim->unit ? claim->unit : "");
    printf("%s\n  %s\n", claim->id, claim->says);
    put_line("source", from);
    put_line("kind", claim_kind_words[claim->rule.kind]);
    put_line("published", published);
    put_line("rule", rule);
    put_line("needs", claim->needs_corpus && claim->needs_budget ? "the source's corpus and budget"
                      : claim->needs_corpus                      ? "the source's corpus"
                      : claim->needs_budget                      ? "the published budget"
                                                                 : NULL);
    put_line("declared", claim->disagrees);
    put_line("finding", claim->finding);
    put_line("not run", claim->not_run);
    if (record->result)
        put_judgement(&record->judgements.list[index], record->result);
    else
        put_line("measured", record->unread ? record->unread : "not yet");
    free(published);
    free(rule);
    free(numbers);
    free(from);
}

static void show_experiment(const Record *record)
{
    printf("%s\n  %s\n\n", record->entry->name, record->entry->claims->about);
    for (size_t i = 0; i < record->entry->claims->count; i++) {
        show_claim(record, i);
        putchar('\n');
    }
}

/* Names the experiment or claim that was probably meant. */
static void say_unknown(const Catalog *catalog, const char *id, Err *err)
{
    const char **names = NULL;
    size_t count = 0;
    for (size_t i = 0; i < catalog->count; i++) {
        *(const char **)mem_grow(&names, &count, sizeof *names) = catalog->list[i].name;
        for (size_t k = 0; k < catalog->list[i].claims->count; k++)
            *(const char **)mem_grow(&names, &count, sizeof *names) = catalog->list[i].claims->list[k].id;
    }
    const char *meant = nearest(id, names, count);
    if (meant)
        err_set(err, "there is no experiment or claim \"%s\"; did you mean \"%s\"?", id, meant);
    else
        err_set(err, "there is no experiment or claim \"%s\"; attest list shows the experiments", id);
    free(names);
}

static bool show(const Results *results, const char *id)
{
    for (size_t i = 0; i < results->count; i++) {
        const Record *record = &results->list[i];
        if (strcmp(record->entry->name, id) == 0) {
            show_experiment(record);
            return true;
        }
        for (size_t k = 0; k < record->entry->claims->count; k++)
            if (strcmp(record->entry->claims->list[k].id, id) == 0) {
                show_claim(record, k);
                return true;
            }
    }
    return false;
}

int command_show(const CommandLine *line, Err *err)
{
    Catalog catalog;
    Results results = {0};
    bool found = catalog_load(&catalog, err);
    if (found) {
        char *folder = line->out ? mem_text("%s", line->out) : results_default_folder("latest");
        results_load(&results, folder, &catalog);
        free(folder);
        found = show(&results, line->words[0]);
        if (!found)
            say_unknown(&catalog, line->words[0], err);
    }
    results_free(&results);
    catalog_free(&catalog);
    return found ? EXIT_WELL : EXIT_UNUSABLE;
}
