/*
 * text: words and numbers as the driver prints them.
 *
 * What is built piece by piece is written to a FILE of open_memstream; these are the pieces.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Decimals chosen by the number: whole numbers as they are, others to five significant digits. */
enum { DECIMALS_AUTO = -1 };

/* "124,439,808", "60.45", "5.96e-8"; with a fixed number of decimals when decimals >= 0. Owned by the caller. */
char *text_number(double value, int decimals);

/* Decimals of a number as it was most likely printed: 60.45 has 2, 38 has none, 5.96e-8 DECIMALS_AUTO. */
int text_decimals(double value);

/* Characters (code points) of a UTF-8 string, taken as its width on a terminal. */
size_t text_width(const char *text);

/* Writes at most width characters; the last one is an ellipsis when something was left out. */
void text_put_cut(FILE *out, const char *text, size_t width);

/* The same words, with what would be taken for markup escaped. XML serves HTML too; control
 * characters, which XML does not allow, are left out, and bytes that are no UTF-8 become "?". */
void text_put_xml(FILE *out, const char *text);
void text_put_markdown(FILE *out, const char *text);

#endif
