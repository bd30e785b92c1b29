#include "narrow.h"

#include "blas.h"

#include <math.h>
#include <stddef.h>

/* As many floats as a register of this machine holds. */
typedef float Lanes __attribute__((vector_size(__BIGGEST_ALIGNMENT__), aligned(4), may_alias));

enum {
    LANES = sizeof(Lanes) / sizeof(float),
    ROWS = 4,   /* ROWS x 2 registers of sums keep two multiply-add units of latency 4 busy */
    TERMS = 256 /* summed in one go: so many rows of B stay in the first cache */
};

/* Without fused multiply-adds OpenBLAS, which chooses its kernel when it starts, may do better. */
#ifdef FP_FAST_FMAF
enum { FUSED = 1 };
#else
enum { FUSED = 0 };
#endif

/* Where element (i, p) of A is: a[i · row + p · step]. */
typedef struct Place {
    const float *a;
    size_t row, step;
} Place;

/* A corner of the result, rows x (columns · LANES), in registers: both are constants where it is inlined. */
static inline __attribute__((always_inline)) void corner(int rows, int columns, int k, float alpha, Place a,
                                                         const float *b, size_t ldb, bool add, float *c,
                                                         size_t ldc)
{
    Lanes sum[ROWS][2] = {{{0}}};
    for (int p = 0; p < k; p++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                sum[i][j] += a.a[i * a.row + p * a.step] * *(const Lanes *)(b + p * ldb + j * LANES);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            Lanes *to = (Lanes *)(c + i * ldc + j * LANES);
            *to = (add ? *to : (Lanes){0}) + alpha * sum[i][j];
        }
}

/* All rows of one or two registers' columns. */
static inline __attribute__((always_inline)) void strip(int columns, int m, int k, float alpha, Place a,
                                                        const float *b, size_t ldb, bool add, float *c,
                                                        size_t ldc)
{
    int i = 0;
    for (; i + ROWS <= m; i += ROWS, a.a += ROWS * a.row)
        corner(ROWS, columns, k, alpha, a, b, ldb, add, c + i * ldc, ldc);
    for (; i < m; i++, a.a += a.row)
        corner(1, columns, k, alpha, a, b, ldb, add, c + i * ldc, ldc);
}

static void product(int m, int n, int k, float alpha, Place a, const float *b, size_t ldb, bool add, float *c,
                    size_t ldc)
{
    gemm_count(m, n, k);
    for (int p = 0; p < k; p += TERMS) {
        int terms = k - p < TERMS ? k - p : TERMS, j = 0;
        Place here = {a.a + p * a.step, a.row, a.step};
        const float *from = b + p * ldb;
        for (; j + 2 * LANES <= n; j += 2 * LANES)
            strip(2, m, terms, alpha, here, from + j, ldb, add || p > 0, c + j, ldc);
        for (; j < n; j += LANES)
            strip(1, m, terms, alpha, here, from + j, ldb, add || p > 0, c + j, ldc);
    }
}

void narrow_nn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, bool add,
               float *c, int ldc)
{
    if (FUSED && n % LANES == 0)
        product(m, n, k, alpha, (Place){a, lda, 1}, b, ldb, add, c, ldc);
    else
        gemm_nn(m, n, k, alpha, a, lda, b, ldb, add ? 1 : 0, c, ldc);
}

void narrow_tn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, bool add,
               float *c, int ldc)
{
    if (FUSED && n % LANES == 0)
        product(m, n, k, alpha, (Place){a, 1, lda}, b, ldb, add, c, ldc);
    else
        gemm_tn(m, n, k, alpha, a, lda, b, ldb, add ? 1 : 0, c, ldc);
}
