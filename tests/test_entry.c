#include "claim_text.h"
#include "entry.h"

static void a_claim_has_as_many_entries_as_numbers_to_measure(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"exact", "\"measure\": \"m\", \"published\": 1", "1"},
        {"exact", "\"measure\": [\"m\", \"n\"], \"published\": [1, 2]", "2"},
        {"shape",
         "\"contrasts\": [{\"of\": \"m\", \"above\": 1, \"why\": \"w\"}, {\"of\": \"m\", \"below\": 9, "
         "\"why\": "
         "\"w\"}, {\"of\": \"n\", \"below\": 9, \"why\": \"w\"}]",
         "3"},
        {"value", "\"published\": [1, 2], \"not_run\": \"r\"", "2"},
        {"shape", "\"not_run\": \"r\"", "1"},
        {"fraction", "\"successes\": \"k\", \"trials\": \"n\", \"published\": null", "1"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Claims *claims = claim_text(cases[i][0], cases[i][1]);
        assert_int_equal(entry_count(&claims->list[0]), atoi(cases[i][2]));
        claims_free(claims);
    }
}

static void entries_are_read_on_the_scale_they_are_compared_on(void **state)
{
    (void)state;
    Claims *claims = claim_text("shape", "\"contrasts\": [{\"of\": \"a\", \"above\": 1, \"why\": \"w\"}, "
                                         "{\"minus\": [\"a\", \"b\"], \"above\": 1, \"why\": \"w\"}, "
                                         "{\"over\": [\"a\", \"b\"], \"above\": 1, \"why\": \"w\"}]");
    Measurements all = measured("a", "= 6", "b", "3 2 1", NULL);
    const double expected[] = {6, 3, log(2)};
    for (size_t i = 0; i < 3; i++) {
        Series s;
        Err err;
        Judgement judgement = {0};
        assert_true(entry_read(&claims->list[0], &all, i, &judgement, &s, &err));
        assert_near(s.x[0], expected[i], 1e-15);
        assert_int_equal(judgement.seeds, i == 0 ? 0 : 3);
        assert_int_equal(entry_is_log(&claims->list[0], i), i == 2);
        assert_near(entry_plain(&claims->list[0], i, expected[i]), i == 2 ? 2 : expected[i], 1e-15);
        series_free(&s);
    }
    claims_free(claims);
    measurements_free(&all);
}

static void the_judgement_keeps_the_fewest_seeds_and_whether_it_is_timed(void **state)
{
    (void)state;
    Measurements all = measured("a", "1 2 3", "b", "1 2", "fixed", "= 1", NULL);
    measurements_add(&all, "seconds", FIXED, 1, true);
    static const char *const names[] = {"fixed", "a", "b", "a"};
    const int seeds[] = {0, 3, 2, 2};
    Judgement judgement = {0};
    Series s;
    Err err;
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_true(entry_read_name(&all, "measure", names[i], &judgement, &s, &err));
        assert_int_equal(judgement.seeds, seeds[i]);
        assert_false(judgement.timed);
        series_free(&s);
    }
    assert_true(entry_read_pair(&all, "of", "a", "seconds", PAIR_MINUS, &judgement, &s, &err));
    assert_true(judgement.timed);
    series_free(&s);
    assert_false(entry_read_name(&all, "measure", "none", &judgement, &s, &err));
    assert_string_equal(err.text, "key \"measure\": \"none\" was not measured");
    measurements_free(&all);
}

static void decimals_that_are_equal_differ_by_no_more_than_rounding(void **state)
{
    (void)state;
    for (int i = 1; i < 1000; i++) { /* i/1000 + 5/10000 - i/1000 against 5/10000 */
        double y = i / 1000.0, x = (10 * i + 5) / 10000.0;
        assert_true(fabs(fabs(x - y) - 0.0005) <= entry_rounding(x, y));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_has_as_many_entries_as_numbers_to_measure),
        cmocka_unit_test(entries_are_read_on_the_scale_they_are_compared_on),
        cmocka_unit_test(the_judgement_keeps_the_fewest_seeds_and_whether_it_is_timed),
        cmocka_unit_test(decimals_that_are_equal_differ_by_no_more_than_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
