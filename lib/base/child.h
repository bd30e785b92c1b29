/*
 * child: one other program, run and watched from outside.
 *
 * The child is exec'd into a process group of its own (a forked copy that computes would hang in OpenMP), reads
 * nothing, and what is heard of its standard output and standard error comes back line by line. Its time is
 * bounded, and it never outlives the thread that started it. One child at a time.
 *
 * Signals are left to the caller, whose handlers are not the child's concern, until child_take_stops() is called.
 * From then on they are handled here alone. A stop (Ctrl-C, SIGTERM, SIGHUP) is handed on once, and the child is
 * waited for; a second one, more than half a second later, kills it. Ctrl-Z stops both, and the stopped time does
 * not count. Ask child_stop_asked() between two children.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>

typedef struct ChildEnd {
    int code;   /* its exit code; -1 when a signal ended it, CHILD_NOT_STARTED when it could not be started */
    int signal; /* that signal, or 0 */
    bool timed_out;
    double seconds;
    char *last_lines; /* of what was heard, at most ten, each with its newline; owned by the caller */
} ChildEnd;

enum { CHILD_NOT_STARTED = 127 };

typedef struct ChildWatch {
    double limit;        /* seconds it may take */
    bool output, errors; /* which of its two streams are heard; what is not heard is thrown away */
    bool sheltered;      /* a stop is remembered, but not handed on to this child: it is soon done */
    void (*line)(void *context, const char *line); /* each line heard that is not empty; may be NULL */
    void *context;
} ChildWatch;

/* arguments[0] is the program's path, or a name to be found in PATH; NULL behind the last. No shell reads them. The
 * reason why a program can't be started is its last line. */
ChildEnd child_run(char *const *arguments, const ChildWatch *watch);

/* Takes over the signals that stop a program, but those that are ignored (nohup, a background job of a script).
 * For a program that does nothing but run others: its only thread must call it. */
void child_take_stops(void);

/* Whether a stop was asked for since child_take_stops(). */
bool child_stop_asked(void);

#endif
