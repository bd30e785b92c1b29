/*
 * options: an experiment's settings and its command line.
 *
 *   <name> [--quick] [--seeds N | --seed S] [--threads N] [--corpus FILE] [--out FILE] [--set NAME=VALUE] [--help]
 *
 * A setting is one line of a table; the line gives its flag, its help text, both profiles and its entry in the
 * result. What the user types is checked completely before anything runs.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "err.h"

#include <stdio.h>

typedef enum SettingKind { INTEGER = 1, REAL } SettingKind;

typedef struct Setting {
    const char *name; /* --set NAME=VALUE */
    SettingKind kind;
    double full, quick;     /* the two profiles' values */
    double lowest, highest; /* anything outside is refused */
    const char *meaning;
} Setting;

/* The last line of every table of settings. */
#define SETTINGS_END                                                                                         \
    {                                                                                                        \
        .name = NULL                                                                                         \
    }

typedef struct Options {
    const Setting *settings; /* the experiment's table */
    double *values;          /* in its order: the profile's, or what --set gave; owned */
    bool reduced;            /* some value is not the full profile's: not the published budget */
    bool quick, help;
    int first_seed, end_seed; /* first_seed … end_seed − 1 are run */
    int threads;
    const char *corpus; /* --corpus, else ATTEST_CORPUS, else NULL */
    const char *out;    /* NULL: no result file is asked for */
} Options;

/* Reads the command line. seeds and quick_seeds are how many seeds the two profiles run without --seeds.
 * False with one sentence (which word, what is allowed, what was probably meant) when it is refused;
 * options is to be freed either way. */
bool options_parse(int argc, char **argv, const Setting *settings, int seeds, int quick_seeds,
                   Options *options, Err *err);
void options_free(Options *options);

/* The index of a setting in the table; an unknown name is a programmer's mistake. */
size_t options_index(const Options *options, const char *name);

/* What --help prints: every setting with its value in both profiles and its range. */
void options_help(FILE *out, const char *name, const char *about, const Setting *settings, int seeds,
                  int quick_seeds);

#endif
