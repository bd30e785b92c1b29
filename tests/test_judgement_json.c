#include "judgement_json.h"

#include "claim_text.h"

/* The single claim's entry as it is written; owned by the caller. */
static Json *written(const char *kind, const char *fields, Measurements all)
{
    Claims *claims = claim_text(kind, fields);
    Result result = {.conditions = comparable, .measurements = all};
    Judgement judgement = judge(&claims->list[0], &result);
    Json *list = judgements_to_json(claims, &(Judgements){&judgement, 1});
    Json *one = json_copy(json_first(list));
    json_free(list);
    judgement_free(&judgement);
    claims_free(claims);
    measurements_free(&all);
    return one;
}

static void assert_text(const Json *claim, const char *key, const char *expected)
{
    assert_string_equal(json_string(json_get(claim, key)), expected);
}

#define MARGIN "\"margin\": {\"value\": 1, \"why\": \"w\"}"

static void a_single_number_stands_alone(void **state)
{
    (void)state;
    Json *one =
        written("value", "\"measure\": \"m\", \"unit\": \"u\", \"published\": 2, \"decimals\": 0, " MARGIN,
                measured("m", "1.9 2 2.1", NULL));
    assert_text(one, "id", "e.x");
    assert_text(one, "origin", "source");
    assert_text(one, "kind", "value");
    assert_text(one, "unit", "u");
    assert_text(one, "verdict", "reproduced");
    assert_text(one, "outcome", "fine");
    assert_near(json_number(json_get(one, "published")), 2, 0);
    assert_near(json_number(json_get(one, "measured")), 2, 1e-15);
    assert_near(json_number(json_at(json_get(one, "interval"), 1)), 2.497, 0.001);
    assert_near(json_number(json_get(one, "seeds")), 3, 0);
    assert_true(json_bool(json_get(one, "stochastic")));
    assert_null(json_get(one, "timed"));
    json_free(one);
}

static void several_numbers_stand_in_lists(void **state)
{
    (void)state;
    Json *two = written(
        "exact",
        "\"measure\": [\"n\", \"o\"], \"published\": [5, 6], \"disagrees\": \"d\", \"finding\": \"f\"",
        measured("n", "= 5", "o", "= 7", NULL));
    assert_near(json_number(json_at(json_get(two, "published"), 1)), 6, 0);
    assert_near(json_number(json_at(json_get(two, "measured"), 1)), 7, 0);
    assert_near(json_number(json_at(json_at(json_get(two, "interval"), 1), 0)), 6, 0);
    assert_text(two, "outcome", "declared");
    assert_text(two, "disagrees", "d");
    assert_text(two, "finding", "f");
    json_free(two);
}

static void what_is_not_there_is_null(void **state)
{
    (void)state;
    Json *order = written("order", "\"rising\": [\"m\", \"n\"]", measured("m", "= 1", "n", "= x", NULL));
    assert_int_equal(json_kind(json_get(order, "published")), JSON_NULL);
    assert_int_equal(json_kind(json_at(json_get(order, "measured"), 1)), JSON_NULL);
    assert_int_equal(json_kind(json_first(json_get(order, "interval"))), JSON_NULL);
    json_free(order);
    Measurements timed = {0};
    measurements_add(&timed, "t", FIXED, 1, true);
    Json *shape = written("shape", "\"contrasts\": [{\"of\": \"t\", \"above\": 0, \"why\": \"w\"}]", timed);
    assert_true(json_bool(json_get(shape, "timed")));
    json_free(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_number_stands_alone),
        cmocka_unit_test(several_numbers_stand_in_lists),
        cmocka_unit_test(what_is_not_there_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
