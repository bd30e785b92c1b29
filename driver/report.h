/*
 * report: everything a folder of results says, as Markdown, as one HTML page and as JUnit.
 *
 * All of it comes from the results, the claims files and the notes about failures; nothing is computed but counts
 * of verdicts. Figures must have been drawn before (figures.h).
 */
#ifndef REPORT_H
#define REPORT_H

#include "results.h"

/* Writes report.md, report.html and junit.xml into the results' folder. */
bool report_write(const Results *results, Err *err);

/* The JUnit part: one test case a claim; a claim that fails is a failure, one that says nothing is skipped. */
bool junit_write(const Results *results, Err *err);

#endif
