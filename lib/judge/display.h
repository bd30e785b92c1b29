/*
 * display: the tables and figures that a claims file asks for: read and checked here, so that a typo is an error
 * before the run, and drawn by the driver. Neither computes anything.
 *
 *   "tables":  [{"title", "rows": [[LABEL, KEY], …],
 *                "columns": [{"label", "measure" | "claim": PATTERN or "given": [number, …], "decimals"}, …],
 *                "row_label", "note"}]
 *   "figures": [{"name", "title", "kind": "lines"|"bars"|"heatmap",
 *                "x": {"label", "log"}, "y": {"label", "log"},
 *                "series": [{"label", "curve": NAME, "style": "line"|"points"|"dashed"|"bars"}, …]
 *                or "rows": [[LABEL, KEY], …], "series": [{"label", "measure": PATTERN or "given": [number, …]}, …]
 *                or "matrix": NAME, "note"}]
 *
 * "given" holds a number for each row, null where there is none: what the source prints, or what follows from it.
 * A PATTERN is a measurement's name or a claim's id in which {row} stands for the row's KEY. A figure's name is
 * its file's: letters, digits, _ and -. Lines and bars have axes and series, a heat map a matrix; rows are for bars
 * alone, one group of bars each, with the mean of a measurement and its interval.
 * "decimals", "log", "row_label", "note" and the style of bars may be left out.
 */
#ifndef DISPLAY_H
#define DISPLAY_H

#include "json.h"

typedef struct DisplayRow {
    const char *label, *key;
} DisplayRow;

typedef enum ColumnKind { COLUMN_MEASURE, COLUMN_CLAIM, COLUMN_GIVEN } ColumnKind;

typedef struct ColumnSpec {
    const char *label;
    ColumnKind kind;
    const char *pattern; /* of a measure or a claim */
    double *given;       /* one for each row, NaN where there is none; owned */
    int decimals;        /* -1: chosen by the number */
} ColumnSpec;

typedef struct TableSpec {
    const char *title, *row_label, *note; /* the last two may be NULL */
    DisplayRow *rows;                     /* owned */
    size_t row_count;
    ColumnSpec *columns; /* owned */
    size_t column_count;
} TableSpec;

typedef enum FigureKind { FIGURE_LINES, FIGURE_BARS, FIGURE_HEATMAP } FigureKind;

typedef struct AxisSpec {
    const char *label; /* "" when the figure names none */
    bool log;
} AxisSpec;

typedef struct SeriesSpec {
    const char *label;
    const char *curve, *style; /* lines, and bars of curves; style is NULL for these */
    const char *pattern;       /* bars of rows: of a measurement … */
    double *given;             /* … or one for each row, NaN where there is none; owned */
} SeriesSpec;

typedef struct FigureSpec {
    const char *name, *title, *note; /* note may be NULL */
    FigureKind kind;
    AxisSpec x, y;
    DisplayRow *rows; /* of bars; NULL when they are a curve's; owned */
    size_t row_count;
    SeriesSpec *series; /* owned */
    size_t series_count;
    const char *matrix; /* of a heat map */
} FigureSpec;

/* Read and check the lists of a claims file; a list that is not there (NULL) is empty. False with a sentence that
 * names table or figure, and key. What was read is to be freed either way; its texts belong to the json. */
bool display_read_tables(const Json *list, TableSpec **tables, size_t *count, Err *err);
bool display_read_figures(const Json *list, FigureSpec **figures, size_t *count, Err *err);
void display_free_tables(TableSpec *tables, size_t count);
void display_free_figures(FigureSpec *figures, size_t count);

/* Words as the files have them: "lines" …; NULL ends them. */
extern const char *const figure_kind_words[];

/* The pattern with every {row} replaced by key; owned by the caller. */
char *display_name(const char *pattern, const char *key);

#endif
