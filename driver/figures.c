#include "figures.h"

#include "child.h"
#include "figure_data.h"
#include "file.h"
#include "machine.h"
#include "mem.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A figure takes a fraction of a second; this long is a hang. */
static const ChildWatch gnuplot_watch = {.limit = 120, .errors = true, .sheltered = true};

static bool gnuplot_is_there(void)
{
    static int known = -1; /* not asked yet */
    if (known < 0) {
        char *arguments[] = {"gnuplot", "--version", NULL};
        ChildEnd end = child_run(arguments, &gnuplot_watch);
        free(end.last_lines);
        known = end.code == 0;
        if (!known)
            terminal_say("figures are left out: gnuplot is not installed");
    }
    return known;
}

char *figure_path(const Record *record, const FigureSpec *figure)
{
    return mem_text("figures/%s.%s.svg", record->entry->name, figure->name);
}

char *figure_problem(const Record *record, const FigureSpec *figure)
{
    Err err;
    if (!figure_data_write(figure, record->result, NULL, &err))
        return mem_text("%s", err.text);
    return mem_text(gnuplot_is_there() ? "gnuplot could not draw it" : "gnuplot is not installed");
}

/* Draws from the data in `folder` into the file `out`. */
static bool draw(const FigureSpec *figure, const char *folder, const char *out, Err *err)
{
    char *script = mem_text("%s/plots/%s.gp", machine_home(), figure_kind_words[figure->kind]);
    char *drawing = mem_text("%s/figure.svg", folder), *data = mem_text("%s", folder);
    char *arguments[] = {"gnuplot", "-c", script, drawing, data, NULL};
    ChildEnd end = child_run(arguments, &gnuplot_watch);
    Bytes svg = {0};
    bool good = end.code == 0 || err_set(err, "gnuplot failed: %s", end.last_lines);
    good = good && file_read(drawing, &svg, err) && file_write(out, svg.data, svg.size, err);
    bytes_free(&svg);
    free(end.last_lines);
    free(drawing);
    free(script);
    free(data);
    return good;
}

static bool draw_figure(const Results *results, const Record *record, const FigureSpec *figure,
                        const char *folder, Err *err)
{
    char *name = figure_path(record, figure), *out = mem_text("%s/%s", results->folder, name);
    unlink(out); /* an old drawing must not stand beside new numbers */
    bool good = figure_data_write(figure, record->result, folder, err) &&
                (!gnuplot_is_there() || draw(figure, folder, out, err));
    free(name);
    free(out);
    return good;
}

/* A new folder for the data, and its removal with what figures put into it. */
static char *make_folder(Err *err)
{
    const char *place = getenv("TMPDIR");
    char *folder = mem_text("%s/attest-XXXXXX", place && *place ? place : "/tmp");
    if (mkdtemp(folder))
        return folder;
    err_set(err, "cannot make a temporary folder like %s", folder);
    free(folder);
    return NULL;
}

static void remove_folder(char *folder)
{
    static const char *const names[] = {"figure.gp", "figure.dat", "figure.svg"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char *path = mem_text("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
    rmdir(folder);
    free(folder);
}

void figures_draw(const Results *results, const Record *record)
{
    const Claims *claims = record->entry->claims;
    if (!record->result || claims->figure_count == 0)
        return;
    Err err;
    char *folder = make_folder(&err);
    if (!folder) {
        terminal_say("figures are left out: %s", err.text);
        return;
    }
    for (size_t i = 0; i < claims->figure_count; i++)
        if (!draw_figure(results, record, &claims->figures[i], folder, &err))
            terminal_say("%s: figure \"%s\" is left out: %s", record->entry->name, claims->figures[i].name,
                         err.text);
    remove_folder(folder);
}
