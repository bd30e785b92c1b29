#include "ops_position.h"

#include "err.h"

#include <math.h>
#include <stddef.h>

/* The angle of pair `pair` at position t. */
static double angle(int t, int pair, int width)
{
    return t * pow(10000, -2.0 * pair / width);
}

void position_sinusoidal(int rows, int width, float *table)
{
    for (int t = 0; t < rows; t++)
        for (int j = 0; j < width; j++) {
            double x = angle(t, j / 2, width);
            table[(size_t)t * width + j] = (float)(j % 2 ? cos(x) : sin(x));
        }
}

void position_alibi(int heads, float *slopes)
{
    for (int i = 1; i <= heads; i++)
        slopes[i - 1] = (float)exp2(-8.0 * i / heads);
}

void position_rope_table(int rows, int head_width, float *table)
{
    require(head_width % 2 == 0, "RoPE turns pairs, and %d is odd", head_width);
    for (int t = 0; t < rows; t++)
        for (int j = 0; j < head_width; j++) {
            double x = angle(t, j / 2, head_width);
            table[(size_t)t * head_width + j] = (float)(j % 2 ? sin(x) : cos(x));
        }
}

/* direction: 1 turns forward, −1 back. */
static void turn(int rows, int heads, int head_width, int stride, const float *table, float direction,
                 float *x)
{
    for (int t = 0; t < rows; t++)
        for (int head = 0; head < heads; head++) {
            float *row = x + (size_t)t * stride + (size_t)head * head_width;
            const float *angles = table + (size_t)t * head_width;
#pragma omp simd
            for (int j = 0; j < head_width; j += 2) {
                float c = angles[j], s = direction * angles[j + 1], a = row[j], b = row[j + 1];
                row[j] = a * c - b * s;
                row[j + 1] = a * s + b * c;
            }
        }
}

void position_rope_forward(int rows, int heads, int head_width, int stride, const float *table, float *x)
{
    turn(rows, heads, head_width, stride, table, 1, x);
}

void position_rope_backward(int rows, int heads, int head_width, int stride, const float *table, float *d_x)
{
    turn(rows, heads, head_width, stride, table, -1, d_x);
}
