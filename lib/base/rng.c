#include "rng.h"

#include "err.h"

#include <Random123/philox.h>
#include <math.h>

/* FNV-1a, 64 bits: spreads names over the key space; nothing here needs cryptography. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

Rng rng_stream(uint64_t seed, const char *name)
{
    uint64_t key = hash_name(name);
    return (Rng){.key = {(uint32_t)key, (uint32_t)(key >> 32)},
                 .seed = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                 .used = 4};
}

Rng rng_substream(const Rng *stream, uint32_t index)
{
    Rng rng = *stream;
    rng.index = index;
    rng.block = 0;
    rng.used = 4;
    return rng;
}

uint32_t rng_bits(Rng *rng)
{
    if (rng->used == 4) {
        philox4x32_ctr_t counter = {{rng->block, rng->index, rng->seed[0], rng->seed[1]}};
        philox4x32_key_t key = {{rng->key[0], rng->key[1]}};
        philox4x32_ctr_t words = philox4x32(counter, key);
        for (int i = 0; i < 4; i++)
            rng->words[i] = words.v[i];
        rng->block++;
        require(rng->block, "a substream gives 2^34 words, and this one has no more");
        rng->used = 0;
    }
    return rng->words[rng->used++];
}

double rng_uniform(Rng *rng)
{
    uint64_t high = rng_bits(rng);
    return (double)((high << 21) ^ (rng_bits(rng) >> 11)) * 0x1p-53;
}

double rng_normal(Rng *rng)
{
    double radius = sqrt(-2 * log(1 - rng_uniform(rng))); /* 1 − u is never 0 */
    return radius * cos(2 * M_PI * rng_uniform(rng));
}

uint32_t rng_below(Rng *rng, uint32_t n)
{
    require(n > 0, "there is no number below 0");
    /* Lemire 2019: the product's high word is the draw; the few low words that would favour some
     * are redrawn. */
    uint64_t product = (uint64_t)rng_bits(rng) * n;
    if ((uint32_t)product < n)
        for (uint32_t threshold = -n % n; (uint32_t)product < threshold;)
            product = (uint64_t)rng_bits(rng) * n;
    return (uint32_t)(product >> 32);
}

void rng_permutation(Rng *rng, uint32_t *order, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = rng_below(rng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

void rng_fill_uniform(Rng *rng, float *values, size_t n, double bound)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (float)((2 * rng_uniform(rng) - 1) * bound);
}

void rng_fill_normal(Rng *rng, float *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (float)rng_normal(rng);
}
