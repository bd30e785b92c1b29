#include "table.h"

#include "mem.h"
#include "test.h"

static Table *example(void)
{
    Table *table = table_new("a title");
    table_add_column(table, "name", false);
    table_add_column(table, "number", true);
    table_add_column(table, "words", false);
    const char *const cells[] = {"one", "1", "a word", "␣two", "22,222", "words that go on and on"};
    for (size_t i = 0; i < COUNT(cells); i++)
        table_add(table, mem_text("%s", cells[i]));
    return table;
}

static char *printed(const Table *table, size_t width)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    table_print(out, table, width);
    fclose(out);
    return text;
}

static void cells_are_found_by_row_and_column(void **state)
{
    (void)state;
    Table *table = example();
    assert_int_equal(table_rows(table), 2);
    assert_string_equal(table_cell(table, 1, 1), "22,222");
    table_free(table);
    table_free(NULL);
    table = table_new(NULL);
    assert_int_equal(table_rows(table), 0);
    table_free(table);
}

static void columns_stand_under_their_heads_and_numbers_to_the_right(void **state)
{
    (void)state;
    Table *table = example();
    char *text = printed(table, 0);
    assert_string_equal(text, "name  number  words\n"
                              "one        1  a word\n"
                              "␣two  22,222  words that go on and on\n");
    free(text);
    table_free(table);
}

static void the_widest_column_is_cut_to_the_width_of_the_terminal(void **state)
{
    (void)state;
    Table *table = example();
    char *text = printed(table, 30);
    assert_says(text, "␣two  22,222  words that go o…\n");
    free(text);
    table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_found_by_row_and_column),
        cmocka_unit_test(columns_stand_under_their_heads_and_numbers_to_the_right),
        cmocka_unit_test(the_widest_column_is_cut_to_the_width_of_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
