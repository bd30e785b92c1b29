#include "scan.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 63 }; /* cJSON copies a number into 64 bytes and cuts the rest off in silence */

bool scan_err(Err *err, const char *name, const char *text, const char *place, const char *what)
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

bool scan_text(const char *text, const char *name, Err *err)
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
            if (++depth > SCAN_DEEPEST)
                what = "nested too deeply";
        } else if (*c == ']' || *c == '}') {
            depth--;
        } else if ((unsigned char)*c < ' ' && !strchr("\t\n\r", *c)) {
            what = "a control character";
        }
        if (what)
            return scan_err(err, name, text, place, what);
    }
    return true;
}

const char *scan_key(const char *text, size_t index)
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
