/*
 * settings: an experiment's settings and its command line.
 *
 *   <name> [--quick] [--seeds N | --seed S] [--threads N] [--corpus FILE] [--out FILE] [--set NAME=VALUE] [--help]
 *
 * A setting is one line of a table; the line gives its flag, its help text, both profiles and its entry in the
 * result. What the user types is checked completely before anything runs.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

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

typedef struct Settings {
    const Setting *table; /* the experiment's table */
    double *values;       /* in its order: the profile's, or what --set gave; owned */
    bool reduced;         /* some value is not the full profile's: not the published budget */
    bool quick, help;
    int first_seed, end_seed; /* first_seed … end_seed − 1 are run */
    int threads;
    const char *corpus; /* --corpus, else ATTEST_CORPUS, else NULL */
    const char *out;    /* NULL: no result file is asked for */
} Settings;

/* Reads the command line. seeds and quick_seeds are how many seeds the two profiles run without --seeds.
 * False with one sentence (which word, what is allowed, what was probably meant) when it is refused;
 * *set is to be freed either way. */
bool settings_parse(int argc, char **argv, const Setting *table, int seeds, int quick_seeds, Settings *set,
                    Err *err);
void settings_free(Settings *set);

/* The index of a setting in the table; an unknown name is a programmer's mistake. */
size_t settings_index(const Settings *set, const char *name);

/* What --help prints: every setting with its value in both profiles and its range. */
void settings_help(FILE *out, const char *name, const char *about, const Setting *table, int seeds,
                   int quick_seeds);

#endif
