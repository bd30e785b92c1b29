#include "claim_text.h"

#define SHAPE(contrasts) "\"contrasts\": [" contrasts "]"

static void a_contrast_holds_when_its_bounds_are_inside(void **state)
{
    (void)state;
    const char *above = SHAPE("{\"of\": \"m\", \"above\": 10, \"why\": \"w\"}");
    /* mean 12, sd 1: the one-sided bound is 2.92 / sqrt(3) = 1.69 away */
    Judgement j = judged("shape", above, measured("m", "11 12 13", NULL));
    assert_near(j.numbers[0].low, 12 - 1.686, 0.001);
    assert_near(j.numbers[0].high, 12 + 1.686, 0.001);
    assert_int_equal(j.seeds, 3);
    assert_verdict(j, "reproduced", "12 in 3 seeds, its mean between 10.314 and 13.686, to be above 10");
    assert_verdict(judged("shape", above, measured("m", "10.5 11.5 12.5", NULL)), "inconclusive",
                   "to be above 10");
    assert_verdict(judged("shape", above, measured("m", "7 8 9", NULL)), "not reproduced", "to be above 10");
    const char *both = SHAPE("{\"of\": \"m\", \"above\": 1.5, \"below\": 2.1, \"why\": \"w\"}");
    assert_verdict(judged("shape", both, measured("m", "1.9 1.91 1.92", NULL)), "reproduced",
                   "above 1.5 and below 2.1");
    assert_verdict(judged("shape", both, measured("m", "2.2 2.21 2.22", NULL)), "not reproduced", "");
    assert_verdict(judged("shape", both, measured("m", "2.05 2.09 2.1", NULL)), "inconclusive", "");
}

static void few_seeds_do_not_decide_a_contrast_and_no_chance_does(void **state)
{
    (void)state;
    const char *above = SHAPE("{\"of\": \"m\", \"above\": 10, \"why\": \"w\"}");
    assert_verdict(judged("shape", above, measured("m", "11 12", NULL)), "within margin", "in 2 seeds");
    assert_verdict(judged("shape", above, measured("m", "11 9", NULL)), "inconclusive", "in 2 seeds");
    assert_verdict(judged("shape", above, measured("m", "= 11", NULL)), "reproduced", "11, to be above 10");
    assert_verdict(judged("shape", above, measured("m", "= 10", NULL)), "not reproduced", "");
    assert_verdict(judged("shape", above, measured("m", "11 12 x", NULL)), "not reproduced",
                   "1 of 3 have no value");
}

static void contrasts_of_pairs_are_differences_and_ratios(void **state)
{
    (void)state;
    Judgement j = judged("shape",
                         SHAPE("{\"minus\": [\"a\", \"b\"], \"above\": 0, \"why\": \"w\"}, "
                               "{\"over\": [\"a\", \"b\"], \"above\": 10, \"why\": \"w\"}"),
                         measured("a", "200 210 220", "b", "1 1 1", NULL));
    assert_int_equal(j.count, 2);
    assert_near(j.numbers[0].measured, 209, 1e-12);
    assert_near(j.numbers[1].measured, cbrt(200.0 * 210 * 220), 1e-10);
    assert_true(j.numbers[1].low > 190 && j.numbers[1].low < j.numbers[1].measured);
    assert_verdict(j, "reproduced", "contrast 1 of 2");
    assert_verdict(judged("shape",
                          SHAPE("{\"minus\": [\"a\", \"b\"], \"above\": 0, \"why\": \"w\"}, "
                                "{\"over\": [\"a\", \"b\"], \"above\": 300, \"why\": \"w\"}"),
                          measured("a", "200 210 220", "b", "1 1 1", NULL)),
                   "not reproduced", "contrast 2 of 2");
}

static void a_fraction_is_counted_over_all_trials(void **state)
{
    (void)state;
    const char *fields = "\"successes\": \"k\", \"trials\": \"n\", \"published\": 0.7, \"decimals\": 1";
    Judgement j = judged("fraction", fields, measured("k", "1400 1420", "n", "2000 2000", NULL));
    assert_near(j.numbers[0].measured, 0.705, 1e-15);
    assert_near(j.numbers[0].low, 0.6906, 0.0002); /* near 1.96 sqrt(pq/n) = 0.0141 */
    assert_near(j.numbers[0].high, 0.7191, 0.0002);
    assert_verdict(j, "reproduced", "2820 of 4000");
    /* 0.765 ± 0.019 is farther from 0.7 than half a unit, 0.05, but 0.7649's interval reaches 0.75 */
    assert_verdict(judged("fraction", fields, measured("k", "1530", "n", "2000", NULL)), "reproduced", "");
    assert_verdict(judged("fraction", fields, measured("k", "1560", "n", "2000", NULL)), "not reproduced",
                   "1560 of 2000");
    assert_verdict(judged("fraction", fields, measured("k", "= 7", "n", "= 10", NULL)), "reproduced", "");
}

static void a_fraction_with_a_margin_needs_enough_trials(void **state)
{
    (void)state;
    const char *fields = "\"successes\": \"k\", \"trials\": \"n\", \"published\": 0.7, \"half_unit\": 0.005, "
                         "\"margin\": {\"value\": 0.05, \"why\": \"w\"}";
    assert_verdict(judged("fraction", fields, measured("k", "= 7", "n", "= 10", NULL)), "inconclusive",
                   "7 of 10");
    assert_verdict(judged("fraction", fields, measured("k", "= 700", "n", "= 1000", NULL)), "reproduced", "");
    assert_verdict(judged("fraction", fields, measured("k", "= 7400", "n", "= 10000", NULL)), "within margin",
                   "");
    assert_verdict(judged("fraction", fields, measured("k", "= 8000", "n", "= 10000", NULL)),
                   "not reproduced", "");
}

static void counts_that_are_none_are_an_error(void **state)
{
    (void)state;
    const char *fields = "\"successes\": \"k\", \"trials\": \"n\", \"published\": 0.7, \"decimals\": 1";
    assert_unjudgeable("fraction", fields, measured("k", "= 0.5", "n", "= 1", NULL), "not counts");
    assert_unjudgeable("fraction", fields, measured("k", "= 2", "n", "= 1", NULL), "not counts");
    assert_unjudgeable("fraction", fields, measured("k", "= 0", "n", "= 0", NULL), "not counts");
    assert_unjudgeable("fraction", fields, measured("k", "1 1", "n", "2", NULL), "of the same seeds");
    assert_unjudgeable("fraction", fields, measured("k", "1", NULL), "\"n\" was not measured");
    assert_verdict(judged("fraction", fields, measured("k", "1 x", "n", "2 2", NULL)), "not reproduced",
                   "diverged");
}

static void a_claim_over_a_diverged_seed_is_not_reproduced(void **state)
{
    (void)state;
    Judgement j =
        judged("value",
               "\"measure\": \"m\", \"published\": 38, \"decimals\": 0, \"margin\": {\"value\": 9, \"why\": "
               "\"w\"}",
               measured("m", "38 x 38 x x", NULL));
    assert_near(j.numbers[0].measured, 38, 0);
    assert_int_equal(j.seeds, 5);
    assert_verdict(j, "not reproduced", "3 of 5 have no value: diverged at step 7");
}

static void the_worst_entry_decides(void **state)
{
    (void)state;
    const char *fields = "\"measure\": [\"a\", \"b\", \"c\"], \"published\": [1, 2, 3], \"decimals\": 0, "
                         "\"margin\": {\"value\": 2, \"why\": \"w\"}";
    Judgement j = judged("value", fields, measured("a", "= 1", "b", "= 3.5", "c", "= 3", NULL));
    assert_int_equal(j.count, 3);
    assert_near(j.numbers[1].measured, 3.5, 0);
    assert_near(j.numbers[2].published, 3, 0);
    assert_verdict(j, "within margin", "\"b\", 2 of 3: 3.5 against 2");
    assert_verdict(judged("value", fields, measured("a", "= 1", "b", "= 3.5", "c", "= 9", NULL)),
                   "not reproduced", "\"c\", 3 of 3");
}

static void what_the_source_lost_is_reported_and_not_judged(void **state)
{
    (void)state;
    Judgement j = judged("value", "\"measure\": [\"m\", \"n\"], \"published\": null",
                         measured("m", "1 2 3", "n", "x x x", NULL));
    assert_int_equal(j.count, 2);
    assert_true(isnan(j.numbers[0].published) && isnan(j.numbers[1].measured) && isnan(j.numbers[1].low));
    assert_near(j.numbers[0].measured, 2, 0);
    assert_near(j.numbers[0].high - j.numbers[0].low, 2 * 4.97, 0.005);
    assert_int_equal(j.outcome, OUTCOME_FINE);
    assert_verdict(j, "not stated", "the source does not state it");
    assert_verdict(judged("fraction", "\"successes\": \"k\", \"trials\": \"n\", \"published\": null",
                          measured("k", "1", "n", "2", NULL)),
                   "not stated", "1 of 2, a share between 0.01258 and 0.9874");
    assert_verdict(judged("at_most", "\"measure\": \"m\", \"bound\": {\"value\": 1, \"why\": \"w\"}",
                          measured("m", "= 0", NULL)),
                   "reproduced", ""); /* its bound is enough */
}

static void what_is_not_run_says_why(void **state)
{
    (void)state;
    Judgement j =
        judged("value", "\"published\": [0.85, 0.15], \"not_run\": \"its inputs are lost\"", measured(NULL));
    assert_int_equal(j.count, 2);
    assert_near(j.numbers[1].published, 0.15, 0);
    assert_true(isnan(j.numbers[0].measured));
    assert_int_equal(j.outcome, OUTCOME_FINE);
    assert_verdict(j, "not run", "its inputs are lost");
}

static void what_needs_another_corpus_or_budget_is_not_comparable(void **state)
{
    (void)state;
    const Conditions corpus = {.published_budget = true}, budget = {.published_corpus = true};
    const char *fields = "\"measure\": \"m\", \"published\": 5, \"needs\": [\"corpus\"]";
    Judgement j = judged_under("exact", fields, measured("m", "= 6", NULL), corpus);
    assert_near(j.numbers[0].measured, 6, 0); /* shown all the same */
    assert_near(j.numbers[0].published, 5, 0);
    assert_int_equal(j.outcome, OUTCOME_FINE);
    assert_verdict(j, "not comparable", "another corpus");
    assert_verdict(judged_under("exact", fields, measured("m", "= 6", NULL), budget), "not reproduced",
                   "6 is not 5");
    fields = "\"measure\": \"m\", \"published\": 5, \"needs\": \"budget\"";
    assert_verdict(judged_under("exact", fields, measured("m", "= 5", NULL), budget), "not comparable",
                   "another budget");
    assert_verdict(judged_under("exact", fields, measured("m", "= 5", NULL), corpus), "reproduced", "");
    assert_verdict(judged_under("exact", fields, measured(NULL), budget), "not comparable",
                   ""); /* not even measured */
    assert_verdict(
        judged_under("order", "\"falling\": [\"a\", \"b\"], \"needs\": \"budget\"", measured(NULL), budget),
        "not comparable", "");
}

static Outcome outcome(const char *kind, const char *fields, Measurements all)
{
    Judgement judgement = judged(kind, fields, all);
    Outcome found = judgement.outcome;
    judgement_free(&judgement);
    return found;
}

static void an_undeclared_disagreement_fails_and_a_declared_one_does_not(void **state)
{
    (void)state;
#define EXACT "\"measure\": \"m\", \"published\": 5"
    assert_int_equal(outcome("exact", EXACT, measured("m", "= 5", NULL)), OUTCOME_FINE);
    assert_int_equal(outcome("exact", EXACT, measured("m", "= 6", NULL)), OUTCOME_FAILED);
    assert_int_equal(outcome("exact", EXACT ", \"disagrees\": \"d\"", measured("m", "= 6", NULL)),
                     OUTCOME_DECLARED);
    assert_int_equal(outcome("exact", EXACT ", \"disagrees\": \"d\"", measured("m", "= 5", NULL)),
                     OUTCOME_FAILED);
#define VALUE(more)                                                                                          \
    "\"measure\": \"m\", \"published\": 5, \"decimals\": 0, \"margin\": {\"value\": 3, \"why\": \"w\"}" more
    assert_int_equal(outcome("value", VALUE(", \"disagrees\": \"d\""), measured("m", "= 7", NULL)),
                     OUTCOME_FAILED);
    assert_int_equal(outcome("value", VALUE(", \"disagrees\": \"d\""), measured("m", "4 5 6", NULL)),
                     OUTCOME_FINE);
    assert_int_equal(outcome("value", VALUE(""), measured("m", "4 5 6", NULL)),
                     OUTCOME_FINE); /* inconclusive */
    /* two seeds decide nothing, so a declared disagreement that seems to hold is none yet */
    assert_int_equal(outcome("value", VALUE(", \"disagrees\": \"d\""), measured("m", "5 5", NULL)),
                     OUTCOME_FINE);
    assert_int_equal(outcome("value", VALUE(", \"disagrees\": \"d\""), measured("m", "5 5 5", NULL)),
                     OUTCOME_FAILED);
}

static void what_holds_may_be_called_otherwise(void **state)
{
    (void)state;
    assert_verdict(judged("exact", EXACT ", \"holds_as\": \"contradiction\"", measured("m", "= 5", NULL)),
                   "source contradicts itself", "");
    assert_verdict(judged("exact", EXACT ", \"holds_as\": \"contradiction\"", measured("m", "= 6", NULL)),
                   "not reproduced", "");
    assert_verdict(judged("exact", EXACT ", \"holds_as\": \"reconstructed\"", measured("m", "= 5", NULL)),
                   "consistent (inputs reconstructed from it)", "");
    assert_verdict(judged("value", VALUE(", \"holds_as\": \"reconstructed\""), measured("m", "= 7", NULL)),
                   "within margin", "");
}

static bool stochastic(const char *kind, const char *fields, Measurements all)
{
    Judgement judgement = judged(kind, fields, all);
    bool found = judgement.stochastic;
    judgement_free(&judgement);
    return found;
}

static void claims_that_rest_on_chance_are_told_from_the_others(void **state)
{
    (void)state;
    assert_true(stochastic("value", VALUE(""), measured("m", "4 5 6", NULL)));
    assert_true(
        stochastic("order", "\"falling\": [\"a\", \"b\"]", measured("a", "1 2 3", "b", "1 2 3", NULL)));
    assert_true(stochastic("fraction",
                           "\"successes\": \"k\", \"trials\": \"n\", \"published\": 1, \"decimals\": 0",
                           measured("k", "= 1", "n", "= 2", NULL)));
    assert_false(stochastic("value", VALUE(""), measured("m", "5 5", NULL)));
    assert_false(stochastic("value", VALUE(""), measured("m", "= 5", NULL)));
    assert_false(stochastic("exact", EXACT, measured("m", "5 5 5", NULL)));
    assert_false(
        stochastic("value", "\"measure\": \"m\", \"published\": null", measured("m", "5 5 5", NULL)));
}

static void what_was_not_measured_is_not_run_and_fails(void **state)
{
    (void)state;
    assert_unjudgeable("exact", EXACT, measured("n", "= 5", NULL), "\"m\" was not measured");
    Measurements all = measured("m", "= 5", NULL);
    samples_text(&all, "m", "5");
    assert_unjudgeable("exact", EXACT, all, "mixes");
    assert_unjudgeable(
        "difference",
        "\"of\": [\"a\", \"b\"], \"published\": 1, \"decimals\": 0, \"margin\": {\"value\": 1, \"why\": "
        "\"w\"}",
        measured("a", "1", NULL), "\"b\" was not measured");
}

static void a_whole_file_is_judged_claim_by_claim(void **state)
{
    (void)state;
    Claims *claims = claim_text("exact", EXACT);
    Result result;
    result_begin(&result, "e", false);
    samples_text(&result.measurements, "m", "= 5");
    Judgements all = judge_all(claims, &result);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.list[0].verdict, VERDICT_REPRODUCED);
    judgements_free(&all);
    assert_int_equal(all.count, 0);
    result_free(&result);
    claims_free(claims);
}

static void verdicts_and_outcomes_have_words(void **state)
{
    (void)state;
    for (Verdict verdict = 0; verdict < VERDICTS; verdict++)
        assert_true(*verdict_word(verdict));
    assert_string_equal(outcome_word(OUTCOME_FAILED), "failed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contrast_holds_when_its_bounds_are_inside),
        cmocka_unit_test(few_seeds_do_not_decide_a_contrast_and_no_chance_does),
        cmocka_unit_test(contrasts_of_pairs_are_differences_and_ratios),
        cmocka_unit_test(a_fraction_is_counted_over_all_trials),
        cmocka_unit_test(a_fraction_with_a_margin_needs_enough_trials),
        cmocka_unit_test(counts_that_are_none_are_an_error),
        cmocka_unit_test(a_claim_over_a_diverged_seed_is_not_reproduced),
        cmocka_unit_test(the_worst_entry_decides),
        cmocka_unit_test(what_the_source_lost_is_reported_and_not_judged),
        cmocka_unit_test(what_is_not_run_says_why),
        cmocka_unit_test(what_needs_another_corpus_or_budget_is_not_comparable),
        cmocka_unit_test(an_undeclared_disagreement_fails_and_a_declared_one_does_not),
        cmocka_unit_test(what_holds_may_be_called_otherwise),
        cmocka_unit_test(claims_that_rest_on_chance_are_told_from_the_others),
        cmocka_unit_test(what_was_not_measured_is_not_run_and_fails),
        cmocka_unit_test(a_whole_file_is_judged_claim_by_claim),
        cmocka_unit_test(verdicts_and_outcomes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
