#include "prediction.h"

#include "mem.h"
#include "rules.h"
#include "stats.h"

#include <math.h>

enum { MOST_SEEDS = 1000 }; /* more will never be run */

/* A difference as a reader wants it: a percentage where logarithms are compared. */
static char *difference_text(const Claim *claim, double difference, bool sign)
{
    if (rule_is_log(claim))
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
static bool pool(const Claim *claim, const Measurements *all, Spread *spread, Err *err)
{
    const Json *names = json_get(claim->json, "pool");
    size_t rows = 0, *n = mem_new(json_count(names), sizeof *n);
    double *sd = mem_new(json_count(names), sizeof *sd), largest = -1; /* none */
    bool good = true;
    for (const Json *name = json_first(names); name && good; name = json_next(name), rows++) {
        Series series;
        good = series_read(all, json_string(name), &series, err) || err_within(err, "key \"pool\"");
        if (rule_is_log(claim))
            series_log(&series);
        n[rows] = series_present(&series);
        sd[rows] = series_sd(&series);
        if (n[rows] >= 2)
            largest = fmax(largest, sd[rows]);
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

static char *spread_reason(const Claim *claim, const Series *s, const Spread *spread, double half,
                           double margin, Verdict verdict)
{
    char *h = difference_text(claim, half, false), *d = difference_text(claim, margin, false), *text = NULL;
    const char *whose = spread->pooled ? " (spread pooled over the table)" : "";
    size_t needed = verdict == VERDICT_INCONCLUSIVE ? seeds_needed(spread, s->count, margin) : 0;
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
static void judge_spread(const Claim *claim, const Series *s, const Spread *spread, double y, double r,
                         double margin, Entry *entry)
{
    double m = series_mean(s), d = fabs(m - y) - entry_rounding(m, y);
    double half = stats_prediction_half_width(spread->sd, s->count, spread->df, ALPHA);
    if (d <= half + r)
        entry->verdict = half <= margin ? VERDICT_REPRODUCED : VERDICT_INCONCLUSIVE;
    else
        entry->verdict = d <= margin ? VERDICT_WITHIN_MARGIN : VERDICT_NOT_REPRODUCED;
    entry->low = entry_plain(claim, 0, m - half);
    entry->high = entry_plain(claim, 0, m + half);
    entry->reason = spread_reason(claim, s, spread, half, margin, entry->verdict);
}

/* Against what has no spread: a number without chance, or fewer than three seeds. */
static void judge_near(const Claim *claim, const Series *s, double y, double r, double margin, Entry *entry)
{
    double m = series_mean(s), d = fabs(m - y) - entry_rounding(m, y), width = s->fixed ? r : margin;
    char *text = difference_text(claim, margin, false);
    const char *few = s->fixed ? "" : ", and fewer than three seeds decide nothing";
    if (s->fixed && d <= r) {
        entry->verdict = VERDICT_REPRODUCED;
        entry->reason = mem_text("equal to the printed digits");
    } else if (d <= margin) {
        entry->verdict = VERDICT_WITHIN_MARGIN;
        entry->reason = mem_text("within the margin of %s%s", text, few);
    } else {
        entry->verdict = s->fixed ? VERDICT_NOT_REPRODUCED : VERDICT_INCONCLUSIVE;
        entry->reason = mem_text("outside the margin of %s%s", text, few);
    }
    entry->low = entry_plain(claim, 0, y - width);
    entry->high = entry_plain(claim, 0, y + width);
    free(text);
}

bool prediction_judge(const Claim *claim, const Measurements *all, size_t index, const Series *s,
                      Entry *entry, Err *err)
{
    double y = rule_published(claim, index), r = rule_half_unit(claim, index),
           margin = rule_margin(claim, index);
    Spread spread = {series_sd(s), (double)s->count - 1, false};
    if (!s->fixed && json_get(claim->json, "pool") && !pool(claim, all, &spread, err))
        return false;
    if (!s->fixed && s->count >= FEW_SEEDS)
        judge_spread(claim, s, &spread, y, r, margin, entry);
    else
        judge_near(claim, s, y, r, margin, entry);
    char *difference = difference_text(claim, series_mean(s) - y, true), *rest = entry->reason;
    entry->reason =
        mem_text("%.6g against %.6g (%s): %s", entry->measured, entry->published, difference, rest);
    free(difference);
    free(rest);
    return true;
}
