#include "arena.h"
#include "test.h"

static const size_t sizes[] = {1, 16, 0, 100, 3};
enum { ARRAYS = sizeof sizes / sizeof *sizes };

static void take_all(Arena *arena, float **arrays)
{
    for (int i = 0; i < ARRAYS; i++)
        arrays[i] = arena_take(arena, sizes[i]);
}

static void arrays_are_counted_first_and_then_taken_from_one_allocation(void **state)
{
    (void)state;
    Arena arena = {0};
    float *arrays[ARRAYS];
    Err err;
    take_all(&arena, arrays);
    size_t counted = arena.used;
    for (int i = 0; i < ARRAYS; i++)
        assert_null(arrays[i]);
    assert_true(arena_allocate(&arena, "a test", &err));
    take_all(&arena, arrays);
    assert_int_equal(arena.used, counted);
    for (int i = 0; i < ARRAYS; i++) {
        assert_int_equal((uintptr_t)arrays[i] % 64, 0);
        for (size_t j = 0; j < sizes[i]; j++) {
            assert_true(arrays[i][j] == 0); /* nobody else has written here */
            arrays[i][j] = 1;
        }
    }
    arena_free(&arena);
    assert_null(arena.memory);
}

static void too_much_is_an_error_that_says_for_what(void **state)
{
    (void)state;
    Arena arena = {0};
    Err err;
    arena_take(&arena, SIZE_MAX / 2); /* floats: their bytes overflow */
    assert_false(arena_allocate(&arena, "activations", &err));
    assert_says(err.text, "activations");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_counted_first_and_then_taken_from_one_allocation),
        cmocka_unit_test(too_much_is_an_error_that_says_for_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
