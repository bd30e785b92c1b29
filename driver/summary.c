#include "summary.h"

#include "commands.h"
#include "mem.h"
#include "table.h"
#include "tally.h"
#include "terminal.h"
#include "wording.h"

#include <string.h>

static void print_claims(FILE *out, const Results *results, const bool *selected)
{
    static const char *const heads[] = {"", "claim", "says", "published", "measured", "verdict"};
    Table *table = table_new(NULL);
    for (size_t i = 0; i < COUNT(heads); i++)
        table_add_column(table, heads[i], false);
    for (size_t i = 0; i < results->count; i++) {
        const Record *record = &results->list[i];
        for (size_t k = 0; selected[i] && k < record->judgements.count; k++) {
            const Claim *claim = &record->entry->claims->list[k];
            const Judgement *judgement = &record->judgements.list[k];
            table_add(table, mem_text("%s", judgement->outcome == OUTCOME_FAILED ? "FAIL" : ""));
            table_add(table, mem_text("%s", claim->id));
            table_add(table, mem_text("%s", claim->says));
            table_add(table, wording_published(claim));
            table_add(table, wording_measured(judgement, false));
            table_add(table, mem_text("%s%s", verdict_word(judgement->verdict),
                                      judgement->outcome == OUTCOME_DECLARED ? " (declared)" : ""));
        }
    }
    if (table_rows(table) > 0)
        table_print(out, table, (size_t)terminal_width(out));
    table_free(table);
}

/* What must not be overlooked below a long table. */
static void print_failures(FILE *out, const Record *record)
{
    const char *mark = terminal_mark(out, false);
    for (size_t k = 0; k < record->judgements.count; k++)
        if (record->judgements.list[k].outcome == OUTCOME_FAILED)
            fprintf(out, "%s %s: %s. %s\n", mark, record->entry->claims->list[k].id,
                    verdict_word(record->judgements.list[k].verdict), record->judgements.list[k].reason);
    if (record->trouble)
        fprintf(out, "%s %.*s\n", mark, (int)strcspn(record->trouble, "\n"), record->trouble);
    else if (record->unread)
        fprintf(out, "%s %s\n", mark, record->unread);
    else if (!record->result)
        fprintf(out, "     %s has no result yet\n", record->entry->name);
}

void summary_print(FILE *out, const Results *results, const bool *selected)
{
    Tally tally = {0};
    for (size_t i = 0; i < results->count; i++)
        if (selected[i])
            tally_add(&tally, &results->list[i].judgements);
    print_claims(out, results, selected);
    char *words = tally_words(&tally);
    fprintf(out, "\n%zu claims: %s\n", tally.claims, *words ? words : "none judged");
    fprintf(out,
            "failing: %zu; disagreeing as declared: %zu; resting on chance: %zu, so about %.1f false alarms "
            "are to be "
            "expected\n",
            tally.failed, tally.declared, tally.stochastic, tally_false_alarms(&tally));
    for (size_t i = 0; i < results->count; i++)
        if (selected[i])
            print_failures(out, &results->list[i]);
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
        complete = complete && record->result && !record->trouble;
        tally_add(&tally, &record->judgements);
    }
    return !complete ? EXIT_UNUSABLE : tally.failed ? EXIT_FAILED : EXIT_WELL;
}
