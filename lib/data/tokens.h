/*
 * tokens: a corpus as token ids, cut into the part to train on and the part held out.
 *
 * The first 90 % of the tokens train, the last 10 % are held out and never trained on. The tokenizer itself
 * was learnt on the whole text, as in the source.
 */
#ifndef TOKENS_H
#define TOKENS_H

#include "corpus.h"

#include <stdint.h>

typedef struct TokenSpan {
    const int32_t *ids;
    size_t count;
} TokenSpan;

typedef struct Tokens {
    int32_t *ids; /* owned */
    size_t count;
    int vocabulary;            /* each id is below it */
    TokenSpan train, held_out; /* the first floor(0.9 · count) ids and the rest; they point into ids */
} Tokens;

/* Learns a byte-level BPE of so many ids (at least 256) on the corpus and encodes it. The vocabulary keeps
 * that size even if the text is too short to fill it. NULL where bpe_learn or bpe_encode gives up. */
Tokens *tokens_from_corpus(const Corpus *corpus, int vocabulary, Err *err);

/* Any sequence of ids below vocabulary, e.g. of an invented language. Takes ids (from malloc) over. */
Tokens *tokens_from_ids(int32_t *ids, size_t count, int vocabulary);

void tokens_free(Tokens *tokens);

#endif
