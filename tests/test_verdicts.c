#include "test.h"
#include "verdicts.h"

static char *printed(const char *claims)
{
    char document[1024], *text;
    size_t size;
    Err err;
    snprintf(document, sizeof document, "{\"claims\": [%s]}", claims);
    Json *result = json_parse(document, "test", &err);
    assert_non_null(result);
    FILE *out = open_memstream(&text, &size);
    verdicts_print(out, result);
    fclose(out);
    json_free(result);
    return text;
}

static void a_claim_shows_both_numbers_its_verdict_and_the_reason(void **state)
{
    (void)state;
    char *text = printed("{\"id\": \"x.a\", \"says\": \"it is so\", \"published\": 3.975, \"measured\": 4.01,"
                         " \"interval\": [3.5, 4.5], \"verdict\": \"reproduced\", \"outcome\": \"fine\","
                         " \"reason\": \"near enough\"}");
    assert_string_equal(text, "x.a: reproduced\n"
                              "    it is so\n"
                              "    published 3.975, measured 4.01 in [3.5, 4.5]\n"
                              "    near enough\n");
    free(text);
}

static void lists_show_every_entry(void **state)
{
    (void)state;
    char *text = printed("{\"id\": \"x.a\", \"says\": \"\", \"published\": [1, 2], \"measured\": [1.5, null],"
                         " \"interval\": [[0, 2], [1, 3]], \"verdict\": \"v\", \"outcome\": \"fine\","
                         " \"reason\": \"\"}");
    assert_says(text, "published 1, 2, measured 1.5, none in [0, 2], [1, 3]");
    free(text);
}

static void of_a_long_list_the_first_entries_are_shown(void **state)
{
    (void)state;
    char *text =
        printed("{\"id\": \"x.a\", \"published\": [1, 2, 3, 4, 5, 6, 7], \"measured\": [1, 2, 3, 4, 5, 6],"
                " \"interval\": [[0,1],[0,1],[0,1],[0,1],[0,1],[0,1],[0,1]]}");
    assert_says(text, "published 1, 2, 3, 4, 5, 6, … (7 in all), measured 1, 2, 3, 4, 5, 6 in [0, 1]");
    assert_says(text, "[0, 1], …\n");
    free(text);
}

static void what_has_no_interval_shows_none(void **state)
{
    (void)state;
    const char *intervals[] = {"null", "[null, null]", "[null, null, null]"};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        char claim[128];
        snprintf(claim, sizeof claim, "{\"id\": \"x.a\", \"measured\": 1, \"interval\": %s}", intervals[i]);
        char *text = printed(claim);
        assert_says(text, "measured 1\n");
        free(text);
    }
}

static void whole_numbers_are_shown_to_their_last_digit(void **state)
{
    (void)state;
    char *text = printed("{\"id\": \"x.a\", \"published\": 124439808, \"measured\": 1234567.8}");
    assert_says(text, "published 124439808, measured 1.23457e+06\n");
    free(text);
}

static void a_failure_and_a_declared_disagreement_stand_out(void **state)
{
    (void)state;
    char *failed = printed("{\"id\": \"x.a\", \"verdict\": \"not reproduced\", \"outcome\": \"failed\"}");
    assert_says(failed, "x.a: not reproduced  <- FAILED\n");
    free(failed);
    char *declared = printed("{\"id\": \"x.a\", \"verdict\": \"not reproduced\", \"outcome\": \"declared\"}");
    assert_says(declared, "x.a: not reproduced (declared)\n");
    free(declared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_shows_both_numbers_its_verdict_and_the_reason),
        cmocka_unit_test(lists_show_every_entry),
        cmocka_unit_test(of_a_long_list_the_first_entries_are_shown),
        cmocka_unit_test(what_has_no_interval_shows_none),
        cmocka_unit_test(whole_numbers_are_shown_to_their_last_digit),
        cmocka_unit_test(a_failure_and_a_declared_disagreement_stand_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
