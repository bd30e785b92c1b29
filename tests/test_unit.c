#include "file.h"
#include "machine.h"
#include "mem.h"
#include "test.h"
#include "unit.h"

/* The identity of a small piece of work. */
static Json *identity(double rate, int steps)
{
    Json *settings = json_object(), *training = json_object();
    json_add(training, "rate", json_from_number(rate));
    json_add(training, "steps", json_from_number(steps));
    json_add(settings, "training", training);
    json_add(settings, "seed", json_from_number(0));
    return unit_identity(settings);
}

static Json *content(double value)
{
    Json *json = json_object();
    json_add(json, "perplexity", json_from_number(value));
    return json;
}

static void save(const char *folder, const Json *identity_of, double value)
{
    Err err;
    if (!unit_save(folder, identity_of, content(value), 12.5, &err))
        fail_msg("%s", err.text);
}

static double saved_value(const char *folder, const Json *identity_of)
{
    Err err;
    Json *record;
    if (!unit_find(folder, identity_of, &record, &err))
        fail_msg("%s", err.text);
    double value = record ? json_number(json_get(json_get(record, "content"), "perplexity")) : -1;
    json_free(record);
    return value;
}

static void what_was_saved_is_found_again(void **state)
{
    (void)state;
    char *folder = new_folder();
    Json *unit = identity(0.001, 3000);
    assert_true(saved_value(folder, unit) == -1);
    save(folder, unit, 38.25);
    assert_true(saved_value(folder, unit) == 38.25);

    Err err;
    Json *record;
    assert_true(unit_find(folder, unit, &record, &err));
    assert_true(unit_seconds(record) == 12.5);
    json_free(record);
    json_free(unit);
    remove_folder(folder);
}

static void the_reference_serves_where_the_folder_has_nothing(void **state)
{
    (void)state;
    char *folder = new_folder(), *reference = mem_text("%s/reference", folder);
    Json *unit = identity(0.001, 3000);
    save(reference, unit, 1);
    assert_true(saved_value(folder, unit) == 1);
    save(folder, unit, 2);
    assert_true(saved_value(folder, unit) == 2); /* one's own goes first */
    json_free(unit);
    free(reference);
    remove_folder(folder);
}

static void any_change_of_a_setting_gives_another_key(void **state)
{
    (void)state;
    char a[DIGEST_TEXT], b[DIGEST_TEXT], c[DIGEST_TEXT], again[DIGEST_TEXT];
    Json *units[] = {identity(0.001, 3000), identity(0.002, 3000), identity(0.001, 3001),
                     identity(0.001, 3000)};
    unit_key(units[0], a);
    unit_key(units[1], b);
    unit_key(units[2], c);
    unit_key(units[3], again);
    assert_string_not_equal(a, b);
    assert_string_not_equal(a, c);
    assert_string_equal(a, again);
    for (size_t i = 0; i < COUNT(units); i++)
        json_free(units[i]);
}

static void flags_and_source_are_part_of_the_identity(void **state)
{
    (void)state;
    Json *unit = identity(0.001, 3000);
    assert_says(json_string(json_get(unit, "flags")), "-fno-math-errno");
    assert_int_equal(strlen(json_string(json_get(unit, "source"))), DIGEST_TEXT - 1);
    json_free(unit);
}

static void a_damaged_or_foreign_record_is_refused_by_name(void **state)
{
    (void)state;
    char *folder = new_folder();
    Json *unit = identity(0.001, 3000), *other = identity(0.002, 3000), *record;
    char *path = unit_path(folder, unit, ".json"), *other_path = unit_path(folder, other, ".json");
    Err err;

    save(folder, unit, 1);
    Bytes bytes;
    assert_true(file_read(path, &bytes, &err));
    assert_true(file_write(path, bytes.data, bytes.size / 2, &err)); /* truncated */
    assert_false(unit_find(folder, unit, &record, &err));
    assert_null(record);
    assert_says(err.text, path);

    assert_true(file_write(other_path, bytes.data, bytes.size, &err)); /* under another's name */
    assert_false(unit_find(folder, other, &record, &err));
    assert_null(record);
    assert_says(err.text, "identity");

    assert_true(file_write(path, "{}\n", 3, &err));
    assert_false(unit_find(folder, unit, &record, &err));
    assert_says(err.text, "not the record");

    bytes_free(&bytes);
    free(path);
    free(other_path);
    json_free(unit);
    json_free(other);
    remove_folder(folder);
}

static void a_record_with_a_value_of_the_wrong_kind_is_refused_by_name(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"\"seconds\": 12.5", "\"seconds\": \"x\"", "key \"seconds\""},
        {"\"made\": {", "\"made\": 1, \"else\": {", "key \"made\""},
        {"\"content\": {", "\"content\": null, \"else\": {", "key \"content\""},
        {"\"identity\": {", "\"identity\": 1, \"else\": {", "key \"identity\""}};
    char *folder = new_folder();
    Json *unit = identity(0.001, 3000), *record;
    char *path = unit_path(folder, unit, ".json");
    for (size_t i = 0; i < COUNT(wrong); i++) {
        Err err;
        Bytes bytes;
        save(folder, unit, 1);
        assert_true(file_read(path, &bytes, &err));
        const char *place = strstr(bytes.data, wrong[i][0]);
        assert_non_null(place);
        char *changed = mem_text("%.*s%s%s", (int)(place - bytes.data), bytes.data, wrong[i][1],
                                 place + strlen(wrong[i][0]));
        assert_true(file_write(path, changed, strlen(changed), &err));
        assert_false(unit_find(folder, unit, &record, &err));
        assert_null(record);
        assert_says(err.text, path);
        assert_says(err.text, wrong[i][2]);
        free(changed);
        bytes_free(&bytes);
    }
    free(path);
    json_free(unit);
    remove_folder(folder);
}

static void the_path_of_a_record_is_the_one_that_is_found(void **state)
{
    (void)state;
    char *folder = new_folder(), *reference = mem_text("%s/reference", folder);
    Json *unit = identity(0.001, 3000);
    char *own = unit_path(folder, unit, ".json"), *theirs = unit_path(reference, unit, ".json");
    save(reference, unit, 1);
    char *path = unit_record_path(folder, unit);
    assert_string_equal(path, theirs);
    free(path);
    save(folder, unit, 2);
    path = unit_record_path(folder, unit);
    assert_string_equal(path, own);
    free(path);
    free(own);
    free(theirs);
    free(reference);
    json_free(unit);
    remove_folder(folder);
}

static void the_explanation_names_what_differs_from_the_nearest_record(void **state)
{
    (void)state;
    char *folder = new_folder();
    Json *near = identity(0.001, 3000), *far = identity(0.5, 10), *unit = identity(0.003, 3000);
    char *none = unit_explain(folder, unit);
    assert_says(none, "no record of any work");
    save(folder, far, 1);
    save(folder, near, 1);
    char *why = unit_explain(folder, unit);
    assert_says(why, "of 2 records differs in rate (now 0.003, there 0.001)");
    assert_null(strstr(why, "steps"));
    char *same = unit_explain(folder, near);
    assert_says(same, "the same work");
    free(none);
    free(why);
    free(same);
    json_free(near);
    json_free(far);
    json_free(unit);
    remove_folder(folder);
}

static void the_explanation_says_when_the_source_has_changed(void **state)
{
    (void)state;
    char *folder = new_folder();
    Err err;
    Json *unit = identity(0.001, 3000);
    char *text = json_text(unit), *source = strstr(text, "\"source\": \"") + strlen("\"source\": \"");
    *source = *source == '0' ? '1' : '0';
    Json *old = json_parse(text, "test", &err);
    assert_non_null(old);
    save(folder, old, 1);
    char *why = unit_explain(folder, unit);
    assert_says(why, "differs in the library's source");
    free(why);
    free(text);
    json_free(old);
    json_free(unit);
    remove_folder(folder);
}

/* The digest of some code, by the script that the build uses. */
static void digest_of(const char *folder, const char *code, char digest[static 80])
{
    char *path = mem_text("%s/code.c", folder), *header = mem_text("%s/digest.h", folder);
    char *command =
        mem_text("sh '%s/lib/result/source_digest.sh' cc '%s' D '%s'", machine_home(), header, path);
    Err err;
    Bytes bytes;
    assert_true(file_write(path, code, strlen(code), &err));
    assert_int_equal(system(command), 0);
    assert_true(file_read(header, &bytes, &err));
    assert_int_equal(bytes.size, strlen("#define D \"\"\n") + DIGEST_TEXT - 1);
    snprintf(digest, 80, "%s", bytes.data);
    bytes_free(&bytes);
    free(command);
    free(path);
    free(header);
}

static void comments_and_spacing_do_not_change_the_source_and_code_does(void **state)
{
    (void)state;
    char *folder = new_folder();
    char plain[80], commented[80], other[80], text[80];
    digest_of(folder, "int f(int x) { return x + 1; }\nconst char *s = \"a\";\n", plain);
    digest_of(folder, "// one\nint f(int x)\n{\n    return x + 1; /* why */\n}\n\nconst char *s = \"a\";\n",
              commented);
    digest_of(folder, "int f(int x) { return x + 2; }\nconst char *s = \"a\";\n", other);
    digest_of(folder, "int f(int x) { return x + 1; }\nconst char *s = \"/* a */\";\n", text);
    assert_string_equal(plain, commented);
    assert_string_not_equal(plain, other);
    assert_string_not_equal(plain, text);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_saved_is_found_again),
        cmocka_unit_test(the_reference_serves_where_the_folder_has_nothing),
        cmocka_unit_test(any_change_of_a_setting_gives_another_key),
        cmocka_unit_test(flags_and_source_are_part_of_the_identity),
        cmocka_unit_test(a_damaged_or_foreign_record_is_refused_by_name),
        cmocka_unit_test(a_record_with_a_value_of_the_wrong_kind_is_refused_by_name),
        cmocka_unit_test(the_path_of_a_record_is_the_one_that_is_found),
        cmocka_unit_test(the_explanation_names_what_differs_from_the_nearest_record),
        cmocka_unit_test(the_explanation_says_when_the_source_has_changed),
        cmocka_unit_test(comments_and_spacing_do_not_change_the_source_and_code_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
