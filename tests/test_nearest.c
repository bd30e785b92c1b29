#include "mem.h"
#include "nearest.h"
#include "test.h"

static const char *const words[] = {"run", "list", "report", "compare", "softmax_saturation"};

static void a_typing_error_finds_the_word_that_was_meant(void **state)
{
    (void)state;
    assert_string_equal(nearest("reprot", words, COUNT(words)), "report");
    assert_string_equal(nearest("lst", words, COUNT(words)), "list");
    assert_string_equal(nearest("ru", words, COUNT(words)), "run");
    assert_string_equal(nearest("softmax_sturatoin", words, COUNT(words)), "softmax_saturation");
}

static void the_word_itself_is_nearest(void **state)
{
    (void)state;
    assert_string_equal(nearest("compare", words, COUNT(words)), "compare");
}

static void swapped_neighbours_count_once(void **state)
{
    (void)state;
    assert_string_equal(nearest("rnu", words, COUNT(words)), "run");
}

static void a_word_far_from_all_has_no_neighbour(void **state)
{
    (void)state;
    assert_null(nearest("banana", words, COUNT(words)));
    assert_null(nearest("", words, COUNT(words)));
    assert_null(nearest("run", words, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_typing_error_finds_the_word_that_was_meant),
        cmocka_unit_test(the_word_itself_is_nearest),
        cmocka_unit_test(swapped_neighbours_count_once),
        cmocka_unit_test(a_word_far_from_all_has_no_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
