#include "context.h"
#include "mem.h"
#include "test.h"

static void what_a_run_knows_at_its_beginning_is_noted(void **state)
{
    (void)state;
    Context context;
    context_begin(&context, 3);
    assert_int_equal(context.threads, 3);
    assert_true(context.cores >= 1 && context.memory_mib > 0);
    assert_says(context.flags, "-fno-math-errno");
    assert_says(context.date, "T");
    assert_string_equal(context_noted(&context, "blas"), "");
    context_note(&context, "blas", "OpenBLAS");
    context_note(&context, "blas", "OpenBLAS 2"); /* replaced */
    assert_string_equal(context_noted(&context, "blas"), "OpenBLAS 2");
    assert_int_equal(context.note_count, 1);
    context_free(&context);
    context_free(&context);
}

static Json *example(void)
{
    Context context;
    context_begin(&context, 2);
    context.seconds = 1.5;
    context_note(&context, "blas", "OpenBLAS");
    context_add_unit(&context, "0a");
    context_add_unit(&context, "0b");
    Json *json = context_to_json(&context);
    context_free(&context);
    return json;
}

static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    Json *json = example();
    Context again;
    Err err;
    assert_true(context_from_json(json, &again, &err));
    assert_int_equal(again.unit_count, 2);
    assert_string_equal(again.units[1], "0b");
    assert_string_equal(context_noted(&again, "blas"), "OpenBLAS");
    assert_near(again.seconds, 1.5, 0);
    Json *second = context_to_json(&again);
    char *a = json_text(json), *b = json_text(second);
    assert_string_equal(a, b);
    free(a);
    free(b);
    json_free(json);
    json_free(second);
    context_free(&again);
}

/* The example's text with one piece replaced; what the reader says of it. */
static const char *complaint(const char *old, const char *new)
{
    static Err err;
    Json *json = example();
    char *text = json_text(json), *place = strstr(text, old);
    assert_non_null(place);
    char *changed = mem_text("%.*s%s%s", (int)(place - text), text, new, place + strlen(old));
    Json *read = json_parse(changed, "c.json", &err);
    assert_non_null(read);
    Context context;
    *err.text = '\0';
    if (context_from_json(read, &context, &err))
        context_free(&context);
    json_free(read);
    json_free(json);
    free(text);
    free(changed);
    return err.text;
}

static void what_later_versions_add_is_passed_over_and_what_is_wrong_is_named(void **state)
{
    (void)state;
    assert_string_equal(complaint("\"seconds\"", "\"new\": [1], \"seconds\""), "");
    assert_says(complaint("\"cpu\"", "\"gpu\""), "key \"cpu\" is missing");
    assert_says(complaint("\"threads\": 2", "\"threads\": \"2\""), "key \"threads\" must be of kind number");
    assert_says(complaint("\"0b\"", "1"), "key \"units\" is something else than a list of keys");
    assert_says(complaint("[\"0a\", \"0b\"]", "\"0a\""), "key \"units\" must be of kind list");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_run_knows_at_its_beginning_is_noted),
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(what_later_versions_add_is_passed_over_and_what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
