#include "evidence.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

bool evidence_read(Evidence *evidence, const Term *term, Series *series, Err *err)
{
    if (!series_read(evidence->all, term, series, err))
        return false;
    evidence->timed = evidence->timed || series->timed;
    if (!series->fixed && (evidence->seeds == 0 || (int)series->count < evidence->seeds))
        evidence->seeds = (int)series->count;
    return true;
}

double entry_rounding(double a, double b)
{
    return 2 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

const char *entry_few(const Series *series)
{
    return series->count == 1 ? "one seed can neither reproduce nor refute it"
                              : "two seeds can neither reproduce nor refute it";
}

const char *entry_seeds(const Series *series, char text[static 32])
{
    *text = '\0';
    if (!series->fixed)
        snprintf(text, 32, " in %zu seed%s", series->count, series->count == 1 ? "" : "s");
    return text;
}
