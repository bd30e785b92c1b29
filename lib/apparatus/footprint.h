/*
 * footprint: what this process holds of the machine's memory, measured and limited.
 */
#ifndef FOOTPRINT_H
#define FOOTPRINT_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* Lets the largest resident size (machine_peak_memory) begin anew, without what was freed before. False where the system
 * can't: then it is that of the whole run. */
bool footprint_reset(void);

/* From now on this process gets no more than so many bytes of address space beyond what it holds: what asks for more is
 * refused by the system. One limit at a time, to be ended before the next. */
bool footprint_limit(size_t bytes, Err *err);
void footprint_unlimit(void);

#endif
