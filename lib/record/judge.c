/*
 * The rules. x_1 … x_n are one number's samples by seed, m and s their mean and standard deviation, y the
 * published number, r half a unit of its last digit, D the margin, d = |m - y|, h = t(0.975, nu) s sqrt(1 + 1/n)
 * the half width of the prediction interval of one new draw; nu = n - 1, or more where s is pooled.
 *
 * value, difference, ratio (the last two paired by seed, ratios as logarithms); the interval is m ± h
 *   n >= 3      d <= h + r             reproduced, or inconclusive when h > D
 *               h + r < d <= D         within margin: a systematic offset
 *               d > max(h + r, D)      not reproduced
 *               5 % of true claims are called something else, at any n.
 *   n < 3       d <= D within margin, else inconclusive: nothing is called reproduced or not; interval y ± D
 *   no chance   d <= r reproduced, d <= D within margin, else not reproduced; interval y ± r
 * law           |m - law| <= 4 se / sqrt(n) and |m - y| <= 4 se sqrt(1 + 1/n): 0.006 % each; interval of the law
 * exact         every sample equals y, or y to its printed decimals; interval y ± r
 * at_most       the largest magnitude is at most the bound; interval 0 … bound
 * order         for each neighbouring pair, e the differences by seed in the claimed direction
 *   n >= 3      all e > 0 and mean(e) > t(0.95, n-1) s_e / sqrt(n) holds; mirrored, it fails; else inconclusive.
 *               2.8 to 5 % of pairs that are equal in truth are called ordered, n = 3 … 5.
 *               What is lost ranks worst and makes e infinite: its sign counts, and the bound is taken over the
 *               finite e when there are two. Were both sides lost equally often, with probability q, then
 *               (1-q)^6 p + 3 q (1-q)^5 0.05 + 3/2 q^2 (1-q)^4 + q^3 (1-q)^3 of three pairs would be called
 *               ordered, where p is the rate without losses: 5.5 % at most, at q = 0.3.
 *   n < 3       all e > 0 within margin, else inconclusive
 *   no chance   e > 0 reproduced, else not
 * shape         for each contrast, its mean's one-sided bounds m ± t(0.95, n-1) s / sqrt(n) against its limits:
 *               both inside hold, one outside fails, else inconclusive (5 % a side); n < 3 and no chance as
 *               for order; the interval is that of the bounds
 * fraction      y within the exact 95 % interval of all trials, widened by r: reproduced, or inconclusive when a
 *               margin is given and the interval is wider; else within the margin or not reproduced
 *
 * A claim of several entries is as good as its worst. A lost sample makes all but an order not reproduced.
 */
#include "judge.h"

#include "bound.h"
#include "entry.h"
#include "mem.h"
#include "ordering.h"
#include "prediction.h"
#include "rules.h"
#include "stats.h"

#include <math.h>
#include <string.h>

/* What one claim is judged from. */
typedef struct Case {
    const Claim *claim;
    const Measurements *all;
    Judgement *judgement; /* takes note of every series that is read */
} Case;

/* A contrast's limit on the scale it is compared on; a side that is not given is infinitely far away. */
static double limit(const Json *contrast, const char *key, double otherwise)
{
    const Json *number = json_get(contrast, key);
    if (!number)
        return otherwise;
    return json_get(contrast, "over") ? log(json_number(number)) : json_number(number);
}

static char *limits_text(const Json *contrast)
{
    const Json *above = json_get(contrast, "above"), *below = json_get(contrast, "below");
    if (above && below)
        return mem_text("above %.6g and below %.6g", json_number(above), json_number(below));
    return above ? mem_text("above %.6g", json_number(above)) : mem_text("below %.6g", json_number(below));
}

static void judge_contrast(const Claim *claim, size_t index, const Series *s, Entry *entry)
{
    const Json *contrast = json_at(json_get(claim->json, "contrasts"), index);
    double above = limit(contrast, "above", -INFINITY), below = limit(contrast, "below", INFINITY);
    double m = series_mean(s), bound = 0;
    bool all_inside = true;
    for (size_t i = 0; i < s->count; i++)
        all_inside = all_inside && s->x[i] > above && s->x[i] < below;
    if (s->count >= FEW_SEEDS)
        bound = stats_mean_bound(series_sd(s), s->count, ALPHA);

    if (!s->fixed && s->count < FEW_SEEDS)
        entry->verdict = all_inside ? VERDICT_WITHIN_MARGIN : VERDICT_INCONCLUSIVE;
    else if (m - bound > above && m + bound < below)
        entry->verdict = VERDICT_REPRODUCED;
    else if (m + bound <= above || m - bound >= below)
        entry->verdict = VERDICT_NOT_REPRODUCED;
    else
        entry->verdict = VERDICT_INCONCLUSIVE;

    char seeds[32], *limits = limits_text(contrast);
    if (s->count >= FEW_SEEDS) {
        entry->low = entry_plain(claim, index, m - bound);
        entry->high = entry_plain(claim, index, m + bound);
        entry->reason = mem_text("%.5g%s, its mean between %.5g and %.5g, to be %s", entry->measured,
                                 entry_seeds(s, seeds), entry->low, entry->high, limits);
    } else {
        entry->reason = mem_text("%.5g%s, to be %s", entry->measured, entry_seeds(s, seeds), limits);
    }
    free(limits);
}

/* Judges one entry none of whose samples is lost. */
static bool judge_series(const Case *c, size_t index, const Series *s, Entry *entry, Err *err)
{
    switch (c->claim->kind) {
    case CLAIM_EXACT:
        bound_judge_exact(c->claim, index, s, entry);
        return true;
    case CLAIM_AT_MOST:
        return bound_judge_at_most(c->claim, c->all, s, c->judgement, entry, err);
    case CLAIM_SHAPE:
        judge_contrast(c->claim, index, s, entry);
        return true;
    default:
        if (json_get(c->claim->json, "law"))
            return bound_judge_law(c->claim, c->all, index, s, c->judgement, entry, err);
        return prediction_judge(c->claim, c->all, index, s, entry, err);
    }
}

/* Whether nothing is published to judge by; the other kinds are judged by what else the claim says. */
static bool is_unstated(const Claim *claim)
{
    bool needs_number = claim->kind == CLAIM_EXACT || claim->kind == CLAIM_VALUE ||
                        claim->kind == CLAIM_DIFFERENCE || claim->kind == CLAIM_RATIO ||
                        claim->kind == CLAIM_FRACTION;
    return needs_number && !json_get(claim->json, "law") && isnan(rule_printed(claim, 0));
}

/* A lost table's cell: what we measured, and where a new draw would fall. */
static void report(const Claim *claim, size_t index, const Series *s, Entry *entry)
{
    entry->verdict = VERDICT_NOT_STATED;
    entry->reason = mem_text("the source does not state it");
    if (series_present(s) < FEW_SEEDS)
        return;
    double n = (double)series_present(s), m = series_mean(s);
    double half = stats_prediction_half_width(series_sd(s), series_present(s), n - 1, ALPHA);
    entry->low = entry_plain(claim, index, m - half);
    entry->high = entry_plain(claim, index, m + half);
}

static bool judge_entry(const Case *c, size_t index, Entry *entry, Err *err)
{
    Series s;
    if (!entry_read(c->claim, c->all, index, c->judgement, &s, err))
        return false;
    entry->published = rule_printed(c->claim, index);
    entry->measured = entry_plain(c->claim, index, series_mean(&s));
    bool good = true;
    if (is_unstated(c->claim)) {
        report(c->claim, index, &s, entry);
    } else if (s.lost) {
        entry->verdict = VERDICT_NOT_REPRODUCED;
        entry->reason = mem_text("%zu of %zu have no value: %s", s.lost, s.count, s.reason);
    } else {
        good = judge_series(c, index, &s, entry, err);
    }
    series_free(&s);
    return good;
}

static bool is_count(double x)
{
    return isnan(x) || (x >= 0 && x == floor(x)); /* what is lost is none, and is said elsewhere */
}

/* Sums successes and trials over the seeds, which must be the same. */
static bool sum_counts(const Series *k, const Series *n, double *successes, double *trials)
{
    *successes = *trials = 0;
    for (size_t i = 0; i < k->count; i++) {
        if (k->count != n->count || k->seeds[i] != n->seeds[i] || !is_count(k->x[i]) || !is_count(n->x[i]) ||
            k->x[i] > n->x[i])
            return false;
        *successes += k->x[i];
        *trials += n->x[i];
    }
    return isnan(*trials) || *trials >= 1;
}

static void judge_proportion(const Claim *claim, double successes, double trials, Entry *entry)
{
    double y = rule_published(claim, 0), margin = rule_margin(claim, 0), share = successes / trials;
    double slack = rule_half_unit(claim, 0) + entry_rounding(share, y);
    Interval interval = stats_proportion_interval(successes, trials, ALPHA);
    bool wide = (interval.high - interval.low) / 2 > margin; /* false when there is no margin */
    if (is_unstated(claim))
        entry->verdict = VERDICT_NOT_STATED;
    else if (y >= interval.low - slack && y <= interval.high + slack)
        entry->verdict = wide ? VERDICT_INCONCLUSIVE : VERDICT_REPRODUCED;
    else
        entry->verdict = fabs(share - y) <= margin ? VERDICT_WITHIN_MARGIN : VERDICT_NOT_REPRODUCED;
    entry->low = interval.low;
    entry->high = interval.high;
    entry->reason = mem_text("%.0f of %.0f, a share between %.4g and %.4g", successes, trials, interval.low,
                             interval.high);
}

static bool judge_fraction(const Case *c, Entry *entry, Err *err)
{
    const char *names[] = {json_string(json_get(c->claim->json, "successes")),
                           json_string(json_get(c->claim->json, "trials"))};
    Series k, n;
    double successes, trials;
    if (!entry_read_name(c->all, "successes", names[0], c->judgement, &k, err))
        return false;
    if (!entry_read_name(c->all, "trials", names[1], c->judgement, &n, err)) {
        series_free(&k);
        return false;
    }
    bool good = sum_counts(&k, &n, &successes, &trials);
    size_t lost = k.lost + n.lost;
    const char *reason = k.lost ? k.reason : n.reason;
    entry->published = rule_printed(c->claim, 0);
    if (!good) {
        err_set(err, "key \"trials\": \"%s\" and \"%s\" are not counts of the same seeds", names[0],
                names[1]);
    } else if (lost) {
        entry->verdict = is_unstated(c->claim) ? VERDICT_NOT_STATED : VERDICT_NOT_REPRODUCED;
        entry->reason = mem_text("%zu counts have no value: %s", lost, reason);
    } else {
        entry->measured = successes / trials;
        judge_proportion(c->claim, successes, trials, entry);
    }
    series_free(&k);
    series_free(&n);
    return good;
}

/* Makes room for count entries of which nothing is known. */
static void begin_entries(Judgement *judgement, size_t count)
{
    double **lists[] = {&judgement->published, &judgement->measured, &judgement->low, &judgement->high};
    judgement->count = count;
    for (size_t l = 0; l < COUNT(lists); l++) {
        *lists[l] = mem_new(count, sizeof(double));
        for (size_t i = 0; i < count; i++)
            (*lists[l])[i] = NAN;
    }
}

/* The reason of the entry that decided, saying which one it is when there are several. */
static char *decisive_reason(const Claim *claim, size_t index, size_t count, const char *reason)
{
    const Json *measure = json_get(claim->json, "measure");
    if (count == 1)
        return mem_text("%s", reason);
    if (!measure)
        return mem_text("contrast %zu of %zu: %s", index + 1, count, reason);
    return mem_text("\"%s\", %zu of %zu: %s", json_string(claim_entry(measure, index)), index + 1, count,
                    reason);
}

/* Judges the entries one by one; the worst decides, the first of them when there are several. */
static bool judge_entries(const Case *c, Err *err)
{
    Judgement *judgement = c->judgement;
    begin_entries(judgement, entry_count(c->claim));
    for (size_t i = 0; i < judgement->count; i++) {
        Entry entry = {.published = NAN, .measured = NAN, .low = NAN, .high = NAN};
        bool good = c->claim->kind == CLAIM_FRACTION ? judge_fraction(c, &entry, err)
                                                     : judge_entry(c, i, &entry, err);
        if (!good) {
            judgement_free(judgement);
            return false;
        }
        judgement->published[i] = entry.published;
        judgement->measured[i] = entry.measured;
        judgement->low[i] = entry.low;
        judgement->high[i] = entry.high;
        if (i == 0 || entry.verdict > judgement->verdict) {
            free(judgement->reason);
            judgement->verdict = entry.verdict;
            judgement->reason = decisive_reason(c->claim, i, judgement->count, entry.reason);
        }
        free(entry.reason);
    }
    return true;
}

/* A verdict that no measurement decides; takes the reason over. */
static void set_verdict(const Claim *claim, Judgement *judgement, Verdict verdict, char *reason)
{
    if (judgement->count == 0) {
        begin_entries(judgement, entry_count(claim));
        for (size_t i = 0; i < judgement->count; i++)
            judgement->published[i] = rule_printed(claim, i);
    }
    free(judgement->reason);
    judgement->verdict = verdict;
    judgement->reason = reason;
}

/* Fewer than three seeds decide nothing, for a claim or against it. */
static bool is_decided(Verdict verdict, ClaimKind kind, int seeds)
{
    return verdict != VERDICT_WITHIN_MARGIN || seeds == 0 || seeds >= FEW_SEEDS || kind == CLAIM_FRACTION;
}

Outcome verdict_outcome(Verdict verdict, ClaimKind kind, int seeds, bool disagrees)
{
    bool holds = verdict == VERDICT_REPRODUCED || verdict == VERDICT_WITHIN_MARGIN ||
                 verdict == VERDICT_CONTRADICTION || verdict == VERDICT_RECONSTRUCTED;
    if (verdict == VERDICT_NOT_REPRODUCED)
        return disagrees ? OUTCOME_DECLARED : OUTCOME_FAILED;
    return holds && disagrees && is_decided(verdict, kind, seeds) ? OUTCOME_FAILED : OUTCOME_FINE;
}

static void conclude(const Claim *claim, Judgement *judgement)
{
    if (judgement->verdict == VERDICT_REPRODUCED && claim->holds_as)
        judgement->verdict =
            strcmp(claim->holds_as, "contradiction") == 0 ? VERDICT_CONTRADICTION : VERDICT_RECONSTRUCTED;
    judgement->outcome =
        verdict_outcome(judgement->verdict, claim->kind, judgement->seeds, claim->disagrees != NULL);
}

bool judge(const Claim *claim, const Measurements *measurements, Conditions conditions, Judgement *judgement,
           Err *err)
{
    *judgement = (Judgement){0};
    if (claim->not_run) {
        set_verdict(claim, judgement, VERDICT_NOT_RUN, mem_text("%s", claim->not_run));
        return true;
    }
    Case c = {claim, measurements, judgement};
    bool other_corpus = claim->needs_corpus && !conditions.published_corpus;
    bool other_budget = claim->needs_budget && !conditions.published_budget;
    bool good = claim->kind == CLAIM_ORDER ? ordering_judge(claim, measurements, judgement, err)
                                           : judge_entries(&c, err);
    if (other_corpus || other_budget) { /* then some of it may be unmeasured, but not in silence */
        const char *what = other_corpus ? "corpus" : "budget";
        set_verdict(claim, judgement, VERDICT_NOT_COMPARABLE,
                    good ? mem_text("measured with another %s than the source's", what)
                         : mem_text("another %s than the source's, and %s", what, err->text));
        return true;
    }
    if (!good)
        return err_within(err, "claim \"%s\"", claim->id);
    conclude(claim, judgement);
    return true;
}

void judgement_free(Judgement *judgement)
{
    free(judgement->published);
    free(judgement->measured);
    free(judgement->low);
    free(judgement->high);
    free(judgement->reason);
    *judgement = (Judgement){0};
}

const char *const claim_verdict_words[] = {[VERDICT_REPRODUCED] = "reproduced",
                                           [VERDICT_WITHIN_MARGIN] = "within margin",
                                           [VERDICT_INCONCLUSIVE] = "inconclusive",
                                           [VERDICT_NOT_REPRODUCED] = "not reproduced",
                                           [VERDICT_CONTRADICTION] = "source contradicts itself",
                                           [VERDICT_RECONSTRUCTED] =
                                               "consistent (inputs reconstructed from it)",
                                           [VERDICT_NOT_STATED] = "not stated",
                                           [VERDICT_NOT_COMPARABLE] = "not comparable",
                                           [VERDICT_NOT_RUN] = "not run",
                                           NULL};

const char *verdict_word(Verdict verdict)
{
    return claim_verdict_words[verdict];
}

bool judgement_is_stochastic(const Claim *claim, const Judgement *judgement)
{
    bool judged = judgement->verdict != VERDICT_NOT_STATED && judgement->verdict != VERDICT_NOT_COMPARABLE &&
                  judgement->verdict != VERDICT_NOT_RUN;
    if (!judged || claim->kind == CLAIM_EXACT || claim->kind == CLAIM_AT_MOST || json_get(claim->json, "law"))
        return false;
    return claim->kind == CLAIM_FRACTION || judgement->seeds >= FEW_SEEDS;
}
