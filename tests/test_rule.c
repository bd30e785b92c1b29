#include "claims.h"
#include "file.h"
#include "mem.h"
#include "test.h"

/* Reads a file of one claim with these fields of its kind's own, in addition to those of every claim. NULL with
 * the sentence in err when it is refused. */
static Claims *read_fields(const char *kind, const char *fields, Err *err)
{
    char *folder = new_folder(), *path = mem_text("%s/e.claims.json", folder);
    char *text =
        mem_text("{\"experiment\": \"e\", \"about\": \"a\", \"claims\": [{\"id\": \"e.x\", \"says\": \"s\", "
                 "\"source\": \"C9\", \"origin\": \"source\", \"kind\": \"%s\", %s}]}",
                 kind, fields);
    assert_true(file_write(path, text, strlen(text), err));
    Claims *claims = claims_read(path, err);
    free(text);
    free(path);
    remove_folder(folder);
    return claims;
}

static void accept(const char *kind, const char *fields)
{
    Err err;
    Claims *claims = read_fields(kind, fields, &err);
    if (!claims)
        fail_msg("%s", err.text);
    assert_string_equal(claim_kind_words[claims->list[0].rule.kind], kind);
    claims_free(claims);
}

/* The sentence must name the file, the claim and what is wrong. */
static void refuse(const char *kind, const char *fields, const char *why)
{
    Err err;
    Claims *claims = read_fields(kind, fields, &err);
    if (claims)
        fail_msg("accepted: %s", fields);
    assert_says(err.text, "e.claims.json: claim \"e.x\": ");
    assert_says(err.text, why);
}

#define MARGIN ", \"margin\": {\"value\": 0.1, \"why\": \"w\"}"

static void every_kind_is_accepted_with_its_fields(void **state)
{
    (void)state;
    accept("exact", "\"measure\": \"m\", \"published\": 5");
    accept("exact", "\"measure\": [\"m\", \"n\"], \"published\": [0.5, 1], \"decimals\": 3");
    accept("at_most", "\"measure\": \"m\", \"bound\": {\"value\": 1e-5, \"why\": \"w\"}");
    accept("at_most", "\"measure\": \"m\", \"published\": 1e-8, \"bound\": {\"c\": 2, \"k\": 128, \"eps\": "
                      "\"float32\", \"scale\": \"largest\", \"why\": \"w\"}");
    accept("value", "\"measure\": \"m\", \"published\": 38.07, \"decimals\": 2" MARGIN);
    accept("value", "\"measure\": \"m\", \"published\": 38.07, \"half_unit\": 0.5, \"log\": true, "
                    "\"pool\": [\"m\", \"n\"]" MARGIN);
    accept("value", "\"measure\": \"m\", \"published\": null");
    accept("value", "\"measure\": \"m\", \"published\": 3.975, \"law\": 4, \"standard_error\": \"se\"");
    accept("difference", "\"of\": [\"a\", \"b\"], \"published\": 0, \"decimals\": 0" MARGIN);
    accept("ratio", "\"of\": [\"a\", \"b\"], \"published\": 4, \"half_unit\": 0.5, "
                    "\"margin\": {\"share\": 0.1, \"why\": \"w\"}");
    accept("order", "\"falling\": [\"a\", [\"b\", \"c\"], \"d\"]");
    accept("order", "\"rising\": [\"a\", \"b\"], \"published\": [1, 2]");
    accept("order", "\"rising\": [\"a\", \"b\"], \"better\": \"larger\"");
    accept("shape", "\"contrasts\": [{\"of\": \"a\", \"above\": 1, \"below\": 2, \"why\": \"w\"}, "
                    "{\"over\": [\"a\", \"b\"], \"above\": 10, \"why\": \"w\"}]");
    accept("fraction", "\"successes\": \"k\", \"trials\": \"n\", \"published\": 0.7, \"decimals\": 1");
    accept("value", "\"published\": [0.85, 0.15], \"not_run\": \"its inputs are lost\"");
}

static void missing_keys_are_named(void **state)
{
    (void)state;
    refuse("exact", "\"measure\": \"m\"", "key \"published\" is missing");
    refuse("exact", "\"published\": 1", "key \"measure\" is missing");
    refuse("at_most", "\"measure\": \"m\"", "key \"bound\" is missing");
    refuse("value", "\"measure\": \"m\", \"published\": 1, \"decimals\": 1", "key \"margin\" is missing");
    refuse("value", "\"measure\": \"m\", \"published\": 1" MARGIN, "exactly one of the keys \"decimals\"");
    refuse("ratio", "\"of\": [\"a\", \"b\"], \"published\": 1, \"decimals\": 1", "key \"margin\" is missing");
    refuse("order", "\"published\": null", "\"falling\", \"rising\" is needed, not 0");
    refuse("shape", "\"published\": 1", "key \"contrasts\" is missing");
    refuse("fraction", "\"successes\": \"k\", \"published\": 1, \"decimals\": 1",
           "key \"trials\" is missing");
    refuse("value", "\"measure\": \"m\", \"published\": 1, \"law\": 1", "key \"standard_error\" is missing");
    refuse("value", "\"measure\": \"m\", \"published\": 1, \"standard_error\": \"s\"",
           "key \"law\" is missing");
}

static void keys_of_another_kind_are_refused(void **state)
{
    (void)state;
    refuse("exact", "\"measure\": \"m\", \"published\": 1" MARGIN, "key \"margin\" is unknown here");
    refuse("exact", "\"mesure\": \"m\", \"published\": 1",
           "key \"mesure\" is unknown here; is \"measure\" meant?");
    refuse("order", "\"falling\": [\"a\", \"b\"], \"better\": \"more\"", "none of \"smaller\", \"larger\"");
    refuse("order", "\"falling\": [\"a\", \"b\"], \"rising\": [\"a\", \"b\"]", "needed, not 2");
    refuse("value", "\"published\": 1, \"not_run\": \"r\", \"measure\": \"m\"",
           "key \"measure\" is unknown here");
}

static void values_of_the_wrong_kind_are_refused(void **state)
{
    (void)state;
    refuse("exact", "\"measure\": 1, \"published\": 1", "key \"measure\" must be of kind string or list");
    refuse("exact", "\"measure\": [\"a\", 1], \"published\": [1, 2]",
           "key \"measure\" holds something else than names");
    refuse("exact", "\"measure\": [\"a\", \"b\"], \"published\": [1, \"2\"]",
           "key \"published\" holds something else");
    refuse("exact", "\"measure\": \"m\", \"published\": \"1\"", "key \"published\" must be of kind");
    refuse("exact", "\"measure\": \"m\", \"published\": 1, \"decimals\": 0.5",
           "key \"decimals\" must be a whole number");
    refuse("exact", "\"measure\": \"m\", \"published\": 1, \"decimals\": -1",
           "key \"decimals\" must be a whole number");
    refuse("exact", "\"measure\": [], \"published\": []", "key \"measure\" is an empty list");
    refuse("difference", "\"of\": [\"a\"], \"published\": 1, \"decimals\": 0" MARGIN,
           "key \"of\" must hold two names");
    refuse("order", "\"falling\": [\"a\", [\"b\", 1]]", "key \"falling\" holds something else");
    refuse("order", "\"falling\": [\"a\", []]", "key \"falling\" holds an empty list");
    refuse("order", "\"falling\": [[\"a\", \"b\"]]", "key \"falling\" needs two names or more");
    refuse("value", "\"published\": [1, null], \"not_run\": \"r\"", "key \"published\" holds something else");
}

static void lists_must_be_equally_long(void **state)
{
    (void)state;
    refuse("exact", "\"measure\": [\"a\", \"b\"], \"published\": [1, 2, 3]", "3 numbers for 2 measured");
    refuse("exact", "\"measure\": [\"a\", \"b\"], \"published\": 1", "1 numbers for 2 measured");
    refuse("exact", "\"measure\": \"a\", \"published\": [1, 2]", "2 numbers for 1 measured");
    refuse("order", "\"falling\": [\"a\", [\"b\", \"c\"]], \"published\": [1, 2]",
           "2 numbers for 3 measured");
    refuse("value",
           "\"measure\": [\"a\", \"b\"], \"published\": [1, 2], \"law\": [1, 2], \"standard_error\": \"s\"",
           "key \"standard_error\" needs as many names");
}

static void a_margin_that_can_not_be_resolved_is_refused(void **state)
{
    (void)state;
#define WITH(published, margin)                                                                              \
    "\"of\": [\"a\", \"b\"], \"decimals\": 0, \"published\": " published ", \"margin\": " margin
    refuse("difference", WITH("0", "{\"share\": 0.25, \"why\": \"w\"}"),
           "a share of a published 0 is no margin");
    refuse("difference", WITH("null", "{\"share\": 0.25, \"why\": \"w\"}"), "not stated");
    refuse("difference", WITH("1", "{\"value\": 0, \"why\": \"w\"}"), "must be above 0");
    refuse("difference", WITH("1", "{\"share\": -1, \"why\": \"w\"}"), "must be above 0");
    refuse("difference", WITH("1", "{\"value\": 1, \"share\": 1, \"why\": \"w\"}"), "exactly one of");
    refuse("difference", WITH("1", "{\"value\": 1}"), "key \"margin\": key \"why\" is missing");
    refuse("difference", WITH("1", "{\"value\": 1, \"why\": \"\"}"), "key \"margin\": key \"why\" is empty");
    refuse("difference", WITH("1", "{\"vaule\": 1, \"why\": \"w\"}"), "is \"value\" meant?");
    refuse("ratio", WITH("-1", "{\"value\": 1, \"why\": \"w\"}"), "to have a logarithm");
    refuse("ratio", WITH("0.4", "{\"value\": 1, \"why\": \"w\"}"),
           "larger than half a unit"); /* may be 0 or less */
#undef WITH
}

static void a_bound_must_be_whole(void **state)
{
    (void)state;
#define WITH(bound) "\"measure\": \"m\", \"bound\": " bound
    refuse("at_most", WITH("{\"c\": 1, \"k\": 1, \"eps\": \"float32\", \"why\": \"w\"}"),
           "\"scale\" is missing");
    refuse("at_most", WITH("{\"c\": 1, \"k\": 1, \"eps\": \"f32\", \"scale\": 1, \"why\": \"w\"}"),
           "\"f32\"");
    refuse("at_most", WITH("{\"c\": 0, \"k\": 1, \"eps\": \"float32\", \"scale\": 1, \"why\": \"w\"}"),
           "above 0");
    refuse("at_most", WITH("{\"value\": 1, \"c\": 1, \"why\": \"w\"}"), "key \"c\" is unknown here");
    refuse("at_most", WITH("{\"value\": 1}"), "\"why\" is missing");
    refuse("at_most", WITH("{}"), "is missing");
#undef WITH
}

static void a_contrast_must_have_a_side_and_sensible_limits(void **state)
{
    (void)state;
#define WITH(contrast) "\"contrasts\": [" contrast "]"
    refuse("shape", WITH(""), "key \"contrasts\" is an empty list");
    refuse("shape", WITH("{\"of\": \"a\", \"why\": \"w\"}"), "entry 1: one of the keys \"above\"");
    refuse("shape", WITH("{\"of\": \"a\", \"above\": 2, \"below\": 1, \"why\": \"w\"}"), "nothing is above");
    refuse("shape", WITH("{\"above\": 2, \"why\": \"w\"}"), "exactly one of the keys \"of\"");
    refuse("shape", WITH("{\"over\": [\"a\", \"b\"], \"above\": 0, \"why\": \"w\"}"), "logarithm");
    refuse("shape", WITH("{\"minus\": [\"a\"], \"above\": 0, \"why\": \"w\"}"),
           "key \"minus\" must hold two names");
    refuse("shape", WITH("1"), "an object");
#undef WITH
}

static void a_pool_must_hold_what_is_measured(void **state)
{
    (void)state;
    refuse("value", "\"measure\": \"m\", \"published\": 1, \"decimals\": 0, \"pool\": [\"n\"]" MARGIN,
           "key \"pool\" leaves out \"m\"");
    refuse("value",
           "\"measure\": \"m\", \"published\": 1, \"law\": 1, \"standard_error\": \"s\", \"pool\": [\"m\"]",
           "key \"pool\" has no use beside \"law\"");
}

static void numbers_are_resolved_on_the_scale_of_the_claim(void **state)
{
    (void)state;
    Err err;
    Claims *plain = read_fields("value",
                                "\"measure\": [\"m\", \"n\"], \"published\": [2, -4], \"decimals\": 1, "
                                "\"margin\": {\"share\": 0.25, \"why\": \"w\"}",
                                &err);
    const Target *target = &plain->list[0].rule.targets[1];
    assert_int_equal(plain->list[0].rule.count, 2);
    assert_false(term_is_log(&target->term));
    assert_near(target->published, -4, 0);
    assert_near(target->half_unit, 0.05, 1e-17);
    assert_near(target->margin, 1, 0);
    claims_free(plain);
    Claims *ratio = read_fields("ratio",
                                "\"of\": [\"a\", \"b\"], \"published\": 4, \"half_unit\": 0.5, "
                                "\"margin\": {\"share\": 0.1, \"why\": \"w\"}",
                                &err);
    target = &ratio->list[0].rule.targets[0];
    assert_true(term_is_log(&target->term));
    assert_near(target->printed, 4, 0);
    assert_near(target->published, log(4), 0);
    assert_near(target->half_unit, log(4 / 3.5), 1e-15);
    assert_near(target->margin, log(1.1), 1e-15);
    claims_free(ratio);
    Claims *lost = read_fields("value", "\"measure\": \"m\", \"published\": null", &err);
    target = &lost->list[0].rule.targets[0];
    assert_true(isnan(target->published) && isnan(target->margin) && rule_is_unstated(&lost->list[0].rule));
    claims_free(lost);
}

static void contrasts_and_orders_become_targets(void **state)
{
    (void)state;
    Err err;
    Claims *shape = read_fields("shape",
                                "\"contrasts\": [{\"of\": \"a\", \"above\": 1, \"why\": \"v\"}, "
                                "{\"over\": [\"a\", \"b\"], \"below\": 10, \"why\": \"w\"}]",
                                &err);
    const Target *targets = shape->list[0].rule.targets;
    assert_int_equal(shape->list[0].rule.count, 2);
    assert_true(targets[0].term.form == TERM_PLAIN && targets[0].above == 1 && isinf(targets[0].below));
    assert_true(targets[1].term.form == TERM_LOG_OVER && isinf(targets[1].above));
    assert_near(targets[1].below, log(10), 0);
    assert_string_equal(targets[1].why, "w");
    claims_free(shape);
    Claims *order =
        read_fields("order", "\"falling\": [\"a\", [\"b\", \"c\"], \"d\"], \"better\": \"larger\"", &err);
    const Rule *rule = &order->list[0].rule;
    const size_t places[] = {0, 1, 1, 2};
    assert_true(rule->falling && rule->larger_is_better && rule->count == 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(rule->targets[i].place, places[i]);
    claims_free(order);
    Claims *not_run = read_fields("value", "\"published\": [1, 2], \"not_run\": \"r\"", &err);
    assert_int_equal(not_run->list[0].rule.count, 2);
    claims_free(not_run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_accepted_with_its_fields),
        cmocka_unit_test(missing_keys_are_named),
        cmocka_unit_test(keys_of_another_kind_are_refused),
        cmocka_unit_test(values_of_the_wrong_kind_are_refused),
        cmocka_unit_test(lists_must_be_equally_long),
        cmocka_unit_test(a_margin_that_can_not_be_resolved_is_refused),
        cmocka_unit_test(a_bound_must_be_whole),
        cmocka_unit_test(a_contrast_must_have_a_side_and_sensible_limits),
        cmocka_unit_test(a_pool_must_hold_what_is_measured),
        cmocka_unit_test(numbers_are_resolved_on_the_scale_of_the_claim),
        cmocka_unit_test(contrasts_and_orders_become_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
