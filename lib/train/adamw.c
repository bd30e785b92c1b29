#include "adamw.h"

#include "lanes.h"

#include <math.h>

AdamW adamw_default(void)
{
    return (AdamW){.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .decay = 0.01};
}

void adamw_update(const AdamW *adamw, double rate, long step, size_t begin, size_t end, size_t floats,
                  float *restrict gradients, float *restrict first, float *restrict second,
                  float *restrict parameters)
{
    /* What is the same for all elements is computed once, in double. */
    const float keep = (float)(1 - rate * adamw->decay);
    const float beta1 = (float)adamw->beta1, fresh1 = (float)(1 - adamw->beta1);
    const float beta2 = (float)adamw->beta2, fresh2 = (float)(1 - adamw->beta2);
    const float size = (float)(rate / (1 - pow(adamw->beta1, (double)step)));
    const float unbias = (float)(1 / sqrt(1 - pow(adamw->beta2, (double)step)));
    const float epsilon = (float)adamw->epsilon;

#pragma omp simd
    for (size_t i = begin; i < end; i++) {
        float g = lanes_sum(gradients, floats, i);
        float m = beta1 * first[i] + fresh1 * g;
        float v = beta2 * second[i] + fresh2 * g * g;
        first[i] = m;
        second[i] = v;
        parameters[i] = keep * parameters[i] - size * m / (sqrtf(v) * unbias + epsilon);
        for (size_t lane = 0; lane < LANES; lane++)
            gradients[lane * floats + i] = 0;
    }
}
