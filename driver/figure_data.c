#include "figure_data.h"

#include "display.h"
#include "file.h"
#include "judge.h"
#include "markup.h"
#include "mem.h"

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
            characters = markup_width(text + start) - markup_width(text + i) + 1;
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
    markup_put_cut(cut, label, width);
    fclose(cut);
    fputs(separator, out);
    put_quoted(out, text, size);
    free(text);
}

static void put_frame(Plot *plot, const FigureSpec *figure, const char *remark)
{
    char *title = mem_text("%s%s", figure->title, remark);
    put_text(plot->words, "title", title, TITLE_WIDTH);
    put_text(plot->words, "x_label", figure->x.label, AXIS_WIDTH);
    put_text(plot->words, "y_label", figure->y.label, UPRIGHT_WIDTH);
    fprintf(plot->words, "x_log = %d\ny_log = %d\n", plot->x_log, plot->y_log);
    free(title);
}

/* ---- numbers ---- */

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

static const Curve *first_curve(const Result *result, const SeriesSpec *series, Err *err)
{
    const Curve *curve = curves_find(&result->measurements, NULL, series->curve);
    if (!curve)
        err_set(err, "the result has no curve \"%s\"", series->curve);
    return curve;
}

/* " (seed 0)" when there are several, of which the first alone is shown. */
static char *seed_remark(int seed, bool one_of_several)
{
    return seed != FIXED && one_of_several ? mem_text(" (seed %d)", seed) : mem_text("%s", "");
}

/* ---- lines ---- */

/* All seeds of one curve; returns the points of the longest. */
static size_t put_curve(Plot *plot, const Result *result, const char *name)
{
    size_t longest = 0;
    for (const Curve *curve = NULL; (curve = curves_find(&result->measurements, curve, name));) {
        if (curve->points > 0 && longest > 0)
            fputc('\n', plot->numbers);
        for (size_t i = 0; i < curve->points; i++) {
            fprintf(plot->numbers, "%.17g %.17g\n", curve->x[i], curve->y[i]);
            widen(plot, curve->x[i], curve->y[i], curve->y[i]);
        }
        longest = curve->points > longest ? curve->points : longest;
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

/* Adds those x of a curve that are not in the list yet. */
static void add_distinct(const Curve *curve, double **list, size_t *count)
{
    for (size_t p = 0; p < curve->points; p++) {
        bool known = !isfinite(curve->x[p]);
        for (size_t i = 0; i < *count && !known; i++)
            known = (*list)[i] == curve->x[p];
        if (!known)
            *(double *)mem_grow(list, count, sizeof **list) = curve->x[p];
    }
}

/* The different x of all series, rising; NULL when there are none, or more than most. Owned by the caller. */
static double *distinct_x(const FigureSpec *figure, const Result *result, size_t most, size_t *count)
{
    double *list = NULL;
    *count = 0;
    for (size_t s = 0; s < figure->series_count && *count <= most; s++)
        for (const Curve *curve = NULL;
             *count <= most && (curve = curves_find(&result->measurements, curve, figure->series[s].curve));)
            add_distinct(curve, &list, count);
    if (*count > most) {
        free(list);
        *count = 0;
        return NULL;
    }
    if (*count > 1)
        qsort(list, *count, sizeof *list, by_value);
    return list;
}

/* A logarithmic axis reads best with a tick at each value that was measured, when they are few. */
static void put_x_tics(Plot *plot, const FigureSpec *figure, const Result *result)
{
    size_t count = 0;
    double *x = plot->x_log ? distinct_x(figure, result, MOST_EXACT_TICKS, &count) : NULL;
    fputs("x_tics = '", plot->words);
    for (size_t i = 0; i < count; i++)
        fprintf(plot->words, "%s%.12g%s", i ? ", " : "(", x[i], i + 1 == count ? ")" : "");
    fputs("'\n", plot->words);
    free(x);
}

static void put_series_labels(Plot *plot, const FigureSpec *figure)
{
    fprintf(plot->words, "n = %zu\narray label[n] = [", figure->series_count);
    for (size_t s = 0; s < figure->series_count; s++)
        put_label(plot->words, s ? ", " : "", figure->series[s].label, LEGEND_WIDTH);
    fputs("]\n", plot->words);
}

static bool write_lines(Plot *plot, const FigureSpec *figure, const Result *result, Err *err)
{
    size_t count = figure->series_count, *points = mem_new(count, sizeof *points);
    bool complete = true;
    for (size_t s = 0; s < count && complete; s++) {
        complete = first_curve(result, &figure->series[s], err) != NULL;
        if (!complete)
            break;
        if (s > 0)
            fputs("\n\n", plot->numbers);
        points[s] = put_curve(plot, result, figure->series[s].curve);
    }
    put_frame(plot, figure, "");
    put_x_tics(plot, figure, result);
    put_series_labels(plot, figure);
    fputs("array style[n] = [", plot->words);
    for (size_t s = 0; s < count; s++)
        put_label(plot->words, s ? ", " : "", figure->series[s].style, LEGEND_WIDTH);
    fputs("]\narray points[n] = [", plot->words);
    for (size_t s = 0; s < count; s++)
        fprintf(plot->words, "%s%zu", s ? ", " : "", points[s]);
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

/* One series, whose bars are the points of a curve. */
static void put_curve_bars(Plot *plot, const Curve *curve, const double *categories, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t p = 0;
        while (p < curve->points && curve->x[p] != categories[i])
            p++;
        double value = p < curve->points ? curve->y[p] : NAN;
        put_bar(plot, i + 1, value, value, value);
    }
}

/* The bar of one row's measurement; a gap when there is none. */
static void put_measured_bar(Plot *plot, size_t category, const char *name, const Result *result)
{
    const Measurement *measurement = measurements_find(&result->measurements, name);
    Summary summary = {.mean = NAN, .low = NAN, .high = NAN};
    if (measurement)
        summary = measurement_summary(measurement);
    bool has_interval = summary.n >= FEW_SEEDS && !isnan(summary.low);
    put_bar(plot, category, summary.mean, has_interval ? summary.low : summary.mean,
            has_interval ? summary.high : summary.mean);
}

/* One series, whose bars are the figure's rows: measured, or given by the claims file. */
static void put_row_bars(Plot *plot, const FigureSpec *figure, const SeriesSpec *series, const Result *result)
{
    for (size_t r = 0; r < figure->row_count; r++) {
        if (series->given) {
            put_bar(plot, r + 1, series->given[r], series->given[r], series->given[r]);
            continue;
        }
        char *name = display_name(series->pattern, figure->rows[r].key);
        put_measured_bar(plot, r + 1, name, result);
        free(name);
    }
}

static void put_categories(Plot *plot, const DisplayRow *rows, const double *x, size_t count)
{
    fprintf(plot->words, "categories = %zu\narray tick[categories] = [", count);
    for (size_t i = 0; i < count; i++) {
        char *number = rows ? NULL : mem_text("%.6g", x[i]);
        put_label(plot->words, i ? ", " : "", rows ? rows[i].label : number, LABEL_WIDTH);
        free(number);
    }
    fputs("]\n", plot->words);
}

static bool write_bars(Plot *plot, const FigureSpec *figure, const Result *result, Err *err)
{
    size_t count = figure->row_count;
    double *x = figure->rows ? NULL : distinct_x(figure, result, MOST_CATEGORIES, &count);
    char *remark = mem_text("%s", "");
    bool complete = count > 0 || err_set(err, "there are no bars, or more than %d", MOST_CATEGORIES);
    for (size_t s = 0; s < figure->series_count && complete; s++) {
        if (s > 0)
            fputs("\n\n", plot->numbers);
        if (figure->rows) {
            put_row_bars(plot, figure, &figure->series[s], result);
            continue;
        }
        const Curve *curve = first_curve(result, &figure->series[s], err);
        complete = curve != NULL;
        if (complete) {
            put_curve_bars(plot, curve, x, count);
            free(remark);
            remark = seed_remark(curve->seed, curves_find(&result->measurements, curve, curve->name) != NULL);
        }
    }
    put_frame(plot, figure, remark);
    put_categories(plot, figure->rows, x, count);
    put_series_labels(plot, figure);
    free(remark);
    free(x);
    return complete;
}

/* ---- heat maps ---- */

/* array NAME[count] = the labels, or 0, 1, 2 … where there are none. */
static void put_ticks(Plot *plot, const char *array, char *const *labels, size_t count)
{
    fprintf(plot->words, "array %s[%zu] = [", array, count);
    for (size_t i = 0; i < count; i++) {
        char *number = mem_text("%zu", i);
        put_label(plot->words, i ? ", " : "", labels ? labels[i] : number, LABEL_WIDTH);
        free(number);
    }
    fputs("]\n", plot->words);
}

static bool write_map(Plot *plot, const FigureSpec *figure, const Result *result, Err *err)
{
    const Matrix *matrix = matrices_find(&result->measurements, NULL, figure->matrix);
    if (!matrix)
        return err_set(err, "the result has no matrix \"%s\"", figure->matrix);
    for (size_t r = 0; r < matrix->rows; r++) {
        for (size_t c = 0; c < matrix->columns; c++) {
            double value = matrix->values[r * matrix->columns + c];
            fprintf(plot->numbers, "%.9g ", value);
            widen(plot, 0, value, value);
        }
        fputc('\n', plot->numbers);
    }
    char *remark =
        seed_remark(matrix->seed, matrices_find(&result->measurements, matrix, figure->matrix) != NULL);
    put_frame(plot, figure, remark);
    fprintf(plot->words, "rows = %zu\ncolumns = %zu\n", matrix->rows, matrix->columns);
    put_ticks(plot, "row_tick", matrix->row_labels, matrix->rows);
    put_ticks(plot, "column_tick", matrix->column_labels, matrix->columns);
    free(remark);
    return true;
}

/* ---- both files ---- */

static bool write_plot(Plot *plot, const FigureSpec *figure, const Result *result, Err *err)
{
    bool complete = figure->kind == FIGURE_LINES  ? write_lines(plot, figure, result, err)
                    : figure->kind == FIGURE_BARS ? write_bars(plot, figure, result, err)
                                                  : write_map(plot, figure, result, err);
    if (!complete)
        return false;
    fprintf(plot->words, "x_low = %.17g\nx_high = %.17g\ny_low = %.17g\ny_high = %.17g\n", plot->x_low,
            plot->x_high, plot->y_low, plot->y_high);
    return plot->points > 0 || err_set(err, "the result holds no number that can be drawn%s",
                                       plot->x_log || plot->y_log ? " on a logarithmic axis" : "");
}

bool figure_data_write(const FigureSpec *figure, const Result *result, const char *folder, Err *err)
{
    char *words, *numbers;
    size_t word_size, number_size;
    Plot plot = {.x_log = figure->x.log, .y_log = figure->y.log};
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
