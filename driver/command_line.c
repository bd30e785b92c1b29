#include "command_line.h"

#include "mem.h"
#include "nearest.h"

#include <errno.h>
#include <string.h>

enum { MOST_SEEDS = 10000, MOST_THREADS = 1024 };

/* Splits text at every separator; list and count as mem_grow keeps them, empty pieces left out. */
static void split(const char *text, char separator, char ***list, size_t *count)
{
    while (*text) {
        const char *end = strchr(text, separator);
        size_t length = end ? (size_t)(end - text) : strlen(text);
        if (length > 0)
            *(char **)mem_grow(list, count, sizeof **list) = mem_text("%.*s", (int)length, text);
        text += length + (end != NULL);
    }
}

static void free_words(char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
}

static bool unknown_flag(const Command *command, const char *word, Err *err)
{
    char **flags = NULL;
    size_t count = 0;
    split(command->flags, ' ', &flags, &count);
    const char *meant = nearest(word, (const char *const *)flags, count);
    if (meant)
        err_set(err, "%s has no option \"%s\"; did you mean \"%s\"?", command->name, word, meant);
    else
        err_set(err, "%s has no option \"%s\"; attest %s --help lists them", command->name, word,
                command->name);
    free_words(flags, count);
    return false;
}

/* Whether the flag is a word of the command's list. */
static bool takes(const Command *command, const char *flag)
{
    size_t length = strlen(flag);
    for (const char *found = command->flags; (found = strstr(found, flag)); found++)
        if ((found == command->flags || found[-1] == ' ') && (found[length] == ' ' || !found[length]))
            return true;
    return false;
}

static bool parse_count(const char *flag, const char *text, int highest, int *value, Err *err)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < 1 || number > highest)
        return err_set(err, "%s takes a whole number from 1 to %d, not \"%s\"", flag, highest, text);
    *value = (int)number;
    return true;
}

/* One flag that takes a value. */
static bool parse_flag(CommandLine *line, const char *flag, const char *value, Err *err)
{
    if (strcmp(flag, "--seeds") == 0)
        return parse_count(flag, value, MOST_SEEDS, &line->seeds, err);
    if (strcmp(flag, "--threads") == 0)
        return parse_count(flag, value, MOST_THREADS, &line->threads, err);
    if (strcmp(flag, "--only") == 0) {
        split(value, ',', &line->only, &line->only_count);
        return line->only_count > 0 ||
               err_set(err, "--only takes the names of experiments, with commas between them");
    }
    if (!*value)
        return err_set(err, "%s takes a path, not an empty word", flag);
    *(strcmp(flag, "--corpus") == 0 ? &line->corpus : &line->out) = value;
    return true;
}

bool command_line_parse(const Command *command, int argc, char **argv, CommandLine *line, Err *err)
{
    *line = (CommandLine){0};
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] != '-') {
            if (line->word_count == command->most)
                return err_set(err, "%s takes %s, so \"%s\" is one word too many", command->name,
                               command->most ? command->words : "no words beside its options", word);
            line->words[line->word_count++] = word;
        } else if (!takes(command, word)) {
            return unknown_flag(command, word, err);
        } else if (strcmp(word, "--quick") == 0) {
            line->quick = true;
        } else if (strcmp(word, "--explain") == 0) {
            line->explain = true;
        } else if (++i == argc) {
            return err_set(err, "%s needs a value behind it", word);
        } else if (strncmp(argv[i], "--", 2) == 0 && takes(command, argv[i])) {
            return err_set(err, "%s needs a value behind it, and %s is another option", word, argv[i]);
        } else if (!parse_flag(line, word, argv[i], err)) {
            return false;
        }
    }
    return line->word_count >= command->fewest || err_set(err, "%s needs %s; attest %s --help tells more",
                                                          command->name, command->words, command->name);
}

void command_line_free(CommandLine *line)
{
    free_words(line->only, line->only_count);
    *line = (CommandLine){0};
}
