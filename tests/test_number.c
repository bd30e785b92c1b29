#include "number.h"

#include "test.h"

static void assert_number(double value, int decimals, const char *expected)
{
    char *text = number_text(value, decimals);
    assert_string_equal(text, expected);
    free(text);
}

static void numbers_read_as_people_write_them(void **state)
{
    (void)state;
    assert_number(124439808, DECIMALS_AUTO, "124,439,808");
    assert_number(-12345, DECIMALS_AUTO, "-12,345");
    assert_number(1234, DECIMALS_AUTO, "1234");
    assert_number(60.45, DECIMALS_AUTO, "60.45");
    assert_number(5.96e-8, DECIMALS_AUTO, "5.96e-8");
    assert_number(0.5, DECIMALS_AUTO, "0.5");
    assert_number(12989.2, DECIMALS_AUTO, "12,989.2");
    assert_number(-0.0, DECIMALS_AUTO, "0");
    assert_number(1.0 / 3, 3, "0.333");
    assert_number(7, 2, "7.00");
}

static void the_fewest_digits_come_back_as_the_same_bits(void **state)
{
    (void)state;
    const double values[] = {0, 0.1, 1.0 / 3, 1e300, 0x1p-1074, 124439808, 0.1 + 0.2};
    const int digits[] = {1, 1, 16, 1, 1, 9, 17};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[32];
        assert_int_equal(number_digits(values[i]), digits[i]);
        snprintf(text, sizeof text, "%.*g", number_digits(values[i]), values[i]);
        assert_near(strtod(text, NULL), values[i], 0);
    }
}

static void decimals_are_those_that_were_printed(void **state)
{
    (void)state;
    assert_int_equal(number_decimals(60.45), 2);
    assert_int_equal(number_decimals(38), 0);
    assert_int_equal(number_decimals(100000), 0);
    assert_int_equal(number_decimals(5.96e-8), DECIMALS_AUTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_read_as_people_write_them),
        cmocka_unit_test(the_fewest_digits_come_back_as_the_same_bits),
        cmocka_unit_test(decimals_are_those_that_were_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
