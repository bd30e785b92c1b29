#include "commands.h"

#include "difference.h"
#include "file.h"
#include "mem.h"
#include "result.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

/* folder/name as a result; NULL with err untouched when there is no such file. */
static Json *read_result(const char *folder, const char *name, Err *err)
{
    char *path = mem_text("%s/%s", folder, name);
    Json *result = file_exists(path) ? result_read(path, err) : NULL;
    free(path);
    return result;
}

static bool add_file(Difference *difference, const char *old_folder, const char *new_folder, const char *name,
                     Err *err)
{
    Json *before = read_result(old_folder, name, err);
    Json *after = err->text[0] ? NULL : read_result(new_folder, name, err);
    char *experiment = mem_text("%.*s", (int)(strlen(name) - strlen(".json")), name);
    if (!err->text[0])
        difference_add(difference, experiment, before, after);
    free(experiment);
    json_free(before);
    json_free(after);
    return err->text[0] == '\0';
}

int command_compare(const Options *options, Err *err)
{
    const char *old_folder = options->words[0], *new_folder = options->words[1];
    size_t old_count, new_count;
    char **old_names = file_list(old_folder, ".json", &old_count),
         **new_names = file_list(new_folder, ".json", &new_count);
    Difference difference;
    difference_begin(&difference);
    bool good = (old_count > 0 || err_set(err, "there are no results in %s", old_folder)) &&
                (new_count > 0 || err_set(err, "there are no results in %s", new_folder));
    for (size_t i = 0; good && i < old_count; i++)
        good = add_file(&difference, old_folder, new_folder, old_names[i], err);
    for (size_t i = 0; good && i < new_count; i++) {
        char *path = mem_text("%s/%s", old_folder, new_names[i]);
        if (!file_exists(path))
            good = add_file(&difference, old_folder, new_folder, new_names[i], err);
        free(path);
    }
    if (good) {
        if (table_rows(difference.table) > 0)
            table_print(stdout, difference.table, (size_t)terminal_width(stdout));
        char *words = difference_words(&difference);
        printf("%s\n", words);
        free(words);
        good = difference.compared > 0 ||
               err_set(err, "no experiment of %s can be compared with one of %s", old_folder, new_folder);
    }
    int code = !good ? EXIT_UNUSABLE : difference.moved + difference.removed > 0 ? EXIT_FAILED : EXIT_WELL;
    difference_free(&difference);
    file_list_free(old_names, old_count);
    file_list_free(new_names, new_count);
    return code;
}
