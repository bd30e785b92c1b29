#include "wording.h"

#include "claim_text.h"

#define MARGIN ", \"margin\": {\"value\": 0.5, \"why\": \"a reason\"}"

static void assert_words(char *words, const char *expected)
{
    assert_string_equal(words, expected);
    free(words);
}

static void assert_published(const char *fields, const char *expected)
{
    Claims *claims = claim_text("exact", fields);
    assert_words(wording_published(&claims->list[0]), expected);
    claims_free(claims);
}

static void published_numbers_read_as_they_were_printed(void **state)
{
    (void)state;
    assert_published("\"measure\": \"m\", \"published\": 124439808", "124,439,808");
    assert_published("\"measure\": [\"m\", \"n\"], \"published\": [0.0498, 0.0657]", "0.0498, 0.0657");
    assert_published("\"measure\": \"m\", \"published\": null", "–");
    assert_published("\"measure\": [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\"], "
                     "\"published\": [1, 2, 3, 4, 5, 6, 7]",
                     "1, 2, 3, 4, 5, 6, … (7 numbers)");
}

static void assert_measured(const char *kind, const char *fields, Measurements all, const char *expected)
{
    Judgement judgement = judged(kind, fields, all);
    assert_words(wording_measured(&judgement, false), expected);
    judgement_free(&judgement);
}

static void measured_numbers_stand_beside_their_interval(void **state)
{
    (void)state;
    assert_measured("value", "\"measure\": \"m\", \"published\": 2, \"decimals\": 0" MARGIN,
                    measured("m", "1.9 2.1 2.3", NULL), "2.100 (1.106 … 3.094)");
    assert_measured("value", "\"measure\": \"m\", \"published\": 2, \"decimals\": 0" MARGIN,
                    measured("m", "x", NULL), "–");
    assert_measured("exact", "\"measure\": \"m\", \"published\": 5", measured("m", "= 5", NULL), "5");
    assert_measured("order", "\"rising\": [\"a\", \"b\"]", measured("a", "= 1.25", "b", "= 2.5", NULL),
                    "1.25, 2.5");
}

static void assert_rule(const char *kind, const char *fields, const char *expected)
{
    Claims *claims = claim_text(kind, fields);
    char *words = wording_rule(&claims->list[0]);
    if (strcmp(words, expected) != 0)
        fail_msg("expected: %s\nfound:    %s", expected, words);
    free(words);
    claims_free(claims);
}

static void every_kind_of_rule_is_one_sentence(void **state)
{
    (void)state;
    assert_rule("exact", "\"measure\": \"m\", \"published\": 5", "\"m\" equals the published number");
    assert_rule("exact", "\"measure\": \"m\", \"published\": 0.333, \"decimals\": 3",
                "\"m\" equals the published number to 3 decimals");
    assert_rule(
        "at_most",
        "\"measure\": \"m\", \"bound\": {\"c\": 2, \"k\": 128, \"eps\": \"float32\", \"scale\": \"s\", "
        "\"why\": \"a reason\"}",
        "\"m\" is at most 2 · 128 · 1.19e-07 · \"s\" (a reason)");
    assert_rule("value",
                "\"measure\": \"m\", \"published\": 40, \"decimals\": 2, \"log\": true, \"pool\": "
                "[\"m\", \"n\"], \"margin\": {\"share\": 0.03, \"why\": \"a reason\"}",
                "\"m\" beside the published number, both as logarithms, the same within 3 % (a reason); the "
                "spread is "
                "pooled over 2 rows");
    assert_rule("value", "\"measure\": \"m\", \"published\": 4, \"law\": 4, \"standard_error\": \"se\"",
                "\"m\" within 4 standard errors (\"se\") of the law 4 and of the published draw");
    assert_rule("value", "\"measure\": \"m\", \"published\": null", "\"m\", reported without judgement");
    assert_rule("difference", "\"of\": [\"a\", \"b\"], \"published\": 1, \"decimals\": 0" MARGIN,
                "\"a\" minus \"b\" beside the published number, the same within 0.5 (a reason)");
    assert_rule("order", "\"falling\": [\"a\", [\"b\", \"c\"], \"d\"]",
                "\"a\" > \"b\", \"c\" > \"d\", by seed");
    assert_rule("shape",
                "\"contrasts\": [{\"over\": [\"a\", \"b\"], \"above\": 10, \"below\": 20, \"why\": \"v\"}, "
                "{\"of\": \"a\", \"below\": 1, \"why\": \"w\"}]",
                "\"a\" over \"b\" above 10 and below 20 (v); \"a\" below 1 (w)");
    assert_rule("fraction", "\"successes\": \"k\", \"trials\": \"n\", \"published\": 0.7, \"decimals\": 1",
                "\"k\" of \"n\" beside the published share, with the exact interval");
    assert_rule("value", "\"published\": 1, \"not_run\": \"r\"", "it is not run");
}

static void sources_and_outcomes_have_words(void **state)
{
    (void)state;
    const Claim source = {.source = "C9", .origin = ORIGIN_SOURCE},
                own = {.source = "", .origin = ORIGIN_OWN};
    const Claim implied = {.source = "C9", .origin = ORIGIN_IMPLIED};
    assert_words(wording_source(&source), "C9");
    assert_words(wording_source(&implied), "C9, implied");
    assert_words(wording_source(&own), "own");
    assert_string_equal(wording_outcome(OUTCOME_FINE), "");
    assert_string_equal(wording_outcome(OUTCOME_FAILED), "FAIL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_numbers_read_as_they_were_printed),
        cmocka_unit_test(measured_numbers_stand_beside_their_interval),
        cmocka_unit_test(every_kind_of_rule_is_one_sentence),
        cmocka_unit_test(sources_and_outcomes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
