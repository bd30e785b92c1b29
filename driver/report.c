#include "report.h"

#include "child.h"
#include "commands.h"
#include "doc.h"
#include "figures.h"
#include "file.h"
#include "mem.h"
#include "report_parts.h"
#include "summary.h"
#include "tally.h"

#include <stdio.h>
#include <string.h>

static void add_overview(Doc *doc, const Results *results)
{
    Table *table = table_new("Experiments");
    static const char *const heads[] = {"", "experiment", "budget", "seeds", "verdicts"};
    for (size_t i = 0; i < COUNT(heads); i++)
        table_add_column(table, heads[i], i == 3);
    for (size_t i = 0; i < results->count; i++) {
        const Record *record = &results->list[i];
        const Result *result = record->result;
        Tally tally = {0};
        tally_add(&tally, &record->judgements);
        table_add(table, mem_text("%s", record->trouble || tally.failed ? "FAIL" : result ? "ok" : ""));
        table_add(table, mem_text("%s", record->entry->name));
        table_add(table, mem_text("%s", result ? result->quick ? "quick" : "full" : "–"));
        table_add(table,
                  result && result_seeds(result) ? mem_text("%d", result_seeds(result)) : mem_text("–"));
        table_add(table, result ? tally_words(&tally) : mem_text("no result"));
    }
    doc_table(doc, table);
}

static void add_failures(Doc *doc, const Record *record)
{
    for (size_t i = 0; i < record->judgements.count; i++)
        if (record->judgements.list[i].outcome == OUTCOME_FAILED)
            doc_add(doc, BLOCK_NOTE, "FAIL %s: %s. %s", record->entry->claims->list[i].id,
                    verdict_word(record->judgements.list[i].verdict), record->judgements.list[i].reason);
    if (record->trouble)
        doc_add(doc, BLOCK_NOTE, "FAIL %.*s", (int)strcspn(record->trouble, "\n"), record->trouble);
    else if (record->unread)
        doc_add(doc, BLOCK_NOTE, "FAIL %s", record->unread);
}

static void add_summary(Doc *doc, const Results *results)
{
    Tally tally = {0};
    size_t quick = 0, full = 0;
    for (size_t i = 0; i < results->count; i++) {
        const Result *result = results->list[i].result;
        tally_add(&tally, &results->list[i].judgements);
        quick += result && result->quick;
        full += result && !result->quick;
    }
    doc_heading(doc, 1, "attest: report");
    doc_add(doc, BLOCK_TEXT,
            "What teaching documents claim about attention, re-run and judged claim by claim. Experiments: "
            "%zu, of "
            "which %zu with the published budget, %zu with the quick one, %zu without a result.",
            results->count, full, quick, results->count - full - quick);
    if (results->interrupted)
        doc_add(doc, BLOCK_NOTE, "INCOMPLETE: %s", results->interrupted);
    char *words = tally_words(&tally);
    doc_add(doc, BLOCK_TEXT, "Claims judged: %zu (%s).", tally.claims, *words ? words : "none");
    free(words);
    doc_add(doc, BLOCK_TEXT,
            "Failing: %zu. Disagreeing as declared: %zu. Resting on chance: %zu, so that about %.1f false "
            "alarms are "
            "to be expected.",
            tally.failed, tally.declared, tally.stochastic, tally_false_alarms(&tally));
    doc_add(
        doc, BLOCK_TEXT,
        "An interval beside a measured number is what was compared. Of a share, and from three seeds on, "
        "it is the measurement's own: 95 %% for the value of one more seed, of a contrast for its mean. "
        "Otherwise it is the claim's: what counts as the published number, as within the bound, or as the "
        "law. In tables, ± holds 95 %% of what one more seed would give, were values normal; beside a "
        "share it can reach beyond 100 %%.");
    for (const Source *source = claim_sources; source->letters; source++)
        doc_add(doc, BLOCK_ITEM, "%s is \"%s\".", source->letters, source->title);
    for (size_t i = 0; i < results->count; i++)
        add_failures(doc, &results->list[i]);
    doc_contents(doc);
    add_overview(doc, results);
}

static bool write_text(const Results *results, const char *name, const char *text, size_t size, Err *err)
{
    char *path = mem_text("%s/%s", results->folder, name);
    bool good = file_write(path, text, size, err);
    free(path);
    return good;
}

static bool write_page(const Results *results, const Doc *doc, bool html, Err *err)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for the report");
    if (html)
        doc_write_html(out, doc, results->folder);
    else
        doc_write_markdown(out, doc);
    fclose(out);
    bool good = write_text(results, html ? "report.html" : "report.md", text, size, err);
    free(text);
    return good;
}

bool report_write(const Results *results, Err *err)
{
    Doc doc = {0};
    add_summary(&doc, results);
    for (size_t i = 0; i < results->count; i++)
        report_add_experiment(&doc, results, &results->list[i]);
    report_add_machine(&doc, results);
    bool good = write_page(results, &doc, false, err) && write_page(results, &doc, true, err) &&
                junit_write(results, err);
    doc_free(&doc);
    return good;
}

/* Draws and writes everything; the exit code is that of the experiments that were ever tried. */
static int report_all(const Results *results, Err *err)
{
    bool *tried = mem_new(results->count, sizeof *tried), any = false;
    for (size_t i = 0; i < results->count; i++) {
        const Record *record = &results->list[i];
        tried[i] = record->result || record->unread || record->trouble;
        any = any || tried[i];
        figures_draw(results, record);
    }
    int code = EXIT_UNUSABLE;
    if (!any)
        err_set(err, "there are no results in %s: attest run makes them", results->folder);
    else if (report_write(results, err)) {
        summary_print(stdout, results, tried);
        printf("report: %s/report.md and report.html\n", results->folder);
        code = child_stop_asked() ? EXIT_INTERRUPTED : summary_exit_code(results, tried);
    }
    free(tried);
    return code;
}

int command_report(const CommandLine *line, Err *err)
{
    Catalog catalog;
    Results results = {0};
    int code = EXIT_UNUSABLE;
    if (line->out && line->word_count > 0) {
        err_set(err, "report takes one folder: --out %s, or %s", line->out, line->words[0]);
        return code;
    }
    child_take_stops();
    const char *named = line->out ? line->out : line->word_count ? line->words[0] : NULL;
    if (catalog_load(&catalog, err)) {
        char *folder = named ? mem_text("%s", named) : results_default_folder("latest");
        results_load(&results, folder, &catalog);
        free(folder);
        code = report_all(&results, err);
    }
    results_free(&results);
    catalog_free(&catalog);
    return code;
}
