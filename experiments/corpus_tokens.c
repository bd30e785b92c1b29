/*
 * corpus_tokens: how many tokens is the text that everything is trained on, and what does that depend on?
 *
 * Claim    Chapter 9 trains on 1,115,394 characters, which a byte-level BPE with a vocabulary of 1024 makes
 *          459,760 tokens of 2.43 characters.
 * Method   The chapter does not say how its tokenizer cuts, learns or breaks ties. The reading that gives its
 *          count is the one used everywhere here: cuts by GPT-2's pattern, learnt on the whole text, ties to the
 *          pair that occurs first. Beside it stand another rule for ties, and learning on 90 % of the text.
 * Emits    bytes; for each reading and each vocabulary v<N> of the figure tokens/<…> and chars_per_token/<…>;
 *          ties/<reading>, the merges that met an equally frequent pair; lost/text and lost/bytes, how many
 *          strings do not survive encoding and decoding; curve chars_per_token.
 */
#include "bpe.h"
#include "corpus.h"
#include "experiment.h"
#include "mem.h"
#include "rng.h"
#include "utf8.h"

#include <string.h>

static const Setting settings[] = {
    {"vocabulary", INTEGER, 1024, 1024, BPE_BYTES, 1e6, "ids of the tokenizer, the 256 bytes among them"},
    SETTINGS_END,
};

typedef struct Reading {
    const char *name;
    BpeTies ties;
    int tenths; /* of the text that the tokenizer is learnt on */
} Reading;

static const Reading readings[] = {
    {"first", BPE_TIES_FIRST, 10},
    {"smallest", BPE_TIES_SMALLEST, 10},
    {"nine tenths", BPE_TIES_FIRST, 9},
};

/* Vocabularies of the figure; the merges of each are the first ones of the largest. */
static const int sizes[] = {256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096};

/* Encodes the corpus and measures the result under `name`; false when that fails. */
static bool measure_tokens(Experiment *x, const Corpus *corpus, const Bpe *bpe, size_t merges,
                           const char *name, double *chars_per_token, Err *err)
{
    size_t count;
    int32_t *ids = bpe_encode(bpe, merges, corpus->text, corpus->size, &count, err);
    if (!ids)
        return false;
    free(ids);
    *chars_per_token = (double)utf8_characters(corpus->text, corpus->size) / (double)count;
    measure(x, FIXED, (double)count, "tokens/%s", name);
    measure(x, FIXED, *chars_per_token, "chars_per_token/%s", name);
    return true;
}

/* Whether text is the same again after encoding and decoding. */
static bool survives(const Bpe *bpe, const char *text, size_t size)
{
    Err err;
    size_t count, size_again = 0;
    int32_t *ids = bpe_encode(bpe, bpe->count, text, size, &count, &err);
    char *again = ids ? bpe_decode(bpe, ids, count, &size_again, &err) : NULL;
    bool same = again && size_again == size && memcmp(again, text, size) == 0;
    free(again);
    free(ids);
    return same;
}

/* How many are lost of: every single byte, one string with all pairs of bytes, and a thousand random strings.
 * Nearly none of them is UTF-8. */
static int lost_byte_strings(const Bpe *bpe)
{
    enum { STRINGS = 1000, LONGEST = 100 };
    int lost = 0;
    char *pairs = mem_new(2 << 16, 1);
    for (int i = 0; i < 1 << 16; i++) {
        pairs[2 * i] = (char)(i >> 8);
        pairs[2 * i + 1] = (char)i;
    }
    lost += !survives(bpe, pairs, 2 << 16);
    free(pairs);
    for (int i = 0; i < BPE_BYTES; i++)
        lost += !survives(bpe, &(char){(char)i}, 1);
    Rng rng = rng_stream(0, "byte strings");
    for (int i = 0; i < STRINGS; i++) {
        char string[LONGEST];
        size_t size = rng_below(&rng, LONGEST + 1);
        for (size_t j = 0; j < size; j++)
            string[j] = (char)rng_bits(&rng);
        lost += !survives(bpe, string, size);
    }
    return lost;
}

static bool measure_readings(Experiment *x, const Corpus *corpus, Err *err)
{
    bool done = true;
    for (size_t i = 0; done && i < COUNT(readings); i++) {
        size_t size = corpus->size * (size_t)readings[i].tenths / 10;
        int vocabulary = (int)setting_integer(x, "vocabulary");
        Bpe *bpe = bpe_learn(corpus->text, size, vocabulary, readings[i].ties, err);
        if (!bpe)
            return false;
        double chars_per_token;
        done = measure_tokens(x, corpus, bpe, bpe->count, readings[i].name, &chars_per_token, err);
        measure(x, FIXED, (double)bpe->ties, "ties/%s", readings[i].name);
        if (i == 0) {
            measure(x, FIXED, !survives(bpe, corpus->text, corpus->size), "lost/text");
            measure(x, FIXED, lost_byte_strings(bpe), "lost/bytes");
        }
        bpe_free(bpe);
    }
    return done;
}

static bool measure_sizes(Experiment *x, const Corpus *corpus, Err *err)
{
    Bpe *bpe = bpe_learn(corpus->text, corpus->size, sizes[COUNT(sizes) - 1], BPE_TIES_FIRST, err);
    if (!bpe)
        return false;
    bool done = true;
    double vocabulary[COUNT(sizes)], chars_per_token[COUNT(sizes)];
    size_t points = 0;
    for (size_t i = 0; done && i < COUNT(sizes); i++) {
        char name[32];
        snprintf(name, sizeof name, "v%d", sizes[i]);
        size_t merges = (size_t)(sizes[i] - BPE_BYTES);
        if (merges > bpe->count) {
            measure_missing(x, FIXED, "the text has no more pairs to join", "tokens/%s", name);
            measure_missing(x, FIXED, "the text has no more pairs to join", "chars_per_token/%s", name);
            continue;
        }
        vocabulary[points] = sizes[i];
        done = measure_tokens(x, corpus, bpe, merges, name, &chars_per_token[points++], err);
    }
    record_curve(x, FIXED, vocabulary, chars_per_token, points, "chars_per_token");
    bpe_free(bpe);
    return done;
}

static bool run(Experiment *x, Err *err)
{
    if (corpus_is_missing(corpus_option(x), NULL))
        return skip(x, "there is no text: run data/get_corpus.sh, or name a file with --corpus FILE");
    Corpus *corpus = corpus_load(corpus_option(x), NULL, err);
    if (!corpus)
        return false;
    use_corpus(x, corpus->name, corpus->digest, corpus->is_published);
    measure(x, FIXED, (double)corpus->size, "bytes");
    bool done = measure_readings(x, corpus, err) && measure_sizes(x, corpus, err);
    corpus_free(corpus);
    return done;
}

const ExperimentPlan experiment = {"corpus_tokens", settings, 0, 0, run};
