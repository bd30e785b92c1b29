#include "rng.h"
#include "test.h"

#include <math.h>

enum { DRAWS = 200000 };

static void the_same_seed_and_name_give_the_same_numbers(void **state)
{
    (void)state;
    Rng a = rng_stream(7, "init"), b = rng_stream(7, "init");
    for (int i = 0; i < 100; i++)
        assert_int_equal(rng_bits(&a), rng_bits(&b));
}

/* Pinned, so that a change of generator or of the stream's layout can not pass unseen: every
 * recorded result would change with it. */
static void the_first_words_of_a_stream_are_pinned(void **state)
{
    (void)state;
    Rng rng = rng_stream(0, "init");
    uint32_t first = rng_bits(&rng), second = rng_bits(&rng);
    assert_int_equal(first, 0xa5ab8ef8u);
    assert_int_equal(second, 0x35452160u);
}

static void another_name_seed_or_index_gives_other_numbers(void **state)
{
    (void)state;
    Rng base = rng_stream(7, "init");
    Rng others[] = {rng_stream(8, "init"), rng_stream(7 + (1ull << 32), "init"), rng_stream(7, "batches"),
                    rng_substream(&base, 1)};
    uint32_t word = rng_bits(&base);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_not_equal(rng_bits(&others[i]), word);
}

static void a_substream_starts_at_its_beginning_whatever_was_drawn(void **state)
{
    (void)state;
    Rng fresh = rng_stream(1, "batches"), used = rng_stream(1, "batches");
    for (int i = 0; i < 7; i++)
        rng_bits(&used);
    Rng a = rng_substream(&fresh, 17), b = rng_substream(&used, 17);
    assert_int_equal(rng_bits(&a), rng_bits(&b));
}

static void uniform_numbers_have_the_moments_of_their_law(void **state)
{
    (void)state;
    Rng rng = rng_stream(3, "test");
    double sum = 0, square = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = rng_uniform(&rng);
        assert_true(u >= 0 && u < 1);
        sum += u;
        square += u * u;
    }
    /* five standard errors: 1/sqrt(12 n), and sqrt(4/45 / n) for the square */
    assert_true(fabs(sum / DRAWS - 0.5) < 5 / sqrt(12.0 * DRAWS));
    assert_true(fabs(square / DRAWS - 1.0 / 3) < 5 * sqrt(4.0 / 45 / DRAWS));
}

static void normal_numbers_have_the_moments_of_their_law(void **state)
{
    (void)state;
    Rng rng = rng_stream(3, "test");
    double moment[5] = {0};
    for (int i = 0; i < DRAWS; i++) {
        double power = 1, z = rng_normal(&rng);
        for (int k = 1; k < 5; k++)
            moment[k] += (power *= z) / DRAWS;
    }
    /* five standard errors: Var(z^k) = 1, 2, 15, 96 for k = 1 … 4 */
    assert_true(fabs(moment[1]) < 5 * sqrt(1.0 / DRAWS));
    assert_true(fabs(moment[2] - 1) < 5 * sqrt(2.0 / DRAWS));
    assert_true(fabs(moment[3]) < 5 * sqrt(15.0 / DRAWS));
    assert_true(fabs(moment[4] - 3) < 5 * sqrt(96.0 / DRAWS));
}

static void every_number_below_n_is_equally_likely(void **state)
{
    (void)state;
    enum { N = 7 };
    Rng rng = rng_stream(5, "test");
    int seen[N] = {0};
    for (int i = 0; i < DRAWS; i++)
        seen[rng_below(&rng, N)]++;
    double expected = (double)DRAWS / N;
    for (int i = 0; i < N; i++)
        assert_true(fabs(seen[i] - expected) < 5 * sqrt(expected));
    assert_int_equal(rng_below(&rng, 1), 0);
}

static void a_permutation_holds_every_number_once(void **state)
{
    (void)state;
    enum { N = 1000 };
    Rng rng = rng_stream(5, "test");
    uint32_t order[N];
    int seen[N] = {0}, moved = 0;
    rng_permutation(&rng, order, N);
    for (uint32_t i = 0; i < N; i++) {
        seen[order[i]]++;
        moved += order[i] != i;
    }
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i], 1);
    assert_true(moved > N / 2);
}

static void filled_arrays_keep_their_bound(void **state)
{
    (void)state;
    float values[1000];
    Rng rng = rng_stream(5, "test");
    rng_fill_uniform(&rng, values, 1000, 0.25);
    float largest = 0;
    for (int i = 0; i < 1000; i++)
        largest = fmaxf(largest, fabsf(values[i]));
    assert_true(largest <= 0.25f && largest > 0.2f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_and_name_give_the_same_numbers),
        cmocka_unit_test(the_first_words_of_a_stream_are_pinned),
        cmocka_unit_test(another_name_seed_or_index_gives_other_numbers),
        cmocka_unit_test(a_substream_starts_at_its_beginning_whatever_was_drawn),
        cmocka_unit_test(uniform_numbers_have_the_moments_of_their_law),
        cmocka_unit_test(normal_numbers_have_the_moments_of_their_law),
        cmocka_unit_test(every_number_below_n_is_equally_likely),
        cmocka_unit_test(a_permutation_holds_every_number_once),
        cmocka_unit_test(filled_arrays_keep_their_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
