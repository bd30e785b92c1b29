#include "result.h"

#include "file.h"
#include "mem.h"
#include "test.h"

static Result example(void)
{
    Result result;
    result_begin(&result, "e", false);
    context_begin(&result.context, 2);
    result.context.seconds = 1.5;
    result_add_setting(&result, "width", 128);
    result_add_setting(&result, "first_seed", 0);
    result_add_setting(&result, "end_seed", 3);
    result_set_corpus(&result, "a poem", "0123", false);
    result_warn(&result, "a warning");
    for (int seed = 0; seed < 3; seed++)
        measurements_add(&result.measurements, "m", seed, 2 + seed / 10.0, false);
    measurements_add(&result.measurements, "n", FIXED, 5, false);
    measurements_add(&result.measurements, "t", FIXED, 0.25, true);
    double x[] = {0, 1}, y[] = {2, INFINITY};
    measurements_add_curve(&result.measurements, "c", 0, x, y, 2);
    measurements_add_matrix(&result.measurements, "w", 0, x, 1, 2, NULL, NULL);
    return result;
}

/* What the experiment said of its claims when it wrote the file. */
static Json *verdicts(void)
{
    Err err;
    Json *claims =
        json_parse("[{\"id\": \"e.one\", \"verdict\": \"reproduced\"}, {\"id\": 1}, 2]", "claims", &err);
    assert_non_null(claims);
    return claims;
}

/* Writes the result into the folder; the file's text, owned by the caller. */
static char *written(const Result *result, const char *folder)
{
    Err err;
    Bytes bytes;
    char *path = mem_text("%s/e.json", folder);
    assert_true(result_write(result, verdicts(), path, &err));
    assert_true(file_read(path, &bytes, &err));
    free(path);
    return bytes.data;
}

static void what_is_written_is_read_back_and_written_the_same(void **state)
{
    (void)state;
    Err err;
    char *folder = new_folder(), *path = mem_text("%s/e.json", folder);
    Result result = example(), again;
    char *text = written(&result, folder);
    if (!result_read(path, &again, &err))
        fail_msg("%s", err.text);
    assert_string_equal(again.experiment, "e");
    assert_false(again.quick);
    assert_true(again.conditions.published_budget && !again.conditions.published_corpus);
    assert_near(result_setting(&again, "width", 0), 128, 0);
    assert_near(result_setting(&again, "height", -1), -1, 0);
    assert_int_equal(result_seeds(&again), 3);
    assert_string_equal(again.corpus, "a poem");
    assert_string_equal(again.corpus_digest, "0123");
    assert_string_equal(again.warnings[0], "a warning");
    char *text_again = written(&again, folder);
    assert_string_equal(text, text_again);
    free(text);
    free(text_again);
    result_free(&result);
    result_free(&again);
    result_free(&again);
    free(path);
    remove_folder(folder);
}

static void recorded_verdicts_are_history_and_nothing_else(void **state)
{
    (void)state;
    Err err;
    char *folder = new_folder(), *path = mem_text("%s/e.json", folder);
    Result result = example(), again;
    free(written(&result, folder));
    assert_true(result_read(path, &again, &err));
    assert_int_equal(again.recorded_count, 1); /* whatever is not a verdict is passed over */
    assert_string_equal(again.recorded[0].id, "e.one");
    assert_string_equal(again.recorded[0].verdict, "reproduced");
    result_free(&result);
    result_free(&again);
    free(path);
    remove_folder(folder);
}

/* Writes the example with one piece of its text replaced, and returns what the reader says: "" when it reads. */
static const char *complaint(const char *old, const char *new)
{
    static Err err;
    char *folder = new_folder(), *path = mem_text("%s/e.json", folder);
    Result result = example();
    char *text = written(&result, folder), *place = strstr(text, old);
    assert_non_null(place);
    char *changed = mem_text("%.*s%s%s", (int)(place - text), text, new, place + strlen(old));
    assert_true(file_write(path, changed, strlen(changed), &err));
    result_free(&result);
    *err.text = '\0';
    if (result_read(path, &result, &err))
        result_free(&result);
    free(text);
    free(changed);
    free(path);
    remove_folder(folder);
    return err.text;
}

static void fields_of_later_versions_are_ignored(void **state)
{
    (void)state;
    assert_string_equal(complaint("\"schema\": 2", "\"schema\": 2, \"new\": [true]"), "");
    assert_string_equal(complaint("\"id\": \"e.one\"", "\"id\": \"e.one\", \"new\": 1"), "");
    assert_string_equal(complaint("\"published_budget\": true", "\"published_budget\": true, \"new\": 1"),
                        "");
}

static void a_foreign_or_damaged_file_is_refused(void **state)
{
    (void)state;
    assert_says(complaint("\"schema\": 2", "\"schema\": 1"),
                "e.json: it has schema 1, and this program reads schema 2: run the experiment again");
    assert_says(complaint("\"schema\"", "\"shema\""), "it is not a result: key \"schema\" is missing");
    assert_says(complaint("\"warnings\"", "\"warning\""), "it is not a result: key \"warnings\" is missing");
    assert_says(complaint("\"profile\": \"full\"", "\"profile\": \"fast\""), "key \"profile\" says \"fast\"");
    assert_says(complaint("\"a warning\"", "1"), "key \"warnings\"");
    assert_says(complaint("\"published_corpus\"", "\"corpus\""),
                "key \"conditions\": key \"published_corpus\" is missing");
    assert_says(complaint("\"width\": 128", "\"width\": true"),
                "key \"settings\": \"width\" is not a number");
    assert_says(complaint("\"sha256\"", "\"sha255\""), "\"corpus\": key \"sha256\" is missing");
    assert_says(complaint("\"cpu\"", "\"gpu\""), "key \"context\": key \"cpu\" is missing");
    assert_says(complaint("\"value\": 5", "\"value\": \"5\""),
                "in \"measurements\", \"n\": a sample has a number");
    assert_says(complaint("\"value\": 5", "\"value\": 5, \"value\": 6"), "stands twice");
    assert_says(complaint("\"x\": [0, 1]", "\"x\": [0]"), "in \"curves\", \"c\": keys \"x\" and \"y\"");
}

static void a_truncated_file_is_refused(void **state)
{
    (void)state;
    Err err;
    char *folder = new_folder(), *path = mem_text("%s/e.json", folder);
    Result result = example();
    char *text = written(&result, folder);
    result_free(&result);
    for (size_t length = 0; length < strlen(text) - 2; length += 97) {
        assert_true(file_write(path, text, length, &err));
        assert_false(result_read(path, &result, &err));
        assert_says(err.text, "e.json:");
    }
    free(text);
    free(path);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back_and_written_the_same),
        cmocka_unit_test(recorded_verdicts_are_history_and_nothing_else),
        cmocka_unit_test(fields_of_later_versions_are_ignored),
        cmocka_unit_test(a_foreign_or_damaged_file_is_refused),
        cmocka_unit_test(a_truncated_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
