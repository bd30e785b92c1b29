/*
 * blas: matrix products in float32, row-major, each on one thread.
 *
 * A thin face on OpenBLAS, the only place that includes its header. Parallelism belongs to the
 * caller: whole sequences go to threads, and each thread calls products of its own. So every
 * product here is computed by the thread that calls it, whichever of OpenBLAS's builds is loaded.
 *
 * The letters are BLAS's: m x n results, k summed over, ld* the floats from one row to the next.
 * None of the matrices may overlap. Two equal calls give equal bits; a row that moves to another
 * place in a product may get others.
 */
#ifndef BLAS_H
#define BLAS_H

#include "err.h"

#include <stdint.h>

/*
 * To be called once, from main, before any other function here. Tells OpenBLAS to keep to one
 * thread, checks that an OpenMP region really gets the threads that were asked for, and compares a
 * few products with the naive reference: on some newer processors OpenBLAS 0.3.21 picks a kernel
 * that computes wrong results. False, with the way out in err, when anything is amiss.
 */
bool blas_start(Err *err);

/* Version, build and kernel, e.g. "OpenBLAS 0.3.21, pthread build, Haswell kernel". */
const char *blas_description(void);

/* C = alpha A B + beta C: A [m x k], B [k x n]. With beta 0, C need not hold numbers. */
void gemm_nn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta,
             float *c, int ldc);

/* C = alpha A Bᵀ + beta C: A [m x k], B [n x k]. */
void gemm_nt(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta,
             float *c, int ldc);

/* C = alpha Aᵀ B + beta C: A [k x m], B [k x n]. */
void gemm_tn(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta,
             float *c, int ldc);

/* Multiply-adds, m · n · k of each, of all products that this thread has computed so far, those of product.h
 * included: the difference of two calls is what lies between them. */
uint64_t gemm_multiply_adds(void);

/* Adds a product that is computed elsewhere. */
void gemm_count(int m, int n, int k);

/* The same by three plain loops with sums in double, A and B transposed as told. Needs no
 * blas_start; for tests and where the last digit matters more than time. */
void gemm_reference(bool transposed_a, bool transposed_b, int m, int n, int k, float alpha, const float *a,
                    int lda, const float *b, int ldb, float beta, float *c, int ldc);

typedef void Gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                  float beta, float *c, int ldc);

/* The self-test of blas_start on one function: products of awkward sizes and strides, of numbers
 * whose sums are exact in any order, must equal the reference. False, with the size that failed,
 * when an element differs, one outside the result was touched, or the function crashed. */
bool gemm_check(Gemm *gemm, bool transposed_a, bool transposed_b, Err *err);

#endif
