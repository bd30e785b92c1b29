/*
 * doc: a report as a list of blocks, before it is Markdown or HTML; both hold the same.
 */
#ifndef DOC_H
#define DOC_H

#include "table.h"

typedef enum BlockKind {
    BLOCK_HEADING,  /* text, level 1 … 3 */
    BLOCK_CONTENTS, /* links to the headings of level 2 */
    BLOCK_TEXT,     /* a paragraph */
    BLOCK_NOTE,     /* a paragraph that must not be missed: a failure, a warning */
    BLOCK_ITEM,     /* an entry of a list */
    BLOCK_CODE,     /* lines as a program printed them */
    BLOCK_TABLE,
    BLOCK_FIGURE /* text is its title, path where it is, note beneath it */
} BlockKind;

typedef struct Block {
    BlockKind kind;
    int level;
    char *text, *path, *note; /* owned; NULL where the kind has none */
    Table *table;             /* owned */
} Block;

typedef struct Doc {
    Block *list;
    size_t count;
} Doc;

void doc_heading(Doc *doc, int level, const char *text);
void doc_contents(Doc *doc);

/* A block that is words alone. */
void doc_add(Doc *doc, BlockKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

void doc_table(Doc *doc, Table *table); /* taken over */
void doc_figure(Doc *doc, const char *title, const char *path, const char *note);
void doc_free(Doc *doc);

/* Figures are linked to by their path from the report's folder … */
void doc_write_markdown(FILE *out, const Doc *doc);

/* … or become part of the page, which then needs no other file; folder is the report's. */
void doc_write_html(FILE *out, const Doc *doc, const char *folder);

#endif
