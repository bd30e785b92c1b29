#include "fields.h"
#include "mem.h"
#include "test.h"

static const Field person[] = {
    {"name", TEXT, true}, {"age", NUMBER | NOTHING, false}, {"note", EMPTY_TEXT, false}, {0}};
static const Field job[] = {{"works", FLAG, true}, {"tools", LIST | OBJECT, false}, {0}};

/* The sentence about a malformed object, or "" when it is well formed. */
static const char *complaint(const char *text, const Field *more)
{
    static Err err;
    *err.text = '\0';
    Json *json = json_parse(text, "x", &err);
    if (!json)
        fail_msg("%s", err.text);
    bool good = fields_check(json, person, more, &err);
    assert_int_equal(good, !*err.text);
    json_free(json);
    return err.text;
}

static void an_object_of_known_keys_is_accepted(void **state)
{
    (void)state;
    assert_string_equal(complaint("{\"name\": \"x\", \"age\": null, \"note\": \"\"}", NULL), "");
    assert_string_equal(complaint("{\"works\": true, \"name\": \"x\", \"tools\": {}}", job), "");
}

static void an_unknown_key_is_refused_and_the_nearest_named(void **state)
{
    (void)state;
    assert_string_equal(complaint("{\"name\": \"x\", \"era\": 1}", NULL), "key \"era\" is unknown here");
    assert_string_equal(complaint("{\"name\": \"x\", \"aeg\": 1}", NULL),
                        "key \"aeg\" is unknown here; is \"age\" meant?");
    assert_string_equal(complaint("{\"nmae\": \"x\"}", NULL),
                        "key \"nmae\" is unknown here; is \"name\" meant?");
    assert_string_equal(complaint("{\"Name\": \"x\"}", NULL),
                        "key \"Name\" is unknown here; is \"name\" meant?");
    assert_says(complaint("{\"name\": \"x\", \"work\": true}", job), "is \"works\" meant?");
    char *text = mem_text("{\"%0300d\": 1}", 0);
    assert_says(complaint(text, NULL), "is unknown here");
    free(text);
}

static void a_missing_key_is_named(void **state)
{
    (void)state;
    assert_string_equal(complaint("{}", NULL), "key \"name\" is missing");
    assert_string_equal(complaint("{\"name\": \"x\"}", job), "key \"works\" is missing");
}

static void a_wrong_kind_is_named_with_the_right_ones(void **state)
{
    (void)state;
    assert_string_equal(complaint("{\"name\": 1}", NULL), "key \"name\" must be of kind string");
    assert_string_equal(complaint("{\"name\": \"x\", \"age\": \"1\"}", NULL),
                        "key \"age\" must be of kind null or number");
    assert_says(complaint("[]", NULL), "object");
}

static void an_empty_text_is_none_unless_it_may_be(void **state)
{
    (void)state;
    assert_string_equal(complaint("{\"name\": \"\"}", NULL), "key \"name\" is empty");
}

static void other_keys_may_be_allowed(void **state)
{
    (void)state;
    Err err;
    Json *more = json_parse("{\"name\": \"x\", \"new\": 1}", "x", &err);
    Json *wrong = json_parse("{\"name\": 1, \"new\": 1}", "x", &err),
         *none = json_parse("{\"new\": 1}", "x", &err);
    assert_true(fields_check_known(more, person, &err));
    assert_false(fields_check_known(wrong, person, &err));
    assert_string_equal(err.text, "key \"name\" must be of kind string");
    assert_false(fields_check_known(none, person, &err));
    assert_string_equal(err.text, "key \"name\" is missing");
    json_free(more);
    json_free(wrong);
    json_free(none);
}

static void exactly_one_of_several_keys_can_be_asked_for(void **state)
{
    (void)state;
    static const char *const keys[] = {"value", "share", NULL};
    Err err;
    Json *both = json_parse("{\"value\": 1, \"share\": 1}", "x", &err),
         *one = json_parse("{\"share\": 1}", "x", &err);
    assert_true(fields_one_of(one, keys, &err));
    assert_false(fields_one_of(both, keys, &err));
    assert_string_equal(err.text, "exactly one of the keys \"value\", \"share\" is needed, not 2");
    json_free(both);
    json_free(one);
}

static void a_word_is_found_in_its_list(void **state)
{
    (void)state;
    static const char *const words[] = {"source", "own", NULL};
    Err err;
    Json *json = json_parse("{\"origin\": \"own\", \"wrong\": \"sauce\"}", "x", &err);
    assert_int_equal(fields_word(json, "origin", words, &err), 1);
    assert_int_equal(fields_word(json, "wrong", words, &err), -1);
    assert_string_equal(err.text, "key \"wrong\" says \"sauce\", which is none of \"source\", \"own\"");
    assert_string_equal(fields_text(json, "origin"), "own");
    assert_null(fields_text(json, "finding"));
    json_free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_of_known_keys_is_accepted),
        cmocka_unit_test(an_unknown_key_is_refused_and_the_nearest_named),
        cmocka_unit_test(a_missing_key_is_named),
        cmocka_unit_test(a_wrong_kind_is_named_with_the_right_ones),
        cmocka_unit_test(an_empty_text_is_none_unless_it_may_be),
        cmocka_unit_test(other_keys_may_be_allowed),
        cmocka_unit_test(exactly_one_of_several_keys_can_be_asked_for),
        cmocka_unit_test(a_word_is_found_in_its_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
