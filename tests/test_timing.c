#include "machine.h"
#include "test.h"
#include "timing.h"

#include <time.h>

/* Work that sleeps for a while, each time as told, and counts its runs. */
typedef struct Nap {
    const double *seconds;
    int runs;
} Nap;

static void nap(void *context)
{
    Nap *n = context;
    double seconds = n->seconds[n->runs++];
    struct timespec time = {0, (long)(1e9 * seconds)};
    nanosleep(&time, NULL);
}

/* A sleep is never too short; how much too long it is on a busy machine nobody knows, so other naps are far away. */
static void the_median_of_the_runs_behind_the_first_is_taken(void **state)
{
    (void)state;
    const double naps[] = {0.02, 0.1, 0.5, 0.1};
    Nap n = {naps, 0};
    double median = timing_median(10, 3, nap, &n);
    assert_int_equal(n.runs, 4);
    assert_true(median >= 0.1 && median < 0.5);
}

static void runs_end_when_the_time_is_used_up(void **state)
{
    (void)state;
    const double naps[] = {0.001, 0.15, 0.15, 0.15, 0.15};
    Nap n = {naps, 0};
    timing_median(0.2, 4, nap, &n);
    assert_true(n.runs == 2 || n.runs == 3);
}

static void a_first_run_that_takes_all_the_time_is_the_result(void **state)
{
    (void)state;
    const double naps[] = {0.05, 0.001};
    Nap n = {naps, 0};
    assert_true(timing_median(0.01, 9, nap, &n) >= 0.05);
    assert_int_equal(n.runs, 1);
}

static void as_many_threads_as_twice_the_processors_get_half(void **state)
{
    (void)state;
    double share = timing_share(2 * machine_cores());
    assert_true(share > 0 && share < 0.75);
    assert_true(timing_share(1) <= 1.05); /* a clock's step more than all */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_of_the_runs_behind_the_first_is_taken),
        cmocka_unit_test(runs_end_when_the_time_is_used_up),
        cmocka_unit_test(a_first_run_that_takes_all_the_time_is_the_result),
        cmocka_unit_test(as_many_threads_as_twice_the_processors_get_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
