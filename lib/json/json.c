#include "json.h"

#include "file.h"
#include "mem.h"
#include "number.h"
#include "scan.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE_WIDTH = 100 }; /* a flat container that fits stands on one line */

/* Reading. cJSON builds the tree; scan.h finds before it what cJSON lets pass, and after it the tree is searched
 * for keys that stand twice. */

typedef struct Key {
    const char *word;
    size_t index; /* among all keys of the text */
} Key;

static int by_word(const void *a, const void *b)
{
    const Key *x = a, *y = b;
    int order = strcmp(x->word, y->word);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Finds a key that stands twice in one object, in the order of the text; *index counts the keys seen. */
static bool find_twice(const Json *json, size_t *index, Key *twice)
{
    Key *keys = NULL;
    size_t count = 0;
    bool found = false;
    for (const Json *item = json->child; item && !found; item = item->next) {
        if (cJSON_IsObject(json))
            *(Key *)mem_grow(&keys, &count, sizeof *keys) = (Key){item->string, (*index)++};
        found = find_twice(item, index, twice);
    }
    if (!found && count > 1) {
        qsort(keys, count, sizeof *keys, by_word);
        for (size_t i = 1; i < count && !found; i++) {
            found = strcmp(keys[i - 1].word, keys[i].word) == 0;
            *twice = keys[i];
        }
    }
    free(keys);
    return found;
}

Json *json_parse(const char *text, const char *name, Err *err)
{
    if (!scan_text(text, name, err))
        return NULL;
    const char *end = text;
    Json *json = cJSON_ParseWithOpts(text, &end, 1);
    if (!json) {
        scan_err(err, name, text, end, *end ? "this is not JSON from here on" : "the text ends too early");
        return NULL;
    }
    Key twice;
    size_t index = 0;
    if (find_twice(json, &index, &twice)) {
        char *what = mem_text("the key \"%s\" stands twice in one object", twice.word);
        scan_err(err, name, text, scan_key(text, twice.index), what);
        free(what);
        json_free(json);
        return NULL;
    }
    return json;
}

Json *json_read(const char *path, Err *err)
{
    Bytes bytes;
    Json *json = NULL;
    if (!file_read(path, &bytes, err))
        return NULL;
    if (strlen(bytes.data) < bytes.size)
        scan_err(err, path, bytes.data, bytes.data + strlen(bytes.data), "a zero byte: this is not a text");
    else
        json = json_parse(bytes.data, path, err);
    bytes_free(&bytes);
    return json;
}

void json_free(Json *json)
{
    cJSON_Delete(json);
}

JsonKind json_kind(const Json *json)
{
    require(json, "a kind of nothing");
    if (cJSON_IsNull(json))
        return JSON_NULL;
    if (cJSON_IsBool(json))
        return JSON_BOOL;
    if (cJSON_IsNumber(json))
        return JSON_NUMBER;
    if (cJSON_IsString(json))
        return JSON_STRING;
    return cJSON_IsArray(json) ? JSON_ARRAY : JSON_OBJECT;
}

const Json *json_get(const Json *object, const char *key)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const Json *json_first(const Json *container)
{
    return container ? container->child : NULL;
}

const Json *json_next(const Json *item)
{
    return item->next;
}

size_t json_count(const Json *container)
{
    size_t count = 0;
    for (const Json *item = json_first(container); item; item = json_next(item))
        count++;
    return count;
}

const Json *json_at(const Json *container, size_t index)
{
    const Json *item = json_first(container);
    while (item && index-- > 0)
        item = json_next(item);
    return item;
}

const char *json_key(const Json *member)
{
    return member->string;
}

double json_number(const Json *number)
{
    require(cJSON_IsNumber(number), "a number is asked of what is none");
    return number->valuedouble;
}

const char *json_string(const Json *string)
{
    require(cJSON_IsString(string), "a string is asked of what is none");
    return string->valuestring;
}

bool json_bool(const Json *boolean)
{
    require(cJSON_IsBool(boolean), "true or false is asked of what is neither");
    return cJSON_IsTrue(boolean);
}

/* Building. */

static Json *made(Json *json)
{
    require(json, "out of memory for JSON");
    return json;
}

Json *json_object(void)
{
    return made(cJSON_CreateObject());
}

Json *json_array(void)
{
    return made(cJSON_CreateArray());
}

Json *json_from_number(double value)
{
    require(isfinite(value), "%g can not be written as JSON", value);
    return made(cJSON_CreateNumber(value));
}

Json *json_from_string(const char *text)
{
    return made(cJSON_CreateString(text));
}

Json *json_from_bool(bool value)
{
    return made(cJSON_CreateBool(value));
}

Json *json_from_null(void)
{
    return made(cJSON_CreateNull());
}

Json *json_copy(const Json *json)
{
    return made(cJSON_Duplicate(json, 1));
}

void json_add(Json *object, const char *key, Json *value)
{
    require(!json_get(object, key), "the key \"%s\" is there already", key);
    require(cJSON_AddItemToObject(object, key, value), "\"%s\" can not be added", key);
}

void json_append(Json *array, Json *value)
{
    require(cJSON_AddItemToArray(array, value), "an element can not be added");
}

/* Writing: our own printer, because cJSON's loses digits, prints NaN as null and puts every element of an
 * array on a line of its own or none. */

static void print_number(FILE *out, double value)
{
    require(isfinite(value), "%g can not be written as JSON", value);
    int digits = number_digits(value);
    fprintf(out, "%.*g", digits < 15 ? 15 : digits, value); /* 100000, not 1e+05 */
}

static void print_string(FILE *out, const char *text)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        const char *special = strchr(plain, *c);
        if (special)
            fprintf(out, "\\%c", letters[special - plain]);
        else if ((unsigned char)*c < ' ')
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static bool is_flat(const Json *container, bool *numbers)
{
    *numbers = true;
    for (const Json *item = container->child; item; item = item->next) {
        if (cJSON_IsArray(item) || cJSON_IsObject(item))
            return false;
        *numbers = *numbers && (cJSON_IsNumber(item) || cJSON_IsNull(item)) && !item->string;
    }
    return true;
}

/* The width a flat container takes on one line, near enough: numbers are counted with 17 digits. */
static size_t flat_width(const Json *container)
{
    size_t width = 2;
    for (const Json *item = container->child; item; item = item->next) {
        width += 2 + (item->string ? strlen(item->string) + 4 : 0);
        width += cJSON_IsString(item) ? strlen(item->valuestring) + 2 : cJSON_IsNumber(item) ? 18 : 5;
    }
    return width;
}

static void print(FILE *out, const Json *json, int indent);

static void print_container(FILE *out, const Json *json, int indent)
{
    bool object = cJSON_IsObject(json), numbers;
    bool one_line = is_flat(json, &numbers) && (numbers || flat_width(json) + (size_t)indent <= LINE_WIDTH);
    fputc(object ? '{' : '[', out);
    for (const Json *item = json->child; item; item = item->next) {
        if (!one_line)
            fprintf(out, "\n%*s", indent + 2, "");
        if (object) {
            print_string(out, item->string);
            fputs(": ", out);
        }
        print(out, item, indent + 2);
        if (item->next)
            fputs(one_line ? ", " : ",", out);
    }
    if (!one_line)
        fprintf(out, "\n%*s", indent, "");
    fputc(object ? '}' : ']', out);
}

static void print(FILE *out, const Json *json, int indent)
{
    switch (json_kind(json)) {
    case JSON_NULL:
        fputs("null", out);
        break;
    case JSON_BOOL:
        fputs(json_bool(json) ? "true" : "false", out);
        break;
    case JSON_NUMBER:
        print_number(out, json->valuedouble);
        break;
    case JSON_STRING:
        print_string(out, json->valuestring);
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        print_container(out, json, indent);
        break;
    }
}

char *json_text(const Json *json)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for the text of JSON");
    print(out, json, 0);
    fputc('\n', out);
    require(fclose(out) == 0 && text, "out of memory for the text of JSON");
    return text;
}

bool json_write(const Json *json, const char *path, Err *err)
{
    char *text = json_text(json);
    bool written = file_write(path, text, strlen(text), err);
    free(text);
    return written;
}
