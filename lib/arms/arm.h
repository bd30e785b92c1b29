/*
 * arm: the models that an experiment trains, each once for every seed and never twice.
 *
 * An experiment states its arms as a table and calls arms_run. Each arm at each seed is a unit of work
 * (result/unit.h): looked up first, trained only where no record of it is found, evaluated, recorded. The same
 * seed gives every arm the same batches and, where shapes agree, the same first weights; all arms of a seed run
 * before the next seed's. Into the experiment's measurements goes, for an arm called A,
 *
 *   parameters/A how many the model has
 *   held_out/A   perplexity on the held-out part, windows as long as those trained on
 *   train/A      the same on the part trained on, if asked for
 *   loss/A       a curve: training loss by step, each point the mean of the steps since the last one
 *   <name>/A     a curve for each number of the probe; <name>_start/A, <name>_end/A and <name>_peak/A are its
 *                first, last and largest value, <name>_dip/A is the smallest from the largest on
 *   …            and what the arm's own observe adds; "x" becomes x/A
 *
 * An arm that diverges has these measurements missing, "diverged at step n".
 *
 * Records lie in units/ among the results (machine_results). While an arm is trained a checkpoint lies beside them,
 * written every minute and when the run is stopped; the next run goes on from there, with the same bits.
 */
#ifndef ARM_H
#define ARM_H

#include "experiment.h"
#include "tokens.h"
#include "trainer.h"

/* What an experiment sees in a trained model beyond its perplexity: adds measurements, curves and matrices of the
 * seed FIXED to `seen`. */
typedef bool Observe(const Model *model, const Tokens *tokens, void *context, Measurements *seen, Err *err);

/* Adds a number to `seen`; one that overflowed, although the arm did not diverge, as missing. */
void arm_see(Measurements *seen, const char *name, double value);

typedef struct Arm {
    const char *name;
    ModelConfig model;
    TrainPlan plan;       /* its seed is the run's */
    const Tokens *tokens; /* a text of its own; NULL: the one given to arms_run */
    bool train_text;      /* evaluate on the part trained on as well */
    bool once;            /* at the run's first seed alone: a control */

    void (*alter)(Model *model); /* changes the first weights; NULL: they stay as drawn */
    const char *altered;         /* how, in words */

    Probe probe;                    /* while training; probe.every 0: none */
    const char *const *probe_names; /* [probe.count] */

    Observe *observe;            /* NULL: nothing */
    void *context;               /* for observe */
    const char *const *observed; /* the measurements observe adds, NULL behind the last: missing when the
                                      arm diverged; may be NULL */
    const char *source;          /* EXPERIMENT_SOURCE, if there is a probe, alter or observe: their code is in
                                      the experiment, so its digest is a part of what determines the record */
} Arm;

/* Runs all arms at all seeds of the experiment; to be called once. tokens may be NULL when every arm has a
 * text of its own. False when an error stopped it, or when the user did (Ctrl-C; err says nothing then). */
bool arms_run(Experiment *x, const Arm *arms, size_t count, const Tokens *tokens, Err *err);

/* The same on the experiment's corpus, with the vocabulary that the arms' models have. Without a corpus the
 * experiment is skipped. */
bool arms_run_on_corpus(Experiment *x, const Arm *arms, size_t count, Err *err);

#endif
