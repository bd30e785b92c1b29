#include "machine.h"
#include "test.h"

static void every_fact_about_the_machine_is_there(void **state)
{
    (void)state;
    assert_true(strlen(machine_cpu()) > 0);
    assert_true(machine_cores() >= 1);
    assert_true(machine_memory() >= machine_memory_available());
    assert_true(machine_memory_available() > 0);
    assert_true(strlen(machine_commit()) > 0);
    assert_says(machine_flags(), "-fno-math-errno");
    assert_null(strstr(machine_flags(), "fast-math"));
    assert_true(strlen(machine_compiler()) > 4);
}

static void results_lie_where_the_environment_says(void **state)
{
    (void)state;
    unsetenv("ATTEST_RESULTS");
    char *folder = machine_results();
    assert_says(folder, machine_home());
    assert_says(folder, "/results");
    free(folder);
    setenv("ATTEST_RESULTS", "/elsewhere", 1);
    folder = machine_results();
    assert_string_equal(folder, "/elsewhere");
    free(folder);
    unsetenv("ATTEST_RESULTS");
}

static void peak_memory_follows_what_is_touched(void **state)
{
    (void)state;
    size_t before = machine_peak_memory(), size = 64 << 20;
    volatile char *block = malloc(size); /* volatile: the pages must really be touched */
    for (size_t i = 0; i < size; i += 1024)
        block[i] = 1;
    free((void *)block);
    assert_true(machine_peak_memory() >= before + size / 2);
}

static void the_clock_never_runs_backwards(void **state)
{
    (void)state;
    double last = machine_seconds();
    for (int i = 0; i < 1000; i++) {
        double now = machine_seconds();
        assert_true(now >= last);
        last = now;
    }
}

static void the_date_is_iso_8601_in_utc(void **state)
{
    (void)state;
    char date[32];
    machine_date(date);
    assert_int_equal(strlen(date), strlen("2026-01-31T12:00:00Z"));
    assert_int_equal(date[10], 'T');
    assert_int_equal(date[19], 'Z');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_about_the_machine_is_there),
        cmocka_unit_test(results_lie_where_the_environment_says),
        cmocka_unit_test(peak_memory_follows_what_is_touched),
        cmocka_unit_test(the_clock_never_runs_backwards),
        cmocka_unit_test(the_date_is_iso_8601_in_utc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
