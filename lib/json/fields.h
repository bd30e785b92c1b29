/*
 * fields: which keys an object of a file may have, which it must, and of what kind they are.
 *
 * A misspelt key that is passed over in silence is a setting that does nothing. So an object is checked
 * against a table of its fields, and what is not in the table is an error that names the nearest key that is.
 * The sentences name the key alone; where it stands is put in front by the caller (err_within).
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "json.h"

/* The kinds a value may have, to be combined by |. */
enum {
    TEXT = 1 << JSON_STRING, /* not empty */
    NUMBER = 1 << JSON_NUMBER,
    FLAG = 1 << JSON_BOOL,
    LIST = 1 << JSON_ARRAY,
    OBJECT = 1 << JSON_OBJECT,
    NOTHING = 1 << JSON_NULL,
    EMPTY_TEXT = 1 << 8 | TEXT
};

typedef struct Field {
    const char *key; /* NULL ends a table */
    unsigned kinds;
    bool required;
} Field;

/* Checks the object against both tables together; the second may be NULL. */
bool fields_check(const Json *object, const Field *fields, const Field *more, Err *err);

/* The same for an object that may have other keys as well: a file of a later version. */
bool fields_check_known(const Json *object, const Field *fields, Err *err);

/* Whether exactly one of the keys is there; NULL ends the list. */
bool fields_one_of(const Json *object, const char *const *keys, Err *err);

/* The place of object[key], a string, in a list of words that NULL ends; -1 with a sentence when it is none of
 * them. The key must have been checked. */
int fields_word(const Json *object, const char *key, const char *const *words, Err *err);

/* The field of that key in a table, or NULL. */
const Field *fields_find(const Field *fields, const char *key);

/* object[key] as a string, or NULL when there is no such key. The key must have been checked. */
const char *fields_text(const Json *object, const char *key);

#endif
