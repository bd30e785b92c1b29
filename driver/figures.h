/*
 * figures: the figures that a claims file asks for (display.h describes them), drawn by gnuplot.
 *
 * The data are the result's curves and matrices as they are. Every seed of a curve is drawn, in one colour; of a
 * matrix, and of a curve shown as bars, the first seed alone, and the title says so. The scripts are in plots/.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include "results.h"

/* Draws all figures of a record into <results folder>/figures/, removing old ones first. What can't be drawn is
 * said on standard error; without gnuplot nothing is drawn, which is said once. */
void figures_draw(const Results *results, const Record *record);

/* "figures/<experiment>.<name>.svg", as seen from the results' folder; owned by the caller. */
char *figure_path(const Record *record, const FigureSpec *figure);

/* Why a figure is not there, in a sentence; owned by the caller. */
char *figure_problem(const Record *record, const FigureSpec *figure);

#endif
