#include "product.h"

#include "blas.h"
#include "oracle.h"

#include <string.h>

typedef struct Case {
    int m, n, k;
} Case;

/* Widths of one register and of two, of whatever size, and such as fill none; rows that leave a rest, few and many;
 * terms that fill no square to be transposed, and more than are summed in one go. */
static const Case cases[] = {{1, 1, 1},     {8, 32, 100}, {8, 16, 7},    {7, 32, 33}, {3, 48, 12},
                             {16, 64, 520}, {5, 96, 257}, {8, 20, 9},    {4, 8, 256}, {2, 128, 31},
                             {40, 32, 48},  {65, 80, 37}, {33, 27, 300}, {50, 7, 16}};

typedef void Product(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     const float *d, int ldd, float *c, int ldc);

typedef enum Past { NOTHING, ITSELF, ANOTHER, ONE_ROW, PASTS } Past;

/* A, B and C are parts of wider arrays, whose other columns must stay. Every element is a sum of k products of
 * numbers below 1, alpha is below 1 and so is what it is added to. */
static void check(Product *product, bool transposed_a, bool transposed_b, const Case *t, Past past)
{
    const float alpha = -0.75f;
    int m = t->m, n = t->n, k = t->k;
    int lda = (transposed_a ? m : k) + 3, ldb = (transposed_b ? k : n) + 5, ldc = n + 1, ldd = n + 2;
    float *a = uniform_floats((size_t)(transposed_a ? k : m) * lda, "a", 1);
    float *b = uniform_floats((size_t)(transposed_b ? n : k) * ldb, "b", 1);
    float *c = uniform_floats((size_t)m * ldc, "c", 1), *before = uniform_floats((size_t)m * ldc, "c", 1);
    float *d = uniform_floats((size_t)m * ldd, "d", 1);
    const float *added[PASTS] = {NULL, c, d, d};
    int step[PASTS] = {0, ldc, ldd, 0};
    if (past != ITSELF)
        c[0] = NAN; /* as fresh memory may hold it */
    uint64_t counted = gemm_multiply_adds();
    product(m, n, k, alpha, a, lda, b, ldb, added[past], step[past], c, ldc);
    assert_int_equal(gemm_multiply_adds() - counted, m * n * k);
    const float *was[PASTS] = {NULL, before, d, d};
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = was[past] ? was[past][i * step[past] + j] : 0;
            for (int p = 0; p < k; p++)
                sum += alpha * (transposed_a ? a[p * lda + i] : a[i * lda + p]) *
                       (double)(transposed_b ? b[j * ldb + p] : b[p * ldb + j]);
            assert_close(c[i * ldc + j], sum, (k + 2.0) * (k + 1.0) * ROUNDOFF, "c", (size_t)i * ldc + j);
        }
        assert_true(c[i * ldc + n] == before[i * ldc + n]);
    }
    free(d);
    free(before);
    free(c);
    free(b);
    free(a);
}

static void products_are_exact_to_rounding_and_touch_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (Past past = 0; past < PASTS; past++) {
            check(product_nn, false, false, &cases[i], past);
            check(product_nt, false, true, &cases[i], past);
            check(product_tn, true, false, &cases[i], past);
        }
}

/* Rows 3 … 19 and columns 5 … 41 of a product, computed alone, in which other tiles, strips and rests fall on them. */
static void an_element_has_the_same_bits_wherever_it_stands(void **state)
{
    (void)state;
#ifndef FP_FAST_FMAF
    skip();
#endif
    enum { M = 70, N = 90, K = 300, ROW = 3, ROWS = 17, COLUMN = 5, COLUMNS = 37 };
    float *a = uniform_floats(M * K, "a", 1), *b = uniform_floats(N * K, "b", 1);
    float *whole = uniform_floats(M * N, "c", 1), *some = uniform_floats(ROWS * COLUMNS, "c", 1);
    product_nt(M, N, K, 0.5f, a, K, b, K, NULL, 0, whole, N);
    product_nt(ROWS, COLUMNS, K, 0.5f, a + ROW * K, K, b + COLUMN * K, K, NULL, 0, some, COLUMNS);
    for (int i = 0; i < ROWS; i++)
        assert_memory_equal(some + i * COLUMNS, whole + (ROW + i) * N + COLUMN, COLUMNS * sizeof *some);
    product_nn(M, N, K, 0.5f, a, K, b, N, NULL, 0, whole, N);
    product_nn(ROWS, COLUMNS, K, 0.5f, a + ROW * K, K, b + COLUMN, N, NULL, 0, some, COLUMNS);
    for (int i = 0; i < ROWS; i++)
        assert_memory_equal(some + i * COLUMNS, whole + (ROW + i) * N + COLUMN, COLUMNS * sizeof *some);
    free(some);
    free(whole);
    free(b);
    free(a);
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
        cmocka_unit_test(an_element_has_the_same_bits_wherever_it_stands),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
