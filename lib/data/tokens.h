/*
 * tokens: a corpus as token ids, cut into the part to train on and the part held out.
 *
 * The first 90 % of the tokens train, rounded down; the rest is held out and never trained on. The tokenizer itself
 * was learnt on the whole text, as in the source. An invented language may instead consist of sentences, all of
 * one length, and say which of them are held out.
 */
#ifndef TOKENS_H
#define TOKENS_H

#include "corpus.h"

#include <stdint.h>

typedef struct TokenSpan {
    const int32_t *ids;
    size_t count;
    int sentence; /* tokens in each of the sentences it consists of; 0: running text */
} TokenSpan;

typedef struct Tokens {
    int32_t *ids; /* owned */
    size_t count;
    int vocabulary;            /* each id is below it */
    TokenSpan train, held_out; /* the first ids and the rest; they point into ids */
} Tokens;

/* Learns a byte-level BPE of so many ids (at least 256) on the corpus and encodes it. The vocabulary keeps
 * that size even if the text is too short to fill it. NULL where bpe_learn or bpe_encode gives up. */
Tokens *tokens_from_corpus(const Corpus *corpus, int vocabulary, Err *err);

/* Any sequence of ids below vocabulary, e.g. of an invented language. Takes ids (from malloc) over. */
Tokens *tokens_from_ids(int32_t *ids, size_t count, int vocabulary);

/* Sentences of `sentence` ids each, of which the last held_out ones are held out. Takes ids (from malloc) over. */
Tokens *tokens_from_sentences(int32_t *ids, size_t sentences, size_t held_out, int sentence, int vocabulary);

void tokens_free(Tokens *tokens);

#endif
