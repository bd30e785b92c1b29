/*
 * table: rows of words, the same for the terminal, Markdown and HTML.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct Table {
    char *title, *note; /* may be NULL */
    char **heads;
    bool *right; /* by column: set to the right, as numbers are */
    size_t columns;
    char **cells; /* row by row */
    size_t count; /* of cells; the last row may be under construction */
} Table;

/* An empty table without columns; title may be NULL. */
Table *table_new(const char *title);
void table_free(Table *table);

void table_add_column(Table *table, const char *head, bool right);

/* Fills the next cell; the text is taken over. Columns come before cells. */
void table_add(Table *table, char *cell);

size_t table_rows(const Table *table);
const char *table_cell(const Table *table, size_t row, size_t column);

/* In columns, for a terminal. When width > 0 the widest column is cut so that lines are no longer than that. */
void table_print(FILE *out, const Table *table, size_t width);

#endif
