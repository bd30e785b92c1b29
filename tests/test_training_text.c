#include "training_text.h"

#include "frame.h"

static const Setting settings[] = {SETTINGS_END};

static bool loads(Experiment *x, Err *err)
{
    if (training_text_skips(x))
        return true;
    Tokens *tokens = training_text_load(x, 260, err);
    if (!tokens)
        return false;
    measure(x, FIXED, tokens->vocabulary, "it");
    measure(x, FIXED, (double)tokens->count, "count");
    tokens_free(tokens);
    return true;
}

static void the_file_that_is_named_becomes_tokens_and_goes_into_the_settings(void **state)
{
    (void)state;
    Err err;
    Json *result;
    char *folder = new_folder(), *path = mem_text("%s/poem.txt", folder);
    const char *poem = "so long lives this, and this gives life to thee\n";
    assert_true(file_write(path, poem, strlen(poem), &err));
    assert_int_equal(
        run_framed(folder, loads, settings, 0, (const char *[]){"--corpus", path, NULL}, &result), 0);
    const Json *corpus = json_get(json_get(result, "settings"), "corpus");
    assert_string_equal(json_string(json_get(corpus, "name")), "poem.txt");
    assert_int_equal(strlen(json_string(json_get(corpus, "sha256"))), 64);
    assert_true(json_count(json_get(result, "warnings")) > 0); /* not the source's own */
    json_free(result);
    free(path);
    remove_folder(folder);
}

static void a_named_file_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    Json *result;
    char *folder = new_folder();
    const char *words[] = {"--corpus", "/nowhere/text.txt", NULL};
    assert_int_equal(run_framed(folder, loads, settings, 0, words, &result), 2);
    assert_null(result);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_that_is_named_becomes_tokens_and_goes_into_the_settings),
        cmocka_unit_test(a_named_file_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
