#include "file.h"
#include "json.h"
#include "mem.h"
#include "rng.h"
#include "test.h"

/* What the reader says about a text it must refuse. */
static const char *refusal(const char *text)
{
    static Err err;
    Json *json = json_parse(text, "x.json", &err);
    if (json)
        fail_msg("accepted: %s", text);
    return err.text;
}

static Json *parsed(const char *text)
{
    Err err;
    Json *json = json_parse(text, "x.json", &err);
    if (!json)
        fail_msg("refused: %s", err.text);
    return json;
}

static void what_is_written_reads_back_as_what_it_was(void **state)
{
    (void)state;
    Json *json = json_object(), *list = json_array();
    json_append(list, json_from_null());
    json_append(list, json_from_bool(true));
    json_append(list, json_from_string("␣gato \"sub\"\\\n\t\x01"));
    json_add(json, "list", list);
    json_add(json, "List", json_from_number(-0.0)); /* another key: case counts */
    json_add(json, "empty", json_object());
    char *text = json_text(json);
    Json *again = parsed(text);
    char *text_again = json_text(again);
    assert_string_equal(text, text_again);
    const Json *found = json_get(again, "list");
    assert_int_equal(json_count(found), 3);
    assert_int_equal(json_kind(json_at(found, 0)), JSON_NULL);
    assert_true(json_bool(json_at(found, 1)));
    assert_string_equal(json_string(json_at(found, 2)), "␣gato \"sub\"\\\n\t\x01");
    assert_null(json_at(found, 3));
    assert_true(signbit(json_number(json_get(again, "List"))));
    assert_null(json_get(again, "LIST"));
    assert_null(json_get(found, "list")); /* not an object */
    free(text);
    free(text_again);
    json_free(json);
    json_free(again);
}

static void doubles_come_back_as_the_same_bits(void **state)
{
    (void)state;
    enum { NUMBERS = 20000 };
    Rng rng = rng_stream(1, "doubles");
    double *numbers = mem_new(NUMBERS, sizeof *numbers);
    Json *json = json_array();
    for (int i = 0; i < NUMBERS; i++) {
        do { /* any bit pattern that is a finite number, and numbers of everyday size */
            uint64_t bits = (uint64_t)rng_bits(&rng) << 32 | rng_bits(&rng);
            memcpy(&numbers[i], &bits, sizeof bits);
            if (i % 2)
                numbers[i] = 100 * rng_uniform(&rng);
        } while (!isfinite(numbers[i]));
        json_append(json, json_from_number(numbers[i]));
    }
    char *text = json_text(json);
    Json *again = parsed(text);
    int i = 0;
    for (const Json *item = json_first(again); item; item = json_next(item), i++) {
        double number = json_number(item);
        assert_memory_equal(&number, &numbers[i], sizeof number);
    }
    assert_int_equal(i, NUMBERS);
    free(text);
    free(numbers);
    json_free(json);
    json_free(again);
}

static void the_text_is_pleasant_to_read(void **state)
{
    (void)state;
    const char *text = "{\n"
                       "  \"x\": [0.1, null, 1e+300],\n"
                       "  \"flat\": {\"seed\": 0, \"value\": 38.07},\n"
                       "  \"deep\": [\n"
                       "    [1, 2],\n"
                       "    [3, 4]\n"
                       "  ],\n"
                       "  \"none\": []\n"
                       "}\n";
    Json *json = parsed(text);
    char *again = json_text(json);
    assert_string_equal(again, text);
    free(again);
    json_free(json);
}

static void long_flat_containers_are_broken_but_arrays_of_numbers_are_not(void **state)
{
    (void)state;
    Json *words = json_array(), *numbers = json_array();
    for (int i = 0; i < 40; i++) {
        json_append(words, json_from_string("word"));
        json_append(numbers, json_from_number(i));
    }
    char *text = json_text(words), *line = json_text(numbers);
    assert_says(text, "[\n  \"word\",\n");
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    free(text);
    free(line);
    json_free(words);
    json_free(numbers);
}

static void errors_name_file_line_and_column(void **state)
{
    (void)state;
    assert_string_equal(refusal("{\n  \"ã\": 1,\n  \"b\" 2\n}"), "x.json:3:7: this is not JSON from here on");
    assert_says(refusal("{\"ã\": 1e999}"), "x.json:1:7: a number too large");
    Err err;
    assert_null(json_read("/nowhere/x.json", &err));
    assert_says(err.text, "/nowhere/x.json");
}

static void a_truncated_text_is_refused_wherever_it_is_cut(void **state)
{
    (void)state;
    const char whole[] = "{\"a\": [1.5, true, \"x\\u00e9\"], \"b\": {\"c\": null}}";
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        char part[sizeof whole] = {0};
        memcpy(part, whole, length);
        assert_says(refusal(part), "x.json:1:");
    }
    json_free(parsed(whole));
}

static void anything_behind_the_value_is_refused(void **state)
{
    (void)state;
    assert_says(refusal("{} x"), "1:4");
    assert_says(refusal("{}{}"), "1:3");
    assert_says(refusal("1 2"), "1:3");
    json_free(parsed(" {}\r\n\t"));
}

static void a_key_that_stands_twice_is_refused_at_every_depth(void **state)
{
    (void)state;
    assert_string_equal(refusal("{\"a\": 1,\n \"b\": 2, \"a\": 3}"),
                        "x.json:2:10: the key \"a\" stands twice in one object");
    assert_says(refusal("[0, {\"k\": {\"a\": \"b:\\\"\", \n\"c\": [{\"a\": 1}], \"a\": 3}}]"), "2:18");
    assert_says(refusal("{\"a\": 1, \"\\u0061\": 2}"), "1:10"); /* the same key, written otherwise */
    json_free(parsed("{\"a\": {\"a\": 1}, \"A\": {\"a\": 2}}"));
}

static void only_numbers_of_the_grammar_are_numbers(void **state)
{
    (void)state;
    static const char *const wrong[] = {"01",        "1.",   ".5",    "-.5", "+1",    "1e",
                                        "1e+",       "0x10", "1.5.2", "--1", "-",     "Infinity",
                                        "-Infinity", "NaN",  "nan",   "1-2", "1e999", "-2e308"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char *text = mem_text("[%s]", wrong[i]);
        assert_says(refusal(text), "x.json:1:");
        free(text);
    }
    Json *json = parsed("[0, -0, 10, 1.25, 1e3, 1E+3, 12.5e-1, 1e-999]");
    assert_near(json_number(json_at(json, 6)), 1.25, 0);
    json_free(json);
}

/* cJSON would read the first 63 characters of such a number and go on in its middle. */
static void a_number_too_long_to_be_read_is_refused(void **state)
{
    (void)state;
    char *text = mem_text("[1%0100d]", 0);
    assert_says(refusal(text), "1:2: a number of more than 63 characters");
    free(text);
}

static void strings_hide_nothing(void **state)
{
    (void)state;
    assert_says(refusal("[\"a\\u0000b\"]"), "zero byte");
    assert_says(refusal("[\"a\nb\"]"), "control character");
    assert_says(refusal("[\x01]"), "control character");
    assert_says(refusal("[\"\\x\"]"), "x.json");
    assert_says(refusal("[\"\\ud800\"]"), "x.json"); /* half a surrogate pair */
    Json *json = parsed("[\"\\\\u0000 \\ud83d\\ude00\"]");
    assert_string_equal(json_string(json_at(json, 0)), "\\u0000 😀");
    json_free(json);
}

static void malformed_texts_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",           " ",   "[1,]", "{\"a\":1,}", "{a:1}",    "['a']",
                                        "[1 2]",      "tru", "nul]", "[true1]",    "{\"a\":}", "{,}",
                                        "]",          "}",   ":",    "[}",         "{]",       "//",
                                        "{\"a\":1;}", "\"",  "\"\\", "{1:2}"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_says(refusal(wrong[i]), "x.json:");
}

static void nesting_ends_in_an_error_and_not_in_a_crash(void **state)
{
    (void)state;
    enum { DEEP = 1000000 };
    char *text = mem_new(DEEP + 1, 1);
    memset(text, '[', DEEP);
    assert_says(refusal(text), "1:1001: nested too deeply");
    memset(text, '[', 1000);
    memset(text + 1000, ']', 1000);
    text[2000] = '\0';
    Json *json = parsed(text);
    char *again = json_text(json);
    json_free(json);
    json_free(parsed(again));
    free(again);
    free(text);
}

static void a_large_text_is_read(void **state)
{
    (void)state;
    enum { MEMBERS = 20000 };
    Json *json = json_array();
    for (int i = 0; i < MEMBERS; i++) {
        Json *object = json_object();
        json_add(object, "seed", json_from_number(i));
        json_append(json, object);
    }
    char *text = json_text(json);
    Json *again = parsed(text);
    assert_int_equal(json_count(again), MEMBERS);
    free(text);
    json_free(json);
    json_free(again);
}

static void a_byte_order_mark_is_passed_over(void **state)
{
    (void)state;
    Json *json = parsed("\xef\xbb\xbf{\"a\": 1}");
    assert_non_null(json_get(json, "a"));
    json_free(json);
}

static void files_are_written_and_read(void **state)
{
    (void)state;
    char *folder = new_folder(), *path = mem_text("%s/a.json", folder);
    Err err;
    Json *json = json_array();
    json_append(json, json_from_number(0.1));
    assert_true(json_write(json, path, &err));
    Json *again = json_read(path, &err);
    assert_non_null(again);
    assert_near(json_number(json_at(again, 0)), 0.1, 0);
    json_free(again);
    assert_true(file_write(path, "[1]\0[2]", 7, &err));
    assert_null(json_read(path, &err));
    assert_says(err.text, "a.json:1:4: a zero byte");
    json_free(json);
    free(path);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_as_what_it_was),
        cmocka_unit_test(doubles_come_back_as_the_same_bits),
        cmocka_unit_test(the_text_is_pleasant_to_read),
        cmocka_unit_test(long_flat_containers_are_broken_but_arrays_of_numbers_are_not),
        cmocka_unit_test(errors_name_file_line_and_column),
        cmocka_unit_test(a_truncated_text_is_refused_wherever_it_is_cut),
        cmocka_unit_test(anything_behind_the_value_is_refused),
        cmocka_unit_test(a_key_that_stands_twice_is_refused_at_every_depth),
        cmocka_unit_test(only_numbers_of_the_grammar_are_numbers),
        cmocka_unit_test(a_number_too_long_to_be_read_is_refused),
        cmocka_unit_test(strings_hide_nothing),
        cmocka_unit_test(malformed_texts_are_refused),
        cmocka_unit_test(nesting_ends_in_an_error_and_not_in_a_crash),
        cmocka_unit_test(a_large_text_is_read),
        cmocka_unit_test(a_byte_order_mark_is_passed_over),
        cmocka_unit_test(files_are_written_and_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
