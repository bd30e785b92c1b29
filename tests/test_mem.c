#include "machine.h"
#include "mem.h"
#include "test.h"

static void tensors_are_zeroed_and_start_a_cache_line(void **state)
{
    (void)state;
    Err err;
    float *x = mem_try(1000, sizeof *x, "x", &err);
    assert_non_null(x);
    assert_int_equal((uintptr_t)x % 64, 0);
    for (int i = 0; i < 1000; i++)
        assert_true(x[i] == 0);
    free(x);
}

static void nothing_at_all_is_still_memory(void **state)
{
    (void)state;
    Err err;
    void *x = mem_try(0, sizeof(float), "x", &err);
    assert_non_null(x);
    free(x);
}

static void too_much_is_an_error_that_says_for_what(void **state)
{
    (void)state;
    Err err;
    assert_null(mem_try(SIZE_MAX / 2, 4, "the score matrix", &err)); /* the product overflows */
    assert_says(err.text, "the score matrix");
    assert_null(mem_try(SIZE_MAX, 1, "the score matrix", &err)); /* rounding up overflows */
    assert_null(mem_try(SIZE_MAX / 16, 8, "the score matrix", &err));
}

static void more_than_the_machine_has_free_is_an_error(void **state)
{
    (void)state;
    Err err;
    size_t free_now = machine_memory_available();
    assert_null(mem_try(free_now / 8 + (64 << 20), 8, "the gradients", &err));
    assert_says(err.text, "not enough memory for the gradients");
}

static void a_list_grows_and_keeps_its_elements(void **state)
{
    (void)state;
    int *list = NULL;
    size_t count = 0;
    for (int i = 0; i < 1000; i++) {
        int *element = mem_grow(&list, &count, sizeof *list);
        assert_int_equal(*element, 0);
        *element = i;
    }
    assert_int_equal(count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list[i], i);
    free(list);
}

static void text_is_formatted_at_any_length(void **state)
{
    (void)state;
    char *text = mem_text("%0500d", 7);
    assert_int_equal(strlen(text), 500);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_are_zeroed_and_start_a_cache_line),
        cmocka_unit_test(nothing_at_all_is_still_memory),
        cmocka_unit_test(too_much_is_an_error_that_says_for_what),
        cmocka_unit_test(more_than_the_machine_has_free_is_an_error),
        cmocka_unit_test(a_list_grows_and_keeps_its_elements),
        cmocka_unit_test(text_is_formatted_at_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
