#include "declared.h"

#include "claim_text.h"

static const DisplayRow rows[] = {{"first", "m"}, {"second", "n"}, {"third", "lost"}};

/* One column over the rows, of an experiment with a claim "e.x"; its cells are joined with | between them. */
static char *column(ColumnSpec spec, Measurements all)
{
    Claims *claims = claim_text("exact", "\"measure\": \"m\", \"published\": 2.50");
    Result result = {.measurements = all};
    const TableSpec table_spec = {.title = "t",
                                  .note = "a note",
                                  .rows = (DisplayRow *)rows,
                                  .row_count = COUNT(rows),
                                  .columns = &spec,
                                  .column_count = 1};
    Table *table = declared_table(&table_spec, claims, &result);
    assert_string_equal(table->note, "a note");
    assert_string_equal(table_cell(table, 1, 0), "second");
    char *joined =
        mem_text("%s|%s|%s", table_cell(table, 0, 1), table_cell(table, 1, 1), table_cell(table, 2, 1));
    table_free(table);
    claims_free(claims);
    measurements_free(&all);
    return joined;
}

static void assert_column(ColumnSpec spec, Measurements all, const char *expected)
{
    char *cells = column(spec, all);
    assert_string_equal(cells, expected);
    free(cells);
}

static void a_mean_has_half_its_interval_behind_it_from_three_seeds_on(void **state)
{
    (void)state;
    assert_column((ColumnSpec){.kind = COLUMN_MEASURE, .pattern = "{row}", .decimals = -1},
                  measured("m", "1.9 2 2.1", "n", "3 4", NULL), "2.00 ± 0.50|3.5|–");
    assert_column((ColumnSpec){.kind = COLUMN_MEASURE, .pattern = "{row}", .decimals = 1},
                  measured("m", "= 2", "n", "3 3 3", NULL), "2.0|3.0|–");
}

static void what_is_missing_is_said_in_words(void **state)
{
    (void)state;
    assert_column((ColumnSpec){.kind = COLUMN_MEASURE, .pattern = "{row}", .decimals = -1},
                  measured("m", "x", "n", "3 x x", NULL),
                  "diverged at step 7|3 (2 of 3 missing: diverged at step 7)|–");
}

static void published_and_given_numbers_stand_as_they_are(void **state)
{
    (void)state;
    assert_column((ColumnSpec){.kind = COLUMN_CLAIM, .pattern = "e.x", .decimals = -1}, measured(NULL),
                  "2.5|2.5|2.5");
    double given[] = {9.75, NAN, 1};
    assert_column((ColumnSpec){.kind = COLUMN_GIVEN, .given = given, .decimals = -1}, measured(NULL),
                  "9.75|–|1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mean_has_half_its_interval_behind_it_from_three_seeds_on),
        cmocka_unit_test(what_is_missing_is_said_in_words),
        cmocka_unit_test(published_and_given_numbers_stand_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
