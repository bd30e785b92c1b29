#include "verdicts.h"

#include "claim_text.h"

static char *printed(const char *fields, Measurements all)
{
    char *text;
    size_t size;
    Claims *claims = claim_text("exact", fields);
    Result result = {.conditions = comparable, .measurements = all};
    Judgement judgement = judge(&claims->list[0], &result);
    FILE *out = open_memstream(&text, &size);
    verdicts_print(out, claims, &(Judgements){&judgement, 1});
    fclose(out);
    judgement_free(&judgement);
    claims_free(claims);
    measurements_free(&all);
    return text;
}

static void a_claim_shows_both_numbers_its_verdict_and_the_reason(void **state)
{
    (void)state;
    char *text = printed("\"measure\": \"m\", \"published\": 5", measured("m", "= 5", NULL));
    assert_string_equal(text, "e.x: reproduced\n    s\n    published 5, measured 5\n    5 is 5\n");
    free(text);
}

static void a_failure_and_a_declared_disagreement_stand_out(void **state)
{
    (void)state;
    char *failed = printed("\"measure\": \"m\", \"published\": 5", measured("m", "= 6", NULL));
    assert_says(failed, "e.x: not reproduced  <- FAILED\n");
    free(failed);
    char *declared =
        printed("\"measure\": \"m\", \"published\": 5, \"disagrees\": \"d\"", measured("m", "= 6", NULL));
    assert_says(declared, "e.x: not reproduced (declared)\n");
    free(declared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_shows_both_numbers_its_verdict_and_the_reason),
        cmocka_unit_test(a_failure_and_a_declared_disagreement_stand_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
