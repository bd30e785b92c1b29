#include "duration.h"

#include <stdio.h>

void duration_text(double seconds, char *text, size_t size)
{
    long whole = (long)(seconds + 0.5);
    if (whole < 60)
        snprintf(text, size, "%ld s", whole);
    else if (whole < 3600)
        snprintf(text, size, "%ld min %ld s", whole / 60, whole % 60);
    else
        snprintf(text, size, "%ld h %ld min", whole / 3600, whole % 3600 / 60);
}
