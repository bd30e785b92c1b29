/*
 * narrow: products with a narrow result, such as attention's, without packing.
 *
 * A BLAS first copies both matrices into the order that its kernel wants. Where the result is no wider than a
 * head, that costs more than it gains. Here the matrices are read where they are, which also lets a caller cut a
 * triangle into many small products. m, n and k are at least 1. Widths that fill no register are left to blas.h.
 */
#ifndef NARROW_H
#define NARROW_H

#include <stdbool.h>

/* C = alpha A B, or C += alpha A B: A [m x k], B [k x n], with leading dimensions as in blas.h. */
void narrow_nn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, bool add,
               float *c, int ldc);

/* C = alpha Aᵀ B, or C += alpha Aᵀ B: A [k x m], B [k x n]. */
void narrow_tn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, bool add,
               float *c, int ldc);

#endif
