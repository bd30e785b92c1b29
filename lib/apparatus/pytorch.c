#include "pytorch.h"

#include "child.h"

#include <stdlib.h>
#include <string.h>

enum { MISSING = 77, MOST_ARGUMENTS = 16 };

static const double patience = 600; /* seconds; a quiet machine takes a few */

/* What a program said last, a traceback's error for one. */
static const char *last_line(char *lines)
{
    size_t length = strlen(lines);
    if (length > 0)
        lines[length - 1] = '\0';
    const char *newline = strrchr(lines, '\n');
    return newline ? newline + 1 : lines;
}

PytorchEnd pytorch_run(char *const *arguments, void (*line)(void *context, const char *text), void *context,
                       Err *why)
{
    char *words[MOST_ARGUMENTS + 2] = {"/usr/bin/python3"};
    for (size_t i = 0; arguments[i]; i++) {
        require(i < MOST_ARGUMENTS, "too many arguments for %s", arguments[0]);
        words[i + 1] = arguments[i];
    }
    ChildEnd end = child_run(
        words,
        &(ChildWatch){.limit = patience, .output = true, .errors = true, .line = line, .context = context});
    PytorchEnd how = end.code == 0                                          ? PYTORCH_RAN
                     : end.code == MISSING || end.code == CHILD_NOT_STARTED ? PYTORCH_MISSING
                                                                            : PYTORCH_FAILED;
    if (how == PYTORCH_MISSING)
        err_set(why, "PyTorch is not installed");
    else if (end.timed_out)
        err_set(why, "%s took more than %g s", arguments[0], patience);
    else if (how == PYTORCH_FAILED)
        err_set(why, "%s failed: %s", arguments[0], last_line(end.last_lines));
    free(end.last_lines);
    return how;
}
