/*
 * vector: glibc's vector versions of expf and erff, for loops of this layer.
 *
 * glibc declares them only under -ffast-math, which also makes isnan(NaN) false and would hide a
 * divergence. They are within 4 ulp of the exact value, and expf(−inf) is exactly 0. Link with mvec.
 */
#ifndef VECTOR_H
#define VECTOR_H

#include <math.h>

#pragma omp declare simd notinbranch
float expf(float x);

#pragma omp declare simd notinbranch
float erff(float x);

#endif
