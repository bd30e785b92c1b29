/*
 * json: JSON that keeps its numbers (over cJSON, whose header only json.c sees).
 *
 * Doubles are printed with as few digits as come back as the same bits (17 at most). NaN and infinity are not
 * JSON: writing one is a programmer's mistake, and what is missing is said in words. The reader is strict:
 * nothing behind the value, no key twice in an object, names with their case, numbers by the grammar and
 * finite; its errors name file, line and column. Nesting ends at 1000 levels.
 */
#ifndef JSON_H
#define JSON_H

#include "err.h"

typedef struct cJSON Json;

typedef enum JsonKind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

/* Reading. The caller frees the root with json_free; what the getters return belongs to it. */
Json *json_parse(const char *text, const char *name, Err *err); /* name: the file, for messages */
Json *json_read(const char *path, Err *err);
void json_free(Json *json);

JsonKind json_kind(const Json *json);
const Json *json_get(const Json *object, const char *key); /* NULL when there is no such key */
size_t json_count(const Json *container);                  /* elements or members */
const Json *json_at(const Json *container, size_t index);  /* constant time is not promised: see json_next */
const Json *json_first(const Json *container);             /* for (i = json_first(a); i; i = json_next(i)) */
const Json *json_next(const Json *item);
const char *json_key(const Json *member); /* NULL in an array */
double json_number(const Json *number);
const char *json_string(const Json *string);
bool json_bool(const Json *boolean);

/* Building. json_add and json_append take the value over. */
Json *json_object(void);
Json *json_array(void);
Json *json_from_number(double value); /* finite */
Json *json_from_string(const char *text);
Json *json_from_bool(bool value);
Json *json_from_null(void);
Json *json_copy(const Json *json);
void json_add(Json *object, const char *key, Json *value);
void json_append(Json *array, Json *value);

/* The text, indented, with a newline at its end; arrays of numbers, and flat objects and arrays that fit, stand
 * on one line. Owned by the caller. */
char *json_text(const Json *json);
bool json_write(const Json *json, const char *path, Err *err); /* atomic, see file_write */

#endif
