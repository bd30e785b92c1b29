/*
 * report_parts: the sections of a report.
 */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "doc.h"
#include "results.h"

/* One experiment: tables, figures, claims with their reasons, findings, warnings, settings. */
void report_add_experiment(Doc *doc, const Results *results, const Record *record);

/* On which machine, with which build, when and how long. */
void report_add_machine(Doc *doc, const Results *results);

#endif
