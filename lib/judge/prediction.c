#include "prediction.h"

#include "mem.h"
#include "stats.h"

#include <math.h>
#include <string.h>

enum { MOST_SEEDS = 1000 }; /* more will never be run */

/* A row keeps its own spread when F(its variance over the others') is in the upper quarter, or in the lowest 5 %.
 * The level is high where a true claim would suffer, since three seeds tell spreads apart badly. */
static const double WIDER = 0.75, NARROWER = 0.05;

/* Fewer than three seeds show no spread of their own, so a refutation by the others' allows for one that is three
 * times as wide. */
static const double UNSEEN = 3;

/* A difference as a reader wants it: a percentage where logarithms are compared. */
static char *difference_text(const Term *term, double difference, bool sign)
{
    if (term_is_log(term))
        return mem_text(sign ? "%+.3g %%" : "%.3g %%", 100 * expm1(difference));
    return mem_text(sign ? "%+.4g" : "%.4g", difference);
}

/* A standard deviation and its degrees of freedom, 0 when there is none. */
typedef struct Spread {
    double sd, df;
    bool pooled;
} Spread;

static Spread spread_of(const Series *s)
{
    size_t n = series_present(s);
    return n >= 2 ? (Spread){series_sd(s), (double)n - 1, false} : (Spread){0, 0, false};
}

static Spread joined(const Spread *a, const Spread *b)
{
    double df = a->df + b->df, squares = a->df * a->sd * a->sd + b->df * b->sd * b->sd;
    return df > 0 ? (Spread){sqrt(squares / df), df, true} : *a;
}

/* The common spread of the table's rows but one. */
static bool read_others(const Rule *rule, const Term *term, const Measurements *all, Spread *others, Err *err)
{
    *others = (Spread){0, 0, true};
    for (size_t row = 0; row < rule->pool_count; row++) {
        Series series;
        if (!series_read(all, &(Term){.form = term->form, .a = rule->pool[row]}, &series, err))
            return false;
        Spread spread = spread_of(&series);
        if (strcmp(rule->pool[row], term->a) != 0)
            *others = joined(others, &spread);
        series_free(&series);
    }
    return true;
}

/* Whether a row spreads as the others do: the ratio of the variances is inside F's limits. Where one of the two
 * is not known, or neither spreads, nothing speaks against it. */
static bool is_alike(const Spread *own, const Spread *others)
{
    if (own->df == 0 || others->df == 0 || (own->sd == 0 && others->sd == 0))
        return true;
    double ratio = own->sd / others->sd;
    double p = stats_f_probability(ratio * ratio, own->df, others->df);
    return p >= NARROWER && p <= WIDER;
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

/* Against the digits: no chance is involved. */
static void judge_digits(const Target *target, double m, Entry *entry)
{
    double y = target->published, d = fabs(m - y) - entry_rounding(m, y);
    char *margin = difference_text(&target->term, target->margin, false);
    if (d <= target->half_unit) {
        entry->verdict = VERDICT_REPRODUCED;
        entry->reason = mem_text("equal to the printed digits");
    } else if (d <= target->margin) {
        entry->verdict = VERDICT_WITHIN_MARGIN;
        entry->reason = mem_text("within the margin of %s", margin);
    } else {
        entry->verdict = VERDICT_NOT_REPRODUCED;
        entry->reason = mem_text("outside the margin of %s", margin);
    }
    entry->number.low = term_plain(&target->term, y - target->half_unit);
    entry->number.high = term_plain(&target->term, y + target->half_unit);
    free(margin);
}

/* Against one or two seeds, which reproduce nothing; what the table's rows spread together can refute. */
static void judge_few(const Target *target, const Series *s, const Spread *spread, Entry *entry)
{
    double m = series_mean(s), y = target->published, d = fabs(m - y) - entry_rounding(m, y);
    double wide = INFINITY;
    if (spread->pooled && spread->df >= FEW_SEEDS - 1)
        wide = UNSEEN * stats_prediction_half_width(spread->sd, s->count, spread->df, ALPHA);
    char *margin = difference_text(&target->term, target->margin, false);
    char *far = difference_text(&target->term, wide, false);
    if (d <= target->margin) {
        entry->verdict = VERDICT_WITHIN_MARGIN;
        entry->reason = mem_text("within the margin of %s, and %s", margin, entry_few(s));
    } else if (d <= wide + target->half_unit) {
        entry->verdict = VERDICT_INCONCLUSIVE;
        entry->reason = mem_text("outside the margin of %s, and %s", margin, entry_few(s));
    } else {
        entry->verdict = VERDICT_NOT_REPRODUCED;
        entry->reason =
            mem_text("outside the margin of %s and %g times what one new draw of the table's rows "
                     "spreads by, ±%s",
                     margin, UNSEEN, far);
    }
    entry->number.low = term_plain(&target->term, y - target->margin);
    entry->number.high = term_plain(&target->term, y + target->margin);
    free(margin);
    free(far);
}

bool prediction_judge(const Rule *rule, const Target *target, const Series *s, const Measurements *all,
                      Entry *entry, Err *err)
{
    Spread spread = spread_of(s), others;
    if (!s->fixed && rule->pool_count > 0) {
        if (!read_others(rule, &target->term, all, &others, err))
            return false;
        if (s->count < FEW_SEEDS || is_alike(&spread, &others))
            spread = joined(&spread, &others);
    }
    if (s->fixed)
        judge_digits(target, series_mean(s), entry);
    else if (s->count < FEW_SEEDS)
        judge_few(target, s, &spread, entry);
    else
        judge_spread(target, s, &spread, entry);
    char *difference = difference_text(&target->term, series_mean(s) - target->published, true);
    char *rest = entry->reason;
    entry->reason = mem_text("%.6g against %.6g (%s): %s", entry->number.measured, entry->number.published,
                             difference, rest);
    free(difference);
    free(rest);
    return true;
}
