/*
 * schedule: the learning rate of each step.
 *
 * Either constant, or rising linearly over the first `warmup` steps and constant from then on.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

typedef struct Schedule {
    double rate; /* where it stays */
    long warmup; /* steps until it is there; 0: from the first on */
} Schedule;

/* The rate of a step, the first of which is 1: rate · min(1, step / warmup). */
double schedule_rate(Schedule schedule, long step);

#endif
