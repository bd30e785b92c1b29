#include "claim_text.h"
#include "ordering.h"
#include "rng.h"

static void three_seeds_in_clear_order_reproduce_it(void **state)
{
    (void)state;
    Judgement j = judged("order", "\"falling\": [\"a\", \"b\", \"c\"], \"published\": [3, 2, 1]",
                         measured("a", "3 3.1 2.9", "b", "2 2 2", "c", "1 0.9 1.1", NULL));
    assert_int_equal(j.seeds, 3);
    assert_int_equal(j.count, 3);
    assert_near(j.numbers[2].published, 1, 0);
    assert_near(j.numbers[0].measured, 3, 1e-15);
    assert_true(isnan(j.numbers[0].low));
    assert_verdict(j, "reproduced", "the weakest pair, \"");
    assert_verdict(
        judged("order", "\"rising\": [\"c\", \"b\"]", measured("b", "2 2.1 2", "c", "1 1.1 1", NULL)),
        "reproduced", "\"c\" minus \"b\", is -1 in 3 seeds");
}

static void a_clear_order_the_other_way_is_not_reproduced(void **state)
{
    (void)state;
    assert_verdict(
        judged("order", "\"rising\": [\"a\", \"b\"]", measured("a", "3 3.1 2.9", "b", "2 2 2", NULL)),
        "not reproduced", "does not hold");
    /* one broken pair breaks the chain */
    assert_verdict(judged("order", "\"falling\": [\"a\", \"c\", \"b\"]",
                          measured("a", "3 3.1 2.9", "b", "2 2 2", "c", "1 0.9 1.1", NULL)),
                   "not reproduced", "\"c\" minus \"b\", is -1 in 3 seeds");
}

static void a_sign_that_differs_or_too_wide_a_spread_is_inconclusive(void **state)
{
    (void)state;
    assert_verdict(
        judged("order", "\"falling\": [\"a\", \"b\"]", measured("a", "3 3 1.9", "b", "2 2 2", NULL)),
        "inconclusive", "not decided");
    /* all positive, but 2 < 2.92 · 1.73 / sqrt(3) = 2.92 */
    assert_verdict(judged("order", "\"falling\": [\"a\", \"b\"]", measured("a", "1 1 4", "b", "0 0 0", NULL)),
                   "inconclusive", "is +2 in 3 seeds");
    assert_verdict(judged("order", "\"falling\": [\"a\", \"b\"]", measured("a", "2 2 2", "b", "2 2 2", NULL)),
                   "inconclusive", "is +0");
}

static void fewer_than_three_seeds_do_not_decide(void **state)
{
    (void)state;
    assert_verdict(judged("order", "\"falling\": [\"a\", \"b\"]", measured("a", "3 3", "b", "2 2", NULL)),
                   "within margin", "so few seeds");
    assert_verdict(judged("order", "\"rising\": [\"a\", \"b\"]", measured("a", "3 3", "b", "2 2", NULL)),
                   "inconclusive", "in 2 seeds");
}

static void without_chance_the_numbers_themselves_decide(void **state)
{
    (void)state;
    Judgement j = judged("order", "\"falling\": [\"a\", \"b\"]", measured("a", "= 3", "b", "= 2", NULL));
    assert_int_equal(j.seeds, 0);
    assert_verdict(j, "reproduced", "is +1");
    assert_verdict(judged("order", "\"falling\": [\"a\", \"b\"]", measured("a", "= 2", "b", "= 2", NULL)),
                   "not reproduced", "does not hold");
}

/* Seeds share their noise, which is ten times the difference: unpaired, nothing could be said. */
static void pairs_are_made_by_seed(void **state)
{
    (void)state;
    assert_verdict(
        judged("order", "\"falling\": [\"a\", \"b\"]", measured("a", "11 21.1 31", "b", "10 20 30", NULL)),
        "reproduced", "in 3 seeds");
    Measurements all = measured("a", "1 2 3 4", "b", "0", NULL); /* only one seed in common */
    Judgement j = judged("order", "\"falling\": [\"a\", \"b\"]", all);
    assert_int_equal(j.seeds, 1);
    assert_verdict(j, "within margin", "in 1 seed");
}

static void a_nested_list_is_not_ordered_among_itself(void **state)
{
    (void)state;
    const char *fields = "\"falling\": [\"a\", [\"b\", \"c\"], \"d\"]";
    assert_verdict(judged("order", fields, measured("a", "= 4", "b", "= 2", "c", "= 3", "d", "= 1", NULL)),
                   "reproduced", "");
    /* yet each of it against each neighbour */
    assert_verdict(judged("order", fields, measured("a", "= 4", "b", "= 2", "c", "= 5", "d", "= 1", NULL)),
                   "not reproduced", "\"a\" minus \"c\"");
    assert_verdict(judged("order", fields, measured("a", "= 4", "b", "= 1", "c", "= 3", "d", "= 2", NULL)),
                   "not reproduced", "\"b\" minus \"d\"");
}

static void what_diverged_ranks_worst_and_is_counted(void **state)
{
    (void)state;
    const char *fields = "\"falling\": [\"cold\", \"warm\"]";
    assert_verdict(judged("order", fields, measured("cold", "x x x", "warm", "2 2 2", NULL)), "reproduced",
                   "3 of 6 samples are lost and rank worst (diverged at step 7)");
    assert_verdict(judged("order", fields, measured("cold", "x 3 3.1", "warm", "2 2 2", NULL)), "reproduced",
                   "1 of 6 samples are lost");
    assert_verdict(judged("order", fields, measured("cold", "3 3 3", "warm", "x x x", NULL)),
                   "not reproduced", "3 of 6");
    assert_verdict(judged("order", fields, measured("cold", "x 3 3", "warm", "x 2 2", NULL)), "inconclusive",
                   "2 of 6"); /* both diverged at one seed: a tie */
    assert_verdict(judged("order", fields, measured("cold", "x 3 3", "warm", "2 x 2", NULL)), "inconclusive",
                   "2 of 6");
    assert_verdict(judged("order", fields, measured("cold", "= x", "warm", "= 2", NULL)), "reproduced",
                   "1 of 2");
}

static void what_diverged_ranks_worst_where_large_is_good(void **state)
{
    (void)state;
    const char *fields = "\"rising\": [\"average\", \"block\"], \"better\": \"larger\"";
    assert_verdict(judged("order", fields, measured("average", "30 31 32", "block", "x x x", NULL)),
                   "not reproduced", "3 of 6 samples are lost and rank worst");
    assert_verdict(judged("order", fields, measured("average", "x x x", "block", "90 91 92", NULL)),
                   "reproduced", "3 of 6");
    assert_verdict(judged("order", fields, measured("average", "30 31 32", "block", "90 x 92", NULL)),
                   "inconclusive", "1 of 6");
    fields = "\"falling\": [\"bag\", \"block\"], \"better\": \"larger\"";
    assert_verdict(judged("order", fields, measured("bag", "90 91 92", "block", "x x x", NULL)), "reproduced",
                   "3 of 6");
    fields = "\"falling\": [\"cold\", \"warm\"], \"better\": \"smaller\"";
    assert_verdict(judged("order", fields, measured("cold", "x x x", "warm", "2 2 2", NULL)), "reproduced",
                   "3 of 6");
}

static void what_can_not_be_compared_is_an_error(void **state)
{
    (void)state;
    assert_unjudgeable("order", "\"falling\": [\"a\", \"b\"]", measured("a", "1", NULL),
                       "\"b\" was not measured");
    Measurements all = measured("a", "1", NULL);
    measurements_add(&all, "b", 1, 0, false);
    assert_unjudgeable("order", "\"rising\": [\"a\", \"b\"]", all, "no seed has both");
}

enum { DRAWS = 20000 };

/* How often two arms that are equal in truth are called ordered, in the claimed direction; each of their runs
 * diverges with the given probability. */
static double false_orders(int seeds, double diverging)
{
    Measurements all = {0};
    Rng rng = rng_stream(13, "false orders");
    for (int seed = 0; seed < seeds; seed++) {
        measurements_add(&all, "a", seed, 0, false);
        measurements_add(&all, "b", seed, 0, false);
    }
    Claims *claims = claim_text("order", "\"falling\": [\"a\", \"b\"]");
    int ordered = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        char reason[] = "diverged";
        for (int arm = 0; arm < 2; arm++) {
            for (int seed = 0; seed < seeds; seed++) {
                Sample *sample = &all.list[arm].samples[seed];
                bool lost = rng_uniform(&rng) < diverging;
                sample->value = lost ? NAN : rng_normal(&rng);
                sample->missing = lost ? reason : NULL;
            }
        }
        Judgement judgement =
            judge(&claims->list[0], &(Result){.conditions = comparable, .measurements = all});
        ordered += judgement.verdict == VERDICT_REPRODUCED;
        judgement_free(&judgement);
    }
    for (int arm = 0; arm < 2; arm++)
        for (int seed = 0; seed < seeds; seed++)
            all.list[arm].samples[seed].missing = NULL; /* not theirs to free */
    claims_free(claims);
    measurements_free(&all);
    return (double)ordered / DRAWS;
}

/* A binomial standard error at a rate of 5 %: sqrt(0.05 · 0.95 / 20000). */
static const double standard_error = 0.00154;

static void equal_arms_are_rarely_called_ordered(void **state)
{
    (void)state;
    for (int seeds = 3; seeds <= 5; seeds++) {
        double rate = false_orders(seeds, 0);
        if (rate < 0.028 - 4 * standard_error || rate > 0.05 + 4 * standard_error)
            fail_msg("%d seeds: %.4f", seeds, rate);
    }
}

/* The formula at the top of judge.c: three finite differences, or two, whose bound leaves 5 %, or one, whose sign
 * is right in half of the cases, or none. A pair is infinite in the claimed direction with probability
 * q (1 - q). The rate without losses is itself measured, so the two errors add up: 4 sqrt(2). */
static void equal_arms_that_diverge_are_called_ordered_as_rarely_as_derived(void **state)
{
    (void)state;
    double whole = false_orders(3, 0);
    for (double q = 0.1; q < 1; q += 0.2) {
        double p = 1 - q, derived = pow(p, 6) * whole + 3 * q * pow(p, 5) * 0.05 + 1.5 * q * q * pow(p, 4) +
                                    q * q * q * p * p * p;
        assert_near(false_orders(3, q), derived, 4 * sqrt(2) * standard_error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_seeds_in_clear_order_reproduce_it),
        cmocka_unit_test(a_clear_order_the_other_way_is_not_reproduced),
        cmocka_unit_test(a_sign_that_differs_or_too_wide_a_spread_is_inconclusive),
        cmocka_unit_test(fewer_than_three_seeds_do_not_decide),
        cmocka_unit_test(without_chance_the_numbers_themselves_decide),
        cmocka_unit_test(pairs_are_made_by_seed),
        cmocka_unit_test(a_nested_list_is_not_ordered_among_itself),
        cmocka_unit_test(what_diverged_ranks_worst_and_is_counted),
        cmocka_unit_test(what_diverged_ranks_worst_where_large_is_good),
        cmocka_unit_test(what_can_not_be_compared_is_an_error),
        cmocka_unit_test(equal_arms_are_rarely_called_ordered),
        cmocka_unit_test(equal_arms_that_diverge_are_called_ordered_as_rarely_as_derived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
