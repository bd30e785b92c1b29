/*
 * machine: where and with what a result was made; all of it goes into a result's context.
 *
 * Host and user names are left out on purpose: results are published.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* The processor's name, as the system gives it. */
const char *machine_cpu(void);

/* Processors this process may run on. */
int machine_cores(void);

/* Physical memory, bytes. */
size_t machine_memory(void);

/* Memory that can be had now without swapping, bytes. */
size_t machine_memory_available(void);

/* Largest resident size of this process so far, bytes. */
size_t machine_peak_memory(void);

/* Seconds on a clock that never runs backwards. */
double machine_seconds(void);

/* The present moment in UTC, ISO 8601, e.g. 2026-01-31T12:00:00Z. */
void machine_date(char text[static 32]);

/* Compiler and version; all flags that change digits; the program's version; the commit of the source folder
 * ("unknown" outside a git checkout, "+" behind it when files were changed). */
const char *machine_compiler(void);
const char *machine_flags(void);
const char *machine_version(void);
const char *machine_commit(void);

/* The project's source folder, where data/ and plots/ are. */
const char *machine_home(void);

/* The folder that holds results, latest, reference and units among them: what ATTEST_RESULTS names, else the
 * source folder's results/. Owned by the caller. */
char *machine_results(void);

#endif
