#include "blas.h"
#include "mem.h"
#include "test.h"

#include <omp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void calling_a_product_before_the_start_aborts(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        float x = 1;
        fclose(stderr);
        gemm_nn(1, 1, 1, 1, &x, 1, &x, 1, 0, &x, 1);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void the_start_succeeds_here_and_can_be_repeated(void **state)
{
    (void)state;
    Err err;
    if (!blas_start(&err) || !blas_start(&err))
        fail_msg("%s", err.text);
}

static void the_description_names_version_build_and_kernel(void **state)
{
    (void)state;
    assert_says(blas_description(), "OpenBLAS 0.");
    assert_says(blas_description(), " build, ");
    assert_says(blas_description(), " kernel");
}

/* A [2 x 3] and B [3 x 2] by hand, each stored straight and transposed. */
static void the_reference_agrees_with_products_by_hand(void **state)
{
    (void)state;
    const float a[] = {1, 2, 3, 4, 5, 6}, at[] = {1, 4, 2, 5, 3, 6};
    const float b[] = {7, 8, 9, 10, 11, 12}, bt[] = {7, 9, 11, 8, 10, 12};
    const float product[] = {58, 64, 139, 154};
    for (int way = 0; way < 4; way++) {
        bool transposed_a = way & 1, transposed_b = way & 2;
        float c[] = {1, 1, -1, 1, 1, -1}; /* rows of two, and one float behind each */
        gemm_reference(transposed_a, transposed_b, 2, 2, 3, 2, transposed_a ? at : a, transposed_a ? 2 : 3,
                       transposed_b ? bt : b, transposed_b ? 3 : 2, 10, c, 3);
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++)
                assert_true(c[3 * i + j] == 2 * product[2 * i + j] + 10);
            assert_true(c[3 * i + 2] == -1);
        }
    }
}

/* Implementations as a wrong kernel might be. */

static void forgets_the_last_term(int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                                  int ldb, float beta, float *c, int ldc)
{
    gemm_reference(false, false, m, n, k > 16 ? k - 1 : k, alpha, a, lda, b, ldb, beta, c, ldc);
}

static void writes_behind_the_row(int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                                  int ldb, float beta, float *c, int ldc)
{
    gemm_reference(false, false, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    if (ldc > n)
        c[n] = 0.5f;
}

static void reads_what_beta_0_overwrites(int m, int n, int k, float alpha, const float *a, int lda,
                                         const float *b, int ldb, float beta, float *c, int ldc)
{
    float before = c[0];
    gemm_reference(false, false, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    c[0] += beta == 0 ? 0 * before : 0;
}

static void needs_another_processor(int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                                    int ldb, float beta, float *c, int ldc)
{
    if (k > 128)
        raise(SIGILL);
    gemm_reference(false, false, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

static void the_self_test_accepts_right_and_refuses_wrong_products(void **state)
{
    (void)state;
    Err err;
    assert_true(gemm_check(gemm_nn, false, false, &err));
    assert_true(gemm_check(gemm_nt, false, true, &err));
    assert_true(gemm_check(gemm_tn, true, false, &err));
    assert_false(gemm_check(gemm_nt, false, false, &err));
    assert_false(gemm_check(forgets_the_last_term, false, false, &err));
    assert_says(err.text, "wrong at 1 x 33 x 17");
    assert_false(gemm_check(writes_behind_the_row, false, false, &err));
    assert_false(gemm_check(reads_what_beta_0_overwrites, false, false, &err));
}

static void the_self_test_survives_a_crash_and_leaves_signals_as_they_were(void **state)
{
    (void)state;
    Err err;
    struct sigaction before, after;
    sigaction(SIGILL, NULL, &before);
    assert_false(gemm_check(needs_another_processor, false, false, &err));
    assert_says(err.text, "crashes");
    sigaction(SIGILL, NULL, &after);
    assert_ptr_equal(before.sa_handler, after.sa_handler);
}

static void products_inside_and_outside_a_region_have_the_same_bits(void **state)
{
    (void)state;
    enum { N = 300 };
    float *a = mem_new(N * N, sizeof *a), *c = mem_new(N * N, sizeof *c);
    float *inside[2] = {mem_new(N * N, sizeof *a), mem_new(N * N, sizeof *a)};
    for (int i = 0; i < N * N; i++)
        a[i] = (float)(i % 17) / 17 + (float)(i % 101) / 101;
    gemm_nt(N, N, N, 1, a, N, a, N, 0, c, N);
#pragma omp parallel num_threads(2)
    gemm_nt(N, N, N, 1, a, N, a, N, 0, inside[omp_get_thread_num()], N);
    assert_memory_equal(inside[0], c, N * N * sizeof *c);
    assert_memory_equal(inside[1], c, N * N * sizeof *c);
    free(inside[0]);
    free(inside[1]);
    free(c);
    free(a);
}

static void a_region_keeps_its_threads_after_a_product(void **state)
{
    (void)state;
    int threads = omp_get_max_threads(), seen = 0;
    float x = 1, y = 0;
    gemm_nn(1, 1, 1, 1, &x, 1, &x, 1, 0, &y, 1);
#pragma omp parallel
#pragma omp single
    seen = omp_get_num_threads();
    assert_int_equal(seen, threads);
}

static void each_thread_counts_the_multiply_adds_of_its_products(void **state)
{
    (void)state;
    enum { THREADS = 2 };
    uint64_t counted[THREADS];
#pragma omp parallel num_threads(THREADS)
    {
        const float a[6] = {0}, b[6] = {0};
        float c[9];
        int thread = omp_get_thread_num();
        uint64_t before = gemm_multiply_adds();
        for (int i = 0; i <= thread; i++) {
            gemm_nt(2, 1, 3, 1, a, 3, b, 3, 0, c, 1);
            gemm_nn(3, 3, 2, 1, a, 2, b, 3, 0, c, 3);
            gemm_tn(3, 2, 1, 1, a, 3, b, 2, 0, c, 2);
        }
        counted[thread] = gemm_multiply_adds() - before;
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(counted[i], (i + 1) * (6 + 18 + 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calling_a_product_before_the_start_aborts), /* forks: before any region */
        cmocka_unit_test(the_start_succeeds_here_and_can_be_repeated),
        cmocka_unit_test(the_description_names_version_build_and_kernel),
        cmocka_unit_test(the_reference_agrees_with_products_by_hand),
        cmocka_unit_test(the_self_test_accepts_right_and_refuses_wrong_products),
        cmocka_unit_test(the_self_test_survives_a_crash_and_leaves_signals_as_they_were),
        cmocka_unit_test(products_inside_and_outside_a_region_have_the_same_bits),
        cmocka_unit_test(a_region_keeps_its_threads_after_a_product),
        cmocka_unit_test(each_thread_counts_the_multiply_adds_of_its_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
