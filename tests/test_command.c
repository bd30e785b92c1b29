#include "command.h"
#include "machine.h"
#include "mem.h"
#include "test.h"

#include <signal.h>

static void join(void *context, const char *text)
{
    char **all = context, *longer = mem_text("%s[%s]", *all, text);
    free(*all);
    *all = longer;
}

static void lines_and_exit_code_come_back(void **state)
{
    (void)state;
    char *all = mem_text("%s", "");
    assert_int_equal(command_run(60, "sh -c 'echo one; echo; printf two; exit 3'", join, &all), 3);
    assert_string_equal(all, "[one][][two]");
    free(all);
    assert_int_equal(command_run(60, "true", NULL, NULL), 0);
}

static void a_program_that_is_not_there_is_told_from_one_that_fails(void **state)
{
    (void)state;
    assert_int_equal(command_run(60, "/nowhere/at/all 2>/dev/null", NULL, NULL), COMMAND_NOT_FOUND);
    assert_int_equal(command_run(60, "false", NULL, NULL), 1);
    assert_int_equal(command_run(60, "sh -c 'kill -9 $$' 2>/dev/null", NULL, NULL), 128 + SIGKILL);
}

static void time_is_bounded(void **state)
{
    (void)state;
    double start = machine_seconds();
    assert_int_equal(command_run(1, "sleep 100", NULL, NULL), COMMAND_TIMED_OUT);
    assert_true(machine_seconds() - start < 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_exit_code_come_back),
        cmocka_unit_test(a_program_that_is_not_there_is_told_from_one_that_fails),
        cmocka_unit_test(time_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
