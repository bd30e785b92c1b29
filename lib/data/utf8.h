/*
 * utf8: where a byte string stops being UTF-8.
 *
 * Source   RFC 3629: shortest forms only, no surrogates, nothing above U+10FFFF.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/* The length of the longest beginning of text that is whole, valid characters; size when all of it is. */
size_t utf8_valid(const char *text, size_t size);

/* Characters (code points) in a valid text. */
size_t utf8_characters(const char *text, size_t size);

#endif
