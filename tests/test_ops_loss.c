#include "ops_loss.h"
#include "oracle.h"

enum { ROWS = 5 };

static const int widths[] = {2, 17, 64, 1024};

/* −log p of the target, exactly. */
static double exact_loss(int n, const double *x, int target)
{
    double top = x[0], sum = 0;
    for (int j = 1; j < n; j++)
        top = fmax(top, x[j]);
    for (int j = 0; j < n; j++)
        sum += exp(x[j] - top);
    return log(sum) - (x[target] - top);
}

/* exp is within 4 ROUNDOFF and its argument rounded once (logits are below 10 here, differences below 20);
 * a sum of n positive terms rounds by n: so much, relative, for the sum and for each probability. */
static double relative_bound(int n)
{
    return (n + 2 * (4 + 20)) * ROUNDOFF;
}

typedef struct Problem {
    int n;
    int32_t targets[ROWS];
    float *logits;
} Problem;

static Problem problem(int n)
{
    Problem p = {n, {0}, uniform_floats((size_t)ROWS * n, "logits", 10)};
    for (int i = 0; i < ROWS; i++)
        p.targets[i] = i * (n - 1) / (ROWS - 1); /* the first, the last and some between */
    return p;
}

static void the_loss_is_the_targets_surprise(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(widths); c++) {
        Problem p = problem(widths[c]);
        double *exact = doubles((size_t)ROWS * p.n, p.logits), sum = 0;
        float nll[ROWS];
        double total = loss_cross_entropy(ROWS, p.n, p.logits, p.targets, 1, nll, NULL);
        for (int i = 0; i < ROWS; i++) {
            double expected = exact_loss(p.n, exact + (size_t)i * p.n, p.targets[i]);
            /* the logarithm turns the sum's relative error into an absolute one */
            assert_close(nll[i], expected, relative_bound(p.n) + 4 * ROUNDOFF * 30, "nll", i);
            sum += nll[i];
        }
        assert_true(total == sum);
        free(exact);
        free(p.logits);
    }
}

typedef struct Row {
    int n, target;
    double weight;
} Row;

static double weighted_loss(const double *x, const void *context)
{
    const Row *r = context;
    return r->weight * exact_loss(r->n, x, r->target);
}

static void the_gradient_is_the_derivative(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(widths); c++) {
        Problem p = problem(widths[c]);
        size_t size = (size_t)ROWS * p.n;
        float *d = mem_new(size, sizeof *d), weight = 0.25f;
        double total = loss_cross_entropy(ROWS, p.n, p.logits, p.targets, weight, NULL, d);
        assert_true(total == loss_cross_entropy(ROWS, p.n, p.logits, p.targets, 1, NULL, NULL));
        for (int i = 0; i < ROWS; i++)
            assert_gradient(weighted_loss, p.logits + (size_t)i * p.n, p.n, &(Row){p.n, p.targets[i], weight},
                            d + (size_t)i * p.n, weight * relative_bound(p.n) + 1e-9, "d_logits");
        loss_cross_entropy(ROWS, p.n, p.logits, p.targets, weight, NULL, p.logits); /* in place */
        assert_memory_equal(p.logits, d, size * sizeof *d);
        free(d);
        free(p.logits);
    }
}

static void the_loss_without_a_gradient_has_the_same_bits(void **state)
{
    (void)state;
    Problem p = problem(1000);
    float alone[ROWS], with[ROWS];
    loss_cross_entropy(ROWS, p.n, p.logits, p.targets, 1, alone, NULL);
    loss_cross_entropy(ROWS, p.n, p.logits, p.targets, 1, with, p.logits);
    assert_memory_equal(alone, with, sizeof with);
    free(p.logits);
}

static void huge_logits_do_not_overflow(void **state)
{
    (void)state;
    float x[] = {1e4f, -1e4f, 0, 1e4f, -1e4f, 0}, nll[2];
    const int32_t targets[] = {0, 1};
    double total = loss_cross_entropy(2, 3, x, targets, 1, nll, x);
    assert_true(nll[0] == 0 && nll[1] == 2e4f && total == 2e4);
    assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
    assert_true(x[3] == 1 && x[4] == -1 && x[5] == 0);
}

static void a_divergence_is_not_hidden(void **state)
{
    (void)state;
    const float rows[][3] = {{0, NAN, 0}, {NAN, NAN, NAN}, {0, INFINITY, 0}};
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_true(isnan(loss_cross_entropy(1, 3, rows[i], &(int32_t){0}, 1, NULL, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_is_the_targets_surprise),
        cmocka_unit_test(the_gradient_is_the_derivative),
        cmocka_unit_test(the_loss_without_a_gradient_has_the_same_bits),
        cmocka_unit_test(huge_logits_do_not_overflow),
        cmocka_unit_test(a_divergence_is_not_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
