#include "evaluate.h"

#include "batch.h"
#include "blas.h"
#include "tiny.h"

#include <float.h>
#include <math.h>
#include <omp.h>

static Tokens *text;

static int start(void **state)
{
    (void)state;
    Err err;
    text = tiny_text();
    return blas_start(&err) ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    tokens_free(text);
    return 0;
}

static double perplexity(const Model *model, TokenSpan part)
{
    Err err;
    double value;
    if (!evaluate_perplexity(model, part, "the part", TINY_LENGTH, &value, NULL, &err))
        fail_msg("%s", err.text);
    return value;
}

static void a_model_that_knows_nothing_has_the_perplexity_of_its_vocabulary(void **state)
{
    (void)state;
    Model *model = tiny_model();
    memset(model->parameters, 0, parameter_bytes(model));
    /* every token costs log 32, rounded once or twice */
    assert_true(fabs(log(perplexity(model, text->held_out)) - log(32)) < 4 * FLT_EPSILON);
    model_free(model);
}

static void it_is_the_mean_over_windows_side_by_side(void **state)
{
    (void)state;
    Err err;
    Model *model = tiny_model();
    Activations *activations = activations_new(model, 1, TINY_LENGTH, &err);
    double sum = 0;
    size_t windows = (text->held_out.count - 1) / TINY_LENGTH;
    for (size_t i = 0; i < windows; i++) {
        const int32_t *tokens = text->held_out.ids + i * TINY_LENGTH;
        sum += model_loss(model, activations, tokens, tokens + 1, 1, NULL);
    }
    double mean = sum / ((double)windows * TINY_LENGTH);
    /* A product's row may have other bits at another place: a few roundings of a logit of about 1. */
    assert_true(fabs(log(perplexity(model, text->held_out)) - mean) < 32 * FLT_EPSILON);
    activations_free(activations);
    model_free(model);
}

static void the_remainder_is_dropped(void **state)
{
    (void)state;
    Model *model = tiny_model();
    TokenSpan exact = {.ids = text->ids, .count = 20 * TINY_LENGTH + 1}, more = exact, another = exact;
    more.count = 21 * TINY_LENGTH;
    another.count = 21 * TINY_LENGTH + 1;
    assert_true(perplexity(model, exact) == perplexity(model, more));
    assert_true(perplexity(model, exact) != perplexity(model, another));
    model_free(model);
}

static void a_text_of_sentences_is_taken_sentence_by_sentence(void **state)
{
    (void)state;
    enum { SENTENCE = TINY_LENGTH + 3, SENTENCES = 9 };
    Err err;
    Model *model = tiny_model();
    Activations *activations = activations_new(model, 1, TINY_LENGTH, &err);
    TokenSpan part = {.ids = text->ids, .count = SENTENCES * SENTENCE, .sentence = SENTENCE};
    double sum = 0;
    for (int i = 0; i < SENTENCES; i++) {
        const int32_t *tokens = text->ids + i * SENTENCE;
        sum += model_loss(model, activations, tokens, tokens + 1, 1, NULL);
    }
    /* The same passes; what is summed has been rounded to float32. */
    assert_true(fabs(log(perplexity(model, part)) - sum / (SENTENCES * TINY_LENGTH)) < 4 * FLT_EPSILON);
    activations_free(activations);
    model_free(model);
}

static void positions_average_to_the_whole(void **state)
{
    (void)state;
    Err err;
    Model *model = tiny_model();
    double value, by_position[TINY_LENGTH], sum = 0;
    assert_true(
        evaluate_perplexity(model, text->held_out, "the part", TINY_LENGTH, &value, by_position, &err));
    for (int t = 0; t < TINY_LENGTH; t++)
        sum += by_position[t];
    assert_true(fabs(sum / TINY_LENGTH - log(value)) < 16 * DBL_EPSILON * log(value));
    assert_true(by_position[0] != by_position[1]);
    model_free(model);
}

static void the_bits_are_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    Model *model = tiny_model();
    int usual = omp_get_max_threads();
    omp_set_num_threads(1);
    double one = perplexity(model, text->train);
    for (int threads = 2; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        assert_true(perplexity(model, text->train) == one);
    }
    omp_set_num_threads(usual);
    model_free(model);
}

static void what_is_not_finite_shows(void **state)
{
    (void)state;
    Model *model = tiny_model();
    model->parameters[layout_find(model->layout, "vocabulary.bias")->offset] = NAN;
    assert_false(isfinite(perplexity(model, text->held_out)));
    model_free(model);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    Err err;
    double value;
    Model *model = tiny_model();
    TokenSpan too_short = {.ids = text->ids, .count = TINY_LENGTH};
    assert_false(evaluate_perplexity(model, too_short, "the short part", TINY_LENGTH, &value, NULL, &err));
    assert_says(err.text, "the short part");
    assert_false(evaluate_perplexity(model, text->train, "the part", TINY_LENGTH + 1, &value, NULL, &err));
    assert_says(err.text, "13");
    model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_that_knows_nothing_has_the_perplexity_of_its_vocabulary),
        cmocka_unit_test(it_is_the_mean_over_windows_side_by_side),
        cmocka_unit_test(the_remainder_is_dropped),
        cmocka_unit_test(a_text_of_sentences_is_taken_sentence_by_sentence),
        cmocka_unit_test(positions_average_to_the_whole),
        cmocka_unit_test(the_bits_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(what_is_not_finite_shows),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
