#include "settings.h"

#include "machine.h"
#include "mem.h"
#include "nearest.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { MOST_SEEDS = 10000, MOST_THREADS = 1024 };

static size_t setting_count(const Setting *settings)
{
    size_t count = 0;
    while (settings[count].name)
        count++;
    return count;
}

size_t settings_index(const Settings *set, const char *name)
{
    for (size_t i = 0; set->table[i].name; i++)
        if (strcmp(set->table[i].name, name) == 0)
            return i;
    err_abort(__FILE__, __LINE__, "the setting is in the table", "there is no setting \"%s\"", name);
}

/* A whole number in lowest … highest behind the flag. */
static bool parse_count(const char *flag, const char *text, int lowest, int highest, int *value, Err *err)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < lowest || number > highest)
        return err_set(err, "%s takes a whole number from %d to %d, not \"%s\"", flag, lowest, highest, text);
    *value = (int)number;
    return true;
}

static bool unknown_setting(const Setting *settings, const char *name, Err *err)
{
    size_t count = setting_count(settings);
    const char **names = mem_new(count, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = settings[i].name;
    const char *meant = nearest(name, names, count);
    free(names);
    if (meant)
        return err_set(err, "--set: there is no setting \"%s\"; did you mean \"%s\"?", name, meant);
    return err_set(err, "--set: there is no setting \"%s\"; --help lists them", name);
}

static bool parse_setting(Settings *set, const char *text, Err *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return err_set(err, "--set takes NAME=VALUE, not \"%s\"", text);
    char *name = mem_text("%.*s", (int)(equals - text), text);
    size_t i = 0;
    while (set->table[i].name && strcmp(set->table[i].name, name) != 0)
        i++;
    const Setting *setting = &set->table[i];
    bool known = setting->name || unknown_setting(set->table, name, err);
    free(name);
    if (!known)
        return false;

    char *end;
    double value = strtod(equals + 1, &end);
    bool whole = setting->kind == REAL || value == floor(value);
    if (end == equals + 1 || *end || !whole || !(value >= setting->lowest && value <= setting->highest))
        return err_set(err, "--set %s takes a %s from %g to %g, not \"%s\"", setting->name,
                       setting->kind == INTEGER ? "whole number" : "number", setting->lowest,
                       setting->highest, equals + 1);
    set->values[i] = value;
    return true;
}

static const char *const flags[] = {"--quick",  "--seeds", "--seed", "--threads",
                                    "--corpus", "--out",   "--set",  "--help"};

static bool is_flag(const char *word)
{
    for (size_t i = 0; i < COUNT(flags); i++)
        if (strcmp(word, flags[i]) == 0)
            return true;
    return false;
}

static bool unknown_flag(const char *word, Err *err)
{
    const char *meant = nearest(word, flags, COUNT(flags));
    if (meant)
        return err_set(err, "there is no option \"%s\"; did you mean \"%s\"?", word, meant);
    return err_set(err, "there is no option \"%s\"; --help lists them", word);
}

/* One flag that takes a value. */
static bool parse_flag(Settings *set, const char *flag, const char *value, Err *err)
{
    if (strcmp(flag, "--set") == 0)
        return parse_setting(set, value, err);
    if (strcmp(flag, "--threads") == 0)
        return parse_count(flag, value, 1, MOST_THREADS, &set->threads, err);
    if (strcmp(flag, "--corpus") == 0 || strcmp(flag, "--out") == 0) {
        if (!*value)
            return err_set(err, "%s takes the path of a file, not an empty word", flag);
        *(flag[2] == 'c' ? &set->corpus : &set->out) = value;
        return true;
    }
    if (set->end_seed)
        return err_set(err, "--seeds and --seed say the same thing: give one of them, once");
    if (strcmp(flag, "--seeds") == 0)
        return parse_count(flag, value, 1, MOST_SEEDS, &set->end_seed, err);
    if (!parse_count(flag, value, 0, MOST_SEEDS - 1, &set->first_seed, err))
        return false;
    set->end_seed = set->first_seed + 1;
    return true;
}

bool settings_parse(int argc, char **argv, const Setting *table, int seeds, int quick_seeds, Settings *set,
                    Err *err)
{
    size_t count = setting_count(table);
    *set = (Settings){.table = table, .threads = machine_cores()};
    set->values = mem_new(count, sizeof *set->values);
    for (int i = 1; i < argc; i++)
        set->quick |= strcmp(argv[i], "--quick") == 0;
    for (size_t i = 0; i < count; i++)
        set->values[i] = set->quick ? table[i].quick : table[i].full;

    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!is_flag(word))
            return unknown_flag(word, err);
        if (strcmp(word, "--help") == 0)
            set->help = true;
        if (strcmp(word, "--help") == 0 || strcmp(word, "--quick") == 0)
            continue;
        if (++i == argc || is_flag(argv[i]))
            return err_set(err, "%s needs a value behind it", word);
        if (!parse_flag(set, word, argv[i], err))
            return false;
    }

    for (size_t i = 0; i < count; i++)
        set->reduced |= set->values[i] != table[i].full;
    if (!set->end_seed)
        set->end_seed = set->quick ? quick_seeds : seeds;
    if (!set->corpus)
        set->corpus = getenv("ATTEST_CORPUS");
    if (set->corpus && !*set->corpus)
        set->corpus = NULL;
    return true;
}

void settings_free(Settings *set)
{
    free(set->values);
    *set = (Settings){0};
}

void settings_help(FILE *out, const char *name, const char *about, const Setting *table, int seeds,
                   int quick_seeds)
{
    fprintf(out, "%s: %s\n\n", name, about);
    fprintf(out, "  %s                    the published budget, %d seed%s\n", name, seeds,
            seeds == 1 ? "" : "s");
    fprintf(out, "  %s --quick            a reduced one, for a first look\n", name);
    fprintf(out, "  %s --out result.json  keeps the result\n\n", name);
    fprintf(out,
            "  --quick           the reduced budget\n"
            "  --seeds N         seeds 0 … N-1 (%d; with --quick %d)\n"
            "  --seed S          seed S alone\n"
            "  --threads N       threads (all processors); no digit depends on it\n"
            "  --corpus FILE     the text to work on (ATTEST_CORPUS, else data/)\n"
            "  --out FILE        where the result goes, as JSON\n"
            "  --set NAME=VALUE  another value for a setting:\n\n",
            seeds, quick_seeds);
    fprintf(out, "  %-16s %12s %12s   %s\n", "NAME", "full", "--quick", "meaning (range)");
    for (const Setting *s = table; s->name; s++)
        fprintf(out, "  %-16s %12g %12g   %s (%g … %g)\n", s->name, s->full, s->quick, s->meaning, s->lowest,
                s->highest);
}
