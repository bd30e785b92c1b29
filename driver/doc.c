#include "doc.h"

#include "mem.h"

#include <stdarg.h>

static Block *add(Doc *doc, BlockKind kind)
{
    Block *block = mem_grow(&doc->list, &doc->count, sizeof *block);
    block->kind = kind;
    return block;
}

void doc_heading(Doc *doc, int level, const char *text)
{
    Block *block = add(doc, BLOCK_HEADING);
    block->level = level;
    block->text = mem_text("%s", text);
}

void doc_contents(Doc *doc)
{
    add(doc, BLOCK_CONTENTS);
}

void doc_add(Doc *doc, BlockKind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text;
    require(vasprintf(&text, format, arguments) >= 0, "out of memory for a string");
    va_end(arguments);
    add(doc, kind)->text = text;
}

void doc_table(Doc *doc, Table *table)
{
    add(doc, BLOCK_TABLE)->table = table;
}

void doc_figure(Doc *doc, const char *title, const char *path, const char *note)
{
    Block *block = add(doc, BLOCK_FIGURE);
    block->text = mem_text("%s", title);
    block->path = mem_text("%s", path);
    block->note = mem_text("%s", note);
}

void doc_free(Doc *doc)
{
    for (size_t i = 0; i < doc->count; i++) {
        Block *block = &doc->list[i];
        free(block->text);
        free(block->path);
        free(block->note);
        table_free(block->table);
    }
    free(doc->list);
    *doc = (Doc){0};
}
