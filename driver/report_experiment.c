#include "report_parts.h"

#include "declared.h"
#include "figures.h"
#include "file.h"
#include "mem.h"
#include "number.h"
#include "wording.h"

#include <string.h>

/* The published numbers, with their unit where the claim names it. */
static char *published_words(const Claim *claim)
{
    char *numbers = wording_published(claim);
    if (!claim->unit)
        return numbers;
    char *text = mem_text("%s %s", numbers, claim->unit);
    free(numbers);
    return text;
}

static void add_claim(Table *table, const Claim *claim, const Judgement *judgement)
{
    const char *mark = wording_outcome(judgement->outcome);
    table_add(table, mem_text("%s", *mark ? mark : "ok"));
    table_add(table, mem_text("%s", claim->id));
    table_add(table, mem_text("%s", claim->says));
    table_add(table, wording_source(claim));
    table_add(table, published_words(claim));
    table_add(table, wording_measured(judgement, true));
    table_add(table, judgement->seeds > 0 ? mem_text("%d", judgement->seeds) : mem_text("–"));
    table_add(table, mem_text("%s", verdict_word(judgement->verdict)));
    table_add(table, mem_text("%s", judgement->reason));
}

/* Own controls make the source's claims falsifiable; they stand apart from them. */
static void add_claims(Doc *doc, const Record *record, bool own)
{
    static const char *const heads[] = {"",         "claim", "says",    "source", "published",
                                        "measured", "seeds", "verdict", "reason"};
    const Claims *claims = record->entry->claims;
    Table *table = table_new(own ? "Own controls" : "Claims");
    for (size_t i = 0; i < COUNT(heads); i++)
        table_add_column(table, heads[i], i == 6);
    for (size_t i = 0; i < claims->count; i++)
        if ((claims->list[i].origin == ORIGIN_OWN) == own)
            add_claim(table, &claims->list[i], &record->judgements.list[i]);
    if (table_rows(table) > 0)
        doc_table(doc, table);
    else
        table_free(table);
}

static void add_findings(Doc *doc, const Claims *claims)
{
    for (size_t i = 0; i < claims->count; i++) {
        const Claim *claim = &claims->list[i];
        if (claim->finding)
            doc_add(doc, BLOCK_ITEM, "%s: %s", claim->id, claim->finding);
        if (claim->disagrees)
            doc_add(doc, BLOCK_ITEM, "%s: %s", claim->id, claim->disagrees);
    }
}

static void add_figures(Doc *doc, const Results *results, const Record *record)
{
    const Claims *claims = record->entry->claims;
    for (size_t i = 0; i < claims->figure_count; i++) {
        const FigureSpec *figure = &claims->figures[i];
        char *path = figure_path(record, figure), *place = mem_text("%s/%s", results->folder, path);
        if (file_exists(place)) {
            doc_figure(doc, figure->title, path, figure->note ? figure->note : "");
        } else {
            char *problem = figure_problem(record, figure);
            doc_add(doc, BLOCK_TEXT, "No figure \"%s\": %s.", figure->title, problem);
            free(problem);
        }
        free(place);
        free(path);
    }
}

/* "pairs 20,000, corpus (name tinyshakespeare.txt, sha256 86c4…)". */
static void add_settings(Doc *doc, const Result *result)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for a sentence");
    for (size_t i = 0; i < result->setting_count; i++) {
        char *number = number_text(result->settings[i].value, DECIMALS_AUTO);
        fprintf(out, "%s%s %s", i ? ", " : "", result->settings[i].name, number);
        free(number);
    }
    if (result->corpus)
        fprintf(out, "%scorpus (name %s, sha256 %s)", result->setting_count ? ", " : "", result->corpus,
                result->corpus_digest);
    fclose(out);
    if (*text)
        doc_add(doc, BLOCK_TEXT, "Settings (%s budget): %s.", result->quick ? "quick" : "full", text);
    free(text);
}

/* The first line of a trouble is a sentence, the rest as it was printed. */
static void add_trouble(Doc *doc, const char *trouble)
{
    const char *end = strchr(trouble, '\n');
    doc_add(doc, BLOCK_NOTE, "FAIL %.*s", end ? (int)(end - trouble) : (int)strlen(trouble), trouble);
    if (end && end[1])
        doc_add(doc, BLOCK_CODE, "%s", end + 1);
}

void report_add_experiment(Doc *doc, const Results *results, const Record *record)
{
    const Claims *claims = record->entry->claims;
    doc_heading(doc, 2, record->entry->name);
    doc_add(doc, BLOCK_TEXT, "%s", claims->about);
    if (record->trouble)
        add_trouble(doc, record->trouble);
    else if (record->unread)
        doc_add(doc, BLOCK_NOTE, "FAIL %s", record->unread);
    if (!record->result) {
        doc_add(doc, BLOCK_TEXT, "There is no result: its %zu claims are not run.", claims->count);
        return;
    }
    if (record->result->quick)
        doc_add(doc, BLOCK_NOTE,
                "At a reduced budget (--quick): a first look, not the published experiment.");
    for (size_t i = 0; i < record->result->warning_count; i++)
        doc_add(doc, BLOCK_NOTE, "%s", record->result->warnings[i]);
    for (size_t i = 0; i < claims->table_count; i++)
        doc_table(doc, declared_table(&claims->tables[i], claims, record->result));
    add_figures(doc, results, record);
    add_claims(doc, record, false);
    add_claims(doc, record, true);
    add_findings(doc, claims);
    add_settings(doc, record->result);
}
