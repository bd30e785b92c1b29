#include "report_parts.h"

#include "mem.h"
#include "number.h"

#include <string.h>

/* Something that the contexts of one or more results say. */
typedef struct Fact {
    const char *key;
    char *value, *sharers; /* owned; the experiments whose results say so */
    size_t shared;         /* how many they are */
} Fact;

typedef struct Facts {
    Fact *list;
    size_t count;
} Facts;

/* Takes the value over. */
static void add_fact(Facts *facts, const char *key, char *value, const char *experiment)
{
    size_t i = 0;
    while (i < facts->count &&
           (strcmp(facts->list[i].key, key) != 0 || strcmp(facts->list[i].value, value) != 0))
        i++;
    if (i == facts->count) {
        Fact *fact = mem_grow(&facts->list, &facts->count, sizeof *fact);
        *fact = (Fact){key, value, mem_text("%s", experiment), 1};
        return;
    }
    Fact *fact = &facts->list[i];
    char *longer = mem_text("%s, %s", fact->sharers, experiment);
    free(fact->sharers);
    free(value);
    fact->sharers = longer;
    fact->shared++;
}

/* All but what is of one run alone: its date, its seconds, its memory. */
static void add_context(Facts *facts, const Context *c, const char *experiment)
{
    add_fact(facts, "version", mem_text("%s", c->version), experiment);
    add_fact(facts, "commit", mem_text("%s", c->commit), experiment);
    add_fact(facts, "compiler", mem_text("%s", c->compiler), experiment);
    add_fact(facts, "flags", mem_text("%s", c->flags), experiment);
    add_fact(facts, "cpu", mem_text("%s", c->cpu), experiment);
    add_fact(facts, "cores", mem_text("%d", c->cores), experiment);
    add_fact(facts, "threads", mem_text("%d", c->threads), experiment);
    add_fact(facts, "memory_mib", number_text(c->memory_mib, 0), experiment);
    for (size_t i = 0; i < c->note_count; i++)
        add_fact(facts, c->notes[i].key, mem_text("%s", c->notes[i].text), experiment);
}

static Table *facts_table(const Facts *facts, size_t results)
{
    Table *table = table_new("Machine and build");
    table_add_column(table, "what", false);
    table_add_column(table, "is", false);
    table_add_column(table, "in the results of", false);
    for (size_t i = 0; i < facts->count; i++) {
        const Fact *fact = &facts->list[i];
        table_add(table, mem_text("%s", fact->key));
        table_add(table, mem_text("%s", fact->value));
        table_add(table, mem_text("%s", fact->shared == results ? "all" : fact->sharers));
    }
    return table;
}

static void free_facts(Facts *facts)
{
    for (size_t i = 0; i < facts->count; i++) {
        free(facts->list[i].value);
        free(facts->list[i].sharers);
    }
    free(facts->list);
}

void report_add_machine(Doc *doc, const Results *results)
{
    static const char *const heads[] = {"experiment", "date", "seconds", "peak memory, MiB"};
    Table *runs = table_new("Runs");
    Facts facts = {0};
    for (size_t i = 0; i < COUNT(heads); i++)
        table_add_column(runs, heads[i], i >= 2);
    for (size_t i = 0; i < results->count; i++) {
        const Record *record = &results->list[i];
        if (!record->result)
            continue;
        const Context *context = &record->result->context;
        add_context(&facts, context, record->entry->name);
        table_add(runs, mem_text("%s", record->entry->name));
        table_add(runs, mem_text("%s", context->date));
        table_add(runs, number_text(context->seconds, 1));
        table_add(runs, number_text(context->peak_memory_mib, 0));
    }
    doc_heading(doc, 2, "Where and when");
    Table *table = facts_table(&facts, table_rows(runs));
    doc_table(doc, runs);
    doc_table(doc, table);
    free_facts(&facts);
}
