#include "embedding.h"
#include "oracle.h"

enum { SEQUENCES = 2, LENGTH = 3, WIDTH = 5, VOCABULARY = 4, ROWS = SEQUENCES * LENGTH };

/* A token that occurs three times, and one that does not occur. */
static const int32_t tokens[ROWS] = {1, 0, 1, 3, 1, 0};

static void a_row_is_its_token_plus_its_place_in_the_sequence(void **state)
{
    (void)state;
    float *token = uniform_floats(VOCABULARY * WIDTH, "token", 1), y[ROWS * WIDTH];
    float *position = uniform_floats(LENGTH * WIDTH, "position", 1);
    for (int with = 0; with < 2; with++) {
        embedding_forward(SEQUENCES, LENGTH, WIDTH, tokens, token, with ? position : NULL, y);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < WIDTH; j++)
                assert_true(y[i * WIDTH + j] ==
                            token[tokens[i] * WIDTH + j] + (with ? position[i % LENGTH * WIDTH + j] : 0));
    }
    free(position);
    free(token);
}

static void gradients_are_summed_over_the_occurrences_and_added(void **state)
{
    (void)state;
    float d_y[ROWS * WIDTH], d_token[VOCABULARY * WIDTH], d_position[LENGTH * WIDTH];
    for (int i = 0; i < ROWS * WIDTH; i++)
        d_y[i] = (float)(1 << (i / WIDTH)); /* sums of powers of two tell which rows are in them */
    for (int i = 0; i < VOCABULARY * WIDTH; i++)
        d_token[i] = 0.5f;
    for (int i = 0; i < LENGTH * WIDTH; i++)
        d_position[i] = 0.25f;
    embedding_backward(SEQUENCES, LENGTH, WIDTH, tokens, d_y, d_token, d_position);
    const float of_token[VOCABULARY] = {2 + 32, 1 + 4 + 16, 0, 8};
    const float of_position[LENGTH] = {1 + 8, 2 + 16, 4 + 32};
    for (int i = 0; i < VOCABULARY * WIDTH; i++)
        assert_true(d_token[i] == of_token[i / WIDTH] + 0.5f);
    for (int i = 0; i < LENGTH * WIDTH; i++)
        assert_true(d_position[i] == of_position[i / WIDTH] + 0.25f);
    embedding_backward(SEQUENCES, LENGTH, WIDTH, tokens, d_y, d_token, NULL);
    assert_true(d_token[0] == 2 * of_token[0] + 0.5f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_its_token_plus_its_place_in_the_sequence),
        cmocka_unit_test(gradients_are_summed_over_the_occurrences_and_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
