#include "report_parts.h"

#include "declared.h"
#include "figures.h"
#include "file.h"
#include "mem.h"
#include "text.h"
#include "wording.h"

#include <string.h>

static const char *mark_word(Mark mark)
{
    return mark == MARK_FAILED ? "FAIL" : mark == MARK_DECLARED ? "declared" : "ok";
}

/* The published numbers, with their unit where the claim names it. */
static char *published_words(const Json *claim)
{
    char *numbers = wording_published(claim);
    if (!*field_text(claim, "unit"))
        return numbers;
    char *text = mem_text("%s %s", numbers, field_text(claim, "unit"));
    free(numbers);
    return text;
}

/* Own controls make the source's claims falsifiable; they stand apart from them. */
static void add_claims(Doc *doc, const Json *result, bool own)
{
    static const char *const heads[] = {"",         "claim", "says",    "source", "published",
                                        "measured", "seeds", "verdict", "reason"};
    Table *table = table_new(own ? "Own controls" : "Claims");
    for (size_t i = 0; i < COUNT(heads); i++)
        table_add_column(table, heads[i], i == 6);
    const Json *claims = json_get(result, "claims");
    for (const Json *claim = json_first(claims); claim; claim = json_next(claim)) {
        if ((strcmp(field_text(claim, "origin"), "own") == 0) != own)
            continue;
        double seeds = field_number(claim, "seeds", 0);
        table_add(table, mem_text("%s", mark_word(claim_mark(claim))));
        table_add(table, mem_text("%s", field_text(claim, "id")));
        table_add(table, mem_text("%s", field_text(claim, "says")));
        table_add(table, wording_source(claim));
        table_add(table, published_words(claim));
        table_add(table, wording_measured(claim, true));
        table_add(table, seeds > 0 ? mem_text("%.0f", seeds) : mem_text("–"));
        table_add(table, mem_text("%s", field_text(claim, "verdict")));
        table_add(table, mem_text("%s", field_text(claim, "reason")));
    }
    if (table_rows(table) > 0)
        doc_table(doc, table);
    else
        table_free(table);
}

static void add_findings(Doc *doc, const Json *result)
{
    static const char *const keys[] = {"finding", "disagrees"};
    const Json *claims = json_get(result, "claims");
    for (const Json *claim = json_first(claims); claim; claim = json_next(claim))
        for (size_t i = 0; i < COUNT(keys); i++)
            if (*field_text(claim, keys[i]))
                doc_add(doc, BLOCK_ITEM, "%s: %s", field_text(claim, "id"), field_text(claim, keys[i]));
}

static void add_figures(Doc *doc, const Results *results, const Record *record)
{
    const Json *figures = record->entry->claims->figures;
    for (const Json *figure = figures ? json_first(figures) : NULL; figure; figure = json_next(figure)) {
        char *path = figure_path(record, figure), *place = mem_text("%s/%s", results->folder, path);
        if (file_exists(place)) {
            doc_figure(doc, field_text(figure, "title"), path, field_text(figure, "note"));
        } else {
            char *problem = figure_problem(record, figure);
            doc_add(doc, BLOCK_TEXT, "No figure \"%s\": %s.", field_text(figure, "title"), problem);
            free(problem);
        }
        free(place);
        free(path);
    }
}

/* "pairs 20,000, corpus (name tinyshakespeare.txt, sha256 86c4…)". */
static void put_settings(FILE *out, const Json *object)
{
    for (const Json *member = json_first(object); member; member = json_next(member)) {
        fprintf(out, "%s%s ", member == json_first(object) ? "" : ", ", json_key(member));
        if (json_kind(member) == JSON_NUMBER) {
            char *number = text_number(json_number(member), DECIMALS_AUTO);
            fputs(number, out);
            free(number);
        } else if (json_kind(member) == JSON_STRING) {
            fputs(json_string(member), out);
        } else if (json_kind(member) == JSON_OBJECT) {
            fputc('(', out);
            put_settings(out, member);
            fputc(')', out);
        }
    }
}

static void add_settings(Doc *doc, const Json *result)
{
    const Json *settings = json_get(result, "settings");
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for a sentence");
    if (settings)
        put_settings(out, settings);
    fclose(out);
    if (*text)
        doc_add(doc, BLOCK_TEXT, "Settings (%s budget): %s.", result_is_quick(result) ? "quick" : "full",
                text);
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

/* Claims that were stated, or changed, after the result was made. */
static void add_stale_claims(Doc *doc, const Record *record)
{
    const Claims *claims = record->entry->claims;
    for (size_t i = 0; i < claims->count; i++)
        if (!record_judgement(record, &claims->list[i]))
            doc_add(doc, BLOCK_NOTE,
                    "%s is not judged by its present rule: the result is older than the claim.",
                    claims->list[i].id);
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
    if (result_is_quick(record->result))
        doc_add(doc, BLOCK_NOTE,
                "At a reduced budget (--quick): a first look, not the published experiment.");
    const Json *warnings = json_get(record->result, "warnings");
    for (const Json *warning = warnings ? json_first(warnings) : NULL; warning; warning = json_next(warning))
        if (json_kind(warning) == JSON_STRING)
            doc_add(doc, BLOCK_NOTE, "%s", json_string(warning));
    const Json *tables = claims->tables;
    for (const Json *table = tables ? json_first(tables) : NULL; table; table = json_next(table))
        doc_table(doc, declared_table(table, record->result));
    add_figures(doc, results, record);
    add_claims(doc, record->result, false);
    add_claims(doc, record->result, true);
    add_stale_claims(doc, record);
    add_findings(doc, record->result);
    add_settings(doc, record->result);
}
