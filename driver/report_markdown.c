#include "doc.h"
#include "markup.h"

#include <ctype.h>

/* The anchor that a Markdown reader gives a heading. */
static void put_anchor(FILE *out, const char *heading)
{
    for (; *heading; heading++)
        if (isalnum((unsigned char)*heading) || *heading == '_' || *heading == '-')
            fputc(tolower((unsigned char)*heading), out);
        else if (*heading == ' ')
            fputc('-', out);
}

static void put_contents(FILE *out, const Doc *doc)
{
    for (size_t i = 0; i < doc->count; i++) {
        const Block *block = &doc->list[i];
        if (block->kind != BLOCK_HEADING || block->level != 2)
            continue;
        fputs("- [", out);
        markup_put_markdown(out, block->text);
        fputs("](#", out);
        put_anchor(out, block->text);
        fputs(")\n", out);
    }
    fputc('\n', out);
}

static void put_row(FILE *out, const Table *table, char *const *cells)
{
    fputc('|', out);
    for (size_t column = 0; column < table->columns; column++) {
        fputc(' ', out);
        markup_put_markdown(out, cells[column]);
        fputs(" |", out);
    }
    fputc('\n', out);
}

static void put_table(FILE *out, const Table *table)
{
    if (table->title) {
        fputs("**", out);
        markup_put_markdown(out, table->title);
        fputs("**\n\n", out);
    }
    put_row(out, table, table->heads);
    fputc('|', out);
    for (size_t column = 0; column < table->columns; column++)
        fputs(table->right[column] ? "---:|" : "---|", out);
    fputc('\n', out);
    for (size_t row = 0; row < table_rows(table); row++)
        put_row(out, table, table->cells + row * table->columns);
    fputc('\n', out);
    if (table->note) {
        markup_put_markdown(out, table->note);
        fputs("\n\n", out);
    }
}

/* Indented by four, which no content can end early. */
static void put_code(FILE *out, const char *text)
{
    bool at_start = true;
    for (; *text; text++) {
        if (at_start)
            fputs("    ", out);
        fputc(*text, out);
        at_start = *text == '\n';
    }
    fputs(at_start ? "\n" : "\n\n", out);
}

static void put_figure(FILE *out, const Block *block)
{
    fputs("![", out);
    markup_put_markdown(out, block->text);
    fprintf(out, "](%s)\n\n", block->path);
    if (*block->note) {
        markup_put_markdown(out, block->note);
        fputs("\n\n", out);
    }
}

static void put_words(FILE *out, const char *before, const char *text, const char *behind)
{
    fputs(before, out);
    markup_put_markdown(out, text);
    fputs(behind, out);
}

void doc_write_markdown(FILE *out, const Doc *doc)
{
    static const char *const marks[] = {"", "# ", "## ", "### "};
    for (size_t i = 0; i < doc->count; i++) {
        const Block *block = &doc->list[i];
        bool last_item = i + 1 == doc->count || doc->list[i + 1].kind != BLOCK_ITEM;
        switch (block->kind) {
        case BLOCK_HEADING:
            put_words(out, marks[block->level], block->text, "\n\n");
            break;
        case BLOCK_CONTENTS:
            put_contents(out, doc);
            break;
        case BLOCK_TEXT:
            put_words(out, "", block->text, "\n\n");
            break;
        case BLOCK_NOTE:
            put_words(out, "> ", block->text, "\n\n");
            break;
        case BLOCK_ITEM:
            put_words(out, "- ", block->text, last_item ? "\n\n" : "\n");
            break;
        case BLOCK_CODE:
            put_code(out, block->text);
            break;
        case BLOCK_TABLE:
            put_table(out, block->table);
            break;
        case BLOCK_FIGURE:
            put_figure(out, block);
            break;
        }
    }
}
