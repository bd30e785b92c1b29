/*
 * command: another program, run to its end and listened to.
 *
 * It is a new program, never a forked copy of this one, which would hang at its first parallel region.
 */
#ifndef COMMAND_H
#define COMMAND_H

/* How a command may end besides with its own exit codes: with `timeout`'s and the shell's. */
enum { COMMAND_NOT_STARTED = -1, COMMAND_TIMED_OUT = 124, COMMAND_NOT_FOUND = 127 };

/* Runs one shell command for at most so many seconds; line, unless NULL, gets each line of its standard output, without
 * the line's end. Returns the command's exit code, 128 and the number of the signal that ended it. */
int command_run(int seconds, const char *command, void (*line)(void *context, const char *text),
                void *context);

#endif
