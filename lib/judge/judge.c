/*
 * The rules. x_1 … x_n are one number's samples by seed, m and s their mean and standard deviation, y the
 * published number, r half a unit of its last digit, D the margin, d = |m - y|, h = t(0.975, nu) s sqrt(1 + 1/n)
 * the half width of the prediction interval of one new draw; nu = n - 1, or more where s is pooled.
 *
 * pool          s and nu are those of all rows of a table together, but a row keeps its own when
 *               F = s^2 / (the other rows' s^2) lies in the upper quarter or the lowest 5 % of F's law. Equal rows
 *               then fail in 5 to 6 %; a row of 2.5 times the others' spread in 9, 6, 5 % at 3, 5, 10 seeds (32 % were
 *               it always pooled): three seeds can't tell such a row from the others more often than that.
 *
 * value, difference, ratio (the last two paired by seed, ratios as logarithms); the interval is m ± h
 *   n >= 3      d <= h + r             reproduced, or inconclusive when h > D
 *               h + r < d <= D         within margin: a systematic offset
 *               d > max(h + r, D)      not reproduced
 *   n < 3       nothing is called reproduced: d <= D within margin; d > D inconclusive, but not reproduced when
 *               d > 3 h + r, with s pooled and nu >= 2: a row that spreads three times as far as those of its table
 *               is still called so in 5 % at most; interval y ± D
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
#include "evidence.h"
#include "mem.h"
#include "ordering.h"
#include "prediction.h"
#include "stats.h"

#include <math.h>
#include <string.h>

/* ---- contrasts ---- */

static char *limits_text(const Target *target)
{
    double above = term_plain(&target->term, target->above), below = term_plain(&target->term, target->below);
    if (isfinite(target->above) && isfinite(target->below))
        return mem_text("above %.6g and below %.6g", above, below);
    return isfinite(target->above) ? mem_text("above %.6g", above) : mem_text("below %.6g", below);
}

static void judge_contrast(const Target *target, const Series *s, Entry *entry)
{
    double m = series_mean(s), bound = 0;
    bool all_inside = true;
    for (size_t i = 0; i < s->count; i++)
        all_inside = all_inside && s->x[i] > target->above && s->x[i] < target->below;
    if (s->count >= FEW_SEEDS)
        bound = stats_mean_bound(series_sd(s), s->count, ALPHA);

    if (!s->fixed && s->count < FEW_SEEDS)
        entry->verdict = all_inside ? VERDICT_WITHIN_MARGIN : VERDICT_INCONCLUSIVE;
    else if (m - bound > target->above && m + bound < target->below)
        entry->verdict = VERDICT_REPRODUCED;
    else if (m + bound <= target->above || m - bound >= target->below)
        entry->verdict = VERDICT_NOT_REPRODUCED;
    else
        entry->verdict = VERDICT_INCONCLUSIVE;

    Number *number = &entry->number;
    char seeds[32], *limits = limits_text(target);
    if (s->count >= FEW_SEEDS) {
        number->low = term_plain(&target->term, m - bound);
        number->high = term_plain(&target->term, m + bound);
        entry->reason = mem_text("%.5g%s, its mean between %.5g and %.5g, to be %s", number->measured,
                                 entry_seeds(s, seeds), number->low, number->high, limits);
    } else {
        entry->reason = mem_text("%.5g%s, to be %s", number->measured, entry_seeds(s, seeds), limits);
    }
    free(limits);
}

/* ---- one number ---- */

/* A lost table's cell: what we measured, and where a new draw would fall. */
static void report(const Target *target, const Series *s, Entry *entry)
{
    entry->verdict = VERDICT_NOT_STATED;
    entry->reason = mem_text("the source does not state it");
    size_t n = series_present(s);
    if (n < FEW_SEEDS)
        return;
    double m = series_mean(s), half = stats_prediction_half_width(series_sd(s), n, (double)n - 1, ALPHA);
    entry->number.low = term_plain(&target->term, m - half);
    entry->number.high = term_plain(&target->term, m + half);
}

/* Judges a series of which no sample is lost. */
static bool judge_series(const Rule *rule, const Target *target, const Series *s, Evidence *evidence,
                         Entry *entry, Err *err)
{
    switch (rule->kind) {
    case CLAIM_EXACT:
        bound_judge_exact(target, s, entry);
        return true;
    case CLAIM_AT_MOST:
        return bound_judge_at_most(rule, s, evidence, entry, err);
    case CLAIM_SHAPE:
        judge_contrast(target, s, entry);
        return true;
    default:
        if (target->standard_error)
            return bound_judge_law(target, s, evidence, entry, err);
        return prediction_judge(rule, target, s, evidence->all, entry, err);
    }
}

static bool judge_target(const Rule *rule, const Target *target, Evidence *evidence, Entry *entry, Err *err)
{
    Series s;
    if (!evidence_read(evidence, &target->term, &s, err))
        return false;
    entry->number.measured = term_plain(&target->term, series_mean(&s));
    bool good = true;
    if (rule_is_unstated(rule)) {
        report(target, &s, entry);
    } else if (s.lost) {
        entry->verdict = VERDICT_NOT_REPRODUCED;
        entry->reason = mem_text("%zu of %zu have no value: %s", s.lost, s.count, s.reason);
    } else {
        good = judge_series(rule, target, &s, evidence, entry, err);
    }
    series_free(&s);
    return good;
}

/* ---- fractions ---- */

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

static void judge_proportion(const Rule *rule, double successes, double trials, Entry *entry)
{
    const Target *target = &rule->targets[0];
    double y = target->published, share = successes / trials;
    double slack = target->half_unit + entry_rounding(share, y);
    Interval interval = stats_proportion_interval(successes, trials, ALPHA);
    bool wide = (interval.high - interval.low) / 2 > target->margin; /* false when there is no margin */
    if (rule_is_unstated(rule))
        entry->verdict = VERDICT_NOT_STATED;
    else if (y >= interval.low - slack && y <= interval.high + slack)
        entry->verdict = wide ? VERDICT_INCONCLUSIVE : VERDICT_REPRODUCED;
    else
        entry->verdict = fabs(share - y) <= target->margin ? VERDICT_WITHIN_MARGIN : VERDICT_NOT_REPRODUCED;
    entry->number.measured = share;
    entry->number.low = interval.low;
    entry->number.high = interval.high;
    entry->reason = mem_text("%.0f of %.0f, a share between %.4g and %.4g", successes, trials, interval.low,
                             interval.high);
}

static bool judge_counts(const Rule *rule, const Series *k, const Series *n, Entry *entry, Err *err)
{
    const Term *term = &rule->targets[0].term;
    double successes, trials;
    if (!sum_counts(k, n, &successes, &trials))
        return err_set(err, "\"%s\" and \"%s\" are not counts of the same seeds", term->a, term->b);
    if (k->lost + n->lost == 0) {
        judge_proportion(rule, successes, trials, entry);
        return true;
    }
    entry->verdict = rule_is_unstated(rule) ? VERDICT_NOT_STATED : VERDICT_NOT_REPRODUCED;
    entry->reason =
        mem_text("%zu counts have no value: %s", k->lost + n->lost, k->lost ? k->reason : n->reason);
    return true;
}

static bool judge_fraction(const Rule *rule, Evidence *evidence, Entry *entry, Err *err)
{
    const Term *term = &rule->targets[0].term;
    Series k, n;
    if (!evidence_read(evidence, &(Term){.form = TERM_PLAIN, .a = term->a}, &k, err))
        return false;
    bool good = evidence_read(evidence, &(Term){.form = TERM_PLAIN, .a = term->b}, &n, err);
    if (good) {
        good = judge_counts(rule, &k, &n, entry, err);
        series_free(&n);
    }
    series_free(&k);
    return good;
}

/* ---- a whole claim ---- */

/* The reason of the number that decided, saying which one it is when there are several. */
static char *decisive_reason(const Rule *rule, size_t index, const char *reason)
{
    if (rule->count == 1)
        return mem_text("%s", reason);
    if (rule->kind == CLAIM_SHAPE)
        return mem_text("contrast %zu of %zu: %s", index + 1, rule->count, reason);
    return mem_text("\"%s\", %zu of %zu: %s", rule->targets[index].term.a, index + 1, rule->count, reason);
}

/* Judges the numbers one by one; the worst decides, the first of them when there are several. */
static bool judge_targets(const Rule *rule, Evidence *evidence, Judgement *judgement, Err *err)
{
    for (size_t i = 0; i < rule->count; i++) {
        Entry entry = {.number = judgement->numbers[i]};
        if (!(rule->kind == CLAIM_FRACTION ? judge_fraction(rule, evidence, &entry, err)
                                           : judge_target(rule, &rule->targets[i], evidence, &entry, err)))
            return false;
        judgement->numbers[i] = entry.number;
        if (i == 0 || entry.verdict > judgement->verdict) {
            free(judgement->reason);
            judgement->verdict = entry.verdict;
            judgement->reason = decisive_reason(rule, i, entry.reason);
        }
        free(entry.reason);
    }
    return true;
}

/* A verdict that no measurement decides; takes the reason over. */
static void set_verdict(Judgement *judgement, Verdict verdict, char *reason)
{
    free(judgement->reason);
    judgement->verdict = verdict;
    judgement->reason = reason;
}

static bool is_stochastic(const Rule *rule, const Judgement *judgement)
{
    bool judged = judgement->verdict != VERDICT_NOT_STATED && judgement->verdict != VERDICT_NOT_COMPARABLE &&
                  judgement->verdict != VERDICT_NOT_RUN;
    if (!judged || rule->kind == CLAIM_EXACT || rule->kind == CLAIM_AT_MOST ||
        rule->targets[0].standard_error)
        return false;
    return rule->kind == CLAIM_FRACTION || judgement->seeds >= FEW_SEEDS;
}

/* Whether the verdict would stand with more seeds, for all that the rules say. */
static bool is_decided(const Claim *claim, const Judgement *judgement)
{
    return judgement->verdict != VERDICT_WITHIN_MARGIN || judgement->seeds == 0 ||
           judgement->seeds >= FEW_SEEDS || claim->rule.kind == CLAIM_FRACTION;
}

static Outcome outcome_of(const Claim *claim, const Judgement *judgement)
{
    switch (judgement->verdict) {
    case VERDICT_REPRODUCED:
    case VERDICT_WITHIN_MARGIN:
    case VERDICT_CONTRADICTION:
    case VERDICT_RECONSTRUCTED:
        return claim->disagrees && is_decided(claim, judgement) ? OUTCOME_FAILED : OUTCOME_FINE;
    case VERDICT_NOT_REPRODUCED:
        return claim->disagrees ? OUTCOME_DECLARED : OUTCOME_FAILED;
    case VERDICT_NOT_RUN:
        return claim->not_run ? OUTCOME_FINE : OUTCOME_FAILED;
    default:
        return OUTCOME_FINE;
    }
}

/* Judges what was measured. Under other conditions than the source's some of it may be missing, but not in
 * silence; under its own that is a failure. */
static void judge_measured(const Claim *claim, const Result *result, Judgement *judgement)
{
    static const Verdict holds[] = {[HOLDS_AS_REPRODUCED] = VERDICT_REPRODUCED,
                                    [HOLDS_AS_RECONSTRUCTED] = VERDICT_RECONSTRUCTED,
                                    [HOLDS_AS_CONTRADICTION] = VERDICT_CONTRADICTION};
    Evidence evidence = {.all = &result->measurements};
    bool other_corpus = claim->needs_corpus && !result->conditions.published_corpus;
    bool other_budget = claim->needs_budget && !result->conditions.published_budget;
    Err err = {""};
    bool good = claim->rule.kind == CLAIM_ORDER ? ordering_judge(&claim->rule, &evidence, judgement, &err)
                                                : judge_targets(&claim->rule, &evidence, judgement, &err);
    judgement->seeds = evidence.seeds;
    judgement->timed = evidence.timed;
    if (other_corpus || other_budget) {
        const char *what = other_corpus ? "corpus" : "budget";
        set_verdict(judgement, VERDICT_NOT_COMPARABLE,
                    good ? mem_text("measured with another %s than the source's", what)
                         : mem_text("another %s than the source's, and %s", what, err.text));
    } else if (!good) {
        set_verdict(judgement, VERDICT_NOT_RUN, mem_text("%s", err.text));
    } else if (judgement->verdict == VERDICT_REPRODUCED) {
        judgement->verdict = holds[claim->holds_as];
    }
}

Judgement judge(const Claim *claim, const Result *result)
{
    const Rule *rule = &claim->rule;
    Judgement judgement = {.count = rule->count, .numbers = mem_new(rule->count, sizeof(Number))};
    for (size_t i = 0; i < rule->count; i++)
        judgement.numbers[i] = (Number){rule->targets[i].printed, NAN, NAN, NAN};
    if (claim->not_run)
        set_verdict(&judgement, VERDICT_NOT_RUN, mem_text("%s", claim->not_run));
    else
        judge_measured(claim, result, &judgement);
    judgement.outcome = outcome_of(claim, &judgement);
    judgement.stochastic = is_stochastic(rule, &judgement);
    return judgement;
}

void judgement_free(Judgement *judgement)
{
    free(judgement->numbers);
    free(judgement->reason);
    *judgement = (Judgement){0};
}

Judgements judge_all(const Claims *claims, const Result *result)
{
    require(strcmp(result->experiment, claims->experiment) == 0, "claims of %s for a result of %s",
            claims->experiment, result->experiment);
    Judgements all = {mem_new(claims->count, sizeof *all.list), claims->count};
    for (size_t i = 0; i < all.count; i++)
        all.list[i] = judge(&claims->list[i], result);
    return all;
}

void judgements_free(Judgements *judgements)
{
    for (size_t i = 0; i < judgements->count; i++)
        judgement_free(&judgements->list[i]);
    free(judgements->list);
    *judgements = (Judgements){0};
}

const char *verdict_word(Verdict verdict)
{
    static const char *const words[VERDICTS] = {[VERDICT_REPRODUCED] = "reproduced",
                                                [VERDICT_WITHIN_MARGIN] = "within margin",
                                                [VERDICT_INCONCLUSIVE] = "inconclusive",
                                                [VERDICT_NOT_REPRODUCED] = "not reproduced",
                                                [VERDICT_CONTRADICTION] = "source contradicts itself",
                                                [VERDICT_RECONSTRUCTED] =
                                                    "consistent (inputs reconstructed from it)",
                                                [VERDICT_NOT_STATED] = "not stated",
                                                [VERDICT_NOT_COMPARABLE] = "not comparable",
                                                [VERDICT_NOT_RUN] = "not run"};
    return words[verdict];
}

const char *outcome_word(Outcome outcome)
{
    static const char *const words[] = {
        [OUTCOME_FINE] = "fine", [OUTCOME_DECLARED] = "declared", [OUTCOME_FAILED] = "failed"};
    return words[outcome];
}
