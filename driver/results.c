#include "results.h"

#include "file.h"
#include "machine.h"
#include "mem.h"

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

static void forget_result(Record *record)
{
    if (record->result)
        result_free(record->result);
    free(record->result);
    judgements_free(&record->judgements);
    record->result = NULL;
}

static void forget(Record *record)
{
    forget_result(record);
    free(record->unread);
    free(record->trouble);
    record->unread = record->trouble = NULL;
}

static bool read_result(Record *record, Err *err)
{
    record->result = mem_new(1, sizeof *record->result);
    bool good = result_read(record->path, record->result, err);
    if (good && strcmp(record->result->experiment, record->entry->name) != 0)
        good = err_set(err, "%s: it is a result of \"%s\"", record->path, record->result->experiment);
    if (good)
        record->judgements = judge_all(record->entry->claims, record->result);
    else
        forget_result(record);
    return good;
}

void record_reload(Record *record)
{
    Err err;
    forget(record);
    if (file_exists(record->path) && !read_result(record, &err))
        record->unread = mem_text("%s", err.text);
    char *path = trouble_path(record);
    record->trouble = read_note(path);
    free(path);
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
