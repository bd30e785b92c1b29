/*
 * attempt: one experiment, run once as a child, and what came of it.
 */
#ifndef ATTEMPT_H
#define ATTEMPT_H

#include "command_line.h"
#include "results.h"

typedef struct Attempt {
    const CommandLine *line; /* threads and corpus are handed on */
    bool quick;
    int seeds;         /* 0: as many as the experiment takes by itself */
    double limit;      /* seconds it may take */
    const char *label; /* before the status line: "[3/18] " */
} Attempt;

typedef enum AttemptEnd {
    ATTEMPT_DONE,   /* the record holds the new result */
    ATTEMPT_FAILED, /* the record's trouble says why; an older result is still there */
    ATTEMPT_STOPPED /* the user stopped it; as if it had not been tried */
} AttemptEnd;

/* The command line that repeats it, for a shell; owned by the caller. */
char *attempt_command(const Attempt *attempt, const Record *record);

AttemptEnd attempt_run(const Attempt *attempt, Record *record, double *seconds, Err *err);

#endif
