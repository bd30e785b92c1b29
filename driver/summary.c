#include "summary.h"

#include "commands.h"
#include "mem.h"
#include "table.h"
#include "terminal.h"
#include "wording.h"

#include <string.h>

static const Json *claims_of(const Results *results, size_t i, const bool *selected)
{
    const Json *result = selected[i] ? results->list[i].result : NULL;
    return result ? json_get(result, "claims") : NULL;
}

static void print_claims(FILE *out, const Results *results, const bool *selected)
{
    static const char *const heads[] = {"", "claim", "says", "published", "measured", "verdict"};
    Table *table = table_new(NULL);
    for (size_t i = 0; i < COUNT(heads); i++)
        table_add_column(table, heads[i], false);
    for (size_t i = 0; i < results->count; i++) {
        const Json *claims = claims_of(results, i, selected);
        for (const Json *claim = claims ? json_first(claims) : NULL; claim; claim = json_next(claim)) {
            table_add(table, mem_text("%s", claim_mark(claim) == MARK_FAILED ? "FAIL" : ""));
            table_add(table, mem_text("%s", field_text(claim, "id")));
            table_add(table, mem_text("%s", field_text(claim, "says")));
            table_add(table, wording_published(claim));
            table_add(table, wording_measured(claim, false));
            table_add(table, mem_text("%s%s", field_text(claim, "verdict"),
                                      claim_mark(claim) == MARK_DECLARED ? " (declared)" : ""));
        }
    }
    if (table_rows(table) > 0)
        table_print(out, table, (size_t)terminal_width(out));
    table_free(table);
}

/* What must not be overlooked below a long table. */
static void print_failures(FILE *out, const Results *results, const bool *selected)
{
    for (size_t i = 0; i < results->count; i++) {
        const Record *record = &results->list[i];
        const Json *claims = claims_of(results, i, selected);
        for (const Json *claim = claims ? json_first(claims) : NULL; claim; claim = json_next(claim))
            if (claim_mark(claim) == MARK_FAILED)
                fprintf(out, "%s %s: %s. %s\n", terminal_mark(out, false), field_text(claim, "id"),
                        field_text(claim, "verdict"), field_text(claim, "reason"));
        if (selected[i] && record->trouble)
            fprintf(out, "%s %.*s\n", terminal_mark(out, false), (int)strcspn(record->trouble, "\n"),
                    record->trouble);
        else if (selected[i] && record->unread)
            fprintf(out, "%s %s\n", terminal_mark(out, false), record->unread);
        else if (selected[i] && !record->result)
            fprintf(out, "     %s has no result yet\n", record->entry->name);
        else if (selected[i] && record_stale_claim(record))
            fprintf(out, "%s %s was not judged by the present rule of %s: run it again\n",
                    terminal_mark(out, false), record->entry->name, record_stale_claim(record)->id);
    }
}

void summary_print(FILE *out, const Results *results, const bool *selected)
{
    Tally tally = {0};
    for (size_t i = 0; i < results->count; i++)
        if (selected[i])
            tally_add(&tally, results->list[i].result);
    print_claims(out, results, selected);
    char *words = tally_words(&tally);
    fprintf(out, "\n%zu claims: %s\n", tally.claims, *words ? words : "none judged");
    fprintf(out,
            "failing: %zu; disagreeing as declared: %zu; resting on chance: %zu, so about %.1f false alarms "
            "are to be "
            "expected\n",
            tally.failed, tally.declared, tally.stochastic, tally_false_alarms(&tally));
    print_failures(out, results, selected);
    free(words);
}

int summary_exit_code(const Results *results, const bool *selected)
{
    Tally tally = {0};
    bool complete = true;
    for (size_t i = 0; i < results->count; i++) {
        if (!selected[i])
            continue;
        const Record *record = &results->list[i];
        complete = complete && record->result && !record->trouble && !record_stale_claim(record);
        tally_add(&tally, results->list[i].result);
    }
    return !complete ? EXIT_UNUSABLE : tally.failed ? EXIT_FAILED : EXIT_WELL;
}
