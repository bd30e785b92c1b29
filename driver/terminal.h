/*
 * terminal: what is said while attest works, on standard error.
 *
 * On a terminal one status line rewrites itself below the lines that stay; in a pipe, a log or under TERM=dumb
 * there are plain lines only. Colour marks pass and fail and nothing else; NO_COLOR turns it off.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Whether standard error can rewrite a line. */
bool terminal_rewrites(void);

/* Columns of the terminal behind the file; 0 when it is none. */
int terminal_width(FILE *file);

/* Shows the status; does nothing where lines can't be rewritten. */
void terminal_status(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line that stays. */
void terminal_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Clears the status line, if there is one. */
void terminal_clear(void);

/* "ok" or "FAIL", padded to four characters, in colour where the file is a terminal that has it. */
const char *terminal_mark(FILE *file, bool good);

#endif
