#include "json.h"

#include "file.h"
#include "mem.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_NUMBER = 63, /* cJSON copies a number into 64 bytes and cuts the rest off in silence */
    LINE_WIDTH = 100     /* a flat container that fits stands on one line */
};

/* Reading. cJSON builds the tree; before it, the text is scanned for what cJSON lets pass: malformed or
 * infinite numbers, control characters, "\u0000" (which would end a string early). After it, the tree is
 * searched for keys that stand twice. */

static bool err_at(Err *err, const char *name, const char *text, const char *place, const char *what)
{
    int line = 1, column = 1;
    for (const char *c = text; c < place; c++) {
        bool continues = ((unsigned char)*c & 0xc0) == 0x80; /* a UTF-8 character's later bytes */
        column = *c == '\n' ? 1 : column + !continues;
        line += *c == '\n';
    }
    return err_set(err, "%s:%d:%d: %s", name, line, column, what);
}

static const char *skip_digits(const char *c)
{
    while (isdigit((unsigned char)*c))
        c++;
    return c;
}

/* The end of the number that begins at c, or NULL when it is not one by the grammar of RFC 8259. */
static const char *number_end(const char *c)
{
    c += *c == '-';
    if (!isdigit((unsigned char)*c))
        return NULL;
    c = *c == '0' ? c + 1 : skip_digits(c);
    if (*c == '.') {
        if (!isdigit((unsigned char)c[1]))
            return NULL;
        c = skip_digits(c + 1);
    }
    if (*c == 'e' || *c == 'E') {
        c += c[1] == '+' || c[1] == '-' ? 2 : 1;
        if (!isdigit((unsigned char)*c))
            return NULL;
        c = skip_digits(c);
    }
    return isalnum((unsigned char)*c) || *c == '.' || *c == '+' || *c == '-' ? NULL : c;
}

static const char *check_number(const char *c, const char **what)
{
    const char *end = number_end(c);
    if (!end)
        *what = "this is not a number as JSON writes them";
    else if (end - c > LONGEST_NUMBER)
        *what = "a number of more than 63 characters";
    else if (!isfinite(strtod(c, NULL)))
        *what = "a number too large for a double";
    else
        return end;
    return NULL;
}

/* Returns the closing quote of the string that opens at c. On failure *what says why and the place is
 * returned. */
static const char *check_string(const char *c, const char **what)
{
    for (c++; *c != '"'; c++) {
        if (*c == '\0')
            *what = "the text ends within a string";
        else if ((unsigned char)*c < ' ')
            *what = "a control character within a string (is a closing quote missing?)";
        else if (strncmp(c, "\\u0000", 6) == 0)
            *what = "a zero byte within a string";
        if (*what)
            return c;
        if (*c == '\\' && c[1] != '\0')
            c++;
    }
    return c;
}

static bool scan(const char *text, const char *name, Err *err)
{
    int depth = 0;
    for (const char *c = text; *c; c++) {
        const char *what = NULL, *place = c;
        if (*c == '"') {
            place = c = check_string(c, &what);
        } else if (*c == '-' || isdigit((unsigned char)*c)) {
            const char *end = check_number(c, &what);
            c = end ? end - 1 : c;
        } else if (*c == '[' || *c == '{') {
            if (++depth > CJSON_NESTING_LIMIT)
                what = "nested too deeply";
        } else if (*c == ']' || *c == '}') {
            depth--;
        } else if ((unsigned char)*c < ' ' && !strchr("\t\n\r", *c)) {
            what = "a control character";
        }
        if (what)
            return err_at(err, name, text, place, what);
    }
    return true;
}

/* The place of the index-th key of a text that is known to be JSON: a string followed by a colon. */
static const char *key_place(const char *text, size_t index)
{
    for (const char *c = text; *c; c++) {
        if (*c != '"')
            continue;
        const char *what = NULL, *start = c;
        c = check_string(c, &what);
        const char *next = c + 1 + strspn(c + 1, " \t\n\r");
        if (*next == ':' && index-- == 0)
            return start;
    }
    return text;
}

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
    if (!scan(text, name, err))
        return NULL;
    const char *end = text;
    Json *json = cJSON_ParseWithOpts(text, &end, 1);
    if (!json) {
        err_at(err, name, text, end, *end ? "this is not JSON from here on" : "the text ends too early");
        return NULL;
    }
    Key twice;
    size_t index = 0;
    if (find_twice(json, &index, &twice)) {
        char *what = mem_text("the key \"%s\" stands twice in one object", twice.word);
        err_at(err, name, text, key_place(text, twice.index), what);
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
        err_at(err, path, bytes.data, bytes.data + strlen(bytes.data), "a zero byte: this is not a text");
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

Json *json_from_bits(uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return json_from_string(text);
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
    char text[32];
    for (int digits = 15; digits <= 17; digits++) { /* 17 always come back as the same bits */
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
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
