#include "embedding.h"

#include <stddef.h>
#include <string.h>

static void add_row(int width, const float *from, float *to)
{
#pragma omp simd
    for (int j = 0; j < width; j++)
        to[j] += from[j];
}

void embedding_forward(int sequences, int length, int width, const int32_t *tokens, const float *token,
                       const float *position, float *y)
{
    for (int i = 0; i < sequences * length; i++) {
        float *to = y + (size_t)i * width;
        memcpy(to, token + (size_t)tokens[i] * width, (size_t)width * sizeof *to);
        if (position)
            add_row(width, position + (size_t)(i % length) * width, to);
    }
}

void embedding_backward(int sequences, int length, int width, const int32_t *tokens, const float *d_y,
                        float *d_token, float *d_position)
{
    for (int i = 0; i < sequences * length; i++) {
        const float *row = d_y + (size_t)i * width;
        add_row(width, row, d_token + (size_t)tokens[i] * width);
        if (d_position)
            add_row(width, row, d_position + (size_t)(i % length) * width);
    }
}
