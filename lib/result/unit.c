#include "unit.h"

#include "fields.h"
#include "file.h"
#include "machine.h"
#include "mem.h"
#include "source_digest.h" /* made by source_digest.sh when the project is built */

#include <stdio.h>
#include <string.h>

Json *unit_identity(Json *settings)
{
    Json *identity = json_object();
    json_add(identity, "settings", settings);
    json_add(identity, "flags", json_from_string(machine_flags()));
    json_add(identity, "source", json_from_string(SOURCE_DIGEST));
    return identity;
}

void unit_key(const Json *identity, char key[static DIGEST_TEXT])
{
    char *text = json_text(identity);
    digest_hex(text, strlen(text), key);
    free(text);
}

char *unit_path(const char *folder, const Json *identity, const char *ending)
{
    char key[DIGEST_TEXT];
    unit_key(identity, key);
    return mem_text("%s/units/%s%s", folder, key, ending);
}

/* Whether two values are the same; numbers, words and lists are compared as their texts. */
static bool equal(const Json *a, const Json *b)
{
    char *left = json_text(a), *right = json_text(b);
    bool same = strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

static Json *read_record(const char *path, Err *err)
{
    static const Field fields[] = {
        {"identity", OBJECT, true}, {"made", OBJECT, true}, {"content", OBJECT, true}, {0}};
    static const Field made_fields[] = {{"seconds", NUMBER, true}, {0}};
    Json *record = json_read(path, err);
    if (!record)
        return NULL;
    if (fields_check_known(record, fields, err) &&
        fields_check_known(json_get(record, "made"), made_fields, err))
        return record;
    err_within(err, "%s: it is not the record of a unit of work", path);
    json_free(record);
    return NULL;
}

char *unit_record_path(const char *folder, const Json *identity)
{
    char *path = unit_path(folder, identity, ".json");
    if (file_exists(path))
        return path;
    free(path);
    char *reference = mem_text("%s/reference", folder);
    path = unit_path(reference, identity, ".json");
    free(reference);
    return path;
}

bool unit_find(const char *folder, const Json *identity, Json **record, Err *err)
{
    char *path = unit_record_path(folder, identity);
    bool there = file_exists(path);
    *record = there ? read_record(path, err) : NULL;
    if (*record && !equal(json_get(*record, "identity"), identity)) {
        err_set(err, "%s: its identity is not the one that its name stands for", path);
        json_free(*record);
        *record = NULL;
    }
    free(path);
    return *record || !there;
}

static Json *made_now(double seconds)
{
    char date[32];
    machine_date(date);
    Json *made = json_object();
    json_add(made, "date", json_from_string(date));
    json_add(made, "version", json_from_string(machine_version()));
    json_add(made, "commit", json_from_string(machine_commit()));
    json_add(made, "compiler", json_from_string(machine_compiler()));
    json_add(made, "cpu", json_from_string(machine_cpu()));
    json_add(made, "seconds", json_from_number(seconds));
    return made;
}

bool unit_save(const char *folder, const Json *identity, Json *content, double seconds, Err *err)
{
    Json *record = json_object();
    json_add(record, "identity", json_copy(identity));
    json_add(record, "made", made_now(seconds));
    json_add(record, "content", content);
    char *path = unit_path(folder, identity, ".json");
    bool saved = json_write(record, path, err);
    free(path);
    json_free(record);
    return saved;
}

double unit_seconds(const Json *record)
{
    return json_number(json_get(json_get(record, "made"), "seconds"));
}

/* ---- what differs ------------------------------------------------------------------------------------- */

typedef struct Mismatch {
    size_t count;
    char text[600];
} Mismatch;

/* A value as it may stand in a sentence. */
static char *word(const Json *value)
{
    if (!value)
        return mem_text("not there");
    if (json_kind(value) == JSON_STRING)
        return mem_text("%s", json_string(value));
    char *text = json_text(value);
    text[strcspn(text, "\n")] = '\0';
    return text;
}

static void note_mismatch(Mismatch *mismatch, const char *name, const Json *now, const Json *then)
{
    char *new_word = word(now), *old_word = word(then), item[200];
    if (strcmp(name, "source") == 0)
        snprintf(item, sizeof item, "the library's source");
    else
        snprintf(item, sizeof item, "%s (now %s, there %s)", name, new_word, old_word);
    size_t used = strlen(mismatch->text);
    if (mismatch->count++ < 4) /* more would not be read */
        snprintf(mismatch->text + used, sizeof mismatch->text - used, "%s%s", used ? ", " : "", item);
    free(new_word);
    free(old_word);
}

/* Adds every member, at any depth, that is not the same in both objects. */
static void compare(const Json *now, const Json *then, Mismatch *mismatch)
{
    for (const Json *a = json_first(now); a; a = json_next(a)) {
        const Json *b = json_get(then, json_key(a));
        if (b && json_kind(a) == JSON_OBJECT && json_kind(b) == JSON_OBJECT)
            compare(a, b, mismatch);
        else if (!b || !equal(a, b))
            note_mismatch(mismatch, json_key(a), a, b);
    }
    for (const Json *b = json_first(then); b; b = json_next(b))
        if (!json_get(now, json_key(b)))
            note_mismatch(mismatch, json_key(b), NULL, b);
}

/* Compares with every record in a folder and keeps the nearest. */
static void compare_folder(const char *folder, const Json *identity, size_t *records, Mismatch *nearest)
{
    size_t count;
    char *units = mem_text("%s/units", folder);
    char **names = file_list(units, ".json", &count);
    for (size_t i = 0; i < count; i++) {
        char *path = mem_text("%s/%s", units, names[i]);
        Err err;
        Json *record = read_record(path, &err); /* one that can't be read is not the nearest */
        free(path);
        if (!record)
            continue;
        Mismatch mismatch = {0};
        compare(identity, json_get(record, "identity"), &mismatch);
        if ((*records)++ == 0 || mismatch.count < nearest->count)
            *nearest = mismatch;
        json_free(record);
    }
    file_list_free(names, count);
    free(units);
}

char *unit_explain(const char *folder, const Json *identity)
{
    size_t records = 0;
    Mismatch nearest = {0};
    char *reference = mem_text("%s/reference", folder);
    compare_folder(folder, identity, &records, &nearest);
    compare_folder(reference, identity, &records, &nearest);
    free(reference);
    if (records == 0)
        return mem_text("there is no record of any work yet");
    if (nearest.count == 0)
        return mem_text("there is a record of the same work");
    return mem_text("the nearest of %zu records differs in %s%s", records, nearest.text,
                    nearest.count > 4 ? " and more" : "");
}
