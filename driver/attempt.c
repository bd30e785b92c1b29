#include "attempt.h"

#include "child.h"
#include "duration.h"
#include "mem.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { SKIPPED = 77, MOST_WORDS = 16 };

/* The child's words: program, flags, NULL. Those in `owned` are to be freed. */
typedef struct Words {
    char *list[MOST_WORDS];
    size_t count;
    char *owned[2];
} Words;

static void add_word(Words *words, const char *word)
{
    words->list[words->count++] = (char *)word; /* execvp's type; it changes nothing */
}

static void add_flag(Words *words, const char *flag, const char *value)
{
    add_word(words, flag);
    add_word(words, value);
}

static void fill_words(Words *words, const Attempt *attempt, const Record *record)
{
    const CommandLine *line = attempt->line;
    *words = (Words){0};
    add_word(words, record->entry->program);
    if (attempt->quick)
        add_word(words, "--quick");
    if (attempt->seeds > 0)
        add_flag(words, "--seeds", words->owned[0] = mem_text("%d", attempt->seeds));
    if (line->threads > 0)
        add_flag(words, "--threads", words->owned[1] = mem_text("%d", line->threads));
    if (line->corpus)
        add_flag(words, "--corpus", line->corpus);
    add_flag(words, "--out", record->path);
}

static void free_words(Words *words)
{
    for (size_t i = 0; i < COUNT(words->owned); i++)
        free(words->owned[i]);
}

/* A word as a shell takes it: in single quotes where it holds anything but plain characters. */
static void put_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

char *attempt_command(const Attempt *attempt, const Record *record)
{
    Words words;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for a command");
    fill_words(&words, attempt, record);
    for (size_t i = 0; i < words.count; i++) {
        fputs(i ? " " : "", out);
        put_word(out, words.list[i]);
    }
    fclose(out);
    free_words(&words);
    return text;
}

/* ---- what the child says while it works ---- */

typedef struct Listener {
    const char *name, *label;
} Listener;

/* Whether a line tells how far the child is ("ladder:  43 %, 20 s left: …"), and is replaced by the next one. */
static bool is_progress(const char *line, const char *name)
{
    size_t length = strlen(name);
    int end = 0;
    if (strncmp(line, name, length) != 0 || line[length] != ':')
        return false;
    return sscanf(line + length + 1, "%*d %%%n", &end) == 0 && end > 0;
}

static void hear(void *context, const char *line)
{
    const Listener *listener = context;
    if (terminal_rewrites() && is_progress(line, listener->name))
        terminal_status("%s%s", listener->label, line);
    else
        terminal_say("%s", line);
}

/* ---- what came of it ---- */

/* Tells one state of a file from another: results are written by renaming a new file over the old one. */
typedef struct Stamp {
    ino_t inode;
    struct timespec time;
} Stamp;

static Stamp stamp_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (Stamp){status.st_ino, status.st_mtim} : (Stamp){0};
}

static bool is_same(Stamp a, Stamp b)
{
    return a.inode == b.inode && a.time.tv_sec == b.time.tv_sec && a.time.tv_nsec == b.time.tv_nsec;
}

/* The last line without its newline and without "name: " before it; owned by the caller. */
static char *last_line(const char *lines, const char *name)
{
    size_t length = strlen(lines);
    while (length > 0 && lines[length - 1] == '\n')
        length--;
    size_t start = length;
    while (start > 0 && lines[start - 1] != '\n')
        start--;
    size_t prefix = strlen(name);
    if (length - start > prefix + 2 && strncmp(lines + start, name, prefix) == 0 &&
        lines[start + prefix] == ':')
        start += prefix + 2;
    return mem_text("%.*s", (int)(length - start), lines + start);
}

/* One sentence about a child that gave no result; owned by the caller. */
static char *what_happened(const Attempt *attempt, const Record *record, const ChildEnd *end)
{
    const char *name = record->entry->name;
    if (end->timed_out) {
        char limit[32];
        duration_text(attempt->limit, limit, sizeof limit);
        return mem_text("%s took longer than %s and was ended", name, limit);
    }
    if (end->signal)
        return mem_text("%s was ended by signal %d (%s)", name, end->signal, strsignal(end->signal));
    if (end->code == 0 || end->code == 1)
        return record->unread ? mem_text("%s left a result that can't be read: %s", name, record->unread)
                              : mem_text("%s ended without writing a result", name);
    char *last = last_line(end->last_lines, name);
    char *sentence = end->code == SKIPPED ? mem_text("%s: %s", name, *last ? last : "skipped")
                     : end->code == CHILD_NOT_STARTED
                         ? mem_text("%s could not be started: %s", name, last)
                         : mem_text("%s ended with exit code %d: %s", name, end->code, last);
    free(last);
    return sentence;
}

static bool note_trouble(const Attempt *attempt, Record *record, const ChildEnd *end, Err *err)
{
    char *sentence = what_happened(attempt, record, end), *command = attempt_command(attempt, record);
    char *text = mem_text("%s\nagain: %s\n%s%s", sentence, command,
                          *end->last_lines ? "its last lines:\n" : "", end->last_lines);
    bool noted = record_set_trouble(record, text, err);
    terminal_say("%s %s\n     again: %s", terminal_mark(stderr, false), sentence, command);
    free(text);
    free(command);
    free(sentence);
    return noted;
}

AttemptEnd attempt_run(const Attempt *attempt, Record *record, double *seconds, Err *err)
{
    Words words;
    Listener listener = {record->entry->name, attempt->label};
    Stamp before = stamp_of(record->path);
    fill_words(&words, attempt, record);
    ChildEnd end =
        child_run(words.list, &(ChildWatch){.limit = attempt->limit,
                                            .errors = true, /* all of its output is in its result */
                                            .line = hear,
                                            .context = &listener});
    free_words(&words);
    terminal_clear();
    *seconds = end.seconds;

    bool ended_well = end.code == 0 || end.code == 1;
    bool is_new = !is_same(before, stamp_of(record->path));
    if (is_new)
        record_reload(record);
    AttemptEnd outcome = ATTEMPT_DONE;
    if (!ended_well && child_stop_asked())
        outcome = ATTEMPT_STOPPED;
    else if (!ended_well || !is_new || !record->result)
        outcome = ATTEMPT_FAILED;
    bool noted = outcome == ATTEMPT_FAILED ? note_trouble(attempt, record, &end, err)
                 : outcome == ATTEMPT_DONE ? record_set_trouble(record, NULL, err)
                                           : true;
    free(end.last_lines);
    return noted ? outcome : ATTEMPT_FAILED;
}
