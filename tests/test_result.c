#include "claim_text.h"
#include "result.h"
#include "rules.h"

#define CLAIM(id, origin, kind, fields)                                                                      \
    "{\"id\": \"e." id "\", \"says\": \"s\", \"source\": \"C9\", \"origin\": \"" origin                      \
    "\", \"kind\": \"" kind "\", " fields "}"
#define MARGIN "\"margin\": {\"value\": 1, \"why\": \"w\"}"

static const char claims_file[] =
    "{\"experiment\": \"e\", \"about\": \"a\", \"claims\": [" CLAIM("one", "source", "value", "\"measure\": \"m\", \"unit\": \"u\", \"published\": 2, \"decimals\": 0, " MARGIN) ", " CLAIM("list", "source", "exact", "\"measure\": [\"n\", \"o\"], \"published\": [5, 6]") ", " CLAIM(
        "wrong", "own",
        "exact", "\"measure\": \"n\", \"published\": 6") ", " CLAIM("known", "source", "exact",
                                                                    "\"measure\": \"n\", \"published\": 6, "
                                                                    "\"disagrees\": \"d\", \"finding\": "
                                                                    "\"f\"") ", " CLAIM("order", "implied",
                                                                                        "order",
                                                                                        "\"rising\": [\"m\", "
                                                                                        "\"n\"]") ", " CLAIM("lost",
                                                                                                             "source",
                                                                                                             "value",
                                                                                                             "\"published\": [1, 2], \"not_run\": \"its inputs are lost\"") ", " CLAIM("fast",
                                                                                                                                                                                       "own",
                                                                                                                                                                                       "shape",
                                                                                                                                                                                       "\"contrasts\": [{\"of\": \"t\", \"above\": 0, \"why\": \"w\"}]") "]}";

static Claims *example_claims(void)
{
    Err err;
    char *folder = new_folder(), *path = mem_text("%s/e.claims.json", folder);
    assert_true(file_write(path, claims_file, strlen(claims_file), &err));
    Claims *claims = claims_read(path, &err);
    if (!claims)
        fail_msg("%s", err.text);
    free(path);
    remove_folder(folder);
    return claims;
}

static Result example_result(void)
{
    Result result;
    result_begin(&result, "e", false);
    result.conditions = comparable;
    json_add(result.context, "seconds", json_from_number(1.5));
    json_add(result.settings, "width", json_from_number(128));
    json_append(result.warnings, json_from_string("a warning"));
    samples_text(&result.measurements, "m", "1.9 2 2.1");
    samples_text(&result.measurements, "n", "= 5");
    samples_text(&result.measurements, "o", "= 6");
    measurements_add(&result.measurements, "t", FIXED, 0.25, true);
    double x[] = {0, 1}, y[] = {2, INFINITY};
    measurements_add_curve(&result.measurements, "c", 0, x, y, 2);
    measurements_add_matrix(&result.measurements, "w", 0, x, 1, 2, NULL, NULL);
    return result;
}

static Json *example(ResultSummary *summary)
{
    Err err;
    Claims *claims = example_claims();
    Result result = example_result();
    Json *json = result_judge(&result, claims, summary, &err);
    if (!json)
        fail_msg("%s", err.text);
    claims_free(claims);
    result_free(&result);
    return json;
}

static const char *text_of(const Json *json, size_t claim, const char *key)
{
    const Json *text = json_get(json_at(json_get(json, "claims"), claim), key);
    return text ? json_string(text) : "";
}

static void every_claim_is_judged_and_counted(void **state)
{
    (void)state;
    ResultSummary summary;
    Json *json = example(&summary);
    assert_int_equal(summary.claims, 7);
    assert_int_equal(summary.failed, 1);
    assert_int_equal(summary.stochastic, 2); /* the value and the order */
    assert_string_equal(text_of(json, 0, "verdict"), "reproduced");
    assert_string_equal(text_of(json, 0, "outcome"), "fine");
    assert_string_equal(text_of(json, 0, "unit"), "u");
    assert_string_equal(text_of(json, 2, "verdict"), "not reproduced");
    assert_string_equal(text_of(json, 2, "outcome"), "failed");
    assert_string_equal(text_of(json, 2, "origin"), "own");
    assert_string_equal(text_of(json, 3, "outcome"), "declared");
    assert_string_equal(text_of(json, 3, "disagrees"), "d");
    assert_string_equal(text_of(json, 3, "finding"), "f");
    assert_string_equal(text_of(json, 5, "verdict"), "not run");
    assert_string_equal(text_of(json, 5, "reason"), "its inputs are lost");
    json_free(json);
}

static void one_entry_stands_alone_and_several_in_lists(void **state)
{
    (void)state;
    ResultSummary summary;
    Json *json = example(&summary);
    const Json *list = json_get(json, "claims"), *one = json_at(list, 0), *two = json_at(list, 1);
    assert_near(json_number(json_get(one, "published")), 2, 0);
    assert_near(json_number(json_get(one, "measured")), 2, 1e-15);
    assert_near(json_number(json_at(json_get(one, "interval"), 1)), 2.497, 0.001);
    assert_near(json_number(json_get(one, "seeds")), 3, 0);
    assert_true(json_bool(json_get(one, "stochastic")));
    assert_near(json_number(json_at(json_get(two, "published"), 1)), 6, 0);
    assert_near(json_number(json_at(json_get(two, "measured"), 1)), 6, 0);
    assert_near(json_number(json_at(json_at(json_get(two, "interval"), 1), 0)), 6, 0);
    const Json *order = json_at(list, 4);
    assert_int_equal(json_kind(json_get(order, "published")), JSON_NULL);
    assert_int_equal(json_count(json_get(order, "measured")), 2);
    assert_int_equal(json_kind(json_first(json_get(order, "interval"))), JSON_NULL);
    assert_int_equal(json_kind(json_first(json_get(json_at(list, 5), "measured"))), JSON_NULL);
    assert_true(json_bool(json_get(json_at(list, 6), "timed")));
    assert_null(json_get(one, "timed"));
    json_free(json);
}

/* The whole text, not only what a reader looks at. */
static void a_second_run_gives_the_same_bytes(void **state)
{
    (void)state;
    ResultSummary summary;
    Json *first = example(&summary), *second = example(&summary);
    char *a = json_text(first), *b = json_text(second);
    assert_string_equal(a, b);
    free(a);
    free(b);
    json_free(first);
    json_free(second);
}

static void a_claim_is_current_until_its_rule_changes(void **state)
{
    (void)state;
    ResultSummary summary;
    Json *json = example(&summary);
    Claims *claims = example_claims();
    const Json *judged = json_at(json_get(json, "claims"), 0);
    assert_true(result_claim_is_current(judged, &claims->list[0]));
    assert_false(result_claim_is_current(judged, &claims->list[1]));

    char digest[2][DIGEST_TEXT];
    const char *fields[] = {"\"a\": 1, \"says\": \"x\"", "\"a\": 1, \"finding\": \"y\""};
    for (size_t i = 0; i < COUNT(fields); i++) {
        Err err;
        char *text = mem_text("{%s}", fields[i]);
        Json *entry = json_parse(text, "entry", &err);
        free(text);
        rule_digest(&(Claim){.json = entry}, digest[i]);
        json_free(entry);
    }
    assert_string_equal(digest[0], digest[1]); /* words decide nothing */
    claims_free(claims);
    json_free(json);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    ResultSummary summary;
    Err err;
    char *folder = new_folder(), *path = mem_text("%s/e.json", folder);
    Json *json = example(&summary);
    assert_true(json_write(json, path, &err));
    Json *again = result_read(path, &err);
    if (!again)
        fail_msg("%s", err.text);
    char *a = json_text(json), *b = json_text(again);
    assert_string_equal(a, b);
    free(a);
    free(b);
    json_free(json);
    json_free(again);
    free(path);
    remove_folder(folder);
}

static void a_claim_that_can_not_be_judged_spoils_the_result(void **state)
{
    (void)state;
    Err err;
    ResultSummary summary;
    Claims *claims = example_claims();
    Result result;
    result_begin(&result, "e", true);
    result.conditions = comparable;
    assert_null(result_judge(&result, claims, &summary, &err));
    assert_says(err.text, "claim \"e.one\": key \"measure\": \"m\" was not measured");
    claims_free(claims);
    result_free(&result);
}

/* Writes the example with one piece of its text replaced, and returns what the reader says: "" when it reads. */
static const char *complaint(const char *old, const char *new)
{
    static Err err;
    ResultSummary summary;
    char *folder = new_folder(), *path = mem_text("%s/e.json", folder);
    Json *json = example(&summary);
    char *text = json_text(json), *place = strstr(text, old);
    assert_non_null(place);
    char *changed = mem_text("%.*s%s%s", (int)(place - text), text, new, place + strlen(old));
    assert_true(file_write(path, changed, strlen(changed), &err));
    json_free(json);
    *err.text = '\0';
    json = result_read(path, &err);
    json_free(json);
    free(text);
    free(changed);
    free(path);
    remove_folder(folder);
    return err.text;
}

static void fields_of_later_versions_are_ignored(void **state)
{
    (void)state;
    assert_string_equal(complaint("\"schema\": 1", "\"schema\": 1, \"new\": [true]"), "");
    assert_string_equal(complaint("\"id\": \"e.one\"", "\"id\": \"e.one\", \"new\": 1"), "");
}

static void a_foreign_or_damaged_file_is_refused(void **state)
{
    (void)state;
    assert_says(complaint("\"schema\": 1", "\"schema\": 2"), "has schema 2, and this program reads schema 1");
    assert_says(complaint("\"schema\"", "\"shema\""), "is not a result: key \"schema\" is missing");
    assert_says(complaint("\"profile\": \"full\"", "\"profile\": \"fast\""), "key \"profile\" says \"fast\"");
    assert_says(complaint("\"outcome\": \"fine\"", "\"outcome\": \"good\""),
                "claim 1: key \"outcome\" says \"good\"");
    assert_says(complaint("\"seeds\": 3", "\"seeds\": \"3\""),
                "claim 1: key \"seeds\" must be of kind number");
    assert_says(complaint("\"published\": 2", "\"published\": [\"2\"]"), "claim 1: key \"published\" holds");
    assert_says(complaint("\"published\": 2", "\"published\": [[2]]"), "claim 1: key \"published\" holds");
    assert_says(complaint("\"interval\": [", "\"interval\": [1, "),
                "claim 1: key \"interval\" does not go with");
    assert_says(complaint("\"a warning\"", "1"), "key \"warnings\"");
    assert_says(complaint("\"value\": 5", "\"value\": \"5\""), "in \"measurements\", \"n\" is malformed");
    assert_says(complaint("\"value\": 5", "\"value\": 5, \"value\": 6"), "stands twice");
}

static void words_that_no_claim_has_are_refused(void **state)
{
    (void)state;
    assert_says(complaint("\"verdict\": \"reproduced\"", "\"verdict\": \"perfect\""),
                "claim 1: key \"verdict\" says \"perfect\"");
    assert_says(complaint("\"kind\": \"value\"", "\"kind\": \"worth\""),
                "claim 1: key \"kind\" says \"worth\"");
    assert_says(complaint("\"origin\": \"own\"", "\"origin\": \"ours\""),
                "claim 3: key \"origin\" says \"ours\"");
}

static void an_outcome_that_the_verdict_does_not_have_is_refused(void **state)
{
    (void)state;
    assert_says(
        complaint("\"outcome\": \"failed\"", "\"outcome\": \"fine\""),
        "claim 3: key \"outcome\" says \"fine\", and the verdict \"not reproduced\" makes it \"failed\"");
    assert_says(complaint("\"outcome\": \"declared\"", "\"outcome\": \"failed\""), "makes it \"declared\"");
    assert_says(complaint("\"outcome\": \"fine\"", "\"outcome\": \"failed\""),
                "\"reproduced\" makes it \"fine\"");
    assert_says(complaint("\"verdict\": \"not reproduced\"", "\"verdict\": \"inconclusive\""),
                "claim 3: key \"outcome\" says \"failed\"");
}

static void ids_of_another_experiment_and_ids_used_twice_are_refused(void **state)
{
    (void)state;
    assert_says(complaint("\"id\": \"e.one\"", "\"id\": \"f.one\""),
                "claim 1: key \"id\" must begin with \"e.\"");
    assert_says(complaint("\"id\": \"e.one\"", "\"id\": \"e.\""),
                "claim 1: key \"id\" must begin with \"e.\"");
    assert_says(complaint("\"id\": \"e.list\"", "\"id\": \"e.one\""), "claim 2: key \"id\" says \"e.one\"");
}

static void seeds_that_are_no_count_are_refused(void **state)
{
    (void)state;
    assert_says(complaint("\"seeds\": 3", "\"seeds\": -1"), "claim 1: key \"seeds\" must be a whole number");
    assert_says(complaint("\"seeds\": 3", "\"seeds\": 2.5"), "claim 1: key \"seeds\" must be a whole number");
    assert_says(complaint("\"seeds\": 3", "\"seeds\": 1e20"),
                "claim 1: key \"seeds\" must be a whole number");
}

static void numbers_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    assert_says(complaint("\"published\": 2", "\"published\": [2, 3]"),
                "claim 1: key \"published\" holds 2 numbers for 1 measured");
    assert_says(complaint("\"published\": [5, 6]", "\"published\": 5"),
                "claim 2: key \"published\" holds 1 numbers for 2 measured");
    assert_says(complaint("\"measured\": [5, 6]", "\"measured\": []"),
                "claim 2: key \"measured\" is a list of 0");
    assert_says(complaint("\"measured\": [5, 6]", "\"measured\": [5, 6, 7]"),
                "claim 2: key \"published\" holds 2");
    assert_says(complaint("\"interval\": [null, null]", "\"interval\": null"),
                "key \"interval\" does not go with");
}

static void units_that_are_no_list_of_keys_are_refused(void **state)
{
    (void)state;
    assert_string_equal(complaint("\"context\": {", "\"context\": {\"units\": [\"0a\"], "), "");
    assert_says(complaint("\"context\": {", "\"context\": {\"units\": [1], "),
                "e.json: key \"context\": \"units\"");
    assert_says(complaint("\"context\": {", "\"context\": {\"units\": \"0a\", "),
                "e.json: key \"context\": \"units\"");
}

static void a_summary_of_the_wrong_kind_is_refused(void **state)
{
    (void)state;
    assert_says(complaint("\"mean\": 5", "\"mean\": \"full\""),
                "e.json: in \"measurements\", \"n\": key \"mean\"");
}

static void a_truncated_file_is_refused(void **state)
{
    (void)state;
    ResultSummary summary;
    Err err;
    char *folder = new_folder(), *path = mem_text("%s/e.json", folder);
    Json *json = example(&summary);
    char *text = json_text(json);
    for (size_t length = 0; length < strlen(text) - 2; length += 97) {
        assert_true(file_write(path, text, length, &err));
        assert_null(result_read(path, &err));
        assert_says(err.text, "e.json:");
    }
    free(text);
    json_free(json);
    free(path);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_judged_and_counted),
        cmocka_unit_test(one_entry_stands_alone_and_several_in_lists),
        cmocka_unit_test(a_second_run_gives_the_same_bytes),
        cmocka_unit_test(a_claim_is_current_until_its_rule_changes),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(a_claim_that_can_not_be_judged_spoils_the_result),
        cmocka_unit_test(fields_of_later_versions_are_ignored),
        cmocka_unit_test(a_foreign_or_damaged_file_is_refused),
        cmocka_unit_test(words_that_no_claim_has_are_refused),
        cmocka_unit_test(an_outcome_that_the_verdict_does_not_have_is_refused),
        cmocka_unit_test(ids_of_another_experiment_and_ids_used_twice_are_refused),
        cmocka_unit_test(seeds_that_are_no_count_are_refused),
        cmocka_unit_test(numbers_that_do_not_go_together_are_refused),
        cmocka_unit_test(units_that_are_no_list_of_keys_are_refused),
        cmocka_unit_test(a_summary_of_the_wrong_kind_is_refused),
        cmocka_unit_test(a_truncated_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
