#include "results.h"

#include "file.h"
#include "machine.h"
#include "mem.h"
#include "result.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

char *results_default_folder(const char *name)
{
    char *results = machine_results(), *folder = mem_text("%s/%s", results, name);
    free(results);
    return folder;
}

/* A text file's content, or NULL when there is no such file. */
static char *read_note(const char *path)
{
    Bytes bytes;
    Err err;
    return file_read(path, &bytes, &err) ? bytes.data : NULL;
}

static bool write_note(const char *path, const char *text, Err *err)
{
    if (text)
        return file_write(path, text, strlen(text), err);
    unlink(path);
    return true;
}

static char *trouble_path(const Record *record)
{
    size_t length = strlen(record->path) - strlen(".json");
    return mem_text("%.*s.failed.txt", (int)length, record->path);
}

static char *interrupted_path(const Results *results)
{
    return mem_text("%s/interrupted.txt", results->folder);
}

static void forget(Record *record)
{
    json_free(record->result);
    free(record->unread);
    free(record->trouble);
    record->result = NULL;
    record->unread = record->trouble = NULL;
}

void record_reload(Record *record)
{
    Err err = {""};
    forget(record);
    if (file_exists(record->path)) {
        record->result = result_read(record->path, &err);
        if (record->result && strcmp(field_text(record->result, "experiment"), record->entry->name) != 0) {
            err_set(&err, "%s: it is a result of \"%s\"", record->path,
                    field_text(record->result, "experiment"));
            json_free(record->result);
            record->result = NULL;
        }
        if (!record->result)
            record->unread = mem_text("%s", err.text);
    }
    char *path = trouble_path(record);
    record->trouble = read_note(path);
    free(path);
}

const Json *record_judgement(const Record *record, const Claim *claim)
{
    const Json *claims = record->result ? json_get(record->result, "claims") : NULL;
    for (const Json *judged = claims ? json_first(claims) : NULL; judged; judged = json_next(judged))
        if (strcmp(field_text(judged, "id"), claim->id) == 0)
            return result_claim_is_current(judged, claim) ? judged : NULL;
    return NULL;
}

const Claim *record_stale_claim(const Record *record)
{
    const Claims *claims = record->entry->claims;
    for (size_t i = 0; record->result && i < claims->count; i++)
        if (!record_judgement(record, &claims->list[i]))
            return &claims->list[i];
    return NULL;
}

void results_load(Results *results, const char *folder, const Catalog *catalog)
{
    *results = (Results){.folder = mem_text("%s", folder), .count = catalog->count};
    results->list = mem_new(catalog->count, sizeof *results->list);
    for (size_t i = 0; i < catalog->count; i++) {
        Record *record = &results->list[i];
        record->entry = &catalog->list[i];
        record->path = mem_text("%s/%s.json", folder, record->entry->name);
        record_reload(record);
    }
    char *path = interrupted_path(results);
    results->interrupted = read_note(path);
    free(path);
}

bool results_lock(Results *results, Err *err)
{
    if (!file_make_folder(results->folder, err))
        return false;
    int folder = open(results->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return err_set(err, "cannot open the folder %s: %s", results->folder, strerror(errno));
    results->lock = folder;
    return flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ||
           err_set(
               err,
               "another attest run is at work in %s: wait for its end, or choose another folder with --out",
               results->folder);
}

void results_free(Results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        forget(&results->list[i]);
        free(results->list[i].path);
    }
    if (results->lock)
        close(results->lock);
    free(results->list);
    free(results->folder);
    free(results->interrupted);
    *results = (Results){0};
}

bool record_set_trouble(Record *record, const char *trouble, Err *err)
{
    char *path = trouble_path(record);
    bool written = write_note(path, trouble, err);
    free(path);
    free(record->trouble);
    record->trouble = trouble ? mem_text("%s", trouble) : NULL;
    return written;
}

bool results_set_interrupted(Results *results, const char *sentence, Err *err)
{
    char *path = interrupted_path(results);
    bool written = write_note(path, sentence, err);
    free(path);
    free(results->interrupted);
    results->interrupted = sentence ? mem_text("%s", sentence) : NULL;
    return written;
}

const char *field_text(const Json *object, const char *key)
{
    const Json *text = object && json_kind(object) == JSON_OBJECT ? json_get(object, key) : NULL;
    return text && json_kind(text) == JSON_STRING ? json_string(text) : "";
}

double field_number(const Json *object, const char *key, double fallback)
{
    const Json *number = object && json_kind(object) == JSON_OBJECT ? json_get(object, key) : NULL;
    return number && json_kind(number) == JSON_NUMBER ? json_number(number) : fallback;
}

bool result_is_quick(const Json *result)
{
    return strcmp(field_text(result, "profile"), "full") != 0;
}

int result_seeds(const Json *result)
{
    const Json *settings = json_get(result, "settings");
    return (int)(field_number(settings, "end_seed", 0) - field_number(settings, "first_seed", 0));
}

double result_seconds(const Json *result)
{
    return field_number(json_get(result, "context"), "seconds", 0);
}
