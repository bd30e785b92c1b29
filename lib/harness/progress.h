/*
 * progress: how far a run is, on standard error.
 *
 * On a terminal one line that rewrites itself; elsewhere (a pipe, a log, TERM=dumb) a plain line now and then.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

typedef struct Progress {
    FILE *out;
    bool rewrites;     /* a terminal that can */
    const char *name;  /* before every line; not owned */
    double started;    /* seconds, machine_seconds() */
    double shown;      /* when the last line was shown */
    bool line_is_open; /* a rewritten line is on the screen */
} Progress;

void progress_begin(Progress *progress, FILE *out, const char *name);

/* fraction 0 … 1 of the whole is done; time left is taken from the time passed. Cheap: call it often. */
void progress_show(Progress *progress, double fraction, const char *doing);

/* Clears the line, if one is on the screen. */
void progress_end(Progress *progress);

#endif
