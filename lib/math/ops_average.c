#include "ops_average.h"

#include <stddef.h>

enum { COLUMNS = 64 }; /* summed together, so that their running sums stay in registers or nearby */

static int least(int a, int b)
{
    return a < b ? a : b;
}

void average_forward(int length, int width, const float *x, float *y)
{
    for (int first = 0; first < width; first += COLUMNS) {
        double sum[COLUMNS] = {0};
        int columns = least(COLUMNS, width - first);
        for (int t = 0; t < length; t++) {
            const float *from = x + (size_t)t * width + first;
            float *to = y + (size_t)t * width + first;
#pragma omp simd
            for (int j = 0; j < columns; j++) {
                sum[j] += from[j];
                to[j] = (float)(sum[j] / (t + 1));
            }
        }
    }
}

void average_backward(int length, int width, const float *d_y, float *d_x)
{
    for (int first = 0; first < width; first += COLUMNS) {
        double sum[COLUMNS] = {0};
        int columns = least(COLUMNS, width - first);
        for (int t = length - 1; t >= 0; t--) {
            const float *from = d_y + (size_t)t * width + first;
            float *to = d_x + (size_t)t * width + first;
#pragma omp simd
            for (int j = 0; j < columns; j++) {
                sum[j] += (double)from[j] / (t + 1);
                to[j] = (float)sum[j];
            }
        }
    }
}
