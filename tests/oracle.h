/*
 * oracle: what the tests of numbers share: random inputs, and derivatives of an exact function.
 *
 * Each test of an op states the op again in double, plainly. Results are compared element by
 * element against a bound that is a rounding analysis, c · ROUNDOFF · (sum of magnitudes); gradients
 * against central differences of the same double function, so that no gradient is derived twice.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "mem.h"
#include "rng.h"
#include "test.h"

#include <float.h>
#include <math.h>

/* The most that one rounding to float changes a number, relative to it: 2^-24. */
#define ROUNDOFF (FLT_EPSILON / 2.0)

/* n numbers uniform in ±bound, the same for the same name. */
static inline float *uniform_floats(size_t n, const char *name, double bound)
{
    float *x = mem_new(n, sizeof *x);
    Rng rng = rng_stream(0, name);
    rng_fill_uniform(&rng, x, n, bound);
    return x;
}

static inline double *doubles(size_t n, const float *x)
{
    double *y = mem_new(n, sizeof *y);
    for (size_t i = 0; i < n; i++)
        y[i] = x[i];
    return y;
}

static inline void assert_close(double found, double expected, double bound, const char *what, size_t index)
{
    if (!(fabs(found - expected) <= bound))
        fail_msg("%s[%zu] is %.9g, expected %.9g within %.2g", what, index, found, expected, bound);
}

/* A function of x that a gradient is taken of; context is the test's. */
typedef double Objective(const double *x, const void *context);

/* Its derivative by x[i]. With steps of 2^-17 the truncation, h²/6 of a third derivative of order
 * one, and the rounding, 2^-53/h of a value of order one, are both near 1e-11: far below ROUNDOFF. */
static inline double derivative(Objective *objective, double *x, size_t i, const void *context)
{
    double centre = x[i], h = 0x1p-17;
    x[i] = centre + h;
    double above = objective(x, context);
    x[i] = centre - h;
    double below = objective(x, context);
    x[i] = centre;
    return (above - below) / (2 * h);
}

/* Every element of a float gradient against the derivatives. */
static inline void assert_gradient(Objective *objective, const float *x, size_t n, const void *context,
                                   const float *gradient, double bound, const char *what)
{
    double *at = doubles(n, x);
    for (size_t i = 0; i < n; i++)
        assert_close(gradient[i], derivative(objective, at, i, context), bound, what, i);
    free(at);
}

#endif
