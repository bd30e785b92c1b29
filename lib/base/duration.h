/*
 * duration: a time span as a person would say it.
 */
#ifndef DURATION_H
#define DURATION_H

#include <stddef.h>

/* "40 s", "3 min 20 s", "2 h 10 min"; 32 bytes hold any. */
void duration_text(double seconds, char *text, size_t size);

#endif
