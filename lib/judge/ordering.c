#include "ordering.h"

#include "mem.h"
#include "stats.h"

#include <math.h>

/* One neighbouring pair, judged. */
typedef struct Pair {
    const char *first, *second;
    Verdict verdict;
    double mean; /* of the differences in the claimed direction */
    char seeds[32];
} Pair;

/* Whether the mean is farther from 0 than its one-sided bound. Infinite differences speak by their sign alone:
 * the bound is taken over the finite ones, when there are two. */
static bool is_clear(const Series *e)
{
    double *finite = mem_new(e->count, sizeof *finite);
    size_t n = 0;
    for (size_t i = 0; i < e->count; i++)
        if (isfinite(e->x[i]))
            finite[n++] = e->x[i];
    bool clear = n < 2 || fabs(stats_mean(finite, n)) > stats_mean_bound(stats_sd(finite, n), n, ALPHA);
    free(finite);
    return clear;
}

static Verdict verdict_of(const Series *e)
{
    size_t right = 0, wrong = 0;
    for (size_t i = 0; i < e->count; i++) {
        right += e->x[i] > 0;
        wrong += e->x[i] < 0;
    }
    if (e->fixed)
        return right ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
    if (e->count < FEW_SEEDS)
        return right == e->count ? VERDICT_WITHIN_MARGIN : VERDICT_INCONCLUSIVE;
    if ((right < e->count && wrong < e->count) || !is_clear(e))
        return VERDICT_INCONCLUSIVE;
    return right ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
}

/* Whether a says more against the order than b does: a worse verdict, or a smaller difference. */
static bool is_weaker(const Pair *a, const Pair *b)
{
    return a->verdict != b->verdict ? a->verdict > b->verdict : a->mean < b->mean;
}

static bool judge_pair(const Rule *rule, Pair *pair, Evidence *evidence, Err *err)
{
    Term term = {rule->larger_is_better ? TERM_RANK_LOW : TERM_RANK_HIGH, pair->first, pair->second};
    Series e;
    if (!evidence_read(evidence, &term, &e, err))
        return false;
    for (size_t i = 0; i < e.count && !rule->falling; i++)
        e.x[i] = -e.x[i];
    pair->verdict = verdict_of(&e);
    pair->mean = series_mean(&e);
    entry_seeds(&e, pair->seeds);
    series_free(&e);
    return true;
}

/* Judges every pair of neighbours; the weakest decides. */
static bool judge_pairs(const Rule *rule, Evidence *evidence, Pair *weakest, Err *err)
{
    *weakest = (Pair){0};
    for (size_t i = 0; i < rule->count; i++)
        for (size_t j = i + 1; j < rule->count; j++) {
            if (rule->targets[j].place != rule->targets[i].place + 1)
                continue;
            Pair pair = {.first = rule->targets[i].term.a, .second = rule->targets[j].term.a};
            if (!judge_pair(rule, &pair, evidence, err))
                return false;
            if (!weakest->first || is_weaker(&pair, weakest))
                *weakest = pair;
        }
    return true;
}

/* The measured number of every name, and how much was lost: a sentence about that, owned by the caller. */
static bool measure_names(const Rule *rule, Evidence *evidence, Judgement *judgement, char **lost, Err *err)
{
    size_t missing = 0, samples = 0;
    char *reason = NULL;
    for (size_t i = 0; i < rule->count; i++) {
        Series s;
        if (!evidence_read(evidence, &rule->targets[i].term, &s, err)) {
            free(reason);
            return false;
        }
        judgement->numbers[i].measured = series_mean(&s);
        missing += s.lost;
        samples += s.count;
        if (s.lost && !reason)
            reason = mem_text("%s", s.reason);
        series_free(&s);
    }
    *lost = missing ? mem_text("; %zu of %zu samples are lost and rank worst (%s)", missing, samples, reason)
                    : mem_text("%s", "");
    free(reason);
    return true;
}

static char *sentence(const Rule *rule, const Pair *weakest, const char *lost)
{
    static const char *const words[] = {[VERDICT_REPRODUCED] = "the order holds",
                                        [VERDICT_WITHIN_MARGIN] =
                                            "the order holds as far as so few seeds tell",
                                        [VERDICT_INCONCLUSIVE] = "the order is not decided",
                                        [VERDICT_NOT_REPRODUCED] = "the order does not hold"};
    return mem_text("%s: the weakest pair, \"%s\" minus \"%s\", is %+.4g%s%s", words[weakest->verdict],
                    weakest->first, weakest->second, rule->falling ? weakest->mean : -weakest->mean,
                    weakest->seeds, lost);
}

bool ordering_judge(const Rule *rule, Evidence *evidence, Judgement *judgement, Err *err)
{
    Pair weakest;
    char *lost;
    if (!judge_pairs(rule, evidence, &weakest, err) || !measure_names(rule, evidence, judgement, &lost, err))
        return false;
    judgement->verdict = weakest.verdict;
    judgement->reason = sentence(rule, &weakest, lost);
    free(lost);
    return true;
}
