#include "duration.h"
#include "test.h"

static void durations_read_as_a_person_says_them(void **state)
{
    (void)state;
    char text[32];
    duration_text(0.2, text, sizeof text);
    assert_string_equal(text, "0 s");
    duration_text(59.7, text, sizeof text);
    assert_string_equal(text, "1 min 0 s");
    duration_text(7800, text, sizeof text);
    assert_string_equal(text, "2 h 10 min");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_read_as_a_person_says_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
