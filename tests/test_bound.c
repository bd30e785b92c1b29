#include "bound.h"
#include "claim_text.h"

static void an_exact_number_is_equal_at_every_seed(void **state)
{
    (void)state;
    const char *fields = "\"measure\": \"m\", \"published\": 124439808";
    Judgement j = judged("exact", fields, measured("m", "= 124439808", NULL));
    assert_int_equal(j.seeds, 0);
    assert_near(j.numbers[0].low, 124439808, 0);
    assert_verdict(j, "reproduced", "124439808 is 124439808");
    assert_verdict(judged("exact", fields, measured("m", "= 124439809", NULL)), "not reproduced",
                   "124439809 is not 124439808");
    assert_verdict(judged("exact", fields, measured("m", "124439808 124439808 124439807", NULL)),
                   "not reproduced", "124439807 in 3 seeds is not");
    assert_verdict(judged("exact", fields, measured("m", "124439808", NULL)), "reproduced", "in 1 seed");
    assert_verdict(judged("exact", "\"measure\": \"m\", \"published\": 0", measured("m", "= 1e-300", NULL)),
                   "not reproduced", "");
}

static void an_exact_number_may_be_rounded_to_its_decimals(void **state)
{
    (void)state;
    const char *fields = "\"measure\": [\"a\", \"b\"], \"published\": [0.333, 0.5], \"decimals\": 3";
    assert_verdict(judged("exact", fields, measured("a", "= 0.33333", "b", "= 0.5", NULL)), "reproduced",
                   "1 of 2");
    assert_verdict(judged("exact", fields, measured("a", "= 0.33333", "b", "= 0.4993", NULL)),
                   "not reproduced", "\"b\", 2 of 2: 0.4993 is not 0.5");
    /* a tie may be rounded either way */
    assert_verdict(judged("exact", "\"measure\": \"a\", \"published\": 0.062, \"decimals\": 3",
                          measured("a", "= 0.0625", NULL)),
                   "reproduced", "");
    assert_verdict(judged("exact", "\"measure\": \"a\", \"published\": 0.063, \"decimals\": 3",
                          measured("a", "= 0.0625", NULL)),
                   "reproduced", "");
}

static void noise_is_below_its_bound_at_every_seed(void **state)
{
    (void)state;
    const char *fields = "\"measure\": \"m\", \"bound\": {\"value\": 1e-5, \"why\": \"w\"}";
    Judgement j = judged("at_most", fields, measured("m", "1e-6 9e-6 0", NULL));
    assert_near(j.numbers[0].low, 0, 0);
    assert_near(j.numbers[0].high, 1e-5, 0);
    assert_true(isnan(j.numbers[0].published));
    assert_verdict(j, "reproduced", "9e-06 in 3 seeds is within the bound 1e-05");
    assert_verdict(judged("at_most", fields, measured("m", "1e-6 1.1e-5 0", NULL)), "not reproduced",
                   "above the bound");
    assert_verdict(judged("at_most", fields, measured("m", "= -2e-5", NULL)), "not reproduced",
                   "2e-05 is above");
}

static void a_bound_is_derived_from_its_factors(void **state)
{
    (void)state;
#define BOUND(eps, scale)                                                                                    \
    "\"measure\": \"m\", \"published\": 1e-8, \"bound\": {\"c\": 2, \"k\": 100, \"eps\": \"" eps             \
    "\", \"scale\": " scale ", \"why\": \"w\"}"
    Judgement j = judged("at_most", BOUND("float32", "0.5"), measured("m", "= 1e-6", NULL));
    assert_near(j.numbers[0].high, 100 * 0x1p-23, 0);
    assert_near(j.numbers[0].published, 1e-8, 0);
    judgement_free(&j);
    j = judged("at_most", BOUND("float64", "\"largest\""), measured("m", "= 0", "largest", "3 -2 4", NULL));
    assert_near(j.numbers[0].high, 400 * 0x1p-52, 0); /* of the smallest scale */
    judgement_free(&j);
    assert_unjudgeable("at_most", BOUND("float32", "\"none\""), measured("m", "= 0", NULL),
                       "\"none\" was not measured");
    assert_unjudgeable("at_most", BOUND("float32", "\"s\""), measured("m", "= 0", "s", "x", NULL),
                       "no sample of \"s\", the bound's scale, has a value");
#undef BOUND
}

static void a_law_holds_within_four_standard_errors(void **state)
{
    (void)state;
    const char *fields = "\"measure\": \"m\", \"published\": 104, \"law\": 100, \"standard_error\": \"se\"";
    Judgement j = judged("value", fields, measured("m", "= 103.9", "se", "= 1", NULL));
    assert_near(j.numbers[0].low, 96, 0);
    assert_near(j.numbers[0].high, 104, 0);
    assert_verdict(j, "reproduced", "103.9 is 3.9 standard errors from the law 100");
    assert_verdict(judged("value", fields, measured("m", "= 104.1", "se", "= 1", NULL)), "not reproduced",
                   "4.1 standard errors from the law");
    /* two draws may differ by 4 sqrt(2) = 5.66 */
    assert_verdict(judged("value", fields, measured("m", "= 98.4", "se", "= 1", NULL)), "reproduced", "");
    assert_verdict(judged("value", fields, measured("m", "= 98.3", "se", "= 1", NULL)), "not reproduced",
                   "4.03 from the published draw 104");
    /* the mean of four seeds is known twice as well: 2 from the law, 4 sqrt(1 + 1/4) = 4.47 from the draw */
    assert_verdict(judged("value", fields, measured("m", "101.9 101.9 101.9 101.9", "se", "= 1", NULL)),
                   "reproduced", "");
    assert_verdict(judged("value", fields, measured("m", "102.1 102.1 102.1 102.1", "se", "= 1", NULL)),
                   "not reproduced", "");
    assert_verdict(judged("value", fields, measured("m", "99.5 99.5 99.5 99.5", "se", "= 1", NULL)),
                   "not reproduced", "");
}

static void a_law_holds_without_a_published_draw(void **state)
{
    (void)state;
    const char *fields = "\"measure\": \"m\", \"published\": null, \"law\": 100, \"standard_error\": \"se\"";
    Judgement j = judged("value", fields, measured("m", "= 101", "se", "= 1", NULL));
    assert_true(isnan(j.numbers[0].published));
    assert_verdict(j, "reproduced", "from the law 100; 4 are allowed");
    assert_unjudgeable("value", fields, measured("m", "= 101", "se", "= 0", NULL), "\"se\" is not above 0");
    assert_unjudgeable("value", fields, measured("m", "= 101", NULL), "\"se\" was not measured");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_number_is_equal_at_every_seed),
        cmocka_unit_test(an_exact_number_may_be_rounded_to_its_decimals),
        cmocka_unit_test(noise_is_below_its_bound_at_every_seed),
        cmocka_unit_test(a_bound_is_derived_from_its_factors),
        cmocka_unit_test(a_law_holds_within_four_standard_errors),
        cmocka_unit_test(a_law_holds_without_a_published_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
