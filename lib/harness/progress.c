#include "progress.h"

#include "duration.h"
#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double rewrite_seconds = 0.1, line_seconds = 5;

void progress_begin(Progress *progress, FILE *out, const char *name)
{
    const char *terminal = getenv("TERM");
    *progress = (Progress){.out = out, .name = name, .started = machine_seconds()};
    progress->rewrites = isatty(fileno(out)) && terminal && strcmp(terminal, "dumb") != 0;
    progress->shown = progress->started;
}

void progress_show(Progress *progress, double fraction, const char *doing)
{
    double now = machine_seconds();
    if (now - progress->shown < (progress->rewrites ? rewrite_seconds : line_seconds))
        return;
    progress->shown = now;
    char left[32] = "?";
    if (fraction > 0)
        duration_text((now - progress->started) * (1 - fraction) / fraction, left, sizeof left);
    fprintf(progress->out, "%s%s: %3.0f %%, %s left: %s%s", progress->rewrites ? "\r" : "", progress->name,
            100 * fraction, left, doing, progress->rewrites ? "\033[K" : "\n");
    fflush(progress->out);
    progress->line_is_open = progress->rewrites;
}

void progress_end(Progress *progress)
{
    if (progress->line_is_open)
        fputs("\r\033[K", progress->out);
    progress->line_is_open = false;
    fflush(progress->out);
}
