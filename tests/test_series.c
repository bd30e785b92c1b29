#include "claim_text.h"
#include "series.h"

static Measurements example(void)
{
    return measured("a", "1 2 x 4", "b", "0.5 x x -1 7", "fixed", "= 2", "lost", "= x", NULL);
}

static void samples_are_read_by_seed_and_the_lost_are_counted(void **state)
{
    (void)state;
    Measurements all = example();
    Series s;
    Err err;
    assert_true(series_read(&all, &(Term){TERM_PLAIN, "a", NULL}, &s, &err));
    assert_int_equal(s.count, 4);
    assert_int_equal(s.lost, 1);
    assert_false(s.fixed);
    assert_int_equal(s.seeds[3], 3);
    assert_true(isnan(s.x[2]));
    assert_string_equal(s.reason, "diverged at step 7");
    assert_int_equal(series_present(&s), 3);
    assert_near(series_mean(&s), 7.0 / 3, 1e-15);
    assert_near(series_sd(&s), sqrt(7.0 / 3), 1e-15);
    series_free(&s);
    assert_true(series_read(&all, &(Term){TERM_PLAIN, "fixed", NULL}, &s, &err));
    assert_true(s.fixed);
    assert_true(isnan(series_sd(&s)));
    series_free(&s);
    measurements_free(&all);
}

static void what_was_not_measured_is_an_error(void **state)
{
    (void)state;
    Measurements all = example();
    Series s;
    Err err;
    assert_false(series_read(&all, &(Term){TERM_PLAIN, "c", NULL}, &s, &err));
    assert_says(err.text, "\"c\" was not measured");
    measurements_free(&all);
}

static void seeds_and_a_fixed_sample_do_not_mix(void **state)
{
    (void)state;
    Measurements all = example();
    samples_text(&all, "fixed", "1");
    Series s;
    Err err;
    assert_false(series_read(&all, &(Term){TERM_PLAIN, "fixed", NULL}, &s, &err));
    assert_says(err.text, "\"fixed\" mixes");
    measurements_free(&all);
}

static void pairs_are_made_by_seed(void **state)
{
    (void)state;
    Measurements all = example();
    Series s;
    Err err;
    assert_true(series_read(&all, &(Term){TERM_MINUS, "a", "b"}, &s, &err));
    assert_int_equal(s.count, 4); /* b alone has seed 4 */
    assert_int_equal(s.lost, 2);
    assert_near(s.x[0], 0.5, 0);
    assert_near(s.x[3], 5, 0);
    series_free(&s);
    assert_true(series_read(&all, &(Term){TERM_LOG_OVER, "a", "b"}, &s, &err));
    assert_near(s.x[0], log(2), 1e-15);
    assert_int_equal(s.lost, 3); /* 4 over -1 has no logarithm */
    series_free(&s);
    assert_true(series_read(&all, &(Term){TERM_MINUS, "a", "fixed"}, &s, &err)); /* with every seed */
    assert_int_equal(s.count, 4);
    assert_near(s.x[3], 2, 0);
    assert_int_equal(s.seeds[3], 3);
    assert_false(s.fixed);
    series_free(&s);
    assert_true(series_read(&all, &(Term){TERM_MINUS, "fixed", "fixed"}, &s, &err));
    assert_true(s.fixed);
    series_free(&s);
    measurements_free(&all);
}

static void what_is_lost_ranks_worst(void **state)
{
    (void)state;
    Measurements all = example();
    Series s;
    Err err;
    for (TermForm form = TERM_RANK_HIGH; form <= TERM_RANK_LOW; form++) {
        assert_true(series_read(&all, &(Term){form, "a", "b"}, &s, &err));
        assert_int_equal(s.lost, 0);
        assert_true(isinf(s.x[1]) && (s.x[1] < 0) == (form == TERM_RANK_HIGH));
        assert_near(s.x[2], 0, 0);
        series_free(&s);
    }
    measurements_free(&all);
}

static void no_common_seed_is_an_error(void **state)
{
    (void)state;
    Measurements all = example();
    measurements_add(&all, "late", 9, 1, true);
    Series s;
    Err err;
    assert_false(series_read(&all, &(Term){TERM_MINUS, "a", "late"}, &s, &err));
    assert_says(err.text, "no seed has both \"a\" and \"late\"");
    assert_false(series_read(&all, &(Term){TERM_MINUS, "a", "none"}, &s, &err));
    assert_true(series_read(&all, &(Term){TERM_MINUS, "late", "fixed"}, &s, &err));
    assert_true(s.timed);
    series_free(&s);
    measurements_free(&all);
}

static void logarithms_lose_what_is_not_positive(void **state)
{
    (void)state;
    Measurements all = example();
    Series s;
    Err err;
    assert_true(series_read(&all, &(Term){TERM_LOG, "b", NULL}, &s, &err));
    assert_int_equal(s.lost, 3);
    assert_string_equal(s.reason, "diverged at step 7");
    assert_near(s.x[4], log(7), 0);
    series_free(&s);
    measurements_free(&all);
}

static void numbers_are_shown_with_the_logarithm_undone(void **state)
{
    (void)state;
    assert_near(term_plain(&(Term){TERM_LOG, "a", NULL}, log(7)), 7, 1e-14);
    assert_near(term_plain(&(Term){TERM_LOG_OVER, "a", "b"}, log(7)), 7, 1e-14);
    assert_near(term_plain(&(Term){TERM_MINUS, "a", "b"}, 7), 7, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_read_by_seed_and_the_lost_are_counted),
        cmocka_unit_test(what_was_not_measured_is_an_error),
        cmocka_unit_test(seeds_and_a_fixed_sample_do_not_mix),
        cmocka_unit_test(pairs_are_made_by_seed),
        cmocka_unit_test(what_is_lost_ranks_worst),
        cmocka_unit_test(no_common_seed_is_an_error),
        cmocka_unit_test(logarithms_lose_what_is_not_positive),
        cmocka_unit_test(numbers_are_shown_with_the_logarithm_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
