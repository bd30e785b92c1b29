#include "prediction.h"

#include "mem.h"
#include "stats.h"

#include <math.h>

enum { MOST_SEEDS = 1000 }; /* more will never be run */

/* A difference as a reader wants it: a percentage where logarithms are compared. */
static char *difference_text(const Term *term, double difference, bool sign)
{
    if (term_is_log(term))
        return mem_text(sign ? "%+.3g %%" : "%.3g %%", 100 * expm1(difference));
    return mem_text(sign ? "%+.4g" : "%.4g", difference);
}

/* A standard deviation and its degrees of freedom. */
typedef struct Spread {
    double sd, df;
    bool pooled;
} Spread;

/* Replaces the spread by that of all rows of the table together, unless one row spreads so much more than the
 * others that they have none in common: max s_j > 3 s_p. */
static bool pool(const Rule *rule, TermForm form, const Measurements *all, Spread *spread, Err *err)
{
    size_t rows = rule->pool_count, *n = mem_new(rows, sizeof *n);
    double *sd = mem_new(rows, sizeof *sd), largest = -1; /* none */
    bool good = true;
    for (size_t row = 0; row < rows && good; row++) {
        Series series;
        good = series_read(all, &(Term){.form = form, .a = rule->pool[row]}, &series, err);
        if (!good)
            break;
        n[row] = series_present(&series);
        sd[row] = series_sd(&series);
        if (n[row] >= 2)
            largest = fmax(largest, sd[row]);
        series_free(&series);
    }
    if (good && largest >= 0) {
        double df, common = stats_pooled_sd(sd, n, rows, &df);
        if (largest <= 3 * common)
            *spread = (Spread){common, df, true};
    }
    free(n);
    free(sd);
    return good;
}

/* How many seeds would bring the prediction interval inside the margin, the spread staying what it is; 0 when
 * no number would. */
static size_t seeds_needed(const Spread *spread, size_t n, double margin)
{
    for (size_t more = n + 1; more <= MOST_SEEDS; more++) {
        double df = spread->df * (double)(more - 1) / (double)(n - 1);
        if (stats_prediction_half_width(spread->sd, more, df, ALPHA) <= margin)
            return more;
    }
    return 0;
}

static char *spread_reason(const Target *target, const Series *s, const Spread *spread, double half,
                           Verdict verdict)
{
    char *h = difference_text(&target->term, half, false), *text = NULL;
    char *d = difference_text(&target->term, target->margin, false);
    const char *whose = spread->pooled ? " (spread pooled over the table)" : "";
    size_t needed = verdict == VERDICT_INCONCLUSIVE ? seeds_needed(spread, s->count, target->margin) : 0;
    if (verdict == VERDICT_REPRODUCED)
        text = mem_text("within ±%s of one new draw%s", h, whose);
    else if (verdict == VERDICT_WITHIN_MARGIN)
        text = mem_text("outside ±%s of one new draw%s, within the margin of %s: a systematic offset", h,
                        whose, d);
    else if (verdict == VERDICT_NOT_REPRODUCED)
        text = mem_text("outside ±%s of one new draw%s and the margin of %s", h, whose, d);
    else if (needed)
        text = mem_text(
            "one new draw spreads by ±%s%s, more than the margin of %s: about %zu seeds would settle it", h,
            whose, d, needed);
    else
        text = mem_text("one new draw spreads by ±%s%s, more than the margin of %s at any number of seeds", h,
                        whose, d);
    free(h);
    free(d);
    return text;
}

/* Against three seeds or more. */
static void judge_spread(const Target *target, const Series *s, const Spread *spread, Entry *entry)
{
    double m = series_mean(s), y = target->published, d = fabs(m - y) - entry_rounding(m, y);
    double half = stats_prediction_half_width(spread->sd, s->count, spread->df, ALPHA);
    if (d <= half + target->half_unit)
        entry->verdict = half <= target->margin ? VERDICT_REPRODUCED : VERDICT_INCONCLUSIVE;
    else
        entry->verdict = d <= target->margin ? VERDICT_WITHIN_MARGIN : VERDICT_NOT_REPRODUCED;
    entry->number.low = term_plain(&target->term, m - half);
    entry->number.high = term_plain(&target->term, m + half);
    entry->reason = spread_reason(target, s, spread, half, entry->verdict);
}

/* Against what has no spread: a number without chance, or fewer than three seeds. */
static void judge_near(const Target *target, const Series *s, Entry *entry)
{
    double m = series_mean(s), y = target->published, d = fabs(m - y) - entry_rounding(m, y);
    double width = s->fixed ? target->half_unit : target->margin;
    char *text = difference_text(&target->term, target->margin, false);
    const char *few = s->fixed ? "" : ", and fewer than three seeds decide nothing";
    if (s->fixed && d <= target->half_unit) {
        entry->verdict = VERDICT_REPRODUCED;
        entry->reason = mem_text("equal to the printed digits");
    } else if (d <= target->margin) {
        entry->verdict = VERDICT_WITHIN_MARGIN;
        entry->reason = mem_text("within the margin of %s%s", text, few);
    } else {
        entry->verdict = s->fixed ? VERDICT_NOT_REPRODUCED : VERDICT_INCONCLUSIVE;
        entry->reason = mem_text("outside the margin of %s%s", text, few);
    }
    entry->number.low = term_plain(&target->term, y - width);
    entry->number.high = term_plain(&target->term, y + width);
    free(text);
}

bool prediction_judge(const Rule *rule, const Target *target, const Series *s, const Measurements *all,
                      Entry *entry, Err *err)
{
    Spread spread = {series_sd(s), (double)s->count - 1, false};
    if (!s->fixed && rule->pool_count > 0 && !pool(rule, target->term.form, all, &spread, err))
        return false;
    if (!s->fixed && s->count >= FEW_SEEDS)
        judge_spread(target, s, &spread, entry);
    else
        judge_near(target, s, entry);
    char *difference = difference_text(&target->term, series_mean(s) - target->published, true);
    char *rest = entry->reason;
    entry->reason = mem_text("%.6g against %.6g (%s): %s", entry->number.measured, entry->number.published,
                             difference, rest);
    free(difference);
    free(rest);
    return true;
}
