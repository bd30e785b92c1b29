#include "product.h"

#include "blas.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* As many floats as a register of this machine holds; it need not be aligned. */
typedef float Lanes __attribute__((vector_size(__BIGGEST_ALIGNMENT__), aligned(4), may_alias));
typedef int Order __attribute__((vector_size(__BIGGEST_ALIGNMENT__)));

enum {
    LANES = sizeof(Lanes) / sizeof(float),
    PANEL = 2 * LANES, /* columns of B at a time */
    TERMS = 256,       /* summed in one go: so many rows of a panel stay in the first cache */
    LINE = 16,         /* of the cache */
    FEW = 32,          /* rows of A for which copying B does not pay */
/* ROWS x 2 registers of sums, at least 8 to keep two multiply-add units of latency 4 busy. */
#ifdef __AVX512F__
    ROWS = 8 /* of 32 registers */
#else
    ROWS = 6 /* of 16 */
#endif
};

#ifdef FP_FAST_FMAF
enum { FUSED = 1 };
#else
enum { FUSED = 0 };
#endif

/* Where element (i, p) of A, or (p, j) of B, is: x[i · row + p · step]. */
typedef struct Place {
    const float *x;
    size_t row, step;
} Place;

/* What the product is added to, NULL for nothing, and where the sum goes. */
typedef struct Result {
    const float *d;
    size_t ldd;
    float *c;
    size_t ldc;
} Result;

static inline Place down(Place a, size_t rows)
{
    return (Place){a.x + rows * a.row, a.row, a.step};
}

static inline Result part(Result r, size_t i, size_t j)
{
    return (Result){r.d ? r.d + i * r.ldd + j : NULL, r.ldd, r.c + i * r.ldc + j, r.ldc};
}

/* A corner of the result, rows x (registers · LANES): both are constants where it is inlined. */
static inline __attribute__((always_inline)) void corner(int rows, int registers, int k, float alpha, Place a,
                                                         const float *b, size_t ldb, Result r)
{
    Lanes sum[ROWS][2] = {{{0}}};
    for (int p = 0; p < k; p++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < registers; j++)
                sum[i][j] += a.x[i * a.row + p * a.step] * *(const Lanes *)(b + p * ldb + j * LANES);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < registers; j++) {
            Lanes past = r.d ? *(const Lanes *)(r.d + i * r.ldd + j * LANES) : (Lanes){0};
            *(Lanes *)(r.c + i * r.ldc + j * LANES) = past + alpha * sum[i][j];
        }
}

static inline __attribute__((always_inline)) void strip(int registers, int m, int k, float alpha, Place a,
                                                        const float *b, size_t ldb, Result r)
{
    int i = 0;
    for (; i + ROWS <= m; i += ROWS)
        corner(ROWS, registers, k, alpha, down(a, i), b, ldb, part(r, i, 0));
    for (; i < m; i++)
        corner(1, registers, k, alpha, down(a, i), b, ldb, part(r, i, 0));
}

/* Functions of their own, so that what is around them takes none of the registers that their loops need. */
static __attribute__((noinline)) void double_strip(int m, int k, float alpha, Place a, const float *b,
                                                   size_t ldb, Result r)
{
    strip(2, m, k, alpha, a, b, ldb, r);
}

static __attribute__((noinline)) void single_strip(int m, int k, float alpha, Place a, const float *b,
                                                   size_t ldb, Result r)
{
    strip(1, m, k, alpha, a, b, ldb, r);
}

/* A last strip of so few columns that they do not fill its registers: row by row through one that they do. */
static void narrow_strip(int columns, int m, int k, float alpha, Place a, const float *b, Result r)
{
    float row[PANEL];
    for (int i = 0; i < m; i++) {
        Result here = part(r, i, 0);
        for (int j = 0; j < columns; j++)
            row[j] = here.d ? here.d[j] : 0;
        corner(1, 2, k, alpha, down(a, i), b, PANEL, (Result){row, 0, row, 0});
        memcpy(here.c, row, columns * sizeof *row);
    }
}

/* LANES x LANES of x into columns of a panel: in each round, rows half the way apart are shuffled like cards. */
static inline __attribute__((always_inline)) void transpose(const float *x, size_t row, float *panel)
{
    Lanes rows[2][LANES];
    Order upper, lower;
    int from = 0;
    for (int i = 0; i < LANES; i++) {
        rows[0][i] = *(const Lanes *)(x + i * row);
        upper[i] = i / 2 + i % 2 * LANES;
        lower[i] = upper[i] + LANES / 2;
    }
    for (int round = 1; round < LANES; round *= 2, from = !from)
        for (int i = 0; i < LANES / 2; i++) {
            rows[!from][2 * i] = __builtin_shuffle(rows[from][i], rows[from][i + LANES / 2], upper);
            rows[!from][2 * i + 1] = __builtin_shuffle(rows[from][i], rows[from][i + LANES / 2], lower);
        }
    for (int p = 0; p < LANES; p++)
        *(Lanes *)(panel + (size_t)p * PANEL) = rows[from][p];
}

/* Columns of B, k rows of them, side by side; zeros where the panel is wider. */
static void copy_panel(int k, int columns, Place b, float *panel)
{
    bool whole = columns == PANEL;
    int p = 0;
    if (whole && b.row == 1)
        for (; p < k; p++)
            memcpy(panel + (size_t)p * PANEL, b.x + p * b.step, PANEL * sizeof *panel);
    if (whole && b.step == 1)
        for (; p + LANES <= k; p += LANES)
            for (int j = 0; j < PANEL; j += LANES)
                transpose(b.x + j * b.row + p, b.row, panel + (size_t)p * PANEL + j);
    for (; p < k; p++)
        for (int j = 0; j < PANEL; j++)
            panel[(size_t)p * PANEL + j] = j < columns ? b.x[j * b.row + p * b.step] : 0;
}

/* Asks for the columns that are copied next, so that they come while the present ones are at work. */
static void fetch_panel(int k, int columns, Place b)
{
    int rows = b.row == 1 ? k : columns, length = b.row == 1 ? columns : k;
    size_t stride = b.row == 1 ? b.step : b.row;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < length; j += LINE)
            __builtin_prefetch(b.x + i * stride + j, 0, 2);
}

/* TERMS terms or fewer of the product. */
static void some_terms(int m, int n, int k, float alpha, Place a, Place b, Result r)
{
    float copy[TERMS * PANEL] __attribute__((aligned(64)));
    for (int j = 0; j < n; j += PANEL) {
        int columns = n - j < PANEL ? n - j : PANEL;
        bool in_place = m <= FEW && b.row == 1 && columns % LANES == 0;
        Place from = down(b, j);
        const float *panel = in_place ? from.x : copy;
        size_t ldb = in_place ? b.step : PANEL;
        if (!in_place)
            copy_panel(k, columns, from, copy);
        if (!in_place && j + PANEL < n)
            fetch_panel(k, n - j - PANEL < PANEL ? n - j - PANEL : PANEL, down(from, PANEL));
        if (columns == PANEL)
            double_strip(m, k, alpha, a, panel, ldb, part(r, 0, j));
        else if (columns == LANES)
            single_strip(m, k, alpha, a, panel, ldb, part(r, 0, j));
        else
            narrow_strip(columns, m, k, alpha, a, panel, part(r, 0, j));
    }
}

static void product(int m, int n, int k, float alpha, Place a, Place b, Result r)
{
    gemm_count(m, n, k);
    for (int p = 0; p < k; p += TERMS) {
        int terms = k - p < TERMS ? k - p : TERMS;
        some_terms(m, n, terms, alpha, (Place){a.x + p * a.step, a.row, a.step},
                   (Place){b.x + p * b.step, b.row, b.step}, p == 0 ? r : (Result){r.c, r.ldc, r.c, r.ldc});
    }
}

/* C = D for a product that adds to C; returns what C then counts. */
static float copy_past(int m, int n, Result r)
{
    for (int i = 0; r.d && r.d != r.c && i < m; i++)
        memcpy(r.c + i * r.ldc, r.d + i * r.ldd, (size_t)n * sizeof *r.c);
    return r.d ? 1 : 0;
}

void product_nn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                const float *d, int ldd, float *c, int ldc)
{
    Result r = {d, ldd, c, ldc};
    if (FUSED)
        product(m, n, k, alpha, (Place){a, lda, 1}, (Place){b, 1, ldb}, r);
    else
        gemm_nn(m, n, k, alpha, a, lda, b, ldb, copy_past(m, n, r), c, ldc);
}

void product_nt(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                const float *d, int ldd, float *c, int ldc)
{
    Result r = {d, ldd, c, ldc};
    if (FUSED)
        product(m, n, k, alpha, (Place){a, lda, 1}, (Place){b, ldb, 1}, r);
    else
        gemm_nt(m, n, k, alpha, a, lda, b, ldb, copy_past(m, n, r), c, ldc);
}

void product_tn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                const float *d, int ldd, float *c, int ldc)
{
    Result r = {d, ldd, c, ldc};
    if (FUSED)
        product(m, n, k, alpha, (Place){a, 1, lda}, (Place){b, 1, ldb}, r);
    else
        gemm_tn(m, n, k, alpha, a, lda, b, ldb, copy_past(m, n, r), c, ldc);
}
