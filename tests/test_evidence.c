#include "claim_text.h"
#include "evidence.h"

static void evidence_keeps_the_fewest_seeds_and_whether_it_is_timed(void **state)
{
    (void)state;
    Measurements all = measured("a", "1 2 3", "b", "1 2", "fixed", "= 1", NULL);
    measurements_add(&all, "seconds", FIXED, 1, true);
    static const char *const names[] = {"fixed", "a", "b", "a"};
    const int seeds[] = {0, 3, 2, 2};
    Evidence evidence = {.all = &all};
    Series s;
    Err err;
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_true(evidence_read(&evidence, &(Term){TERM_PLAIN, names[i], NULL}, &s, &err));
        assert_int_equal(evidence.seeds, seeds[i]);
        assert_false(evidence.timed);
        series_free(&s);
    }
    assert_true(evidence_read(&evidence, &(Term){TERM_MINUS, "a", "seconds"}, &s, &err));
    assert_true(evidence.timed);
    series_free(&s);
    assert_false(evidence_read(&evidence, &(Term){TERM_PLAIN, "none", NULL}, &s, &err));
    assert_string_equal(err.text, "\"none\" was not measured");
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

static void few_seeds_say_how_few(void **state)
{
    (void)state;
    const Series one = {.count = 1}, two = {.count = 2};
    assert_says(entry_few(&one), "one seed can neither");
    assert_says(entry_few(&two), "two seeds can neither");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_keeps_the_fewest_seeds_and_whether_it_is_timed),
        cmocka_unit_test(few_seeds_say_how_few),
        cmocka_unit_test(decimals_that_are_equal_differ_by_no_more_than_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
