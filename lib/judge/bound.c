#include "bound.h"

#include "mem.h"

#include <math.h>

void bound_judge_exact(const Target *target, const Series *s, Entry *entry)
{
    double y = target->published, r = target->half_unit, farthest = s->x[0];
    for (size_t i = 1; i < s->count; i++)
        if (fabs(s->x[i] - y) > fabs(farthest - y))
            farthest = s->x[i];
    bool equal = fabs(farthest - y) <= (r > 0 ? r + entry_rounding(farthest, y) : 0);
    char seeds[32];
    entry->verdict = equal ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
    entry->number.low = y - r;
    entry->number.high = y + r;
    entry->reason = mem_text("%.15g%s %s %.15g", farthest, entry_seeds(s, seeds), equal ? "is" : "is not", y);
}

/* c·k·eps·scale, or the value given. A measured scale counts with its smallest sample, so that the bound holds
 * for every one. */
static bool resolve(const Bound *bound, Evidence *evidence, double *resolved, Err *err)
{
    double scale = bound->scale;
    if (bound->scale_name) {
        Series s;
        if (!evidence_read(evidence, &(Term){.form = TERM_PLAIN, .a = bound->scale_name}, &s, err))
            return false;
        for (size_t i = 0; i < s.count; i++)
            scale =
                fmin(scale, fabs(s.x[i])); /* passes over NaN: the scale before the first, and what is lost */
        series_free(&s);
    }
    *resolved = isnan(bound->value) ? bound->c * bound->k * bound->eps * scale : bound->value;
    return isfinite(*resolved) ||
           err_set(err, "no sample of \"%s\", the bound's scale, has a value", bound->scale_name);
}

bool bound_judge_at_most(const Rule *rule, const Series *s, Evidence *evidence, Entry *entry, Err *err)
{
    double bound, largest = 0;
    if (!resolve(&rule->bound, evidence, &bound, err))
        return false;
    for (size_t i = 0; i < s->count; i++)
        largest = fmax(largest, fabs(s->x[i]));
    char seeds[32];
    entry->verdict = largest <= bound ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
    entry->number.low = 0;
    entry->number.high = bound;
    entry->reason = mem_text("%.3g%s is %s the bound %.3g", largest, entry_seeds(s, seeds),
                             largest <= bound ? "within" : "above", bound);
    return true;
}

bool bound_judge_law(const Target *target, const Series *s, Evidence *evidence, Entry *entry, Err *err)
{
    Series errors;
    if (!evidence_read(evidence, &(Term){.form = TERM_PLAIN, .a = target->standard_error}, &errors, err))
        return false;
    double se = series_mean(&errors), law = target->law;
    series_free(&errors);
    if (!(se > 0))
        return err_set(err, "the standard error \"%s\" is not above 0", target->standard_error);
    double m = series_mean(s), y = target->published, n = (double)s->count;
    double from_law = fabs(m - law) * sqrt(n) / se, from_draw = fabs(m - y) / (se * sqrt(1 + 1 / n));
    bool holds = from_law <= 4 && !(from_draw > 4); /* NaN where nothing is published */
    entry->verdict = holds ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
    entry->number.low = law - 4 * se / sqrt(n);
    entry->number.high = law + 4 * se / sqrt(n);
    char *draw =
        isnan(y) ? mem_text("%s", "") : mem_text(", %.3g from the published draw %.6g", from_draw, y);
    entry->reason =
        mem_text("%.6g is %.3g standard errors from the law %.6g%s; 4 are allowed", m, from_law, law, draw);
    free(draw);
    return true;
}
