#include "figure_data.h"

#include "display.h"
#include "file.h"
#include "mem.h"
#include "results.h"
#include "text.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_EXACT_TICKS = 12, MOST_CATEGORIES = 60 };

/* Characters that fit: a title's and an axis's line, one beside an upright axis, a legend's, a tick's label. */
enum { TITLE_WIDTH = 84, AXIS_WIDTH = 80, UPRIGHT_WIDTH = 44, LEGEND_WIDTH = 90, LABEL_WIDTH = 40 };

/* Both files while they are written, and the range of what will be seen. */
typedef struct Plot {
    FILE *words, *numbers;
    bool x_log, y_log;
    double x_low, x_high, y_low, y_high; /* low > high: nothing yet */
    size_t points;                       /* that can be drawn */
} Plot;

/* ---- words for gnuplot ---- */

/* 'text', where a quote inside is doubled and nothing else means anything. */
static void put_quoted(FILE *out, const char *text, size_t length)
{
    fputc('\'', out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            fputc('\'', out);
        fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], out);
    }
    fputc('\'', out);
}

/* name = 'text', broken between words into lines of about width characters. */
static void put_text(FILE *out, const char *name, const char *text, size_t width)
{
    fprintf(out, "%s = ", name);
    size_t start = 0, space = 0, characters = 0, length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        characters += ((unsigned char)text[i] & 0xc0) != 0x80;
        if (text[i] == ' ')
            space = i;
        if (characters > width && space > start) {
            put_quoted(out, text + start, space - start);
            fputs(" . \"\\n\" . ", out);
            start = space + 1;
            characters = text_width(text + start) - text_width(text + i) + 1;
        }
    }
    put_quoted(out, text + start, length - start);
    fputc('\n', out);
}

/* An element of a list: the label, cut to width. */
static void put_label(FILE *out, const char *separator, const char *label, size_t width)
{
    char *text;
    size_t size;
    FILE *cut = open_memstream(&text, &size);
    require(cut, "out of memory for a label");
    text_put_cut(cut, label, width);
    fclose(cut);
    fputs(separator, out);
    put_quoted(out, text, size);
    free(text);
}

static void put_frame(Plot *plot, const Json *figure, const char *remark)
{
    char *title = mem_text("%s%s", field_text(figure, "title"), remark);
    put_text(plot->words, "title", title, TITLE_WIDTH);
    put_text(plot->words, "x_label", field_text(json_get(figure, "x"), "label"), AXIS_WIDTH);
    put_text(plot->words, "y_label", field_text(json_get(figure, "y"), "label"), UPRIGHT_WIDTH);
    fprintf(plot->words, "x_log = %d\ny_log = %d\n", plot->x_log, plot->y_log);
    free(title);
}

/* ---- numbers ---- */

static bool is_log(const Json *figure, const char *axis)
{
    const Json *log = json_get(figure, axis) ? json_get(json_get(figure, axis), "log") : NULL;
    return log && json_bool(log);
}

static double number_of(const Json *json)
{
    return json && json_kind(json) == JSON_NUMBER ? json_number(json) : NAN;
}

static void widen(Plot *plot, double x, double low, double high)
{
    bool seen = isfinite(x) && isfinite(low) && (!plot->x_log || x > 0) && (!plot->y_log || low > 0);
    if (!seen)
        return;
    plot->x_low = fmin(plot->x_low, x);
    plot->x_high = fmax(plot->x_high, x);
    plot->y_low = fmin(plot->y_low, low);
    plot->y_high = fmax(plot->y_high, high);
    plot->points++;
}

/* The next curve or matrix of that name behind `after` (from the beginning when NULL). */
static const Json *next_named(const Json *list, const Json *after, const char *name)
{
    const Json *item = after ? json_next(after) : list ? json_first(list) : NULL;
    while (item && strcmp(field_text(item, "name"), name) != 0)
        item = json_next(item);
    return item;
}

static const Json *first_curve(const Json *result, const Json *series, Err *err)
{
    const Json *curve = next_named(json_get(result, "curves"), NULL, field_text(series, "curve"));
    if (!curve)
        err_set(err, "the result has no curve \"%s\"", field_text(series, "curve"));
    return curve;
}

/* " (seed 0)" when there are several, of which the first alone is shown. */
static char *seed_remark(const Json *list, const Json *first)
{
    const Json *seed = json_get(first, "seed");
    if (!seed || !next_named(list, first, field_text(first, "name")))
        return mem_text("%s", "");
    return mem_text(" (seed %.0f)", json_number(seed));
}

/* ---- lines ---- */

/* All seeds of one curve; returns the points of the longest. */
static size_t put_curve(Plot *plot, const Json *result, const char *name)
{
    const Json *curves = json_get(result, "curves");
    size_t longest = 0;
    for (const Json *curve = NULL; (curve = next_named(curves, curve, name));) {
        const Json *x = json_first(json_get(curve, "x")), *y = json_first(json_get(curve, "y"));
        size_t points = 0;
        if (x && longest > 0)
            fputc('\n', plot->numbers);
        for (; x && y; x = json_next(x), y = json_next(y), points++) {
            fprintf(plot->numbers, "%.17g %.17g\n", number_of(x), number_of(y));
            widen(plot, number_of(x), number_of(y), number_of(y));
        }
        longest = points > longest ? points : longest;
    }
    if (longest == 0)
        fputs("NaN NaN\n", plot->numbers); /* an empty series would shift the numbers of those behind it */
    return longest;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The different x of all series, rising; NULL when there are more than most. */
static double *distinct_x(const Json *figure, const Json *result, size_t most, size_t *count)
{
    double *list = NULL;
    *count = 0;
    const Json *series = json_get(figure, "series"), *curves = json_get(result, "curves");
    for (const Json *one = json_first(series); one; one = json_next(one))
        for (const Json *curve = NULL; (curve = next_named(curves, curve, field_text(one, "curve")));)
            for (const Json *x = json_first(json_get(curve, "x")); x; x = json_next(x)) {
                double value = number_of(x);
                bool known = !isfinite(value);
                for (size_t i = 0; i < *count && !known; i++)
                    known = list[i] == value;
                if (!known)
                    *(double *)mem_grow(&list, count, sizeof *list) = value;
                if (*count > most) {
                    free(list);
                    *count = 0;
                    return NULL;
                }
            }
    if (*count > 1)
        qsort(list, *count, sizeof *list, by_value);
    return list;
}

/* A logarithmic axis reads best with a tick at each value that was measured, when they are few. */
static void put_x_tics(Plot *plot, const Json *figure, const Json *result)
{
    size_t count = 0;
    double *x = plot->x_log ? distinct_x(figure, result, MOST_EXACT_TICKS, &count) : NULL;
    fputs("x_tics = '", plot->words);
    for (size_t i = 0; i < count; i++)
        fprintf(plot->words, "%s%.12g%s", i ? ", " : "(", x[i], i + 1 == count ? ")" : "");
    fputs("'\n", plot->words);
    free(x);
}

/* array NAME[n] = the series' texts of that key. */
static void put_series(Plot *plot, const Json *series, const char *array, const char *key)
{
    fprintf(plot->words, "array %s[%zu] = [", array, json_count(series));
    const char *separator = "";
    for (const Json *one = json_first(series); one; one = json_next(one), separator = ", ")
        put_label(plot->words, separator, field_text(one, key), LEGEND_WIDTH);
    fputs("]\n", plot->words);
}

static bool write_lines(Plot *plot, const Json *figure, const Json *result, Err *err)
{
    const Json *series = json_get(figure, "series");
    size_t count = json_count(series), i = 0;
    size_t *points = mem_new(count, sizeof *points);
    bool complete = true;
    for (const Json *one = json_first(series); one && complete; one = json_next(one)) {
        complete = first_curve(result, one, err) != NULL;
        if (complete && i > 0)
            fputs("\n\n", plot->numbers);
        if (complete)
            points[i++] = put_curve(plot, result, field_text(one, "curve"));
    }
    put_frame(plot, figure, "");
    put_x_tics(plot, figure, result);
    fprintf(plot->words, "n = %zu\n", count);
    put_series(plot, series, "label", "label");
    put_series(plot, series, "style", "style");
    fputs("array points[n] = [", plot->words);
    for (i = 0; i < count; i++)
        fprintf(plot->words, "%s%zu", i ? ", " : "", points[i]);
    fputs("]\n", plot->words);
    free(points);
    return complete;
}

/* ---- bars ---- */

/* A bar: its value with the ends of its interval, both the value when there is none. */
static void put_bar(Plot *plot, size_t category, double value, double low, double high)
{
    fprintf(plot->numbers, "%zu %.17g %.17g %.17g\n", category, value, low, high);
    widen(plot, (double)category, plot->y_log && !(low > 0) ? value : low, high);
}

/* One series, whose bars are the points of a curve's first seed. */
static void put_curve_bars(Plot *plot, const Json *curve, const double *categories, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Json *x = json_first(json_get(curve, "x")), *y = json_first(json_get(curve, "y"));
        while (x && y && number_of(x) != categories[i]) {
            x = json_next(x);
            y = json_next(y);
        }
        put_bar(plot, i + 1, number_of(y), number_of(y), number_of(y));
    }
}

/* One series, whose bars are the measurements of the figure's rows. */
static void put_measured_bars(Plot *plot, const Json *rows, const char *pattern, const Json *result)
{
    size_t category = 0;
    for (const Json *row = json_first(rows); row; row = json_next(row)) {
        char *name = display_name(pattern, json_string(json_at(row, 1)));
        const Json *measurement = json_get(json_get(result, "measurements"), name);
        double mean = field_number(measurement, "mean", NAN), low = mean, high = mean;
        if (field_number(measurement, "n", 0) >= SEEDS_FOR_AN_INTERVAL) {
            low = number_of(json_at(json_get(measurement, "interval"), 0));
            high = number_of(json_at(json_get(measurement, "interval"), 1));
        }
        put_bar(plot, ++category, mean, low, high);
        free(name);
    }
}

/* One series, whose bars are numbers that the claims file gives; a null leaves a gap. */
static void put_given_bars(Plot *plot, const Json *given)
{
    size_t category = 0;
    for (const Json *number = json_first(given); number; number = json_next(number)) {
        double value = number_of(number);
        put_bar(plot, ++category, value, value, value);
    }
}

static void put_categories(Plot *plot, const Json *rows, const double *x, size_t count)
{
    fprintf(plot->words, "categories = %zu\narray tick[categories] = [", count);
    for (size_t i = 0; i < count; i++) {
        char *number = rows ? NULL : mem_text("%.6g", x[i]);
        put_label(plot->words, i ? ", " : "", rows ? json_string(json_at(json_at(rows, i), 0)) : number,
                  LABEL_WIDTH);
        free(number);
    }
    fputs("]\n", plot->words);
}

static bool write_bars(Plot *plot, const Json *figure, const Json *result, Err *err)
{
    const Json *series = json_get(figure, "series"), *rows = json_get(figure, "rows");
    size_t count = rows ? json_count(rows) : 0;
    double *x = rows ? NULL : distinct_x(figure, result, MOST_CATEGORIES, &count);
    char *remark = mem_text("%s", "");
    bool complete = count > 0 || err_set(err, "there are no bars, or more than %d", MOST_CATEGORIES);
    for (const Json *one = json_first(series); one && complete; one = json_next(one)) {
        if (one != json_first(series))
            fputs("\n\n", plot->numbers);
        if (json_get(one, "given")) {
            put_given_bars(plot, json_get(one, "given"));
            continue;
        }
        if (rows) {
            put_measured_bars(plot, rows, field_text(one, "measure"), result);
            continue;
        }
        const Json *curve = first_curve(result, one, err);
        complete = curve != NULL;
        if (complete) {
            put_curve_bars(plot, curve, x, count);
            free(remark);
            remark = seed_remark(json_get(result, "curves"), curve);
        }
    }
    put_frame(plot, figure, remark);
    put_categories(plot, rows, x, count);
    fprintf(plot->words, "n = %zu\n", json_count(series));
    put_series(plot, series, "label", "label");
    free(remark);
    free(x);
    return complete;
}

/* ---- heat maps ---- */

/* array NAME[count] = the labels, or 0, 1, 2 … where there are none. */
static void put_ticks(Plot *plot, const char *array, const Json *labels, size_t count)
{
    fprintf(plot->words, "array %s[%zu] = [", array, count);
    for (size_t i = 0; i < count; i++) {
        char *number = mem_text("%zu", i);
        put_label(plot->words, i ? ", " : "", labels ? json_string(json_at(labels, i)) : number, LABEL_WIDTH);
        free(number);
    }
    fputs("]\n", plot->words);
}

static bool write_map(Plot *plot, const Json *figure, const Json *result, Err *err)
{
    const Json *matrices = json_get(result, "matrices");
    const Json *matrix = next_named(matrices, NULL, field_text(figure, "matrix"));
    if (!matrix)
        return err_set(err, "the result has no matrix \"%s\"", field_text(figure, "matrix"));
    const Json *rows = json_get(matrix, "values");
    size_t row_count = json_count(rows), columns = row_count ? json_count(json_first(rows)) : 0;
    for (const Json *row = json_first(rows); row; row = json_next(row)) {
        for (const Json *value = json_first(row); value; value = json_next(value)) {
            fprintf(plot->numbers, "%.9g ", number_of(value));
            widen(plot, 0, number_of(value), number_of(value));
        }
        fputc('\n', plot->numbers);
    }
    char *remark = seed_remark(matrices, matrix);
    put_frame(plot, figure, remark);
    fprintf(plot->words, "rows = %zu\ncolumns = %zu\n", row_count, columns);
    put_ticks(plot, "row_tick", json_get(matrix, "row_labels"), row_count);
    put_ticks(plot, "column_tick", json_get(matrix, "column_labels"), columns);
    free(remark);
    return true;
}

/* ---- both files ---- */

static bool write_plot(Plot *plot, const Json *figure, const Json *result, Err *err)
{
    const char *kind = field_text(figure, "kind");
    bool complete = strcmp(kind, "lines") == 0  ? write_lines(plot, figure, result, err)
                    : strcmp(kind, "bars") == 0 ? write_bars(plot, figure, result, err)
                                                : write_map(plot, figure, result, err);
    if (!complete)
        return false;
    fprintf(plot->words, "x_low = %.17g\nx_high = %.17g\ny_low = %.17g\ny_high = %.17g\n", plot->x_low,
            plot->x_high, plot->y_low, plot->y_high);
    return plot->points > 0 || err_set(err, "the result holds no number that can be drawn%s",
                                       plot->x_log || plot->y_log ? " on a logarithmic axis" : "");
}

bool figure_data_write(const Json *figure, const Json *result, const char *folder, Err *err)
{
    char *words, *numbers;
    size_t word_size, number_size;
    Plot plot = {.x_log = is_log(figure, "x"), .y_log = is_log(figure, "y")};
    plot.x_low = plot.y_low = DBL_MAX;
    plot.x_high = plot.y_high = -DBL_MAX;
    plot.words = open_memstream(&words, &word_size);
    plot.numbers = open_memstream(&numbers, &number_size);
    require(plot.words && plot.numbers, "out of memory for a figure");
    bool good = write_plot(&plot, figure, result, err);
    fclose(plot.words);
    fclose(plot.numbers);
    if (good && folder) {
        char *word_path = mem_text("%s/figure.gp", folder), *number_path = mem_text("%s/figure.dat", folder);
        good = file_write(word_path, words, word_size, err) &&
               file_write(number_path, numbers, number_size, err);
        free(word_path);
        free(number_path);
    }
    free(words);
    free(numbers);
    return good;
}
