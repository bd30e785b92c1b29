#include "context.h"

#include "fields.h"
#include "machine.h"
#include "mem.h"

#include <string.h>

void context_begin(Context *context, int threads)
{
    char date[32];
    machine_date(date);
    *context = (Context){.date = mem_text("%s", date),
                         .version = mem_text("%s", machine_version()),
                         .commit = mem_text("%s", machine_commit()),
                         .compiler = mem_text("%s", machine_compiler()),
                         .flags = mem_text("%s", machine_flags()),
                         .cpu = mem_text("%s", machine_cpu()),
                         .cores = machine_cores(),
                         .threads = threads,
                         .memory_mib = (double)(machine_memory() >> 20)};
}

static Note *find_note(const Context *context, const char *key)
{
    for (size_t i = 0; i < context->note_count; i++)
        if (strcmp(context->notes[i].key, key) == 0)
            return &context->notes[i];
    return NULL;
}

void context_note(Context *context, const char *key, const char *text)
{
    Note *note = find_note(context, key);
    if (note) {
        free(note->text);
    } else {
        note = mem_grow(&context->notes, &context->note_count, sizeof *note);
        note->key = mem_text("%s", key);
    }
    note->text = mem_text("%s", text);
}

const char *context_noted(const Context *context, const char *key)
{
    const Note *note = find_note(context, key);
    return note ? note->text : "";
}

void context_add_unit(Context *context, const char *key)
{
    *(char **)mem_grow(&context->units, &context->unit_count, sizeof *context->units) = mem_text("%s", key);
}

void context_free(Context *context)
{
    char *texts[] = {context->date,     context->version, context->commit,
                     context->compiler, context->flags,   context->cpu};
    for (size_t i = 0; i < COUNT(texts); i++)
        free(texts[i]);
    for (size_t i = 0; i < context->unit_count; i++)
        free(context->units[i]);
    for (size_t i = 0; i < context->note_count; i++) {
        free(context->notes[i].key);
        free(context->notes[i].text);
    }
    free(context->units);
    free(context->notes);
    *context = (Context){0};
}

/* ---- as JSON ---- */

Json *context_to_json(const Context *c)
{
    Json *json = json_object(), *units = json_array();
    json_add(json, "date", json_from_string(c->date));
    json_add(json, "version", json_from_string(c->version));
    json_add(json, "commit", json_from_string(c->commit));
    json_add(json, "compiler", json_from_string(c->compiler));
    json_add(json, "flags", json_from_string(c->flags));
    json_add(json, "cpu", json_from_string(c->cpu));
    json_add(json, "cores", json_from_number(c->cores));
    json_add(json, "threads", json_from_number(c->threads));
    json_add(json, "memory_mib", json_from_number(c->memory_mib));
    for (size_t i = 0; i < c->note_count; i++)
        json_add(json, c->notes[i].key, json_from_string(c->notes[i].text));
    json_add(json, "seconds", json_from_number(c->seconds));
    json_add(json, "saved_seconds", json_from_number(c->saved_seconds));
    for (size_t i = 0; i < c->unit_count; i++)
        json_append(units, json_from_string(c->units[i]));
    json_add(json, "units", units);
    json_add(json, "peak_memory_mib", json_from_number(c->peak_memory_mib));
    return json;
}

static char *text_of(const Json *json, const char *key)
{
    return mem_text("%s", json_string(json_get(json, key)));
}

static bool read_units(const Json *units, Context *context, Err *err)
{
    for (const Json *unit = json_first(units); unit; unit = json_next(unit)) {
        if (json_kind(unit) != JSON_STRING)
            return err_set(err, "key \"units\" is something else than a list of keys");
        context_add_unit(context, json_string(unit));
    }
    return true;
}

bool context_from_json(const Json *json, Context *context, Err *err)
{
    static const Field fields[] = {{"date", TEXT, true},
                                   {"version", TEXT, true},
                                   {"commit", TEXT, true},
                                   {"compiler", TEXT, true},
                                   {"flags", TEXT, true},
                                   {"cpu", TEXT, true},
                                   {"cores", NUMBER, true},
                                   {"threads", NUMBER, true},
                                   {"memory_mib", NUMBER, true},
                                   {"seconds", NUMBER, true},
                                   {"saved_seconds", NUMBER, true},
                                   {"units", LIST, true},
                                   {"peak_memory_mib", NUMBER, true},
                                   {0}};
    *context = (Context){0};
    if (!fields_check_known(json, fields, err))
        return false;
    *context = (Context){.date = text_of(json, "date"),
                         .version = text_of(json, "version"),
                         .commit = text_of(json, "commit"),
                         .compiler = text_of(json, "compiler"),
                         .flags = text_of(json, "flags"),
                         .cpu = text_of(json, "cpu"),
                         .cores = (int)json_number(json_get(json, "cores")),
                         .threads = (int)json_number(json_get(json, "threads")),
                         .memory_mib = json_number(json_get(json, "memory_mib")),
                         .peak_memory_mib = json_number(json_get(json, "peak_memory_mib")),
                         .seconds = json_number(json_get(json, "seconds")),
                         .saved_seconds = json_number(json_get(json, "saved_seconds"))};
    for (const Json *member = json_first(json); member; member = json_next(member))
        if (json_kind(member) == JSON_STRING && !fields_find(fields, json_key(member)))
            context_note(context, json_key(member), json_string(member));
    if (read_units(json_get(json, "units"), context, err))
        return true;
    context_free(context);
    return false;
}
