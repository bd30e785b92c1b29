#include "scan.h"
#include "test.h"

static void a_text_without_traps_passes(void **state)
{
    (void)state;
    Err err;
    assert_true(scan_text("{\"a\\\"b\": [1, -0.5e-3, true], \"c\": \"01 \\\\u0000\"}\r\n\t", "x", &err));
    assert_true(scan_text("", "x", &err));
    assert_true(scan_text("tru]", "x", &err)); /* the grammar is the parser's */
}

static void what_the_parser_lets_pass_is_found_with_its_place(void **state)
{
    (void)state;
    static const char *const traps[][2] = {
        {"[1,\n 01]", "x:2:2: this is not a number"},
        {"[1.]", "x:1:2: this is not a number"},
        {"[1e999]", "x:1:2: a number too large"},
        {"[\"\\u0000\"]", "x:1:3: a zero byte"},
        {"[\"é\t\"]", "x:1:4: a control character within a string"},
        {"[\x7f\x02]", "x:1:3: a control character"},
        {"[\"abc", "x:1:6: the text ends within a string"},
        {"[\"abc\\", "x:1:7: the text ends within a string"},
    };
    for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
        Err err;
        assert_false(scan_text(traps[i][0], "x", &err));
        assert_says(err.text, traps[i][1]);
    }
}

static void places_are_counted_in_lines_and_characters(void **state)
{
    (void)state;
    const char text[] = "añb\n\nçd";
    Err err;
    assert_false(scan_err(&err, "x", text, strchr(text, 'b'), "here"));
    assert_string_equal(err.text, "x:1:3: here");
    scan_err(&err, "x", text, strchr(text, 'd'), "here");
    assert_string_equal(err.text, "x:3:2: here");
    scan_err(&err, "x", text, text, "here");
    assert_string_equal(err.text, "x:1:1: here");
}

static void keys_are_told_from_other_strings(void **state)
{
    (void)state;
    const char *text = "{\"a\": \"b:\", \"c\\\"\" :[\"d\"], \"e\":{}}";
    assert_ptr_equal(scan_key(text, 0), text + 1);
    assert_ptr_equal(scan_key(text, 1), strstr(text, "\"c"));
    assert_ptr_equal(scan_key(text, 2), strstr(text, "\"e"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_without_traps_passes),
        cmocka_unit_test(what_the_parser_lets_pass_is_found_with_its_place),
        cmocka_unit_test(places_are_counted_in_lines_and_characters),
        cmocka_unit_test(keys_are_told_from_other_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
