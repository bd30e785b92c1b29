#include "display.h"

#include "fields.h"
#include "mem.h"

#include <stdio.h>
#include <string.h>

static const char row_mark[] = "{row}";

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

static bool check_rows(const Json *rows, Err *err)
{
    size_t index = 0;
    for (const Json *row = json_first(rows); row; row = json_next(row)) {
        index++;
        if (json_kind(row) != JSON_ARRAY || json_count(row) != 2 ||
            json_kind(json_at(row, 0)) != JSON_STRING || json_kind(json_at(row, 1)) != JSON_STRING)
            return err_set(err, "key \"rows\", entry %zu: a label and a key are needed", index);
    }
    return index > 0 || err_set(err, "key \"rows\" is an empty list");
}

/* Whether the pattern is a claim's id for any row: lost cells have no claim, but a column without one is a
 * mistake. */
static bool names_a_claim(const char *pattern, const Json *rows, const Claims *claims)
{
    bool found = false;
    for (const Json *row = json_first(rows); row && !found; row = json_next(row)) {
        char *id = display_name(pattern, json_string(json_at(row, 1)));
        for (size_t i = 0; i < claims->count && !found; i++)
            found = strcmp(claims->list[i].id, id) == 0;
        free(id);
    }
    return found;
}

static bool check_given(const Json *given, const Json *rows, Err *err)
{
    for (const Json *number = json_first(given); number; number = json_next(number))
        if (json_kind(number) != JSON_NUMBER && json_kind(number) != JSON_NULL)
            return err_set(err, "key \"given\" must hold numbers, or null where there is none");
    if (json_count(given) != json_count(rows))
        return err_set(err, "key \"given\" holds %zu numbers for %zu rows", json_count(given),
                       json_count(rows));
    return true;
}

static bool check_column(const Json *column, const Json *rows, const Claims *claims, Err *err)
{
    static const Field fields[] = {{"label", TEXT, true},       {"measure", TEXT, false},
                                   {"claim", TEXT, false},      {"given", LIST, false},
                                   {"decimals", NUMBER, false}, {0}};
    static const char *const either[] = {"measure", "claim", "given", NULL};
    if (!fields_check(column, fields, NULL, err) || !fields_one_of(column, either, err))
        return false;
    const Json *decimals = json_get(column, "decimals");
    if (decimals && !(json_number(decimals) >= 0 && json_number(decimals) <= 15 &&
                      json_number(decimals) == (int)json_number(decimals)))
        return err_set(err, "key \"decimals\" must be a whole number from 0 to 15");
    if (json_get(column, "given"))
        return check_given(json_get(column, "given"), rows, err);
    const char *claim = fields_text(column, "claim"),
               *pattern = claim ? claim : fields_text(column, "measure");
    if (!strstr(pattern, row_mark))
        return err_set(err, "key \"%s\" says \"%s\", without the %s that stands for the row",
                       claim ? "claim" : "measure", pattern, row_mark);
    if (claim && !names_a_claim(claim, rows, claims))
        return err_set(err, "key \"claim\" says \"%s\", which is no claim's id for any row", claim);
    return true;
}

static bool check_table(const Json *table, const Claims *claims, Err *err)
{
    static const Field fields[] = {{"title", TEXT, true},      {"rows", LIST, true},  {"columns", LIST, true},
                                   {"row_label", TEXT, false}, {"note", TEXT, false}, {0}};
    if (!fields_check(table, fields, NULL, err) || !check_rows(json_get(table, "rows"), err))
        return false;
    size_t index = 0;
    const Json *columns = json_get(table, "columns");
    for (const Json *column = json_first(columns); column; column = json_next(column))
        if (index++, !check_column(column, json_get(table, "rows"), claims, err))
            return err_within(err, "key \"columns\", entry %zu", index);
    return index > 0 || err_set(err, "key \"columns\" is an empty list");
}

static bool check_axis(const Json *figure, const char *key, bool required, Err *err)
{
    static const Field fields[] = {{"label", TEXT, true}, {"log", FLAG, false}, {0}};
    const Json *axis = json_get(figure, key);
    if (!axis)
        return !required || err_set(err, "key \"%s\" is missing", key);
    return fields_check(axis, fields, NULL, err) || err_within(err, "key \"%s\"", key);
}

/* Bars of rows: their measurements, or numbers that the source prints. */
static bool check_row_series(const Json *series, const Json *rows, Err *err)
{
    static const Field fields[] = {
        {"label", TEXT, true}, {"measure", TEXT, false}, {"given", LIST, false}, {0}};
    static const char *const either[] = {"measure", "given", NULL};
    if (!fields_check(series, fields, NULL, err) || !fields_one_of(series, either, err))
        return false;
    if (json_get(series, "given"))
        return check_given(json_get(series, "given"), rows, err);
    const char *pattern = fields_text(series, "measure");
    return strstr(pattern, row_mark) ||
           err_set(err, "key \"measure\" says \"%s\", without the %s that stands for the row", pattern,
                   row_mark);
}

static bool check_curve_series(const Json *series, bool is_lines, Err *err)
{
    const Field fields[] = {{"label", TEXT, true}, {"curve", TEXT, true}, {"style", TEXT, is_lines}, {0}};
    static const char *const styles[] = {"line", "points", "dashed", "bars", NULL};
    return fields_check(series, fields, NULL, err) &&
           (!json_get(series, "style") || fields_word(series, "style", styles, err) >= 0);
}

static bool check_series(const Json *figure, bool is_lines, Err *err)
{
    const Json *rows = json_get(figure, "rows"), *list = json_get(figure, "series");
    if (rows && is_lines)
        return err_set(err, "key \"rows\" has no use in a figure of kind \"lines\"");
    if (rows && !check_rows(rows, err))
        return false;
    size_t index = 0;
    for (const Json *series = json_first(list); series; series = json_next(series))
        if (index++,
            !(rows ? check_row_series(series, rows, err) : check_curve_series(series, is_lines, err)))
            return err_within(err, "key \"series\", entry %zu", index);
    return index > 0 || err_set(err, "key \"series\" is missing or an empty list");
}

static bool check_figure(const Json *figure, Err *err)
{
    static const Field fields[] = {{"name", TEXT, true},    {"title", TEXT, true},
                                   {"kind", TEXT, true},    {"x", OBJECT, false},
                                   {"y", OBJECT, false},    {"series", LIST, false},
                                   {"matrix", TEXT, false}, {"rows", LIST, false},
                                   {"note", TEXT, false},   {0}};
    static const char *const kinds[] = {"lines", "bars", "heatmap", NULL};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (!fields_check(figure, fields, NULL, err))
        return false;
    const char *name = fields_text(figure, "name");
    if (name[strspn(name, letters)])
        return err_set(err, "key \"name\" says \"%s\": only letters, digits, _ and - make a file's name",
                       name);
    int kind = fields_word(figure, "kind", kinds, err);
    if (kind < 0)
        return false;
    bool is_map = strcmp(kinds[kind], "heatmap") == 0;
    const char *useless = !is_map ? "matrix" : json_get(figure, "rows") ? "rows" : "series";
    if (json_get(figure, useless))
        return err_set(err, "key \"%s\" has no use in a figure of kind \"%s\"", useless, kinds[kind]);
    if (!check_axis(figure, "x", !is_map, err) || !check_axis(figure, "y", !is_map, err))
        return false;
    if (is_map)
        return json_get(figure, "matrix") || err_set(err, "key \"matrix\" is missing");
    return check_series(figure, strcmp(kinds[kind], "lines") == 0, err);
}

/* The figure's place when it is the first of its name in the list, and that of its namesake otherwise. */
static bool is_first_of_its_name(const Json *figures, const Json *figure)
{
    const char *name = fields_text(figure, "name");
    const Json *other = json_first(figures);
    while (other != figure && strcmp(fields_text(other, "name"), name) != 0)
        other = json_next(other);
    return other == figure;
}

bool display_check(const Claims *claims, Err *err)
{
    size_t index = 0;
    for (const Json *table = json_first(claims->tables); table; table = json_next(table))
        if (index++, !check_table(table, claims, err))
            return err_within(err, "table %zu", index);
    index = 0;
    for (const Json *figure = json_first(claims->figures); figure; figure = json_next(figure)) {
        if (index++, !check_figure(figure, err))
            return err_within(err, "figure %zu", index);
        if (!is_first_of_its_name(claims->figures, figure))
            return err_set(err, "figure %zu: key \"name\" is used twice", index);
    }
    return true;
}
