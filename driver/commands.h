/*
 * commands: what attest can do. Each takes the parsed command line and returns the exit code; a sentence left in
 * err is printed by main.
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "command_line.h"

enum {
    EXIT_WELL = 0,
    EXIT_FAILED = 1,   /* a claim failed, a number moved */
    EXIT_UNUSABLE = 2, /* usage, bad input, nothing measured */
    EXIT_INTERRUPTED = 130
};

int command_run(const CommandLine *line, Err *err);
int command_list(const CommandLine *line, Err *err);
int command_show(const CommandLine *line, Err *err);
int command_report(const CommandLine *line, Err *err);
int command_compare(const CommandLine *line, Err *err);
int command_accept(const CommandLine *line, Err *err);

#endif
