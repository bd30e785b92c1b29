/*
 * product: the step's matrix products in float32, row-major, each on the thread that calls it.
 *
 * A step's matrices are small: 128 to 1024 rows and columns, and 32 in attention. There a BLAS, made for large ones,
 * spends a tenth of its time on copying both into the order that it likes best. Here only B is copied, a panel of
 * two registers' width at a time, which stays in the first cache while all rows of A pass by; and for few rows B is
 * read where it is. What is to be added to the product is added while the sums are still in registers.
 *
 * Letters as in blas.h: m x n results, k summed over, ld* the floats from one row to the next, all at least 1.
 * D is what the product is added to: NULL for nothing, C itself, another [m x n], or, with ldd 0, one row for all.
 * Apart from that nothing overlaps.
 *
 * An element is the same sum of k terms in the same order wherever it stands: its bits depend on its row of A, its
 * column of B and its element of D alone, not on m or n. (Without fused multiply-adds, where blas.h computes
 * everything because it chooses its kernel when it starts, they may.)
 */
#ifndef PRODUCT_H
#define PRODUCT_H

/* C = alpha A B + D: A [m x k], B [k x n]. */
void product_nn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                const float *d, int ldd, float *c, int ldc);

/* C = alpha A Bᵀ + D: A [m x k], B [n x k]. */
void product_nt(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                const float *d, int ldd, float *c, int ldc);

/* C = alpha Aᵀ B + D: A [k x m], B [k x n]. */
void product_tn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                const float *d, int ldd, float *c, int ldc);

#endif
