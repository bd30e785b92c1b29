/*
 * options: the command line of attest, read completely before anything is done.
 *
 * An unknown command, flag or experiment is refused with the word that was probably meant.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "err.h"

#include <stddef.h>

typedef struct Options {
    bool quick, explain;
    char **only; /* names behind --only, none when count is 0; owned */
    size_t only_count;
    int seeds, threads;       /* 0: not given */
    const char *corpus, *out; /* NULL: not given */
    const char *words[2];     /* what stands beside the flags */
    size_t word_count;
} Options;

typedef struct Command {
    const char *name;
    const char *flags; /* the flags it takes, one space between them: "--only --out" */
    const char *words; /* what its words are, for messages, e.g. "OLD NEW"; "" when it takes none */
    size_t fewest, most;
    const char *summary, *help; /* a line, a page */
    int (*run)(const Options *options,
               Err *err); /* the exit code; err's sentence is printed when not empty */
} Command;

/* Reads the words behind the command's name. False with one sentence when they are refused; options is to be
 * freed either way. */
bool options_parse(const Command *command, int argc, char **argv, Options *options, Err *err);
void options_free(Options *options);

#endif
