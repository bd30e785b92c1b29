#include "schedule.h"
#include "test.h"

static void without_warmup_the_rate_is_constant_from_the_first_step(void **state)
{
    (void)state;
    Schedule schedule = {.rate = 1e-3, .warmup = 0};
    assert_true(schedule_rate(schedule, 1) == 1e-3);
    assert_true(schedule_rate(schedule, 3000) == 1e-3);
}

static void warmup_rises_linearly_and_ends_at_the_rate(void **state)
{
    (void)state;
    Schedule schedule = {.rate = 3e-3, .warmup = 200};
    assert_true(schedule_rate(schedule, 1) == 3e-3 * 1 / 200);
    assert_true(schedule_rate(schedule, 100) == 3e-3 * 100 / 200);
    assert_true(schedule_rate(schedule, 199) < 3e-3);
    assert_true(schedule_rate(schedule, 200) == 3e-3);
    assert_true(schedule_rate(schedule, 1000) == 3e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_warmup_the_rate_is_constant_from_the_first_step),
        cmocka_unit_test(warmup_rises_linearly_and_ends_at_the_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
