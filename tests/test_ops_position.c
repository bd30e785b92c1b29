#include "ops_position.h"
#include "oracle.h"

static void sinusoids_have_the_published_form(void **state)
{
    (void)state;
    enum { ROWS = 300, WIDTH = 6 };
    float table[ROWS * WIDTH];
    position_sinusoidal(ROWS, WIDTH, table);
    for (int t = 0; t < ROWS; t++)
        for (int i = 0; i < WIDTH / 2; i++) {
            double angle = t / pow(10000, 2.0 * i / WIDTH);
            /* one rounding of the table; the angle itself may differ by 300 double roundings */
            assert_close(table[t * WIDTH + 2 * i], sin(angle), ROUNDOFF + 1e-12, "sin", t);
            assert_close(table[t * WIDTH + 2 * i + 1], cos(angle), ROUNDOFF + 1e-12, "cos", t);
        }
}

static void slopes_are_a_geometric_sequence_that_ends_at_2_to_the_minus_8(void **state)
{
    (void)state;
    float eight[8], four[4], six[6];
    position_alibi(8, eight);
    position_alibi(4, four);
    position_alibi(6, six);
    for (int i = 0; i < 8; i++)
        assert_true(eight[i] == ldexpf(1, -i - 1));
    for (int i = 0; i < 4; i++)
        assert_true(four[i] == ldexpf(1, -2 * i - 2));
    assert_close(six[0], pow(2, -8.0 / 6), ROUNDOFF, "slope", 0);
    assert_true(six[5] == 0x1p-8f);
}

enum { ROWS = 40, HEADS = 3, WIDTH = 10, STRIDE = HEADS * WIDTH + 7 };

static void pairs_are_turned_by_the_positions_angle_and_nothing_else_moves(void **state)
{
    (void)state;
    float table[ROWS * WIDTH], *x = uniform_floats(ROWS * STRIDE, "x", 1);
    float *before = uniform_floats(ROWS * STRIDE, "x", 1);
    position_rope_table(ROWS, WIDTH, table);
    position_rope_forward(ROWS, HEADS, WIDTH, STRIDE, table, x);
    for (int t = 0; t < ROWS; t++)
        for (int j = 0; j < STRIDE; j++) {
            int at = t * STRIDE + j;
            if (j >= HEADS * WIDTH) {
                assert_true(x[at] == before[at]);
                continue;
            }
            int pair = at - j % WIDTH % 2; /* WIDTH is even */
            double angle = t * pow(10000, -(double)(j % WIDTH / 2 * 2) / WIDTH);
            double a = before[pair], b = before[pair + 1];
            double turned = j % 2 ? a * sin(angle) + b * cos(angle) : a * cos(angle) - b * sin(angle);
            assert_close(x[at], turned, 6 * ROUNDOFF, "x", at); /* two products of a rounded table */
        }
    free(before);
    free(x);
}

/* A rotation is orthogonal: turning back is both its inverse and its gradient. */
static void the_gradient_is_turned_back(void **state)
{
    (void)state;
    float table[ROWS * WIDTH], *x = uniform_floats(ROWS * STRIDE, "x", 1);
    float *before = uniform_floats(ROWS * STRIDE, "x", 1);
    position_rope_table(ROWS, WIDTH, table);
    position_rope_forward(ROWS, HEADS, WIDTH, STRIDE, table, x);
    position_rope_backward(ROWS, HEADS, WIDTH, STRIDE, table, x);
    for (int i = 0; i < ROWS * STRIDE; i++)
        assert_close(x[i], before[i], 16 * ROUNDOFF, "x", i);
    free(before);
    free(x);
}

static void a_score_depends_on_the_distance_alone(void **state)
{
    (void)state;
    float table[ROWS * WIDTH], *q = uniform_floats(WIDTH, "q", 1), *k = uniform_floats(WIDTH, "k", 1);
    position_rope_table(ROWS, WIDTH, table);
    for (int distance = 0; distance < 8; distance++) {
        double first = 0;
        for (int t = distance; t < ROWS; t++) {
            float turned_q[WIDTH], turned_k[WIDTH];
            memcpy(turned_q, q, sizeof turned_q);
            memcpy(turned_k, k, sizeof turned_k);
            position_rope_forward(1, 1, WIDTH, WIDTH, table + t * WIDTH, turned_q);
            position_rope_forward(1, 1, WIDTH, WIDTH, table + (t - distance) * WIDTH, turned_k);
            double score = 0;
            for (int j = 0; j < WIDTH; j++)
                score += (double)turned_q[j] * turned_k[j];
            first = t == distance ? score : first;
            /* entries are below sqrt(2) after six roundings each; two scores are compared */
            assert_close(score, first, 2 * WIDTH * 2 * 2 * 6 * ROUNDOFF, "score", t);
        }
    }
    free(k);
    free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinusoids_have_the_published_form),
        cmocka_unit_test(slopes_are_a_geometric_sequence_that_ends_at_2_to_the_minus_8),
        cmocka_unit_test(pairs_are_turned_by_the_positions_angle_and_nothing_else_moves),
        cmocka_unit_test(the_gradient_is_turned_back),
        cmocka_unit_test(a_score_depends_on_the_distance_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
