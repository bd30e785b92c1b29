/*
 * markup: words as a terminal or a page takes them.
 *
 * What is built piece by piece is written to a FILE of open_memstream; these are the pieces.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stddef.h>
#include <stdio.h>

/* Characters (code points) of a UTF-8 string, taken as its width on a terminal. */
size_t markup_width(const char *text);

/* Writes at most width characters; the last one is an ellipsis when something was left out. */
void markup_put_cut(FILE *out, const char *text, size_t width);

/* The same words, with what would be taken for markup escaped. XML serves HTML too; control
 * characters, which XML does not allow, are left out, and bytes that are no UTF-8 become "?". */
void markup_put_xml(FILE *out, const char *text);
void markup_put_markdown(FILE *out, const char *text);

#endif
