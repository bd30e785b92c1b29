#include "table.h"

#include "markup.h"
#include "mem.h"

static const size_t gap = 2, least_width = 12;

Table *table_new(const char *title)
{
    Table *table = mem_new(1, sizeof *table);
    table->title = title ? mem_text("%s", title) : NULL;
    return table;
}

void table_free(Table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->columns; i++)
        free(table->heads[i]);
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->heads);
    free(table->right);
    free(table->cells);
    free(table->title);
    free(table->note);
    free(table);
}

void table_add_column(Table *table, const char *head, bool right)
{
    size_t columns = table->columns;
    *(bool *)mem_grow(&table->right, &columns, sizeof *table->right) = right;
    *(char **)mem_grow(&table->heads, &table->columns, sizeof *table->heads) = mem_text("%s", head);
}

void table_add(Table *table, char *cell)
{
    *(char **)mem_grow(&table->cells, &table->count, sizeof *table->cells) = cell;
}

size_t table_rows(const Table *table)
{
    return table->columns ? table->count / table->columns : 0;
}

const char *table_cell(const Table *table, size_t row, size_t column)
{
    return table->cells[row * table->columns + column];
}

static void print_cell(FILE *out, const Table *table, const char *cell, size_t column, size_t width)
{
    size_t used = markup_width(cell) < width ? markup_width(cell) : width;
    bool last = column + 1 == table->columns;
    if (table->right[column])
        fprintf(out, "%*s", (int)(width - used), "");
    markup_put_cut(out, cell, width);
    if (!table->right[column] && !last)
        fprintf(out, "%*s", (int)(width - used), "");
    fprintf(out, "%*s", last ? 0 : (int)gap, "");
}

void table_print(FILE *out, const Table *table, size_t width)
{
    size_t *widths = mem_new(table->columns, sizeof *widths), widest = 0, total = 0;
    for (size_t column = 0; column < table->columns; column++) {
        widths[column] = markup_width(table->heads[column]);
        for (size_t row = 0; row < table_rows(table); row++) {
            size_t cell = markup_width(table_cell(table, row, column));
            widths[column] = cell > widths[column] ? cell : widths[column];
        }
        widest = widths[column] > widths[widest] ? column : widest;
        total += widths[column] + (column ? gap : 0);
    }
    if (width > 0 && total > width) {
        size_t others = total - widths[widest];
        widths[widest] = width > others + least_width ? width - others : least_width;
    }
    for (size_t column = 0; column < table->columns; column++)
        print_cell(out, table, table->heads[column], column, widths[column]);
    fputc('\n', out);
    for (size_t row = 0; row < table_rows(table); row++) {
        for (size_t column = 0; column < table->columns; column++)
            print_cell(out, table, table_cell(table, row, column), column, widths[column]);
        fputc('\n', out);
    }
    free(widths);
}
