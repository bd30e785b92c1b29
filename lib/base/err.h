/*
 * err: what went wrong, in one sentence.
 *
 * Three kinds of failure are kept apart in this project.
 *   A programmer's mistake aborts with file and line: require().
 *   The environment's (a file, memory, bad input) is written into an Err and handed up to main,
 *   which alone prints it. A function that can fail so returns bool or a pointer, and takes the Err
 * last. A numerical event (NaN, divergence) is a result and never passes through here.
 */
#ifndef ERR_H
#define ERR_H

#include <stdbool.h>
#include <stddef.h>

/* One clear sentence: which file, line or key, what is wrong with it and what to do. */
typedef struct Err {
    char text[1024];
} Err;

/* Writes the sentence and returns false, so that a failing function can `return err_set(...)`. */
bool err_set(Err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "context: " before the sentence that is there; returns false. */
bool err_within(Err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Aborts, naming the place, when the caller broke the contract of a function. Never for user input.
 */
#define require(condition, ...)                                                                              \
    ((condition) ? (void)0 : err_abort(__FILE__, __LINE__, #condition, __VA_ARGS__))

_Noreturn void err_abort(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
