/*
 * largest: how large an array of floats gets, and how far apart two of them are.
 */
#ifndef LARGEST_H
#define LARGEST_H

#include <stddef.h>

/* The largest |x| and |x − y|, infinite when one is not a number; 0 of nothing. */
double largest_value(const float *x, size_t n);
double largest_difference(const float *x, const float *y, size_t n);

#endif
