#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool err_set(Err *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    return false;
}

bool err_within(Err *err, const char *format, ...)
{
    char sentence[sizeof err->text];
    memcpy(sentence, err->text, sizeof sentence);
    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    int room = (int)sizeof err->text - used - (int)sizeof ": ";
    if (used >= 0 && room > 0)
        sprintf(err->text + used, ": %.*s", room, sentence);
    return false;
}

void err_abort(const char *file, int line, const char *condition, const char *format, ...)
{
    fprintf(stderr, "%s:%d: %s does not hold: ", file, line, condition);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}
