/*
 * scan: a JSON text before it is parsed: what cJSON lets pass, and places in it for messages.
 *
 * cJSON 1.7.15 reads malformed numbers ("01", "1."), infinite ones, those of more than 63 characters in part,
 * control characters, and "\u0000", which ends a string early. The grammar beyond that is left to it.
 */
#ifndef SCAN_H
#define SCAN_H

#include "err.h"

enum { SCAN_DEEPEST = 1000 }; /* levels of nesting, as cJSON has them */

/* Whether the text has none of these, and is not nested too deeply; name is the file, for the sentence. */
bool scan_text(const char *text, const char *name, Err *err);

/* "name:line:column: what", for a place within the text; returns false. Columns count characters of UTF-8. */
bool scan_err(Err *err, const char *name, const char *text, const char *place, const char *what);

/* The place of the index-th key of a text that is known to be JSON, counting from 0. */
const char *scan_key(const char *text, size_t index);

#endif
