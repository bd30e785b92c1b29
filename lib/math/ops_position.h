/*
 * ops_position: how a model is told where a token stands.
 *
 * Tables are computed in double once, and rounded. Learned positions need nothing from here: they are
 * a table of parameters.
 */
#ifndef OPS_POSITION_H
#define OPS_POSITION_H

/* table [rows x width]: sin and cos of t / 10000^(2i/width) in columns 2i and 2i + 1.
 * Source: Vaswani et al. 2017, section 3.5. */
void position_sinusoidal(int rows, int width, float *table);

/* slopes [heads]: 2^(−8i/heads), i = 1 … heads.  Source: Press et al. 2022. */
void position_alibi(int heads, float *slopes);

/* RoPE turns each pair of columns 2i, 2i + 1 of a query or key by the angle t · 10000^(−2i/head_width),
 * so that their product depends on the distance alone; head_width is even.
 * Source: Su et al. 2021, equation 34. */

/* table [rows x head_width]: cosine and sine of position t's angle i in columns 2i and 2i + 1. */
void position_rope_table(int rows, int head_width, float *table);

/* Turns x in place: `rows` positions, `stride` floats apart, each of `heads` heads side by side. */
void position_rope_forward(int rows, int heads, int head_width, int stride, const float *table, float *x);

/* The gradient is turned back by the same angles. */
void position_rope_backward(int rows, int heads, int head_width, int stride, const float *table, float *d_x);

#endif
