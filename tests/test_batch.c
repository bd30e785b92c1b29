#include "batch.h"
#include "mem.h"
#include "test.h"

#include <math.h>

enum { TOKENS = 30, LENGTH = 7, PLACES = TOKENS - LENGTH };

/* A part in which every token tells its place: 100, 101, … */
static TokenSpan numbered(void)
{
    static int32_t ids[TOKENS];
    for (int i = 0; i < TOKENS; i++)
        ids[i] = 100 + i;
    return (TokenSpan){.ids = ids, .count = TOKENS};
}

static void targets_are_the_tokens_one_further_on(void **state)
{
    (void)state;
    int32_t tokens[50 * LENGTH], targets[50 * LENGTH];
    Rng rng = rng_stream(1, "batches");
    batch_random(numbered(), &rng, 50, LENGTH, tokens, targets);
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < LENGTH; j++) {
            assert_int_equal(tokens[i * LENGTH + j], tokens[i * LENGTH] + j);
            assert_int_equal(targets[i * LENGTH + j], tokens[i * LENGTH] + j + 1);
        }
}

static void windows_begin_wherever_one_fits_and_equally_often(void **state)
{
    (void)state;
    enum { DRAWS = 46000 };
    static int32_t tokens[DRAWS * LENGTH], targets[DRAWS * LENGTH];
    int counts[PLACES] = {0};
    Rng rng = rng_stream(1, "batches");
    batch_random(numbered(), &rng, DRAWS, LENGTH, tokens, targets);
    for (int i = 0; i < DRAWS; i++) {
        int place = tokens[i * LENGTH] - 100;
        assert_in_range(place, 0, PLACES - 1);
        counts[place]++;
    }
    /* Each count is binomial; the seed is fixed, and 5 standard deviations leave less than one seed in
     * 50,000 to be unlucky at one of the places. */
    double p = 1.0 / PLACES, allowed = 5 * sqrt(DRAWS * p * (1 - p));
    for (int i = 0; i < PLACES; i++)
        assert_true(fabs(counts[i] - DRAWS * p) < allowed);
}

static void a_steps_batch_depends_on_seed_and_step_alone(void **state)
{
    (void)state;
    int32_t a[8 * LENGTH], b[8 * LENGTH], c[8 * LENGTH], targets[8 * LENGTH];
    Rng stream = rng_stream(3, "batches");
    Rng step = rng_substream(&stream, 17), again = rng_substream(&stream, 17),
        next = rng_substream(&stream, 18);
    batch_random(numbered(), &step, 8, LENGTH, a, targets);
    batch_random(numbered(), &next, 8, LENGTH, b, targets);
    batch_random(numbered(), &again, 8, LENGTH, c, targets);
    assert_memory_equal(a, c, sizeof a);
    assert_memory_not_equal(a, b, sizeof a);
}

static void a_part_of_one_window_gives_that_window(void **state)
{
    (void)state;
    TokenSpan part = {.ids = numbered().ids, .count = LENGTH + 1};
    int32_t tokens[LENGTH], targets[LENGTH];
    Rng rng = rng_stream(1, "batches");
    batch_random(part, &rng, 1, LENGTH, tokens, targets);
    assert_memory_equal(tokens, part.ids, sizeof tokens);
    assert_memory_equal(targets, part.ids + 1, sizeof targets);
}

static void windows_side_by_side_drop_only_the_remainder(void **state)
{
    (void)state;
    static const struct {
        size_t tokens, windows;
        int length;
    } cases[] = {
        {0, 0, 4}, {1, 0, 4},         {4, 0, 4},        {5, 1, 4},         {8, 1, 4},
        {9, 2, 4}, {45976, 359, 128}, {45976, 718, 64}, {45976, 179, 256}, {413784, 3232, 128},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(batch_windows((TokenSpan){.count = cases[i].tokens}, cases[i].length),
                         cases[i].windows);
}

static void windows_side_by_side_are_a_batch_as_they_lie(void **state)
{
    (void)state;
    TokenSpan part = numbered();
    size_t windows = batch_windows(part, LENGTH);
    assert_int_equal(windows, 4); /* of 29 predicted tokens 28 */
    for (size_t i = 0; i < windows; i++)
        assert_int_equal(batch_window(part, i, LENGTH)[0], 100 + (int)i * LENGTH);
    const int32_t *last_target = batch_window(part, windows - 1, LENGTH) + LENGTH;
    assert_true(last_target < part.ids + part.count);
}

/* Four sentences of seven tokens, and windows of five positions in them. */
static void in_a_text_of_sentences_every_window_begins_one(void **state)
{
    (void)state;
    enum { SENTENCE = 7, SENTENCES = 4, WINDOW = 5, DRAWS = 4000 };
    TokenSpan part = {.ids = numbered().ids, .count = SENTENCES * SENTENCE, .sentence = SENTENCE};
    assert_int_equal(batch_windows(part, WINDOW), SENTENCES);
    for (int i = 0; i < SENTENCES; i++)
        assert_int_equal(batch_window(part, (size_t)i, WINDOW)[0], 100 + i * SENTENCE);

    static int32_t tokens[DRAWS * WINDOW], targets[DRAWS * WINDOW];
    int counts[SENTENCES] = {0};
    Rng rng = rng_stream(1, "batches");
    batch_random(part, &rng, DRAWS, WINDOW, tokens, targets);
    for (int i = 0; i < DRAWS; i++) {
        int place = tokens[i * WINDOW] - 100;
        assert_int_equal(place % SENTENCE, 0);
        assert_int_equal(targets[i * WINDOW + WINDOW - 1], 100 + place + WINDOW);
        counts[place / SENTENCE]++;
    }
    /* Binomial counts, within five standard deviations. */
    for (int i = 0; i < SENTENCES; i++)
        assert_true(abs(counts[i] - DRAWS / SENTENCES) < 5 * sqrt(DRAWS * 0.25 * 0.75));
}

static void a_window_longer_than_a_sentence_is_refused(void **state)
{
    (void)state;
    Err err;
    TokenSpan part = {.count = 28, .sentence = 7};
    assert_true(batch_fits(part, 6, "the held-out part", &err));
    assert_false(batch_fits(part, 7, "the held-out part", &err));
    assert_says(err.text, "the held-out part has sentences of 7 tokens");
    assert_says(err.text, "7 positions needs 8");
}

static void a_part_too_short_for_one_window_is_refused(void **state)
{
    (void)state;
    Err err;
    assert_true(batch_fits((TokenSpan){.count = 129}, 128, "the held-out part", &err));
    assert_false(batch_fits((TokenSpan){.count = 128}, 128, "the held-out part", &err));
    assert_says(err.text, "the held-out part has 128 tokens");
    assert_says(err.text, "128 positions needs 129");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_are_the_tokens_one_further_on),
        cmocka_unit_test(windows_begin_wherever_one_fits_and_equally_often),
        cmocka_unit_test(a_steps_batch_depends_on_seed_and_step_alone),
        cmocka_unit_test(a_part_of_one_window_gives_that_window),
        cmocka_unit_test(windows_side_by_side_drop_only_the_remainder),
        cmocka_unit_test(windows_side_by_side_are_a_batch_as_they_lie),
        cmocka_unit_test(in_a_text_of_sentences_every_window_begins_one),
        cmocka_unit_test(a_window_longer_than_a_sentence_is_refused),
        cmocka_unit_test(a_part_too_short_for_one_window_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
