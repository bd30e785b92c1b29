/*
 * declared: the tables that a claims file asks for (display.h describes them), filled from a result.
 *
 * A cell of a "measure" column is the mean that the result holds, with half of the interval of the next draw
 * behind it from three seeds on; what is missing is said in words. A cell of a "claim" column is the published
 * number, one of a "given" column the number that stands there.
 */
#ifndef DECLARED_H
#define DECLARED_H

#include "json.h"
#include "table.h"

/* The table is owned by the caller. */
Table *declared_table(const Json *declaration, const Json *result);

#endif
