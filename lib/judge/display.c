#include "display.h"

#include "fields.h"
#include "mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DECIMALS = 15 };

static const char row_mark[] = "{row}";

const char *const figure_kind_words[] = {"lines", "bars", "heatmap", NULL};

char *display_name(const char *pattern, const char *key)
{
    char *name = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);
    require(out, "out of memory for a name");
    for (const char *at; (at = strstr(pattern, row_mark)); pattern = at + sizeof row_mark - 1)
        fprintf(out, "%.*s%s", (int)(at - pattern), pattern, key);
    fputs(pattern, out);
    require(fclose(out) == 0 && name, "out of memory for a name");
    return name;
}

/* ---- what tables and figures share ---- */

static bool read_rows(const Json *json, DisplayRow **rows, size_t *count, Err *err)
{
    for (const Json *row = json_first(json); row; row = json_next(row)) {
        if (json_kind(row) != JSON_ARRAY || json_count(row) != 2 ||
            json_kind(json_at(row, 0)) != JSON_STRING || json_kind(json_at(row, 1)) != JSON_STRING)
            return err_set(err, "key \"rows\", entry %zu: a label and a key are needed", *count + 1);
        DisplayRow *to = mem_grow(rows, count, sizeof *to);
        *to = (DisplayRow){json_string(json_at(row, 0)), json_string(json_at(row, 1))};
    }
    return *count > 0 || err_set(err, "key \"rows\" is an empty list");
}

static bool read_given(const Json *json, size_t rows, double **given, Err *err)
{
    size_t count = 0;
    for (const Json *number = json_first(json); number; number = json_next(number)) {
        if (json_kind(number) != JSON_NUMBER && json_kind(number) != JSON_NULL)
            return err_set(err, "key \"given\" must hold numbers, or null where there is none");
        *(double *)mem_grow(given, &count, sizeof **given) =
            json_kind(number) == JSON_NUMBER ? json_number(number) : NAN;
    }
    return count == rows || err_set(err, "key \"given\" holds %zu numbers for %zu rows", count, rows);
}

static bool read_pattern(const Json *object, const char *key, const char **pattern, Err *err)
{
    *pattern = fields_text(object, key);
    return strstr(*pattern, row_mark) ||
           err_set(err, "key \"%s\" says \"%s\", without the %s that stands for the row", key, *pattern,
                   row_mark);
}

/* ---- tables ---- */

static bool read_column(const Json *json, const TableSpec *table, ColumnSpec *column, Err *err)
{
    static const Field fields[] = {{"label", TEXT, true},       {"measure", TEXT, false},
                                   {"claim", TEXT, false},      {"given", LIST, false},
                                   {"decimals", NUMBER, false}, {0}};
    static const char *const either[] = {"measure", "claim", "given", NULL};
    if (!fields_check(json, fields, NULL, err) || !fields_one_of(json, either, err))
        return false;
    const Json *decimals = json_get(json, "decimals");
    double number = decimals ? json_number(decimals) : -1;
    if (decimals && !(number >= 0 && number <= MOST_DECIMALS && number == floor(number)))
        return err_set(err, "key \"decimals\" must be a whole number from 0 to %d", MOST_DECIMALS);
    column->label = fields_text(json, "label");
    column->decimals = (int)number;
    column->kind = json_get(json, "given")   ? COLUMN_GIVEN
                   : json_get(json, "claim") ? COLUMN_CLAIM
                                             : COLUMN_MEASURE;
    if (column->kind == COLUMN_GIVEN)
        return read_given(json_get(json, "given"), table->row_count, &column->given, err);
    return read_pattern(json, either[column->kind], &column->pattern, err);
}

static bool read_table(const Json *json, TableSpec *table, Err *err)
{
    static const Field fields[] = {{"title", TEXT, true},      {"rows", LIST, true},  {"columns", LIST, true},
                                   {"row_label", TEXT, false}, {"note", TEXT, false}, {0}};
    if (!fields_check(json, fields, NULL, err))
        return false;
    table->title = fields_text(json, "title");
    table->row_label = fields_text(json, "row_label");
    table->note = fields_text(json, "note");
    if (!read_rows(json_get(json, "rows"), &table->rows, &table->row_count, err))
        return false;
    const Json *columns = json_get(json, "columns");
    for (const Json *column = json_first(columns); column; column = json_next(column)) {
        ColumnSpec *to = mem_grow(&table->columns, &table->column_count, sizeof *to);
        if (!read_column(column, table, to, err))
            return err_within(err, "key \"columns\", entry %zu", table->column_count);
    }
    return table->column_count > 0 || err_set(err, "key \"columns\" is an empty list");
}

bool display_read_tables(const Json *list, TableSpec **tables, size_t *count, Err *err)
{
    for (const Json *json = list ? json_first(list) : NULL; json; json = json_next(json))
        if (!read_table(json, mem_grow(tables, count, sizeof **tables), err))
            return err_within(err, "table %zu", *count);
    return true;
}

void display_free_tables(TableSpec *tables, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        for (size_t c = 0; c < tables[t].column_count; c++)
            free(tables[t].columns[c].given);
        free(tables[t].columns);
        free(tables[t].rows);
    }
    free(tables);
}

/* ---- figures ---- */

static bool read_axis(const Json *figure, const char *key, bool required, AxisSpec *axis, Err *err)
{
    static const Field fields[] = {{"label", TEXT, true}, {"log", FLAG, false}, {0}};
    const Json *json = json_get(figure, key), *log = json_get(json, "log");
    axis->label = "";
    if (!json)
        return !required || err_set(err, "key \"%s\" is missing", key);
    if (!fields_check(json, fields, NULL, err))
        return err_within(err, "key \"%s\"", key);
    *axis = (AxisSpec){fields_text(json, "label"), log && json_bool(log)};
    return true;
}

/* Bars of rows: their measurements, or numbers that the source prints. */
static bool read_row_series(const Json *json, size_t rows, SeriesSpec *series, Err *err)
{
    static const Field fields[] = {
        {"label", TEXT, true}, {"measure", TEXT, false}, {"given", LIST, false}, {0}};
    static const char *const either[] = {"measure", "given", NULL};
    if (!fields_check(json, fields, NULL, err) || !fields_one_of(json, either, err))
        return false;
    series->label = fields_text(json, "label");
    if (json_get(json, "given"))
        return read_given(json_get(json, "given"), rows, &series->given, err);
    return read_pattern(json, "measure", &series->pattern, err);
}

static bool read_curve_series(const Json *json, bool is_lines, SeriesSpec *series, Err *err)
{
    const Field fields[] = {{"label", TEXT, true}, {"curve", TEXT, true}, {"style", TEXT, is_lines}, {0}};
    static const char *const styles[] = {"line", "points", "dashed", "bars", NULL};
    if (!fields_check(json, fields, NULL, err))
        return false;
    series->label = fields_text(json, "label");
    series->curve = fields_text(json, "curve");
    series->style = fields_text(json, "style");
    return !series->style || fields_word(json, "style", styles, err) >= 0;
}

static bool read_all_series(const Json *json, FigureSpec *figure, Err *err)
{
    const Json *rows = json_get(json, "rows"), *list = json_get(json, "series");
    bool is_lines = figure->kind == FIGURE_LINES;
    if (rows && is_lines)
        return err_set(err, "key \"rows\" has no use in a figure of kind \"lines\"");
    if (rows && !read_rows(rows, &figure->rows, &figure->row_count, err))
        return false;
    for (const Json *one = json_first(list); one; one = json_next(one)) {
        SeriesSpec *series = mem_grow(&figure->series, &figure->series_count, sizeof *series);
        if (!(rows ? read_row_series(one, figure->row_count, series, err)
                   : read_curve_series(one, is_lines, series, err)))
            return err_within(err, "key \"series\", entry %zu", figure->series_count);
    }
    return figure->series_count > 0 || err_set(err, "key \"series\" is missing or an empty list");
}

static bool read_name(const Json *json, FigureSpec *figure, Err *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    figure->name = fields_text(json, "name");
    return !figure->name[strspn(figure->name, letters)] ||
           err_set(err, "key \"name\" says \"%s\": only letters, digits, _ and - make a file's name",
                   figure->name);
}

static bool read_figure(const Json *json, FigureSpec *figure, Err *err)
{
    static const Field fields[] = {{"name", TEXT, true},    {"title", TEXT, true},
                                   {"kind", TEXT, true},    {"x", OBJECT, false},
                                   {"y", OBJECT, false},    {"series", LIST, false},
                                   {"matrix", TEXT, false}, {"rows", LIST, false},
                                   {"note", TEXT, false},   {0}};
    if (!fields_check(json, fields, NULL, err) || !read_name(json, figure, err))
        return false;
    figure->title = fields_text(json, "title");
    figure->note = fields_text(json, "note");
    figure->matrix = fields_text(json, "matrix");
    int kind = fields_word(json, "kind", figure_kind_words, err);
    if (kind < 0)
        return false;
    figure->kind = (FigureKind)kind;
    bool is_map = figure->kind == FIGURE_HEATMAP;
    const char *useless = !is_map ? "matrix" : json_get(json, "rows") ? "rows" : "series";
    if (json_get(json, useless))
        return err_set(err, "key \"%s\" has no use in a figure of kind \"%s\"", useless,
                       figure_kind_words[kind]);
    if (!read_axis(json, "x", !is_map, &figure->x, err) || !read_axis(json, "y", !is_map, &figure->y, err))
        return false;
    if (is_map)
        return figure->matrix || err_set(err, "key \"matrix\" is missing");
    return read_all_series(json, figure, err);
}

bool display_read_figures(const Json *list, FigureSpec **figures, size_t *count, Err *err)
{
    for (const Json *json = list ? json_first(list) : NULL; json; json = json_next(json)) {
        FigureSpec *figure = mem_grow(figures, count, sizeof *figure);
        if (!read_figure(json, figure, err))
            return err_within(err, "figure %zu", *count);
        for (size_t i = 0; i + 1 < *count; i++)
            if (strcmp((*figures)[i].name, figure->name) == 0)
                return err_set(err, "figure %zu: key \"name\" is used twice", *count);
    }
    return true;
}

void display_free_figures(FigureSpec *figures, size_t count)
{
    for (size_t f = 0; f < count; f++) {
        for (size_t s = 0; s < figures[f].series_count; s++)
            free(figures[f].series[s].given);
        free(figures[f].series);
        free(figures[f].rows);
    }
    free(figures);
}
