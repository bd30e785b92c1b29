#include "difference.h"

#include "claim_text.h"

/* One claim: the mean of "m" is 10, to within 2. */
#define TEN                                                                                                  \
    "\"measure\": \"m\", \"published\": 10, \"decimals\": 0, \"margin\": {\"value\": 2, \"why\": \"w\"}"

typedef struct Side {
    Result result;
    Record record;
} Side;

static CatalogEntry entry = {.name = "e"};

/* A result with these measurements, made on one machine, with one binary. */
static void begin(Side *side, Measurements all)
{
    result_begin(&side->result, "e", false);
    side->result.context = (Context){.commit = mem_text("0123"),
                                     .compiler = mem_text("cc"),
                                     .flags = mem_text("-O3"),
                                     .cpu = mem_text("a cpu")};
    context_note(&side->result.context, "blas", "a library");
    result_add_setting(&side->result, "steps", 100);
    side->result.measurements = all;
}

static void set(char **text, const char *to)
{
    free(*text);
    *text = mem_text("%s", to);
}

/* Judges and compares both, and frees them; the counts are the caller's. */
static Difference compared(Side *before, Side *after)
{
    Side *const sides[] = {before, after};
    entry.claims = claim_text("value", TEN);
    for (size_t i = 0; i < COUNT(sides); i++)
        sides[i]->record = (Record){.entry = &entry,
                                    .result = &sides[i]->result,
                                    .judgements = judge_all(entry.claims, &sides[i]->result)};
    Difference difference;
    difference_begin(&difference);
    difference_add(&difference, &before->record, &after->record);
    for (size_t i = 0; i < COUNT(sides); i++) {
        judgements_free(&sides[i]->record.judgements);
        result_free(&sides[i]->result);
    }
    claims_free(entry.claims);
    return difference;
}

/* The row that speaks of `what`; its last cell is the word for what happened. */
static void assert_row(const Difference *difference, const char *what, const char *word)
{
    const Table *table = difference->table;
    for (size_t row = 0; row < table_rows(table); row++)
        if (strcmp(table_cell(table, row, 1), what) == 0 && strcmp(table_cell(table, row, 5), word) == 0)
            return;
    fail_msg("there is no row that calls \"%s\" %s", what, word);
}

/* Compares "m", where the sides differ by what `change` does to the second. */
static Difference compare_m(const char *before, const char *after, void (*change)(Side *))
{
    Side old, new;
    begin(&old, measured("m", before, NULL));
    begin(&new, measured("m", after, NULL));
    if (change)
        change(&new);
    return compared(&old, &new);
}

static void elsewhere(Side *side)
{
    set(&side->result.context.cpu, "another cpu");
}

static void rebuilt(Side *side)
{
    set(&side->result.context.commit, "4567");
}

static void equal_samples_are_equal_and_one_bit_has_moved_on_the_same_binary(void **state)
{
    (void)state;
    Difference d = compare_m("9.9 10 10.1", "9.9 10 10.1", NULL);
    assert_true(d.equal == 1 && d.moved == 0 && table_rows(d.table) == 0);
    difference_free(&d);
    d = compare_m("9.9 10 10.1", "9.9 10 10.100000000000001", NULL);
    assert_int_equal(d.moved, 1);
    assert_row(&d, "m", "moved");
    difference_free(&d);
}

static void another_binary_is_held_against_the_interval_of_the_old_seeds(void **state)
{
    (void)state;
    Difference d = compare_m("9.9 10 10.1", "10.4 10.4 10.4", rebuilt); /* 10 ± 0.497 */
    assert_true(d.inside == 1 && d.moved == 0);
    assert_row(&d, "m", "inside");
    difference_free(&d);
    d = compare_m("9.9 10 10.1", "9.4 9.4 9.4", rebuilt); /* below its lower end */
    assert_true(d.inside == 0 && d.moved >= 1);
    difference_free(&d);
    d = compare_m("9.9 10 10.1", "10.6 10.6 10.6", elsewhere); /* above its upper end */
    assert_int_equal(d.moved, 1);
    difference_free(&d);
    d = compare_m("9.9 10", "10.6 10.6", rebuilt); /* two seeds say nothing */
    assert_true(d.unresolved == 1 && d.moved == 0);
    difference_free(&d);
}

static void without_chance_the_same_machine_gives_the_same_number(void **state)
{
    (void)state;
    Difference d = compare_m("= 10.25", "= 10.5", rebuilt);
    assert_int_equal(d.moved, 1);
    difference_free(&d);
    d = compare_m("= 10.25", "= 10.5", elsewhere);
    assert_true(d.unresolved == 1 && d.moved == 0);
    difference_free(&d);
    d = compare_m("= 10", "= 11", elsewhere); /* a count is no rounding */
    assert_int_equal(d.moved, 1);
    difference_free(&d);
}

static void another_build_of_blas_is_another_machine(Side *side)
{
    context_note(&side->result.context, "blas", "another library");
}

static void the_build_of_blas_belongs_to_the_machine(void **state)
{
    (void)state;
    Difference d = compare_m("= 10.25", "= 10.5", another_build_of_blas_is_another_machine);
    assert_int_equal(d.unresolved, 1);
    difference_free(&d);
}

static void times_are_compared_as_ratios(void **state)
{
    (void)state;
    const double ratios[] = {1.9, 2.1, 0.4};
    for (size_t i = 0; i < COUNT(ratios); i++) {
        Side old, new;
        begin(&old, measured("m", "= 10", NULL));
        begin(&new, measured("m", "= 10", NULL));
        measurements_add(&old.result.measurements, "t", FIXED, 1, true);
        measurements_add(&new.result.measurements, "t", FIXED, ratios[i], true);
        Difference d = compared(&old, &new);
        assert_int_equal(d.moved, i > 0);
        difference_free(&d);
    }
}

static void another_setting(Side *side)
{
    side->result.settings[0].value = 101;
}

static void another_corpus(Side *side)
{
    result_set_corpus(&side->result, "a text", "0123", true);
}

static void other_settings_and_another_corpus_have_moved(void **state)
{
    (void)state;
    Difference d = compare_m("= 10", "= 11", another_setting);
    assert_int_equal(d.moved, 1); /* the setting; numbers of other settings are not compared */
    assert_row(&d, "setting steps", "moved");
    difference_free(&d);
    d = compare_m("= 10", "= 10", another_corpus);
    assert_row(&d, "setting corpus", "moved");
    difference_free(&d);
}

static void what_is_gone_and_what_is_new_are_told(void **state)
{
    (void)state;
    Side old, new;
    begin(&old, measured("m", "= 10", "old", "= 1", NULL));
    begin(&new, measured("m", "= 10", "new", "= 1", NULL));
    Difference d = compared(&old, &new);
    assert_true(d.removed == 1 && d.added == 1);
    assert_row(&d, "old", "removed");
    assert_row(&d, "new", "added");
    difference_free(&d);
}

static void an_outcome_that_turned_has_moved_and_another_verdict_is_shown(void **state)
{
    (void)state;
    Difference d = compare_m("9.9 10 10.1", "19.9 20 20.1", elsewhere); /* not reproduced: a failure */
    assert_row(&d, "e.x", "moved");
    assert_int_equal(d.moved, 2); /* the measurement as well */
    difference_free(&d);
    d = compare_m("9.9 10 10.1", "7 10 13", elsewhere); /* inconclusive is no failure */
    assert_row(&d, "e.x", "verdict");
    assert_int_equal(d.moved, 0);
    difference_free(&d);
}

static void what_a_changed_rule_did_is_told_apart(void **state)
{
    (void)state;
    Side old, new;
    begin(&old, measured("m", "9.9 10 10.1", NULL));
    begin(&new, measured("m", "9.9 10 10.1", NULL));
    old.result.recorded = mem_new(1, sizeof *old.result.recorded);
    old.result.recorded[0] = (RecordedVerdict){mem_text("e.x"), mem_text("inconclusive")};
    old.result.recorded_count = 1;
    Difference d = compared(&old, &new);
    assert_true(d.rules == 1 && d.moved == 0);
    assert_row(&d, "e.x", "rule");
    difference_free(&d);
}

static void one_side_alone_and_another_profile_are_not_compared(void **state)
{
    (void)state;
    Side old;
    begin(&old, measured("m", "= 10", NULL));
    old.result.quick = true;
    Side new;
    begin(&new, measured("m", "= 10", NULL));
    Difference d = compared(&old, &new);
    assert_int_equal(d.compared, 0);
    assert_row(&d, "the budget", "not comparable");
    const Record none = {.entry = &entry};
    difference_add(&d, &none, &none);
    assert_true(d.added == 0 && d.absent == 0);
    difference_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_samples_are_equal_and_one_bit_has_moved_on_the_same_binary),
        cmocka_unit_test(another_binary_is_held_against_the_interval_of_the_old_seeds),
        cmocka_unit_test(without_chance_the_same_machine_gives_the_same_number),
        cmocka_unit_test(the_build_of_blas_belongs_to_the_machine),
        cmocka_unit_test(times_are_compared_as_ratios),
        cmocka_unit_test(other_settings_and_another_corpus_have_moved),
        cmocka_unit_test(what_is_gone_and_what_is_new_are_told),
        cmocka_unit_test(an_outcome_that_turned_has_moved_and_another_verdict_is_shown),
        cmocka_unit_test(what_a_changed_rule_did_is_told_apart),
        cmocka_unit_test(one_side_alone_and_another_profile_are_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
