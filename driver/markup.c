#include "markup.h"

#include <stdbool.h>
#include <string.h>

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

size_t markup_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += begins_character(*text);
    return width;
}

void markup_put_cut(FILE *out, const char *text, size_t width)
{
    if (markup_width(text) <= width) {
        fputs(text, out);
        return;
    }
    size_t left = width;
    for (; *text; text++) {
        if (begins_character(*text) && left-- <= 1)
            break;
        fputc(*text, out);
    }
    fputs("…", out);
}

/* Bytes of the UTF-8 character that begins here; 0 when none does. */
static size_t character_size(const char *text)
{
    unsigned char first = (unsigned char)*text;
    size_t size = first < 0x80                    ? 1
                  : first >= 0xc2 && first < 0xe0 ? 2
                  : (first & 0xf0) == 0xe0        ? 3
                  : first >= 0xf0 && first < 0xf5 ? 4
                                                  : 0;
    for (size_t i = 1; i < size; i++)
        if (begins_character(text[i])) /* the closing zero byte as well */
            return 0;
    return size;
}

static const char *xml_entity(char character)
{
    return character == '&'   ? "&amp;"
           : character == '<' ? "&lt;"
           : character == '>' ? "&gt;"
           : character == '"' ? "&quot;"
                              : NULL;
}

void markup_put_xml(FILE *out, const char *text)
{
    for (size_t size; *text; text += size ? size : 1) {
        size = character_size(text);
        if (size == 0)
            fputc('?', out);
        else if (xml_entity(*text))
            fputs(xml_entity(*text), out);
        else if (size > 1 || *text >= ' ' || *text == '\n' || *text == '\t')
            fwrite(text, 1, size, out);
    }
}

void markup_put_markdown(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            fputc(' ', out);
        else if (strchr("\\`*_[]<>|#~", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}
