#include "largest.h"

#include <math.h>

double largest_value(const float *x, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)x[i]) <= largest))
            largest = isnan(x[i]) ? INFINITY : fabs((double)x[i]);
    return largest;
}

double largest_difference(const float *x, const float *y, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = fabs((double)x[i] - (double)y[i]);
        if (!(difference <= largest))
            largest = isnan(difference) ? INFINITY : difference;
    }
    return largest;
}
