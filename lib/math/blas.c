#include "blas.h"

#include "mem.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static bool started;
static _Thread_local uint64_t multiply_adds;

const char *blas_description(void)
{
    static char text[128];
    if (!text[0]) {
        const char *builds[] = {
            [OPENBLAS_SEQUENTIAL] = "serial", [OPENBLAS_THREAD] = "pthread", [OPENBLAS_OPENMP] = "openmp"};
        char version[32] = "";
        sscanf(openblas_get_config(), "OpenBLAS %31s", version);
        snprintf(text, sizeof text, "OpenBLAS %s, %s build, %s kernel", version,
                 builds[openblas_get_parallel()], openblas_get_corename());
    }
    return text;
}

/*
 * The openmp build runs on as many threads as a region would get, unless it is called inside one of
 * several threads. Outside it is told one thread for the length of the call;
 * openblas_set_num_threads would set that for every later region of the program too.
 */
static void product(CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, int m, int n, int k,
                    float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c,
                    int ldc)
{
    require(started, "blas_start has not been called, or its failure was ignored");
    bool alone = openblas_get_parallel() == OPENBLAS_OPENMP && !omp_in_parallel();
    int threads = alone ? omp_get_max_threads() : 0;
    if (alone)
        omp_set_num_threads(1);
    cblas_sgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    if (alone)
        omp_set_num_threads(threads);
    gemm_count(m, n, k);
}

void gemm_count(int m, int n, int k)
{
    multiply_adds += (uint64_t)m * (uint64_t)n * (uint64_t)k;
}

uint64_t gemm_multiply_adds(void)
{
    return multiply_adds;
}

void gemm_nn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta,
             float *c, int ldc)
{
    product(CblasNoTrans, CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void gemm_nt(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta,
             float *c, int ldc)
{
    product(CblasNoTrans, CblasTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void gemm_tn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta,
             float *c, int ldc)
{
    product(CblasTrans, CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void gemm_reference(bool transposed_a, bool transposed_b, int m, int n, int k, float alpha, const float *a,
                    int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    size_t row_a = transposed_a ? 1 : (size_t)lda, step_a = transposed_a ? (size_t)lda : 1;
    size_t column_b = transposed_b ? (size_t)ldb : 1, step_b = transposed_b ? 1 : (size_t)ldb;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const float *x = a + i * row_a, *y = b + j * column_b;
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += (double)x[p * step_a] * y[p * step_b];
            float *z = c + (size_t)i * ldc + j;
            *z = (float)(alpha * sum + (beta == 0 ? 0 : (double)beta * *z));
        }
}

/* The self-test. */

typedef struct Case {
    int m, n, k;
    float alpha, beta;
    int spare; /* floats behind each row */
} Case;

/* Every remainder of the kernels' blocks of 4, 6, 8 and 16, a single row, column and term, and one
 * product deeper than a packed panel. */
static const Case cases[] = {
    {1, 1, 1, 1, 0, 0},      {1, 33, 17, 1, 1, 3},       {33, 1, 64, -0.5f, 0, 5},
    {7, 13, 1, 2, 1, 0},     {16, 16, 16, 1, 0, 0},      {31, 29, 37, 0.5f, -1, 7},
    {64, 48, 129, 1, 1, 16}, {127, 65, 66, 1, 0.25f, 1}, {32, 128, 32, 0.125f, 0, 352},
    {19, 23, 900, -1, 1, 0},
};

enum { LARGEST = 1 << 16 }; /* floats of any matrix in these cases */

/* Integers of at most seven bits: every sum of up to 1000 of their products is below 2^24, and
 * alpha and beta are powers of two, so that any order of summation gives the exact result. */
static float *filled(float *x, int rows, int ld, unsigned seed)
{
    require((size_t)rows * ld <= LARGEST, "%d rows of %d", rows, ld);
    for (size_t i = 0; i < (size_t)rows * ld; i++) {
        seed = 1664525u * seed + 1013904223u;
        x[i] = (float)((int)(seed >> 16) % 255 - 127);
    }
    return x;
}

/* memory: room for four matrices of the LARGEST size. */
static bool check_case(const Case *t, Gemm *gemm, bool transposed_a, bool transposed_b, float *memory)
{
    int lda = (transposed_a ? t->m : t->k) + t->spare, ldb = (transposed_b ? t->k : t->n) + t->spare;
    int ldc = t->n + t->spare;
    float *a = filled(memory, transposed_a ? t->k : t->m, lda, 1);
    float *b = filled(memory + LARGEST, transposed_b ? t->n : t->k, ldb, 2);
    float *c = filled(memory + 2 * LARGEST, t->m, ldc, 3);
    float *expected = filled(memory + 3 * LARGEST, t->m, ldc, 3);
    if (t->beta == 0)
        c[0] = NAN; /* as fresh memory may hold it; beta 0 must not read it */
    gemm(t->m, t->n, t->k, t->alpha, a, lda, b, ldb, t->beta, c, ldc);
    gemm_reference(transposed_a, transposed_b, t->m, t->n, t->k, t->alpha, a, lda, b, ldb, t->beta, expected,
                   ldc);
    for (size_t i = 0; i < (size_t)t->m * ldc; i++) /* what lies between the rows must be as it was, too */
        if (c[i] != expected[i])
            return false;
    return true;
}

/* A kernel made for another processor may also crash. */
static const int crashes[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE};
static sigjmp_buf before_crash;

static void escape(int signal)
{
    siglongjmp(before_crash, signal);
}

static bool check_cases(Gemm *gemm, bool transposed_a, bool transposed_b, float *memory, Err *err)
{
    const char *mark_a = transposed_a ? "ᵀ" : "", *mark_b = transposed_b ? "ᵀ" : "";
    if (sigsetjmp(before_crash, 1))
        return err_set(err, "the product A%s B%s crashes", mark_a, mark_b);
    for (size_t i = 0; i < COUNT(cases); i++)
        if (!check_case(&cases[i], gemm, transposed_a, transposed_b, memory))
            return err_set(err, "the product A%s B%s is wrong at %d x %d x %d", mark_a, mark_b, cases[i].m,
                           cases[i].n, cases[i].k);
    return true;
}

bool gemm_check(Gemm *gemm, bool transposed_a, bool transposed_b, Err *err)
{
    struct sigaction catching = {.sa_handler = escape}, before[COUNT(crashes)];
    for (size_t i = 0; i < COUNT(crashes); i++)
        sigaction(crashes[i], &catching, &before[i]);
    float *memory = mem_new(4 * (size_t)LARGEST, sizeof *memory);
    bool right = check_cases(gemm, transposed_a, transposed_b, memory, err);
    free(memory);
    for (size_t i = 0; i < COUNT(crashes); i++)
        sigaction(crashes[i], &before[i], NULL);
    return right;
}

static bool check_threads(Err *err)
{
    int expected = omp_get_max_threads(), found = 0;
#pragma omp parallel
#pragma omp single
    found = omp_get_num_threads();
    if (found != expected)
        return err_set(err,
                       "a parallel region got %d of %d threads; unset OMP_DYNAMIC and "
                       "OMP_THREAD_LIMIT, or ask for fewer threads",
                       found, expected);
    return true;
}

bool blas_start(Err *err)
{
    if (openblas_get_parallel() == OPENBLAS_THREAD)
        openblas_set_num_threads(1);
    started = true;
    bool right = gemm_check(gemm_nn, false, false, err) && gemm_check(gemm_nt, false, true, err) &&
                 gemm_check(gemm_tn, true, false, err);
    if (!right)
        err_within(err,
                   "%s does not work on this processor, so nothing it gives could be trusted; set "
                   "OPENBLAS_CORETYPE=Haswell in the environment and run again",
                   blas_description());
    started = right && check_threads(err);
    return started;
}
