#include "ordering.h"

#include "mem.h"
#include "rules.h"
#include "stats.h"

#include <math.h>

typedef struct Order {
    const Json *groups;
    const char *key; /* "falling" or "rising" */
    int direction;   /* +1 when the first is to be the largest */
    Pairing pairing; /* so that what is lost ranks worst */
} Order;

/* One neighbouring pair, judged. */
typedef struct Pair {
    const char *first, *second;
    Verdict verdict;
    double mean; /* of the differences in the claimed direction */
    char seeds[32];
} Pair;

static Order order_of(const Claim *claim)
{
    const Json *falling = json_get(claim->json, "falling");
    Pairing pairing = rule_larger_is_better(claim) ? PAIR_RANK_LOW : PAIR_RANK_HIGH;
    if (falling)
        return (Order){falling, "falling", 1, pairing};
    return (Order){json_get(claim->json, "rising"), "rising", -1, pairing};
}

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

static bool judge_pair(const Order *order, const Measurements *all, Pair *pair, Judgement *judgement,
                       Err *err)
{
    Series e;
    if (!entry_read_pair(all, order->key, pair->first, pair->second, order->pairing, judgement, &e, err))
        return false;
    for (size_t i = 0; i < e.count; i++)
        e.x[i] *= order->direction;
    pair->verdict = verdict_of(&e);
    pair->mean = series_mean(&e);
    entry_seeds(&e, pair->seeds);
    series_free(&e);
    return true;
}

/* Whether a says more against the order than b does: a worse verdict, or a smaller difference. */
static bool is_weaker(const Pair *a, const Pair *b)
{
    return a->verdict != b->verdict ? a->verdict > b->verdict : a->mean < b->mean;
}

/* Judges every pair of neighbours; the weakest decides. */
static bool judge_pairs(const Order *order, const Measurements *all, Pair *weakest, Judgement *judgement,
                        Err *err)
{
    *weakest = (Pair){0};
    for (const Json *group = json_first(order->groups); json_next(group); group = json_next(group)) {
        const Json *next = json_next(group);
        for (size_t i = 0; i < claim_entries(group); i++) {
            for (size_t j = 0; j < claim_entries(next); j++) {
                Pair pair = {.first = json_string(claim_entry(group, i)),
                             .second = json_string(claim_entry(next, j))};
                if (!judge_pair(order, all, &pair, judgement, err))
                    return false;
                if (!weakest->first || is_weaker(&pair, weakest))
                    *weakest = pair;
            }
        }
    }
    return true;
}

/* Measured and published numbers of every name, and how much was lost; a sentence about that, owned by the
 * caller. */
static bool fill(const Claim *claim, const Order *order, const Measurements *all, Judgement *judgement,
                 char **lost, Err *err)
{
    size_t index = 0, missing = 0, samples = 0;
    char *reason = NULL;
    for (const Json *group = json_first(order->groups); group; group = json_next(group)) {
        for (size_t i = 0; i < claim_entries(group); i++, index++) {
            Series s;
            if (!entry_read_name(all, order->key, json_string(claim_entry(group, i)), judgement, &s, err)) {
                free(reason);
                return false;
            }
            judgement->published[index] = rule_printed(claim, index);
            judgement->measured[index] = series_mean(&s);
            judgement->low[index] = judgement->high[index] = NAN;
            missing += s.lost;
            samples += s.count;
            if (s.lost && !reason)
                reason = mem_text("%s", s.reason);
            series_free(&s);
        }
    }
    *lost = missing ? mem_text("; %zu of %zu samples are lost and rank worst (%s)", missing, samples, reason)
                    : mem_text("%s", "");
    free(reason);
    return true;
}

static size_t count_names(const Order *order)
{
    size_t names = 0;
    for (const Json *group = json_first(order->groups); group; group = json_next(group))
        names += claim_entries(group);
    return names;
}

static char *sentence(const Order *order, const Pair *weakest, const char *lost)
{
    static const char *const words[] = {[VERDICT_REPRODUCED] = "the order holds",
                                        [VERDICT_WITHIN_MARGIN] =
                                            "the order holds as far as so few seeds tell",
                                        [VERDICT_INCONCLUSIVE] = "the order is not decided",
                                        [VERDICT_NOT_REPRODUCED] = "the order does not hold"};
    double difference = weakest->mean * order->direction;
    return mem_text("%s: the weakest pair, \"%s\" minus \"%s\", is %+.4g%s%s", words[weakest->verdict],
                    weakest->first, weakest->second, difference, weakest->seeds, lost);
}

bool ordering_judge(const Claim *claim, const Measurements *all, Judgement *judgement, Err *err)
{
    Order order = order_of(claim);
    Pair weakest;
    char *lost;
    judgement->count = count_names(&order);
    judgement->published = mem_new(judgement->count, sizeof(double));
    judgement->measured = mem_new(judgement->count, sizeof(double));
    judgement->low = mem_new(judgement->count, sizeof(double));
    judgement->high = mem_new(judgement->count, sizeof(double));
    if (!judge_pairs(&order, all, &weakest, judgement, err) ||
        !fill(claim, &order, all, judgement, &lost, err)) {
        judgement_free(judgement);
        return false;
    }
    judgement->verdict = weakest.verdict;
    judgement->reason = sentence(&order, &weakest, lost);
    free(lost);
    return true;
}
