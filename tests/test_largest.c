#include "largest.h"
#include "test.h"

#include <math.h>

static void the_largest_magnitude_counts(void **state)
{
    (void)state;
    const float x[] = {1, -3, 2.5f}, y[] = {1.5f, -1, 2.5f};
    assert_near(largest_value(x, 3), 3, 0);
    assert_near(largest_difference(x, y, 3), 2, 0);
    assert_near(largest_difference(x, x, 3), 0, 0);
}

/* Near a power of two the difference of two floats needs more digits than a float has. */
static void a_difference_is_not_rounded_to_float(void **state)
{
    (void)state;
    const float x[] = {1}, y[] = {-1e-9f};
    assert_true(largest_difference(x, y, 1) > 1);
}

static void what_is_not_a_number_is_as_far_away_as_can_be(void **state)
{
    (void)state;
    const float x[] = {1, NAN, 3}, y[] = {1, 2, 3};
    assert_true(largest_value(x, 3) == INFINITY);
    assert_true(largest_difference(y, x, 3) == INFINITY);
}

static void of_nothing_it_is_nothing(void **state)
{
    (void)state;
    assert_near(largest_value(NULL, 0), 0, 0);
    assert_near(largest_difference(NULL, NULL, 0), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_magnitude_counts),
        cmocka_unit_test(a_difference_is_not_rounded_to_float),
        cmocka_unit_test(what_is_not_a_number_is_as_far_away_as_can_be),
        cmocka_unit_test(of_nothing_it_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
