#include "number.h"

#include "mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DIGITS = 17 }; /* these always come back as the same bits */

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

char *number_text(double value, int decimals)
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

int number_digits(double value)
{
    char text[32];
    for (int digits = 1; digits < MOST_DIGITS; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return digits;
    }
    return MOST_DIGITS;
}

int number_decimals(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.*g", number_digits(value), value);
    if (strchr(text, 'e'))
        return value == floor(value) && fabs(value) < 1e15 ? 0 : DECIMALS_AUTO;
    const char *point = strchr(text, '.');
    return point ? (int)strlen(point + 1) : 0;
}
