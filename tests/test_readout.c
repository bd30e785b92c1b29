#include "blas.h"
#include "ops_linear.h"
#include "ops_loss.h"
#include "oracle.h"
#include "readout.h"

/* More rows than are taken at a time, and not a multiple of them. */
enum { ROWS = 150, WIDTH = 6, VOCABULARY = 11 };

typedef struct Fixture {
    Readout readout;
    float *x, *weight, *bias;
    int32_t targets[ROWS];
    float logits[ROWS * VOCABULARY]; /* all at once, by the op that test_ops_linear covers */
} Fixture;

static int set_up(void **state)
{
    Err err;
    if (!blas_start(&err))
        fail_msg("%s", err.text);
    Fixture *f = *state = mem_new(1, sizeof *f);
    f->x = uniform_floats(ROWS * WIDTH, "x", 1);
    f->weight = uniform_floats(VOCABULARY * WIDTH, "weight", 1);
    f->bias = uniform_floats(VOCABULARY, "bias", 1);
    f->readout =
        (Readout){WIDTH, VOCABULARY, f->weight, f->bias, mem_new(readout_room(VOCABULARY), sizeof(float))};
    for (int i = 0; i < ROWS; i++)
        f->targets[i] = i * 7 % VOCABULARY;
    linear_forward(ROWS, WIDTH, VOCABULARY, f->x, f->weight, f->bias, NULL, f->logits);
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    free(f->readout.logits);
    free(f->x);
    free(f->weight);
    free(f->bias);
    free(f);
    return 0;
}

/* Logits of two products that are cut differently: each of WIDTH + 1 terms of at most 1, and a loss
 * moves by at most twice what its largest logit does. */
enum { TERMS = (WIDTH + 1) * (WIDTH + 1) };

static void the_loss_is_that_of_all_rows_at_once(void **state)
{
    Fixture *f = *state;
    float nll[ROWS], expected[ROWS];
    double sum = readout_loss(&f->readout, ROWS, f->x, f->targets, nll), total = 0;
    loss_cross_entropy(ROWS, VOCABULARY, f->logits, f->targets, 1, expected, NULL);
    for (int i = 0; i < ROWS; i++) {
        assert_close(nll[i], expected[i], 4 * TERMS * ROUNDOFF, "nll", i);
        total += nll[i];
    }
    assert_close(sum, total, 1e-12 * total, "sum", 0);
    assert_true(sum == readout_loss(&f->readout, ROWS, f->x, f->targets, NULL));
}

static void the_gradients_are_those_of_all_rows_at_once(void **state)
{
    Fixture *f = *state;
    const float weight = 0.5f;
    float d_x[ROWS * WIDTH], d_weight[VOCABULARY * WIDTH] = {0}, d_bias[VOCABULARY] = {0};
    double sum = readout_gradient(&f->readout, ROWS, f->x, f->targets, weight, d_x, d_weight, d_bias);
    assert_true(sum == readout_loss(&f->readout, ROWS, f->x, f->targets, NULL));
    float d_logits[ROWS * VOCABULARY], all_x[ROWS * WIDTH];
    float all_weight[VOCABULARY * WIDTH] = {0}, all_bias[VOCABULARY] = {0};
    loss_cross_entropy(ROWS, VOCABULARY, f->logits, f->targets, weight, NULL, d_logits);
    linear_backward_weight(ROWS, WIDTH, VOCABULARY, f->x, d_logits, all_weight, all_bias);
    linear_backward_input(ROWS, WIDTH, VOCABULARY, d_logits, f->weight, false, all_x);
    /* elements of d_logits are at most 1/2, and differ as the losses do */
    double each = 4 * TERMS * ROUNDOFF;
    for (int i = 0; i < ROWS * WIDTH; i++)
        assert_close(d_x[i], all_x[i], VOCABULARY * (each + VOCABULARY * ROUNDOFF), "d_x", i);
    for (int i = 0; i < VOCABULARY * WIDTH; i++)
        assert_close(d_weight[i], all_weight[i], ROWS * (each + ROWS * ROUNDOFF), "d_weight", i);
    for (int i = 0; i < VOCABULARY; i++)
        assert_close(d_bias[i], all_bias[i], ROWS * (each + ROWS * ROUNDOFF), "d_bias", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_is_that_of_all_rows_at_once),
        cmocka_unit_test(the_gradients_are_those_of_all_rows_at_once),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
