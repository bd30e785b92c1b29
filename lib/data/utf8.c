#include "utf8.h"

#include <stdbool.h>

static bool within(unsigned char byte, int low, int high)
{
    return byte >= low && byte <= high;
}

/* The length of the character at the beginning of text, 0 when there is no valid one. Beside the number of
 * bytes the first one limits the second: that shuts out longer forms than needed (E0, F0), surrogates (ED)
 * and what lies beyond U+10FFFF (F4). */
static size_t character_length(const unsigned char *text, size_t size)
{
    unsigned char first = text[0];
    if (first < 0x80)
        return 1;
    size_t length = within(first, 0xC2, 0xDF)   ? 2
                    : within(first, 0xE0, 0xEF) ? 3
                    : within(first, 0xF0, 0xF4) ? 4
                                                : 0;
    if (length == 0 || length > size)
        return 0;
    int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (!within(text[1], low, high))
        return 0;
    for (size_t i = 2; i < length; i++)
        if (!within(text[i], 0x80, 0xBF))
            return 0;
    return length;
}

size_t utf8_valid(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        size_t length = character_length((const unsigned char *)text + at, size - at);
        if (length == 0)
            break;
        at += length;
    }
    return at;
}

size_t utf8_characters(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80; /* all but the continuing bytes */
    return count;
}
