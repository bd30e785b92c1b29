#include "doc.h"
#include "file.h"
#include "markup.h"
#include "mem.h"

#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c1c1c;--soft:#5a5a5a;--page:#fff;--line:#d8d8d8;--shade:#f4f5f7;"
    "--link:#0b57a4;--ok:#1a7f37;--fail:#b3261e}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e4e4;--soft:#a6a6a6;--page:#16181b;--line:#3a3d42;"
    "--shade:#1f2227;--link:#7db7ff;--ok:#57c878;--fail:#ff8a80}}\n"
    "body{margin:0 auto;max-width:84rem;padding:1rem;background:var(--page);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif}\n"
    "h1,h2,h3{line-height:1.25;margin:2rem 0 .6rem}h2{border-top:1px solid var(--line);padding-top:1.2rem}\n"
    "a{color:var(--link)}p,li{max-width:48rem}\n"
    "nav{columns:14rem;margin:1rem 0}nav a{display:block;padding:.15rem 0;overflow-wrap:anywhere}\n"
    ".note{border-left:.3rem solid var(--fail);padding:.3rem .8rem;background:var(--shade)}\n"
    ".scroll{overflow-x:auto;margin:1rem 0}\n"
    "table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-weight:600;padding:.3rem 0}\n"
    "th,td{padding:.3rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}\n"
    "td{min-width:3rem;max-width:26rem}.long{min-width:14rem}th{background:var(--shade);"
    "white-space:nowrap}\n"
    ".right{text-align:right;white-space:nowrap}.ok{color:var(--ok)}.fail{color:var(--fail);font-weight:700}"
    "\n"
    ".under{color:var(--soft);font-size:.9rem}\n"
    "pre{overflow-x:auto;background:var(--shade);padding:.7rem;font-size:.85rem}\n"
    "figure{margin:1rem 0}figure svg{max-width:100%;height:auto;background:#fff;border-radius:4px}\n";

static void put_element(FILE *out, const char *opening, const char *text, const char *closing)
{
    fputs(opening, out);
    markup_put_xml(out, text);
    fputs(closing, out);
}

static void put_contents(FILE *out, const Doc *doc)
{
    fputs("<nav>\n", out);
    for (size_t i = 0; i < doc->count; i++) {
        const Block *block = &doc->list[i];
        if (block->kind != BLOCK_HEADING || block->level != 2)
            continue;
        fprintf(out, "<a href=\"#s%zu\">", i);
        put_element(out, "", block->text, "</a>\n");
    }
    fputs("</nav>\n", out);
}

/* Marks have colour, numbers stand to the right, and a sentence is not squeezed into a narrow column. */
static const char *cell_class(const Table *table, size_t row, size_t column)
{
    enum { SENTENCE = 40 };
    const char *cell = table_cell(table, row, column);
    return strcmp(cell, "ok") == 0         ? "ok"
           : strcmp(cell, "FAIL") == 0     ? "fail"
           : table->right[column]          ? "right"
           : markup_width(cell) > SENTENCE ? "long"
                                           : "";
}

static void put_table(FILE *out, const Table *table)
{
    fputs("<div class=\"scroll\"><table>\n", out);
    if (table->title)
        put_element(out, "<caption>", table->title, "</caption>\n");
    fputs("<thead><tr>", out);
    for (size_t column = 0; column < table->columns; column++)
        put_element(out, table->right[column] ? "<th class=\"right\">" : "<th>", table->heads[column],
                    "</th>");
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t row = 0; row < table_rows(table); row++) {
        fputs("<tr>", out);
        for (size_t column = 0; column < table->columns; column++) {
            fprintf(out, "<td class=\"%s\">", cell_class(table, row, column));
            put_element(out, "", table_cell(table, row, column), "</td>");
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    if (table->note)
        put_element(out, "<p class=\"under\">", table->note, "</p>\n");
}

/* The drawing without its XML prolog and its own title. Names inside one drawing must not meet those of another
 * on the same page, so each gets the figure's number in front. */
static void put_svg(FILE *out, const char *svg, size_t number)
{
    static const char *const names[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    const char *start = strstr(svg, "<svg"), *title = strstr(svg, "<title>"),
               *behind = strstr(svg, "</title>");
    for (const char *c = start ? start : svg; *c;) {
        if (c == title && behind > title) {
            c = behind + strlen("</title>");
            continue;
        }
        size_t length = 1;
        bool is_name = false;
        for (size_t i = 0; i < COUNT(names) && !is_name; i++)
            if (strncmp(c, names[i], strlen(names[i])) == 0) {
                length = strlen(names[i]);
                is_name = true;
            }
        fwrite(c, 1, length, out);
        if (is_name)
            fprintf(out, "f%zu-", number);
        c += length;
    }
}

static void put_figure(FILE *out, const Block *block, const char *folder, size_t number)
{
    char *path = mem_text("%s/%s", folder, block->path);
    Bytes svg;
    Err err;
    put_element(out, "<figure role=\"img\" aria-label=\"", block->text, "\">\n");
    if (file_read(path, &svg, &err))
        put_svg(out, svg.data, number);
    else
        put_element(out, "<p>", err.text, "</p>\n");
    if (*block->note)
        put_element(out, "<figcaption class=\"under\">", block->note, "</figcaption>\n");
    fputs("</figure>\n", out);
    bytes_free(&svg);
    free(path);
}

static void put_block(FILE *out, const Doc *doc, size_t i, const char *folder)
{
    const Block *block = &doc->list[i];
    switch (block->kind) {
    case BLOCK_HEADING:
        fprintf(out, "<h%d id=\"s%zu\">", block->level, i);
        markup_put_xml(out, block->text);
        fprintf(out, "</h%d>\n", block->level);
        break;
    case BLOCK_CONTENTS:
        put_contents(out, doc);
        break;
    case BLOCK_TEXT:
        put_element(out, "<p>", block->text, "</p>\n");
        break;
    case BLOCK_NOTE:
        put_element(out, "<p class=\"note\">", block->text, "</p>\n");
        break;
    case BLOCK_ITEM:
        if (i == 0 || block[-1].kind != BLOCK_ITEM)
            fputs("<ul>\n", out);
        put_element(out, "<li>", block->text, "</li>\n");
        if (i + 1 == doc->count || block[1].kind != BLOCK_ITEM)
            fputs("</ul>\n", out);
        break;
    case BLOCK_CODE:
        put_element(out, "<pre>", block->text, "</pre>\n");
        break;
    case BLOCK_TABLE:
        put_table(out, block->table);
        break;
    case BLOCK_FIGURE:
        put_figure(out, block, folder, i);
        break;
    }
}

void doc_write_html(FILE *out, const Doc *doc, const char *folder)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<title>attest: report</title>\n<style>\n%s</style>\n</head>\n<body>\n",
            style);
    for (size_t i = 0; i < doc->count; i++)
        put_block(out, doc, i, folder);
    fputs("</body>\n</html>\n", out);
}
