#include "footprint.h"
#include "machine.h"
#include "mem.h"
#include "test.h"

enum { MEBI = 1 << 20 };

/* Whether so many bytes can be had now. */
static bool can_have(size_t bytes)
{
    Err err;
    void *memory = mem_try(bytes, 1, "a test", &err);
    free(memory);
    return memory;
}

static void what_the_limit_leaves_can_be_had_and_more_can_not(void **state)
{
    (void)state;
    Err err;
    assert_true(footprint_limit(256 * MEBI, &err));
    assert_true(can_have(64 * MEBI));
    assert_false(can_have(512 * MEBI));
    footprint_unlimit();
    assert_true(can_have(512 * MEBI));
}

static void what_is_held_already_does_not_count(void **state)
{
    (void)state;
    Err err;
    void *held = mem_try(512 * MEBI, 1, "a test", &err);
    assert_non_null(held);
    assert_true(footprint_limit(256 * MEBI, &err));
    assert_true(can_have(64 * MEBI));
    footprint_unlimit();
    free(held);
}

static void a_reset_forgets_what_was_freed(void **state)
{
    (void)state;
    assert_true(can_have(256 * MEBI)); /* and was touched, since it was set to zero */
    size_t peak = machine_peak_memory();
    assert_true(peak > 256 * MEBI);
    if (!footprint_reset())
        skip();
    assert_true(machine_peak_memory() < peak - 128 * MEBI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_limit_leaves_can_be_had_and_more_can_not),
        cmocka_unit_test(what_is_held_already_does_not_count),
        cmocka_unit_test(a_reset_forgets_what_was_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
