#include "blas.h"
#include "narrow.h"
#include "oracle.h"

typedef struct Case {
    int m, n, k;
} Case;

/* Widths of one register and of two, of whatever size, and such as fill none; rows that leave a rest; more terms
 * than are summed in one go. */
static const Case cases[] = {{1, 1, 1},     {8, 32, 100}, {8, 16, 7}, {7, 32, 33}, {3, 48, 12},
                             {16, 64, 520}, {5, 96, 257}, {8, 20, 9}, {4, 8, 256}, {2, 128, 31}};

typedef void Narrow(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                    bool add, float *c, int ldc);

/* A [m x k], or [k x m] transposed, B and C are parts of wider arrays, whose other columns must stay. Every
 * element is a sum of k products of numbers below 1, alpha is below 1 and so is what it is added to. */
static void check(Narrow *narrow, bool transposed, const Case *t, bool add)
{
    const float alpha = -0.75f;
    int m = t->m, n = t->n, k = t->k, lda = (transposed ? m : k) + 3, ldb = n + 5, ldc = n + 1;
    float *a = uniform_floats((size_t)(transposed ? k : m) * lda, "a", 1);
    float *b = uniform_floats((size_t)k * ldb, "b", 1), *c = uniform_floats((size_t)m * ldc, "c", 1);
    float *before = uniform_floats((size_t)m * ldc, "c", 1);
    if (!add)
        c[0] = NAN; /* as fresh memory may hold it */
    uint64_t counted = gemm_multiply_adds();
    narrow(m, n, k, alpha, a, lda, b, ldb, add, c, ldc);
    assert_int_equal(gemm_multiply_adds() - counted, m * n * k);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = add ? before[i * ldc + j] : 0;
            for (int p = 0; p < k; p++)
                sum += alpha * (transposed ? a[p * lda + i] : a[i * lda + p]) * (double)b[p * ldb + j];
            assert_close(c[i * ldc + j], sum, (k + 2.0) * (k + 1.0) * ROUNDOFF, "c", (size_t)i * ldc + j);
        }
        assert_true(c[i * ldc + n] == before[i * ldc + n]);
    }
    free(before);
    free(c);
    free(b);
    free(a);
}

static void products_are_exact_to_rounding_and_touch_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int add = 0; add < 2; add++) {
            check(narrow_nn, false, &cases[i], add);
            check(narrow_tn, true, &cases[i], add);
        }
}

static int set_up(void **state)
{
    (void)state;
    Err err;
    if (!blas_start(&err))
        fail_msg("%s", err.text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_exact_to_rounding_and_touch_nothing_else),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
