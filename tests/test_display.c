#include "claims.h"
#include "file.h"
#include "mem.h"
#include "test.h"

/* Reads a file with one claim, e.x1, and these further keys; the sentence, or "" when it is accepted. */
static const char *complaint(const char *more)
{
    static Err err;
    char *folder = new_folder(), *path = mem_text("%s/e.claims.json", folder);
    char *text =
        mem_text("{\"experiment\": \"e\", \"about\": \"a\", \"claims\": [{\"id\": \"e.x1\", \"says\": \"s\", "
                 "\"source\": \"C9\", \"origin\": \"source\", \"kind\": \"exact\", \"measure\": \"m\", "
                 "\"published\": 1}], %s}",
                 more);
    assert_true(file_write(path, text, strlen(text), &err));
    *err.text = '\0';
    Claims *claims = claims_read(path, &err);
    claims_free(claims);
    free(text);
    free(path);
    remove_folder(folder);
    return err.text;
}

static const char *table(const char *text)
{
    char *more = mem_text("\"tables\": [%s]", text);
    const char *sentence = complaint(more);
    free(more);
    return sentence;
}

static const char *figure(const char *text)
{
    char *more = mem_text("\"figures\": [%s]", text);
    const char *sentence = complaint(more);
    free(more);
    return sentence;
}

#define ROWS  "\"title\": \"t\", \"rows\": [[\"one\", \"1\"], [\"two\", \"2\"]]"
#define AXES  "\"title\": \"t\", \"x\": {\"label\": \"x\", \"log\": true}, \"y\": {\"label\": \"y\"}"
#define CURVE "{\"label\": \"l\", \"curve\": \"c\", \"style\": \"line\"}"

static void well_formed_tables_and_figures_are_accepted(void **state)
{
    (void)state;
    assert_string_equal(
        table("{" ROWS ", \"columns\": [{\"label\": \"l\", \"measure\": \"loss/{row}\", \"decimals\": 2}, "
              "{\"label\": \"l\", \"claim\": \"e.x{row}\"}, "
              "{\"label\": \"l\", \"given\": [1.5, null], \"decimals\": 1}], \"row_label\": \"r\", \"note\": "
              "\"n\"}"),
        "");
    assert_string_equal(
        figure("{\"name\": \"loss\", \"kind\": \"lines\", " AXES ", \"series\": [" CURVE "]}, "
               "{\"name\": \"map-1\", \"kind\": \"heatmap\", \"title\": \"t\", \"matrix\": \"m\"}"),
        "");
    assert_string_equal(figure("{\"name\": \"a\", \"kind\": \"bars\", " AXES ", \"series\": [" CURVE "]}, "
                               "{\"name\": \"b\", \"kind\": \"bars\", \"x\": {\"label\": \"x\"}, \"y\": "
                               "{\"label\": \"y\"}, " ROWS
                               ", \"series\": [{\"label\": \"l\", \"measure\": \"loss/{row}\"}]}"),
                        "");
    assert_string_equal(
        figure("{\"name\": \"a\", \"kind\": \"bars\", " AXES ", \"rows\": [[\"one\", \"1\"], "
               "[\"two\", \"2\"]], \"series\": [{\"label\": \"l\", \"given\": [1.5, null]}]}"),
        "");
}

static void a_typo_in_a_table_is_an_error(void **state)
{
    (void)state;
    assert_says(table("{" ROWS ", \"colums\": []}"),
                "e.claims.json: table 1: key \"colums\" is unknown here; is \"columns\"");
    assert_says(table("{" ROWS "}"), "table 1: key \"columns\" is missing");
    assert_says(table("{" ROWS ", \"columns\": []}"), "key \"columns\" is an empty list");
    assert_says(table("{\"title\": \"t\", \"rows\": [[\"one\"]], \"columns\": []}"), "key \"rows\", entry 1");
    assert_says(table("{\"title\": \"t\", \"rows\": [], \"columns\": []}"), "key \"rows\" is an empty list");
    assert_says(table("{" ROWS ", \"columns\": [{\"label\": \"l\"}]}"), "entry 1: exactly one of the keys");
    assert_says(table("{" ROWS ", \"columns\": [{\"label\": \"l\", \"measure\": \"loss/{rows}\"}]}"),
                "without the {row}");
    assert_says(table("{" ROWS ", \"columns\": [{\"label\": \"l\", \"claim\": \"e.y{row}\"}]}"),
                "no claim's id");
    assert_says(
        table("{" ROWS ", \"columns\": [{\"label\": \"l\", \"measure\": \"{row}\", \"decimals\": 1.5}]}"),
        "\"decimals\"");
    assert_says(table("{" ROWS ", \"columns\": [{\"label\": \"l\", \"given\": [1]}]}"),
                "holds 1 numbers for 2 rows");
    assert_says(table("{" ROWS ", \"columns\": [{\"label\": \"l\", \"given\": [1, \"2\"]}]}"),
                "key \"given\" must hold numbers");
    assert_says(table("{" ROWS ", \"columns\": [1]}"), "entry 1: an object");
    assert_says(table("1"), "table 1: an object");
}

static void a_typo_in_a_figure_is_an_error(void **state)
{
    (void)state;
    assert_says(figure("{\"name\": \"a/b\", \"kind\": \"lines\", " AXES "}"),
                "figure 1: key \"name\" says \"a/b\"");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"pie\", " AXES "}"), "key \"kind\" says \"pie\"");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"lines\", " AXES "}"), "key \"series\" is missing");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"lines\", \"title\": \"t\"}"), "key \"x\" is missing");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"lines\", \"title\": \"t\", \"x\": {\"lable\": \"x\"}}"),
                "key \"x\": key \"lable\" is unknown here; is \"label\" meant?");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"lines\", " AXES ", \"matrix\": \"m\"}"), "no use");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"heatmap\", \"title\": \"t\"}"),
                "key \"matrix\" is missing");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"lines\", " AXES ", \"series\": [" CURVE
                       ", {\"label\": \"l\", \"curve\": \"c\", \"style\": \"dots\"}]}"),
                "entry 2: key \"style\" says \"dots\"");
    assert_says(
        figure("{\"name\": \"a\", \"kind\": \"lines\", " AXES ", \"rows\": [], \"series\": [" CURVE "]}"),
        "key \"rows\" has no use");
    assert_says(
        figure("{\"name\": \"a\", \"kind\": \"heatmap\", \"title\": \"t\", \"rows\": [], \"matrix\": \"m\"}"),
        "key \"rows\" has no use");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"bars\", " AXES
                       ", \"rows\": [[\"one\"]], \"series\": [" CURVE "]}"),
                "key \"rows\", entry 1");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"bars\", " AXES ", \"rows\": [[\"one\", \"1\"]], "
                       "\"series\": [" CURVE "]}"),
                "entry 1: key \"curve\" is unknown here");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"bars\", " AXES ", \"rows\": [[\"one\", \"1\"]], "
                       "\"series\": [{\"label\": \"l\", \"measure\": \"m\"}]}"),
                "without the {row}");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"bars\", " AXES ", \"rows\": [[\"one\", \"1\"]], "
                       "\"series\": [{\"label\": \"l\", \"given\": [1, 2]}]}"),
                "2 numbers for 1 rows");
    assert_says(figure("{\"name\": \"a\", \"kind\": \"lines\", " AXES ", \"series\": [" CURVE "]}, "
                       "{\"name\": \"a\", \"kind\": \"lines\", " AXES ", \"series\": [" CURVE "]}"),
                "figure 2: key \"name\" is used twice");
}

static void a_pattern_takes_the_rows_key(void **state)
{
    (void)state;
    char *name = display_name("loss/{row}/of {row}", "d4");
    assert_string_equal(name, "loss/d4/of d4");
    free(name);
    name = display_name("{row}", "");
    assert_string_equal(name, "");
    free(name);
    name = display_name("{roww", "d4");
    assert_string_equal(name, "{roww");
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_formed_tables_and_figures_are_accepted),
        cmocka_unit_test(a_typo_in_a_table_is_an_error),
        cmocka_unit_test(a_typo_in_a_figure_is_an_error),
        cmocka_unit_test(a_pattern_takes_the_rows_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
