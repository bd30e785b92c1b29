#include "commands.h"

#include "catalog.h"
#include "claims.h"
#include "mem.h"
#include "nearest.h"
#include "results.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "wording.h"

#include <string.h>

int command_list(const Options *options, Err *err)
{
    (void)options;
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

static void put_judgement(const Json *claim, const Json *result)
{
    char *measured = wording_measured(claim, true);
    double seeds = field_number(claim, "seeds", 0);
    char *with = seeds > 0 ? mem_text("%s, %.0f seed%s", measured, seeds, seeds == 1 ? "" : "s")
                           : mem_text("%s", measured);
    put_line("measured", with);
    char *verdict =
        mem_text("%s%s (%s budget, %s)", field_text(claim, "verdict"),
                 claim_mark(claim) == MARK_FAILED     ? ", FAIL"
                 : claim_mark(claim) == MARK_DECLARED ? ", as declared"
                                                      : "",
                 result_is_quick(result) ? "quick" : "full", field_text(json_get(result, "context"), "date"));
    put_line("verdict", verdict);
    put_line("reason", field_text(claim, "reason"));
    free(verdict);
    free(with);
    free(measured);
}

/* The rule's own keys, as the claims file has them. */
static void put_rule(const Claim *claim)
{
    static const char *const shown[] = {"id",        "says",      "source",  "origin", "kind",
                                        "published", "disagrees", "finding", "not_run"};
    for (const Json *member = json_first(claim->json); member; member = json_next(member)) {
        bool known = false;
        for (size_t i = 0; i < COUNT(shown); i++)
            known |= strcmp(shown[i], json_key(member)) == 0;
        if (known)
            continue;
        char *text =
            json_kind(member) == JSON_STRING ? mem_text("%s", json_string(member)) : json_text(member);
        size_t length = strlen(text);
        if (length > 0 && text[length - 1] == '\n')
            text[length - 1] = '\0';
        put_line(json_key(member), text);
        free(text);
    }
}

static void show_claim(const Claim *claim, const Record *record)
{
    const char *source = claim_source_title(claim->source);
    printf("%s\n  %s\n", claim->id, claim->says);
    char *from = *source ? mem_text("%s (%s)", source, claim_origin_word(claim->origin))
                         : mem_text("%s", claim_origin_word(claim->origin));
    char *published = wording_published(claim->json);
    put_line("source", from);
    put_line("kind", claim_kind_word(claim->kind));
    put_line("published", published);
    put_rule(claim);
    put_line("declared", claim->disagrees);
    put_line("finding", claim->finding);
    put_line("not run", claim->not_run);
    const Json *judgement = record_judgement(record, claim);
    if (judgement)
        put_judgement(judgement, record->result);
    else if (record->unread)
        put_line("measured", record->unread);
    else
        put_line("measured",
                 record->result ? "not by this rule: the result is older than the claim" : "not yet");
    free(published);
    free(from);
}

static void show_experiment(const Record *record)
{
    printf("%s\n  %s\n\n", record->entry->name, record->entry->claims->about);
    for (size_t i = 0; i < record->entry->claims->count; i++) {
        show_claim(&record->entry->claims->list[i], record);
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
                show_claim(&record->entry->claims->list[k], record);
                return true;
            }
    }
    return false;
}

int command_show(const Options *options, Err *err)
{
    Catalog catalog;
    Results results = {0};
    bool found = catalog_load(&catalog, err);
    if (found) {
        char *folder = options->out ? mem_text("%s", options->out) : results_default_folder("latest");
        results_load(&results, folder, &catalog);
        free(folder);
        found = show(&results, options->words[0]);
        if (!found)
            say_unknown(&catalog, options->words[0], err);
    }
    results_free(&results);
    catalog_free(&catalog);
    return found ? EXIT_WELL : EXIT_UNUSABLE;
}
