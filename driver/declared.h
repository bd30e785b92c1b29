/*
 * declared: the tables that a claims file asks for (display.h describes them), filled from a result.
 *
 * A cell of a "measure" column is the mean of the measurement, with half of the interval of the next draw behind it
 * from three seeds on; what is missing is said in words. A cell of a "claim" column is the published number, one of a
 * "given" column the number that stands there.
 */
#ifndef DECLARED_H
#define DECLARED_H

#include "claims.h"
#include "result.h"
#include "table.h"

/* The table is owned by the caller. */
Table *declared_table(const TableSpec *spec, const Claims *claims, const Result *result);

#endif
