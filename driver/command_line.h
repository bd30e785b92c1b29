/*
 * command_line: the command line of attest, read completely before anything is done.
 *
 * An unknown command, flag or experiment is refused with the word that was probably meant.
 */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include "err.h"

#include <stddef.h>

typedef struct CommandLine {
    bool quick, explain;
    char **only; /* names behind --only, none when count is 0; owned */
    size_t only_count;
    int seeds, threads;       /* 0: not given */
    const char *corpus, *out; /* NULL: not given */
    const char *words[2];     /* what stands beside the flags */
    size_t word_count;
} CommandLine;

typedef struct Command {
    const char *name;
    const char *flags; /* the flags it takes, one space between them: "--only --out" */
    const char *words; /* what its words are, for messages, e.g. "OLD NEW"; "" when it takes none */
    size_t fewest, most;
    const char *summary, *help; /* a line, a page */
    int (*run)(const CommandLine *line,
               Err *err); /* the exit code; err's sentence is printed when not empty */
} Command;

/* Reads the words behind the command's name. False with one sentence when they are refused; the line is to be
 * freed either way. */
bool command_line_parse(const Command *command, int argc, char **argv, CommandLine *line, Err *err);
void command_line_free(CommandLine *line);

#endif
