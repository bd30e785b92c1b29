#include "commands.h"

#include "difference.h"
#include "file.h"
#include "mem.h"
#include "terminal.h"

#include <stdio.h>

/* Reads a folder that must hold results, all of them readable: what can't be read would be passed over in silence. */
static bool load(Results *results, const char *folder, const Catalog *catalog, Err *err)
{
    results_load(results, folder, catalog);
    bool any = false;
    for (size_t i = 0; i < results->count; i++) {
        if (results->list[i].unread)
            return err_set(err, "%s", results->list[i].unread);
        any = any || results->list[i].result;
    }
    return any || err_set(err, "there are no results in %s", folder);
}

/* Prints what differs; false when nothing could be compared. */
static bool compare(const Results *before, const Results *after, Difference *difference, Err *err)
{
    for (size_t i = 0; i < before->count; i++)
        difference_add(difference, &before->list[i], &after->list[i]);
    difference_print(difference, stdout);
    return difference->compared > 0 ||
           err_set(err, "no experiment of %s can be compared with one of %s", before->folder, after->folder);
}

int command_compare(const CommandLine *line, Err *err)
{
    Catalog catalog;
    Results before = {0}, after = {0};
    Difference difference;
    difference_begin(&difference);
    bool good = catalog_load(&catalog, err) && load(&before, line->words[0], &catalog, err) &&
                load(&after, line->words[1], &catalog, err) && compare(&before, &after, &difference, err);
    int code = !good ? EXIT_UNUSABLE : difference.moved + difference.removed > 0 ? EXIT_FAILED : EXIT_WELL;
    difference_free(&difference);
    results_free(&before);
    results_free(&after);
    catalog_free(&catalog);
    return code;
}
