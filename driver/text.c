#include "text.h"

#include "mem.h"

#include <math.h>
#include <string.h>

/* Puts "," between groups of three digits of the whole part; takes text over. */
static char *group_digits(char *text)
{
    size_t sign = text[0] == '-', digits = strspn(text + sign, "0123456789");
    if (digits <= 4)
        return text;
    size_t commas = (digits - 1) / 3, length = strlen(text);
    char *grouped = mem_new(length + commas + 1, 1), *to = grouped;
    for (size_t i = 0; i < length; i++) {
        size_t left = sign + digits - i; /* digits of the whole part from here on */
        if (i > sign && i < sign + digits && left % 3 == 0)
            *to++ = ',';
        *to++ = text[i];
    }
    free(text);
    return grouped;
}

/* "5.960e-08" as "5.96e-8" and "0.50000" as "0.5"; takes text over, which has a point. */
static char *without_zeros(char *text)
{
    char *exponent = strchr(text, 'e');
    char *end = exponent ? exponent : text + strlen(text);
    while (end[-1] == '0')
        end--;
    end -= end[-1] == '.';
    char *shorter = exponent ? mem_text("%.*se%d", (int)(end - text), text, atoi(exponent + 1))
                             : mem_text("%.*s", (int)(end - text), text);
    free(text);
    return shorter;
}

char *text_number(double value, int decimals)
{
    double size = fabs(value);
    if (decimals >= 0 && size < 1e15)
        return group_digits(mem_text("%.*f", decimals, value + 0.0)); /* + 0.0: no "-0" */
    if (value == floor(value) && size < 1e15)
        return group_digits(mem_text("%.0f", value + 0.0));
    if (size < 1e-3 || size >= 1e7)
        return without_zeros(mem_text("%.3e", value));
    int whole = (int)floor(log10(size)) + 1; /* digits before the point; 0 or less below 1 */
    return group_digits(without_zeros(mem_text("%.*f", whole < 4 ? 5 - whole : 1, value)));
}

int text_decimals(double value)
{
    char text[64];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    if (strchr(text, 'e'))
        return value == floor(value) && fabs(value) < 1e15 ? 0 : DECIMALS_AUTO;
    const char *point = strchr(text, '.');
    return point ? (int)strlen(point + 1) : 0;
}

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += begins_character(*text);
    return width;
}

void text_put_cut(FILE *out, const char *text, size_t width)
{
    if (text_width(text) <= width) {
        fputs(text, out);
        return;
    }
    size_t left = width;
    for (; *text; text++) {
        if (begins_character(*text) && left-- <= 1)
            break;
        fputc(*text, out);
    }
    fputs("…", out);
}

/* Bytes of the UTF-8 character that begins here; 0 when none does. */
static size_t character_size(const char *text)
{
    unsigned char first = (unsigned char)*text;
    size_t size = first < 0x80                    ? 1
                  : first >= 0xc2 && first < 0xe0 ? 2
                  : (first & 0xf0) == 0xe0        ? 3
                  : first >= 0xf0 && first < 0xf5 ? 4
                                                  : 0;
    for (size_t i = 1; i < size; i++)
        if (begins_character(text[i])) /* the closing zero byte as well */
            return 0;
    return size;
}

static const char *xml_entity(char character)
{
    return character == '&'   ? "&amp;"
           : character == '<' ? "&lt;"
           : character == '>' ? "&gt;"
           : character == '"' ? "&quot;"
                              : NULL;
}

void text_put_xml(FILE *out, const char *text)
{
    for (size_t size; *text; text += size ? size : 1) {
        size = character_size(text);
        if (size == 0)
            fputc('?', out);
        else if (xml_entity(*text))
            fputs(xml_entity(*text), out);
        else if (size > 1 || *text >= ' ' || *text == '\n' || *text == '\t')
            fwrite(text, 1, size, out);
    }
}

void text_put_markdown(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            fputc(' ', out);
        else if (strchr("\\`*_[]<>|#~", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}
