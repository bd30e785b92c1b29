/*
 * child: one program run and watched from outside.
 *
 * The child is exec'd into a process group of its own (a forked copy that computes would hang in OpenMP), reads
 * nothing, and its standard error comes back line by line; what it prints to standard output is thrown away, since
 * all of it is in its result. Its time is bounded.
 *
 * A stop (Ctrl-C, SIGTERM, SIGHUP) is handed on once, and the child is waited for; a second one, more than half a
 * second later, kills it. Ctrl-Z stops both, and the stopped time does not count. From the first call on these
 * signals are handled here alone: ask child_stop_asked() between two children.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>

typedef struct ChildEnd {
    int code;   /* its exit code; -1 when a signal ended it */
    int signal; /* that signal, or 0 */
    bool timed_out;
    double seconds;
    char *last_lines; /* at most ten, each with its newline; owned by the caller */
} ChildEnd;

typedef struct ChildWatch {
    double limit;   /* seconds it may take */
    bool sheltered; /* a stop is remembered, but not handed on to this child: it is soon done */
    void (*line)(void *context, const char *line); /* each line of its standard error; may be NULL */
    void *context;
} ChildWatch;

/* arguments[0] is the program's path, or a name to be found in PATH; NULL behind the last. A program that can't
 * be started ends with code 127 and the reason as its last line. */
ChildEnd child_run(char *const *arguments, const ChildWatch *watch);

/* Whether a stop was asked for since the first call of child_run or child_stop_asked. */
bool child_stop_asked(void);

#endif
