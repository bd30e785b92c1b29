#include "tokens.h"

#include "bpe.h"
#include "mem.h"

static Tokens *divide(int32_t *ids, size_t count, size_t train, int sentence, int vocabulary)
{
    for (size_t i = 0; i < count; i++)
        require(ids[i] >= 0 && ids[i] < vocabulary, "id %d is not in a vocabulary of %d", ids[i], vocabulary);
    Tokens *tokens = mem_new(1, sizeof *tokens);
    *tokens = (Tokens){.ids = ids,
                       .count = count,
                       .vocabulary = vocabulary,
                       .train = {ids, train, sentence},
                       .held_out = {ids + train, count - train, sentence}};
    return tokens;
}

Tokens *tokens_from_ids(int32_t *ids, size_t count, int vocabulary)
{
    return divide(ids, count, count * 9 / 10, 0, vocabulary);
}

Tokens *tokens_from_sentences(int32_t *ids, size_t sentences, size_t held_out, int sentence, int vocabulary)
{
    require(sentence > 0 && held_out <= sentences, "%zu of %zu sentences of %d tokens held out", held_out,
            sentences, sentence);
    size_t length = (size_t)sentence;
    return divide(ids, sentences * length, (sentences - held_out) * length, sentence, vocabulary);
}

Tokens *tokens_from_corpus(const Corpus *corpus, int vocabulary, Err *err)
{
    Bpe *bpe = bpe_learn(corpus->text, corpus->size, vocabulary, BPE_TIES_FIRST, err);
    if (!bpe)
        return NULL;
    size_t count;
    int32_t *ids = bpe_encode(bpe, bpe->count, corpus->text, corpus->size, &count, err);
    bpe_free(bpe);
    return ids ? tokens_from_ids(ids, count, vocabulary) : NULL;
}

void tokens_free(Tokens *tokens)
{
    if (!tokens)
        return;
    free(tokens->ids);
    free(tokens);
}
