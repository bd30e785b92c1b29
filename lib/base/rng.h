/*
 * rng: named streams of random numbers (Philox4x32-10 by Random123).
 *
 * A stream is a pure function of (seed, name, index): "init" and "batches" of one seed never touch
 * each other, a new consumer shifts nobody's numbers, and the batch of step 17 can be drawn without
 * the sixteen before it. An Rng is a plain value: copy it to fork it, throw it away when done.
 *
 * Source   Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
 */
#ifndef RNG_H
#define RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct Rng {
    uint32_t key[2];   /* from the stream's name */
    uint32_t seed[2];  /* low and high half */
    uint32_t index;    /* which substream */
    uint32_t block;    /* how many blocks of four words were drawn */
    uint32_t words[4]; /* the block in use */
    uint32_t used;     /* of its words; 4 means none is left */
} Rng;

Rng rng_stream(uint64_t seed, const char *name);

/* The index-th substream (a step, a row, a trial), from its beginning. */
Rng rng_substream(const Rng *stream, uint32_t index);

/* 32 uniform bits. */
uint32_t rng_bits(Rng *rng);

/* Uniform in [0, 1), 53 bits. */
double rng_uniform(Rng *rng);

/* Standard normal (Box and Muller; each call draws a pair of uniforms, so that no half is kept
 * back). */
double rng_normal(Rng *rng);

/* Uniform in 0 … n − 1 without bias; n > 0. */
uint32_t rng_below(Rng *rng, uint32_t n);

/* order becomes a uniformly random permutation of 0 … n − 1 (Fisher and Yates). */
void rng_permutation(Rng *rng, uint32_t *order, uint32_t n);

/* n values uniform in ±bound. */
void rng_fill_uniform(Rng *rng, float *values, size_t n, double bound);

/* n standard normal values. */
void rng_fill_normal(Rng *rng, float *values, size_t n);

#endif
