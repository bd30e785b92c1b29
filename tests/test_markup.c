#include "markup.h"

#include "test.h"

static void assert_put(void (*put)(FILE *, const char *), const char *text, const char *expected)
{
    char *found;
    size_t size;
    FILE *out = open_memstream(&found, &size);
    put(out, text);
    fclose(out);
    assert_string_equal(found, expected);
    free(found);
}

static void put_three(FILE *out, const char *text)
{
    markup_put_cut(out, text, 3);
}

static void a_width_counts_characters(void **state)
{
    (void)state;
    assert_int_equal(markup_width("␣gato"), 5);
    assert_int_equal(markup_width(""), 0);
}

static void what_is_too_wide_ends_with_an_ellipsis(void **state)
{
    (void)state;
    assert_put(put_three, "abc", "abc");
    assert_put(put_three, "ábcd", "áb…");
}

static void what_would_be_markup_is_escaped(void **state)
{
    (void)state;
    assert_put(markup_put_xml, "a<b> & \"c\"", "a&lt;b&gt; &amp; &quot;c&quot;");
    assert_put(markup_put_xml, "\x01 tab\t\xff \xc3",
               " tab\t? ?"); /* no control character, no broken UTF-8 */
    assert_put(markup_put_markdown, "a|b_c\n*d*", "a\\|b\\_c \\*d\\*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_width_counts_characters),
        cmocka_unit_test(what_is_too_wide_ends_with_an_ellipsis),
        cmocka_unit_test(what_would_be_markup_is_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
