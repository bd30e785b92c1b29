/*
 * display: the tables and figures that a claims file asks for; their shape is checked here, so that a typo is
 * an error before the run, and they are drawn by the driver. Neither computes anything.
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

#include "claims.h"

/* Checks claims->tables and claims->figures; the sentence names table or figure, and key. */
bool display_check(const Claims *claims, Err *err);

/* The pattern with every {row} replaced by key; owned by the caller. */
char *display_name(const char *pattern, const char *key);

#endif
