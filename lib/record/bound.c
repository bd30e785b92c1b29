#include "bound.h"

#include "mem.h"
#include "rules.h"

#include <float.h>
#include <math.h>
#include <string.h>

void bound_judge_exact(const Claim *claim, size_t index, const Series *s, Entry *entry)
{
    double y = rule_published(claim, index), r = rule_half_unit(claim, index), farthest = s->x[0];
    for (size_t i = 1; i < s->count; i++)
        if (fabs(s->x[i] - y) > fabs(farthest - y))
            farthest = s->x[i];
    bool equal = fabs(farthest - y) <= (r > 0 ? r + entry_rounding(farthest, y) : 0);
    char seeds[32];
    entry->verdict = equal ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
    entry->low = y - r;
    entry->high = y + r;
    entry->reason = mem_text("%.15g%s %s %.15g", farthest, entry_seeds(s, seeds), equal ? "is" : "is not", y);
}

/* c·k·eps·scale, or the value given. A measured scale counts with its smallest sample, so that the bound holds
 * for every one. */
static bool read_bound(const Claim *claim, const Measurements *all, Judgement *judgement, double *bound,
                       Err *err)
{
    const Json *json = json_get(claim->json, "bound"), *scale = json_get(json, "scale");
    if (!scale) {
        *bound = json_number(json_get(json, "value"));
        return true;
    }
    double least = INFINITY;
    if (json_kind(scale) == JSON_NUMBER) {
        least = json_number(scale);
    } else {
        Series s;
        if (!entry_read_name(all, "bound", json_string(scale), judgement, &s, err))
            return false;
        for (size_t i = 0; i < s.count; i++)
            least = fmin(least, fabs(s.x[i])); /* passes over what is lost */
        series_free(&s);
    }
    double eps = strcmp(json_string(json_get(json, "eps")), "float32") == 0 ? FLT_EPSILON : DBL_EPSILON;
    *bound = json_number(json_get(json, "c")) * json_number(json_get(json, "k")) * eps * least;
    return isfinite(*bound) || err_set(err, "key \"bound\": no sample of its scale has a value");
}

bool bound_judge_at_most(const Claim *claim, const Measurements *all, const Series *s, Judgement *judgement,
                         Entry *entry, Err *err)
{
    double bound, largest = 0;
    if (!read_bound(claim, all, judgement, &bound, err))
        return false;
    for (size_t i = 0; i < s->count; i++)
        largest = fmax(largest, fabs(s->x[i]));
    char seeds[32];
    entry->verdict = largest <= bound ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
    entry->low = 0;
    entry->high = bound;
    entry->reason = mem_text("%.3g%s is %s the bound %.3g", largest, entry_seeds(s, seeds),
                             largest <= bound ? "within" : "above", bound);
    return true;
}

bool bound_judge_law(const Claim *claim, const Measurements *all, size_t index, const Series *s,
                     Judgement *judgement, Entry *entry, Err *err)
{
    const Json *json = claim->json, *name = claim_entry(json_get(json, "standard_error"), index);
    Series errors;
    if (!entry_read_name(all, "standard_error", json_string(name), judgement, &errors, err))
        return false;
    double se = series_mean(&errors), law = json_number(claim_entry(json_get(json, "law"), index));
    series_free(&errors);
    if (!(se > 0))
        return err_set(err, "key \"standard_error\": \"%s\" is not above 0", json_string(name));
    double m = series_mean(s), y = rule_published(claim, index), n = (double)s->count;
    double from_law = fabs(m - law) * sqrt(n) / se, from_draw = fabs(m - y) / (se * sqrt(1 + 1 / n));
    bool holds = from_law <= 4 && !(from_draw > 4); /* NaN where nothing is published */
    entry->verdict = holds ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
    entry->low = law - 4 * se / sqrt(n);
    entry->high = law + 4 * se / sqrt(n);
    char *draw =
        isnan(y) ? mem_text("%s", "") : mem_text(", %.3g from the published draw %.6g", from_draw, y);
    entry->reason =
        mem_text("%.6g is %.3g standard errors from the law %.6g%s; 4 are allowed", m, from_law, law, draw);
    free(draw);
    return true;
}
