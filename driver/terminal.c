#include "terminal.h"

#include "markup.h"
#include "mem.h"

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool status_is_shown;

static bool is_capable(FILE *file)
{
    const char *kind = getenv("TERM");
    return isatty(fileno(file)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

bool terminal_rewrites(void)
{
    return is_capable(stderr);
}

int terminal_width(FILE *file)
{
    struct winsize size;
    if (!isatty(fileno(file)))
        return 0;
    return ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void terminal_clear(void)
{
    if (status_is_shown)
        fputs("\r\033[K", stderr);
    status_is_shown = false;
    fflush(stderr);
}

/* The formatted text behind the last named parameter; owned by the caller. */
static char *formatted(const char *format, va_list arguments)
{
    char *text;
    require(vasprintf(&text, format, arguments) >= 0, "out of memory for a string");
    return text;
}

void terminal_status(const char *format, ...)
{
    if (!terminal_rewrites())
        return;
    va_list arguments;
    va_start(arguments, format);
    char *text = formatted(format, arguments);
    va_end(arguments);
    fputc('\r', stderr);
    markup_put_cut(stderr, text, (size_t)terminal_width(stderr) - 1);
    fputs("\033[K", stderr);
    fflush(stderr);
    status_is_shown = true;
    free(text);
}

void terminal_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = formatted(format, arguments);
    va_end(arguments);
    terminal_clear();
    fprintf(stderr, "%s\n", text);
    free(text);
}

const char *terminal_mark(FILE *file, bool good)
{
    const char *no_color = getenv("NO_COLOR");
    if (!is_capable(file) || (no_color && *no_color))
        return good ? "ok  " : "FAIL";
    return good ? "\033[32mok\033[0m  " : "\033[31mFAIL\033[0m";
}
