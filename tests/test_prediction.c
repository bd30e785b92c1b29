#include "claim_text.h"
#include "prediction.h"
#include "rng.h"
#include "stats.h"

#define VALUE(published, half_unit, margin)                                                                  \
    "\"measure\": \"m\", \"published\": " published ", \"half_unit\": " half_unit                            \
    ", \"margin\": {\"value\": " margin ", \"why\": \"w\"}"

/* Three samples -s, 0, s have mean 0, SD s and h = 4.303 · s · sqrt(4/3) = 4.97 s. */
static void three_seeds_are_judged_by_the_table(void **state)
{
    (void)state;
    const char *spread = "99 100 101"; /* h = 4.97 */
    assert_verdict(judged("value", VALUE("104.9", "0", "5"), measured("m", spread, NULL)), "reproduced",
                   "100 against 104.9 (-4.9): within ±4.968 of one new draw");
    assert_verdict(judged("value", VALUE("105", "0", "5"), measured("m", spread, NULL)), "within margin",
                   "outside ±4.968 of one new draw, within the margin of 5: a systematic offset");
    assert_verdict(judged("value", VALUE("105", "0.05", "5"), measured("m", spread, NULL)), "reproduced",
                   "100");
    assert_verdict(judged("value", VALUE("95", "0", "4"), measured("m", spread, NULL)), "not reproduced",
                   "100 against 95 (+5): outside");
    assert_verdict(judged("value", VALUE("105.1", "0", "5"), measured("m", spread, NULL)), "not reproduced",
                   "and the margin of 5");
    assert_verdict(
        judged("value", VALUE("100", "0", "3.1"), measured("m", spread, NULL)), "inconclusive",
        "about 5 seeds would settle it"); /* 2.776 · sqrt(6/5) = 3.04 <= 3.1, and 3.56 of four is not */
    assert_verdict(judged("value", VALUE("100", "0", "1.9"), measured("m", spread, NULL)), "inconclusive",
                   "at any number of seeds"); /* h never falls below 1.96 s */
}

static void the_interval_is_that_of_the_next_draw(void **state)
{
    (void)state;
    Judgement j = judged("value", VALUE("100", "0", "5"), measured("m", "99 100 101", NULL));
    double h = 4.302652729749464 * sqrt(4.0 / 3);
    assert_int_equal(j.count, 1);
    assert_int_equal(j.seeds, 3);
    assert_near(j.numbers[0].published, 100, 0);
    assert_near(j.numbers[0].measured, 100, 0);
    assert_near(j.numbers[0].low, 100 - h, 1e-10);
    assert_near(j.numbers[0].high, 100 + h, 1e-10);
    judgement_free(&j);
}

static void fewer_than_three_seeds_are_never_called_reproduced(void **state)
{
    (void)state;
    Judgement j = judged("value", VALUE("100", "0.5", "5"), measured("m", "100 100", NULL));
    assert_int_equal(j.seeds, 2);
    assert_near(j.numbers[0].low, 95, 0); /* y ± D is what was compared */
    assert_near(j.numbers[0].high, 105, 0);
    assert_verdict(j, "within margin", "two seeds can neither reproduce nor refute it");
    assert_verdict(judged("value", VALUE("100", "0.5", "5"), measured("m", "107", NULL)), "inconclusive",
                   "107 against 100 (+7): outside the margin of 5, and one seed can neither");
}

/* Two rows of two seeds, sd 1.41 each, have two degrees of freedom: 3 h = 3 · 4.303 · 1.414 · sqrt(3/2) = 22.4. */
static void few_seeds_refute_where_the_rows_of_the_table_show_the_spread(void **state)
{
    (void)state;
    const char *fields = VALUE("100", "0.5", "5") ", \"pool\": [\"m\", \"n\"]";
    assert_verdict(
        judged("value", fields, measured("m", "122 124", "n", "7 9", NULL)), "not reproduced",
        "outside the margin of 5 and 3 times what one new draw of the table's rows spreads by, ±22.36");
    assert_verdict(judged("value", fields, measured("m", "121 123", "n", "7 9", NULL)), "inconclusive",
                   "two seeds can neither");
    assert_verdict(judged("value", fields, measured("m", "103 105", "n", "7 9", NULL)), "within margin",
                   "two seeds can neither");
    /* one seed, beside a row of three: 3 h = 3 · 4.303 · 1 · sqrt(2) = 18.25 */
    assert_verdict(judged("value", fields, measured("m", "119", "n", "7 8 9", NULL)), "not reproduced",
                   "±18.25");
    assert_verdict(judged("value", fields, measured("m", "118.5", "n", "7 8 9", NULL)), "inconclusive",
                   "one seed can neither");
    /* no row spreads where every row has one seed, and one degree of freedom is too few */
    assert_verdict(judged("value", fields, measured("m", "9999", "n", "7", NULL)), "inconclusive",
                   "one seed");
    assert_verdict(judged("value", fields, measured("m", "9999", "n", "7 9", NULL)), "inconclusive",
                   "one seed");
}

static void a_number_without_chance_is_judged_by_its_digits(void **state)
{
    (void)state;
    Judgement j = judged("value", VALUE("2.43", "0.005", "0.1"), measured("m", "= 2.4260", NULL));
    assert_int_equal(j.seeds, 0);
    assert_near(j.numbers[0].low, 2.425, 1e-15);
    assert_near(j.numbers[0].high, 2.435, 1e-15);
    assert_verdict(j, "reproduced", "equal to the printed digits");
    /* the limit itself belongs to both neighbours, though neither it nor the difference is exact in binary */
    assert_verdict(judged("value", VALUE("2.43", "0.005", "0.1"), measured("m", "= 2.425", NULL)),
                   "reproduced", "");
    assert_verdict(judged("value", VALUE("2.43", "0.005", "0.1"), measured("m", "= 2.435", NULL)),
                   "reproduced", "");
    assert_verdict(judged("value", VALUE("2.43", "0.005", "0.1"), measured("m", "= 2.4351", NULL)),
                   "within margin", "within the margin of 0.1");
    assert_verdict(judged("value", VALUE("2.43", "0.005", "0.1"), measured("m", "= 2.54", NULL)),
                   "not reproduced", "outside the margin of 0.1");
}

static void logarithms_are_compared_where_the_claim_says_so(void **state)
{
    (void)state;
    const char *fields = VALUE("40", "0.005", "0.03") ", \"log\": true";
    Judgement j = judged("value", fields, measured("m", "39.9 40.0 40.1", NULL));
    assert_near(j.numbers[0].published, 40, 0);
    assert_near(j.numbers[0].measured, cbrt(39.9 * 40 * 40.1), 1e-12);
    double h = 4.97 * (log(40.1) - log(39.9)) / 2;
    assert_near(j.numbers[0].high, 40 * exp(h), 0.001);
    assert_verdict(j, "reproduced", "%");
    assert_verdict(judged("value", fields, measured("m", "41 41 41", NULL)), "within margin",
                   "+2.5 %"); /* ln 0.0247 */
    assert_verdict(judged("value", fields, measured("m", "42 42 42", NULL)), "not reproduced", "+5 %");
    assert_verdict(judged("value", fields, measured("m", "40 40 0", NULL)), "not reproduced", "no logarithm");
}

static void rows_of_one_table_pool_their_spread(void **state)
{
    (void)state;
    const char *fields = VALUE("103", "0", "5") ", \"pool\": [\"m\", \"n\"]";
    /* sd 1 and 2: s_p = sqrt(2.5), four degrees of freedom, h = 2.776 · 1.581 · sqrt(4/3) = 5.07 */
    Judgement j = judged("value", fields, measured("m", "99 100 101", "n", "8 10 12", NULL));
    assert_near(j.numbers[0].high - 100, 2.7764451052 * sqrt(2.5) * sqrt(4.0 / 3), 1e-8);
    assert_verdict(j, "inconclusive", "pooled over the table");
    j = judged("value", fields, measured("m", "100 100 100", "n", "8 8 8", NULL)); /* nothing spreads */
    assert_near(j.numbers[0].high, 100, 0);
    judgement_free(&j);
    assert_unjudgeable("value", fields, measured("m", "1", NULL), "\"n\" was not measured");
}

/* F(2, 2) is in its upper quarter above 3, and in its lowest 5 % below 1/19. */
static void a_row_that_spreads_otherwise_than_the_others_keeps_its_own_spread(void **state)
{
    (void)state;
    const char *fields = VALUE("103", "0", "5") ", \"pool\": [\"m\", \"n\"]";
    const struct {
        const char *others;
        bool pooled;
    } cases[] = {{"8.3 10 11.7", true}, {"9.42 10 10.58", true}, {"9.43 10 10.57", false},
                 {"5.7 10 14.3", true}, {"5.6 10 14.4", false},  {"8 8 8", false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        Judgement j = judged("value", fields, measured("m", "99 100 101", "n", cases[i].others, NULL));
        assert_int_equal(strstr(j.reason, "pooled") != NULL, cases[i].pooled);
        assert_true(cases[i].pooled || fabs(j.numbers[0].high - 104.968) < 0.001);
        judgement_free(&j);
    }
}

static void differences_and_ratios_are_paired_by_seed(void **state)
{
    (void)state;
    const char *fields = "\"of\": [\"a\", \"b\"], \"published\": 14, \"decimals\": 0, "
                         "\"margin\": {\"share\": 0.25, \"why\": \"w\"}";
    /* the arms move together by tens, their differences by tenths */
    Measurements all = measured("a", "60 70 80", "b", "45.9 56 66.1", NULL);
    Judgement j = judged("difference", fields, all);
    assert_near(j.numbers[0].measured, 14, 1e-12);
    assert_near(j.numbers[0].high - 14, 0.497, 0.001);
    assert_verdict(j, "reproduced", "14 against 14");
    const char *ratio = "\"of\": [\"a\", \"b\"], \"published\": 4, \"half_unit\": 0.5, "
                        "\"margin\": {\"share\": 0.1, \"why\": \"w\"}";
    j = judged("ratio", ratio, measured("a", "40 80 120", "b", "10 20 30", NULL));
    assert_near(j.numbers[0].measured, 4, 1e-14);
    assert_verdict(j, "reproduced", "4 against 4");
    assert_verdict(judged("ratio", ratio, measured("a", "80 80 80", "b", "10 10 10", NULL)), "not reproduced",
                   "+100 %");
}

/* How often one of the published draw's own law is called something else than reproduced; the claim's row spreads
 * `wide` times as far as the others. */
enum { DRAWS = 10000, ROWS = 4, MOST = 5 };

static double alarm_rate(int seeds, bool pooled, double wide)
{
    static const char *const names[ROWS] = {"m", "1", "2", "3"};
    Measurements all = {0};
    Rng rng = rng_stream(11, "false alarms");
    for (int row = 0; row < ROWS; row++)
        for (int seed = 0; seed < seeds; seed++)
            measurements_add(&all, names[row], seed, 0, false);
    Claims *claims =
        claim_text("value", pooled ? VALUE("0", "0", "1e9") ", \"pool\": [\"m\", \"1\", \"2\", \"3\"]"
                                   : VALUE("0", "0", "1e9"));
    int alarms = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        double published = wide * rng_normal(&rng); /* taken off the samples, since the claim's 0 is fixed */
        for (int row = 0; row < ROWS; row++)
            for (int seed = 0; seed < seeds; seed++)
                all.list[row].samples[seed].value = (row == 0 ? wide : 1) * rng_normal(&rng) - published;
        Judgement judgement =
            judge(&claims->list[0], &(Result){.conditions = comparable, .measurements = all});
        alarms += judgement.verdict != VERDICT_REPRODUCED;
        judgement_free(&judgement);
    }
    claims_free(claims);
    measurements_free(&all);
    return (double)alarms / DRAWS;
}

/* Four binomial standard errors: sqrt(0.05 · 0.95 / 10000). */
static const double tolerance = 4 * 0.00218;

static void five_percent_of_true_claims_are_called_something_else(void **state)
{
    (void)state;
    for (int seeds = 3; seeds <= MOST; seeds++)
        assert_near(alarm_rate(seeds, false, 1), 0.05, tolerance);
}

/* Asking first whether the rows are alike adds at most one in a hundred. */
static void five_to_six_percent_it_is_with_a_pooled_spread(void **state)
{
    (void)state;
    for (int seeds = 3; seeds <= MOST; seeds++) {
        double rate = alarm_rate(seeds, true, 1);
        assert_true(rate > 0.05 - tolerance && rate < 0.06 + tolerance);
    }
}

/* Pooled whatever its spread, a row of 2.5 times the others' fails in 22 %. */
static void a_wide_row_does_not_hide_behind_the_others(void **state)
{
    (void)state;
    assert_true(alarm_rate(3, true, 2.5) < 0.09 + tolerance);
    assert_true(alarm_rate(5, true, 2.5) < 0.06 + tolerance);
}

/* The two tests above can fail: the rule they guard against, "y inside the confidence interval of the mean", is
 * found out by the same draws. */
static void the_interval_of_the_mean_would_have_raised_three_times_as_many_alarms(void **state)
{
    (void)state;
    Rng rng = rng_stream(11, "false alarms");
    int alarms = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        double x[3], published = rng_normal(&rng);
        for (int i = 0; i < 3; i++)
            x[i] = rng_normal(&rng);
        double half = stats_t_quantile(0.975, 2) * stats_sd(x, 3) / sqrt(3);
        alarms += fabs(stats_mean(x, 3) - published) > half;
    }
    assert_true((double)alarms / DRAWS > 0.15);
}

/* A claim that is false by ten standard deviations is found out. */
static void a_planted_offset_is_found(void **state)
{
    (void)state;
    Rng rng = rng_stream(12, "planted");
    Claims *claims = claim_text("value", VALUE("10", "0", "1"));
    Measurements all = measured("m", "0 0 0 0 0", NULL);
    int found = 0;
    for (int draw = 0; draw < 2000; draw++) {
        for (int seed = 0; seed < 5; seed++)
            all.list[0].samples[seed].value = rng_normal(&rng);
        Judgement judgement =
            judge(&claims->list[0], &(Result){.conditions = comparable, .measurements = all});
        found += judgement.verdict == VERDICT_NOT_REPRODUCED;
        judgement_free(&judgement);
    }
    /* missed when 3.04 s + |m| > 10: s > 2.7 of five samples has probability below 1e-4 */
    assert_true(found >= 1998);
    claims_free(claims);
    measurements_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_seeds_are_judged_by_the_table),
        cmocka_unit_test(the_interval_is_that_of_the_next_draw),
        cmocka_unit_test(fewer_than_three_seeds_are_never_called_reproduced),
        cmocka_unit_test(a_number_without_chance_is_judged_by_its_digits),
        cmocka_unit_test(logarithms_are_compared_where_the_claim_says_so),
        cmocka_unit_test(rows_of_one_table_pool_their_spread),
        cmocka_unit_test(few_seeds_refute_where_the_rows_of_the_table_show_the_spread),
        cmocka_unit_test(a_row_that_spreads_otherwise_than_the_others_keeps_its_own_spread),
        cmocka_unit_test(a_wide_row_does_not_hide_behind_the_others),
        cmocka_unit_test(differences_and_ratios_are_paired_by_seed),
        cmocka_unit_test(five_percent_of_true_claims_are_called_something_else),
        cmocka_unit_test(five_to_six_percent_it_is_with_a_pooled_spread),
        cmocka_unit_test(the_interval_of_the_mean_would_have_raised_three_times_as_many_alarms),
        cmocka_unit_test(a_planted_offset_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
