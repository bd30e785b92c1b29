#include "report_parts.h"

#include "mem.h"
#include "text.h"

#include <string.h>

/* What each run cost stands in a table of its own. */
static bool is_of_one_run(const char *key)
{
    static const char *const keys[] = {"date", "seconds", "saved_seconds", "peak_memory_mib"};
    for (size_t i = 0; i < COUNT(keys); i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static char *value_words(const Json *value)
{
    if (json_kind(value) == JSON_STRING)
        return mem_text("%s", json_string(value));
    if (json_kind(value) == JSON_NUMBER)
        return text_number(json_number(value), DECIMALS_AUTO);
    return NULL;
}

static bool has_row(const Table *table, const char *key, const char *value)
{
    for (size_t row = 0; row < table_rows(table); row++)
        if (strcmp(table_cell(table, row, 0), key) == 0 && strcmp(table_cell(table, row, 1), value) == 0)
            return true;
    return false;
}

/* The experiments whose context says the same; "all" when every result does. */
static char *sharers(const Results *results, const char *key, const char *value)
{
    char *text;
    size_t size, shared = 0, total = 0;
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for a cell");
    for (size_t i = 0; i < results->count; i++) {
        const Json *result = results->list[i].result;
        const Json *member = result ? json_get(json_get(result, "context"), key) : NULL;
        char *words = member ? value_words(member) : NULL;
        total += result != NULL;
        if (words && strcmp(words, value) == 0)
            fprintf(out, "%s%s", shared++ ? ", " : "", results->list[i].entry->name);
        free(words);
    }
    fclose(out);
    if (shared < total)
        return text;
    free(text);
    return mem_text("all");
}

void report_add_machine(Doc *doc, const Results *results)
{
    Table *runs = table_new("Runs"), *facts = table_new("Machine and build");
    static const char *const run_heads[] = {"experiment", "date", "seconds", "peak memory, MiB"};
    static const char *const fact_heads[] = {"what", "is", "in the results of"};
    for (size_t i = 0; i < COUNT(run_heads); i++)
        table_add_column(runs, run_heads[i], i >= 2);
    for (size_t i = 0; i < COUNT(fact_heads); i++)
        table_add_column(facts, fact_heads[i], false);
    for (size_t i = 0; i < results->count; i++) {
        const Json *context = results->list[i].result ? json_get(results->list[i].result, "context") : NULL;
        if (!context)
            continue;
        table_add(runs, mem_text("%s", results->list[i].entry->name));
        table_add(runs, mem_text("%s", field_text(context, "date")));
        table_add(runs, text_number(field_number(context, "seconds", 0), 1));
        table_add(runs, text_number(field_number(context, "peak_memory_mib", 0), 0));
        for (const Json *member = json_first(context); member; member = json_next(member)) {
            char *words = is_of_one_run(json_key(member)) ? NULL : value_words(member);
            if (words && !has_row(facts, json_key(member), words)) {
                table_add(facts, mem_text("%s", json_key(member)));
                table_add(facts, mem_text("%s", words));
                table_add(facts, sharers(results, json_key(member), words));
            }
            free(words);
        }
    }
    doc_heading(doc, 2, "Where and when");
    doc_table(doc, runs);
    doc_table(doc, facts);
}
