/*
 * experiment: the frame every experiment stands in.
 *
 *   static const Setting settings[] = {
 *       {"pairs", INTEGER, 20000, 20000, 100, 1e8, "random pairs for each width"},
 *       SETTINGS_END
 *   };
 *
 *   static bool run(Experiment *x, Err *err)
 *   {
 *       … measure(x, seed, value, "variance/d%d", d); …
 *       return true;
 *   }
 *
 *   const ExperimentPlan experiment = {"dot_product_variance", settings, 3, 1, run};
 *
 * The program's main (main.c) hands that plan to experiment_main, which reads the command line and the claims file
 * beside the program, starts BLAS, calls run, judges, writes the result, prints the verdicts to standard output and
 * returns the exit code: 0 all well, 1 a claim failed, 2 bad input or nothing measured, 77 skipped, 130 interrupted. No
 * threshold and no published number appears in an experiment's code: they are in its claims.
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include "err.h"
#include "measure.h"
#include "settings.h"

typedef struct Experiment Experiment;

typedef struct ExperimentPlan {
    const char *name;
    const Setting *settings; /* ends with SETTINGS_END */
    int seeds, quick_seeds;  /* repetitions in the two profiles; 0: no chance is involved */
    bool (*run)(Experiment *x, Err *err);
} ExperimentPlan;

/* Each experiment's own. */
extern const ExperimentPlan experiment;

int experiment_main(int argc, char **argv, const ExperimentPlan *plan);

/* The value in force. An unknown name or the wrong kind is a programmer's mistake. */
long setting_integer(const Experiment *x, const char *name);
double setting_real(const Experiment *x, const char *name);

/* The seeds to run: for (int s = first_seed(x); s < end_seed(x); s++). */
int first_seed(const Experiment *x);
int end_seed(const Experiment *x);

bool is_quick(const Experiment *x);
int thread_count(const Experiment *x);

/* The file named by --corpus or ATTEST_CORPUS; NULL when none was named. */
const char *corpus_option(const Experiment *x);

/* To be called once a corpus is loaded: it goes into the settings, and claims that need the
 * source's own corpus are judged on it alone. */
void use_corpus(Experiment *x, const char *name, const char *digest, bool is_published);

/* This machine can't give what the full profile asks for (memory, say), for the reason that a warning gives: claims
 * that need the published budget are not comparable. */
void reduce_budget(Experiment *x, const char *reason, ...) __attribute__((format(printf, 2, 3)));

/* What was seen. seed may be FIXED. The name is formatted. A value that is not finite is kept as missing. */
void measure(Experiment *x, int seed, double value, const char *name, ...)
    __attribute__((format(printf, 4, 5)));
void measure_timed(Experiment *x, int seed, double value, const char *name, ...)
    __attribute__((format(printf, 4, 5)));
void measure_missing(Experiment *x, int seed, const char *reason, const char *name, ...)
    __attribute__((format(printf, 4, 5)));
void record_curve(Experiment *x, int seed, const double *xs, const double *ys, size_t points,
                  const char *name, ...) __attribute__((format(printf, 6, 7)));
void record_matrix(Experiment *x, int seed, const double *values, size_t rows, size_t columns,
                   const char *const *row_labels, const char *const *column_labels, const char *name, ...)
    __attribute__((format(printf, 8, 9)));

/* A sentence about the data that the reader of the result must know. */
void warn(Experiment *x, const char *sentence, ...) __attribute__((format(printf, 2, 3)));

/* A fact about this machine or run ("units_trained": …); it goes into the context, which comparisons leave out. */
void note(Experiment *x, const char *key, const char *text);

/* A recorded unit of work (unit.h) that the measurements rest on. Its key goes into the context, so that the unit
 * can be kept with an accepted result; saved is how many seconds it took when it was made, 0 when that was in this
 * very run, so that the context says what the whole costs. */
void note_unit(Experiment *x, const char *key, double saved);

/* How far the run is, 0 … 1, with a word for what is being done; shown on a terminal with the time
 * left. */
void progress(Experiment *x, double fraction, const char *doing, ...) __attribute__((format(printf, 3, 4)));

/* Whether the run is to stop (Ctrl-C, SIGTERM, or its terminal is closed): a long loop asks, and leaves run early. No
 * result is written then, since half of the measurements can't be judged; finished units of work are kept. */
bool interrupted(const Experiment *x);

/* Ends the run as skipped (exit code 77) with the reason; `return skip(x, …)`. Returns true. */
bool skip(Experiment *x, const char *reason, ...) __attribute__((format(printf, 2, 3)));

#endif
