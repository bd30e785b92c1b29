/*
 * unit: a finished piece of work, found again by everything that determines it.
 *
 * A unit is one arm of an experiment at one seed, trained or measured. Its identity is what determines its
 * numbers: the settings that the caller states (model, training, seed, data), the compiler's flags that change
 * digits, and the source of base, math, data, model and train without comments and spacing. The digest of the
 * identity is its key. The experiment's name is not in it, so experiments share units; neither are threads,
 * since they change no digit, nor the processor, which stands in "made".
 *
 * A record is a file <folder>/units/<key>.json:
 *   identity  {"settings", "flags", "source"}
 *   made      date, processor, compiler, commit, seconds: how it came to be
 *   content   what the caller wants back
 * Records that belong to the committed reference are in <folder>/reference/units/, and stay there as history
 * when the code has moved on. Only what was finished is recorded: failures never are.
 */
#ifndef UNIT_H
#define UNIT_H

#include "digest.h"
#include "json.h"

/* The identity of the unit that these settings describe; takes them over. The order of the settings counts. */
Json *unit_identity(Json *settings);

void unit_key(const Json *identity, char key[static DIGEST_TEXT]);

/* Where a file of this unit lies: <folder>/units/<key><ending>. Owned by the caller. */
char *unit_path(const char *folder, const Json *identity, const char *ending);

/* Where the record of this unit is looked for: among the folder's own when it is there, else among the reference's.
 * Owned by the caller. */
char *unit_record_path(const char *folder, const Json *identity);

/* Looks for the record, first among the folder's own, then among the reference's. *record (owned by the caller)
 * is the whole file, or NULL when there is none. False with a sentence when there is one that can't be used; what
 * its content holds is for the caller to check. */
bool unit_find(const char *folder, const Json *identity, Json **record, Err *err);

/* Writes the record; takes content over. seconds: how long the work took. */
bool unit_save(const char *folder, const Json *identity, Json *content, double seconds, Err *err);

/* How long the recorded work took. */
double unit_seconds(const Json *record);

/* Why there is no record: a sentence that names what differs from the nearest one there is. Owned by the
 * caller. */
char *unit_explain(const char *folder, const Json *identity);

#endif
