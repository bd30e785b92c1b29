#include "fields.h"

#include "mem.h"
#include "nearest.h"

#include <stdio.h>
#include <string.h>

const Field *fields_find(const Field *fields, const char *key)
{
    for (; fields && fields->key; fields++)
        if (strcmp(fields->key, key) == 0)
            return fields;
    return NULL;
}

static bool err_unknown(const Field *fields, const Field *more, const char *key, Err *err)
{
    const char **keys = NULL;
    size_t count = 0;
    for (const Field *f = fields; f->key; f++)
        *(const char **)mem_grow(&keys, &count, sizeof *keys) = f->key;
    for (const Field *f = more; f && f->key; f++)
        *(const char **)mem_grow(&keys, &count, sizeof *keys) = f->key;
    const char *meant = nearest(key, keys, count);
    free(keys);
    return meant ? err_set(err, "key \"%s\" is unknown here; is \"%s\" meant?", key, meant)
                 : err_set(err, "key \"%s\" is unknown here", key);
}

static bool err_kind(const Json *item, unsigned kinds, Err *err)
{
    static const char *const words[] = {
        [JSON_NULL] = "null",     [JSON_BOOL] = "true or false", [JSON_NUMBER] = "number",
        [JSON_STRING] = "string", [JSON_ARRAY] = "list",         [JSON_OBJECT] = "object"};
    char text[128] = "";
    for (size_t kind = 0; kind < COUNT(words); kind++) {
        if (!(kinds >> kind & 1))
            continue;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", used ? " or " : "", words[kind]);
    }
    return err_set(err, "key \"%s\" must be of kind %s", json_key(item), text);
}

static bool check_present(const Json *object, const Field *fields, Err *err)
{
    for (; fields && fields->key; fields++)
        if (fields->required && !json_get(object, fields->key))
            return err_set(err, "key \"%s\" is missing", fields->key);
    return true;
}

static bool check_value(const Json *item, const Field *field, Err *err)
{
    if (!(field->kinds >> json_kind(item) & 1))
        return err_kind(item, field->kinds, err);
    if (json_kind(item) == JSON_STRING && !*json_string(item) && field->kinds != EMPTY_TEXT)
        return err_set(err, "key \"%s\" is empty", json_key(item));
    return true;
}

bool fields_check(const Json *object, const Field *fields, const Field *more, Err *err)
{
    if (json_kind(object) != JSON_OBJECT)
        return err_set(err, "an object {…} is expected");
    for (const Json *item = json_first(object); item; item = json_next(item)) {
        const Field *field = fields_find(fields, json_key(item));
        field = field ? field : fields_find(more, json_key(item));
        if (!field)
            return err_unknown(fields, more, json_key(item), err);
        if (!check_value(item, field, err))
            return false;
    }
    return check_present(object, fields, err) && check_present(object, more, err);
}

bool fields_check_known(const Json *object, const Field *fields, Err *err)
{
    if (json_kind(object) != JSON_OBJECT)
        return err_set(err, "an object {…} is expected");
    for (const Json *item = json_first(object); item; item = json_next(item)) {
        const Field *field = fields_find(fields, json_key(item));
        if (field && !check_value(item, field, err))
            return false;
    }
    return check_present(object, fields, err);
}

static void list_words(const char *const *words, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; words[i]; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s\"%s\"", used ? ", " : "", words[i]);
    }
}

bool fields_one_of(const Json *object, const char *const *keys, Err *err)
{
    char text[256];
    int present = 0;
    for (size_t i = 0; keys[i]; i++)
        present += json_get(object, keys[i]) != NULL;
    list_words(keys, text, sizeof text);
    return present == 1 || err_set(err, "exactly one of the keys %s is needed, not %d", text, present);
}

int fields_word(const Json *object, const char *key, const char *const *words, Err *err)
{
    const char *word = fields_text(object, key);
    require(word, "the key \"%s\" was not checked", key);
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    char text[256];
    list_words(words, text, sizeof text);
    err_set(err, "key \"%s\" says \"%s\", which is none of %s", key, word, text);
    return -1;
}

const char *fields_text(const Json *object, const char *key)
{
    const Json *text = json_get(object, key);
    return text ? json_string(text) : NULL;
}
