#include "catalog.h"

#include "file.h"
#include "mem.h"
#include "nearest.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char claims_ending[] = ".claims.json";

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* Reads one pair: the program `folder/name` and its claims. */
static bool add_entry(Catalog *catalog, const char *folder, const char *name, Err *err)
{
    CatalogEntry *entry = mem_grow(&catalog->list, &catalog->count, sizeof *entry);
    entry->name = mem_text("%s", name);
    entry->program = mem_text("%s/%s", folder, name);
    if (!is_program(entry->program))
        return err_set(err, "%s%s has no program beside it: build it, or remove the claims", entry->program,
                       claims_ending);
    char *path = mem_text("%s%s", entry->program, claims_ending);
    entry->claims = claims_read(path, err);
    bool agrees = entry->claims && strcmp(entry->claims->experiment, name) == 0;
    if (entry->claims && !agrees)
        err_set(err, "%s: \"experiment\" says \"%s\", but the program beside it is %s", path,
                entry->claims->experiment, name);
    free(path);
    return agrees;
}

/* A program without claims would run and never be judged. */
static bool all_have_claims(const char *folder, Err *err)
{
    size_t count;
    char **names = file_list(folder, "", &count);
    bool complete = true;
    for (size_t i = 0; complete && i < count; i++) {
        char *path = mem_text("%s/%s", folder, names[i]), *claims = mem_text("%s%s", path, claims_ending);
        if (is_program(path) && !file_exists(claims))
            complete = err_set(err, "%s has no claims beside it: %s is missing", path, claims);
        free(path);
        free(claims);
    }
    file_list_free(names, count);
    return complete;
}

bool catalog_load(Catalog *catalog, Err *err)
{
    *catalog = (Catalog){0};
    char *beside = file_program_folder(), *folder = mem_text("%s/experiments", beside);
    size_t count;
    char **files = file_list(folder, claims_ending, &count);
    bool good = all_have_claims(folder, err);
    if (good && count == 0)
        good = err_set(err, "there are no experiments in %s: build them first", folder);
    for (size_t i = 0; good && i < count; i++) {
        files[i][strlen(files[i]) - strlen(claims_ending)] = '\0';
        good = add_entry(catalog, folder, files[i], err);
    }
    file_list_free(files, count);
    free(folder);
    free(beside);
    return good;
}

void catalog_free(Catalog *catalog)
{
    for (size_t i = 0; i < catalog->count; i++) {
        claims_free(catalog->list[i].claims);
        free(catalog->list[i].name);
        free(catalog->list[i].program);
    }
    free(catalog->list);
    *catalog = (Catalog){0};
}

const CatalogEntry *catalog_find(const Catalog *catalog, const char *name, Err *err)
{
    for (size_t i = 0; i < catalog->count; i++)
        if (strcmp(catalog->list[i].name, name) == 0)
            return &catalog->list[i];
    const char **names = mem_new(catalog->count, sizeof *names);
    for (size_t i = 0; i < catalog->count; i++)
        names[i] = catalog->list[i].name;
    const char *meant = nearest(name, names, catalog->count);
    free(names);
    if (meant)
        err_set(err, "there is no experiment \"%s\"; did you mean \"%s\"?", name, meant);
    else
        err_set(err, "there is no experiment \"%s\"; attest list shows them", name);
    return NULL;
}

bool catalog_select(const Catalog *catalog, char *const *names, size_t count, bool *selected, Err *err)
{
    for (size_t i = 0; i < catalog->count; i++)
        selected[i] = count == 0;
    for (size_t i = 0; i < count; i++) {
        const CatalogEntry *entry = catalog_find(catalog, names[i], err);
        if (!entry)
            return false;
        selected[entry - catalog->list] = true;
    }
    return true;
}
