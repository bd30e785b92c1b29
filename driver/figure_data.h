/*
 * figure_data: what a gnuplot script of plots/ needs to draw one figure: figure.gp, its words and ranges, and
 * figure.dat, its numbers. The scripts say what each of them expects.
 */
#ifndef FIGURE_DATA_H
#define FIGURE_DATA_H

#include "claims.h"
#include "result.h"

/* Writes both; with folder NULL it only checks whether they can be. False with one sentence when the result lacks
 * the data, or holds none that can be drawn. */
bool figure_data_write(const FigureSpec *figure, const Result *result, const char *folder, Err *err);

#endif
