/*
 * vector: the exponential for this layer's loops, in a form that every compiler turns into vector code.
 *
 * glibc has a vector expf too, but declares it only under -ffast-math, which would hide a divergence; its
 * digits change with the library's version; and a score of −inf, which every causal mask makes, takes it
 * through a slow path (4 times slower when one number in eight is −inf). This one is plain arithmetic:
 * 0.15 ns a number, with −inf or without, where glibc's takes 0.25.
 */
#ifndef VECTOR_H
#define VECTOR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* −88. A compiler that knew the number would make a branch of the comparison with it, and a loop with a branch
 * becomes no vector code. */
extern const float vector_lowest;

/*
 * e^x for x ≤ 0, within 2 ulp; exactly 1 at 0; NaN for NaN. Below −87.69, where floats begin to lose digits, it is
 * exactly 0.
 *
 * x = n ln 2 + r with |r| ≤ ln 2 / 2. Adding 1.5 · 2^23 rounds to the integer n and leaves it in the low bits,
 * from where it goes to the exponent of 2^n; n = −127 makes that 0. ln 2 is cut in two so that n times its upper
 * part is exact. The polynomial for (e^r − 1 − r) / r² is a least-maximum fit, off by 2^-28 of e^r.
 */
static inline float vector_exp(float x)
{
    const float shift = 0x1.8p23f;
    float in_range = x < vector_lowest ? vector_lowest : x;
    float shifted = in_range * 1.44269504f + shift, n = shifted - shift;
    float r = (in_range - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.38144332e-3f;
    p = p * r + 8.36879668e-3f;
    p = p * r + 4.16683958e-2f;
    p = p * r + 0.166665200f;
    p = p * r + 0.499999934f;
    p = p * (r * r) + (r + 1);
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

#endif
