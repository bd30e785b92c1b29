#include "tally.h"

#include "test.h"

static void verdicts_and_outcomes_are_counted(void **state)
{
    (void)state;
    Judgement list[] = {{.verdict = VERDICT_REPRODUCED, .stochastic = true},
                        {.verdict = VERDICT_REPRODUCED},
                        {.verdict = VERDICT_NOT_REPRODUCED, .outcome = OUTCOME_FAILED, .stochastic = true},
                        {.verdict = VERDICT_NOT_REPRODUCED, .outcome = OUTCOME_DECLARED}};
    Tally tally = {0};
    tally_add(&tally, &(Judgements){list, 4});
    tally_add(&tally, &(Judgements){list, 1});
    assert_int_equal(tally.claims, 5);
    assert_int_equal(tally.failed, 1);
    assert_int_equal(tally.declared, 1);
    assert_int_equal(tally.stochastic, 3);
    assert_near(tally_false_alarms(&tally), 0.15, 1e-15);
    char *words = tally_words(&tally);
    assert_string_equal(words, "3 reproduced, 2 not reproduced");
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_and_outcomes_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
