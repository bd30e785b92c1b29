/*
 * bpe: byte-level byte-pair encoding, learnt from a text.
 *
 * Ids 0 … 255 are the bytes; merge i joins two ids into id 256 + i. The text is first cut into pieces
 * (pieces.h) and no merge reaches across a cut. Learning joins, again and again, the pair of neighbours that
 * is most frequent at that moment, occurrences that overlap counted each; the joining itself goes from left
 * to right. So the merges of a small vocabulary are the first ones of a larger one.
 *
 * Nothing is normalised and there is no unknown: any byte string, UTF-8 or not, decodes to itself.
 *
 * Source   Sennrich et al. 2016, "Neural machine translation of rare words with subword units"; on bytes,
 *          Radford et al. 2019, "Language models are unsupervised multitask learners", section 2.2.
 */
#ifndef BPE_H
#define BPE_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

enum { BPE_BYTES = 256 };

/* Which of several equally frequent pairs is joined first. */
typedef enum BpeTies {
    BPE_TIES_FIRST,   /* the one that occurs first in the text, as it is segmented at that moment */
    BPE_TIES_SMALLEST /* the one with the smallest ids, the left one deciding before the right one */
} BpeTies;

typedef struct BpeMerge {
    int32_t left, right;
} BpeMerge;

typedef struct Bpe {
    BpeMerge *merges; /* owned, in the order they were learnt */
    size_t count;     /* of merges: the vocabulary has BPE_BYTES + count ids */
    size_t ties;      /* how many merges had a rival of the same frequency */
} Bpe;

/* Learns merges until the vocabulary has `vocabulary` ids (at least BPE_BYTES), or fewer when the text runs
 * out of pairs. NULL when the text is larger than 2 GiB. */
Bpe *bpe_learn(const char *text, size_t size, int vocabulary, BpeTies ties, Err *err);
void bpe_free(Bpe *bpe);

/* The ids of a text, using only the first `merges` merges (bpe->count: all). The array is the caller's to
 * free; NULL when there is no memory for them or the text is larger than 2 GiB. */
int32_t *bpe_encode(const Bpe *bpe, size_t merges, const char *text, size_t size, size_t *count, Err *err);

/* The bytes that the ids stand for, with a zero byte behind them that *size does not count; the caller's to
 * free. Each id must be in the vocabulary. NULL when there is no memory for them. */
char *bpe_decode(const Bpe *bpe, const int32_t *ids, size_t count, size_t *size, Err *err);

#endif
