/*
 * trainer: trains a model on random windows of a text, with AdamW.
 *
 * A step draws its batch, cuts it into shards of whole sequences, takes the shards through forward and
 * backward pass on all threads, and updates the parameters in one pass. It allocates nothing. Losses,
 * gradients and parameters have the same bits for any number of threads (lanes.h).
 *
 * The batch of step n is drawn from substream n of the stream "batches" of the seed: it depends on nothing
 * that came before, so a run that is taken up again (checkpoint.h) goes on as if it had never stopped, and
 * arms of an experiment that share a seed see the same text.
 *
 * A loss that is not finite is a result, not an error: the run has diverged, and that step changes nothing.
 */
#ifndef TRAINER_H
#define TRAINER_H

#include "adamw.h"
#include "model.h"
#include "schedule.h"
#include "tokens.h"

typedef struct TrainPlan {
    uint64_t seed; /* of the batches */
    long steps;
    int batch;  /* sequences in a step */
    int length; /* tokens in a sequence */
    Schedule schedule;
    AdamW optimizer;
} TrainPlan;

/* Something to be measured while training: `count` numbers before the first step and after every `every`
 * steps. They are kept in the trainer, and so survive an interruption. */
typedef struct Probe {
    long every; /* 0: no probe */
    int count;
    void (*measure)(const Model *model, void *context, double *values);
    void *context; /* not owned */
} Probe;

typedef struct TrainerWork TrainerWork;

/* To be read, not written, by others than the trainer and checkpoint.c. */
typedef struct Trainer {
    Model *model; /* not owned */
    TrainPlan plan;
    Probe probe;
    long step;             /* steps taken */
    double seconds;        /* that they took, those before an interruption as well */
    long diverged_at;      /* the step whose loss was not finite; 0: none was */
    double *losses;        /* [plan.steps], the first `step` are known: mean −log p of the batch, in nats,
                              before the step's update */
    double *probes;        /* [trainer_probes() x probe.count] */
    float *first, *second; /* AdamW's moments, laid out like the parameters */
    TrainerWork *work;
} Trainer;

/* A trainer of `model` on a text, with as many threads as OpenMP has now. The text is borrowed. NULL with a
 * sentence when no window fits into the text, the sequences are too long for the model, or memory is short. */
Trainer *trainer_new(Model *model, TokenSpan text, const TrainPlan *plan, const Probe *probe, Err *err);
void trainer_free(Trainer *trainer);

/* Takes the next step. False when there is none: the plan is fulfilled, or the run has diverged. */
bool trainer_step(Trainer *trainer);

/* How many times the probe has measured so far; the i-th after i · probe.every steps. */
size_t trainer_probes(const Trainer *trainer);

/* The gradient [layout->floats] of the mean loss of one step's batch at the present parameters, which stay
 * as they are; returns the loss. */
double trainer_gradient(Trainer *trainer, long step, float *gradient);

#endif
