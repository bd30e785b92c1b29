#include "tokens.h"

#include "bpe.h"
#include "mem.h"

Tokens *tokens_from_ids(int32_t *ids, size_t count, int vocabulary)
{
    for (size_t i = 0; i < count; i++)
        require(ids[i] >= 0 && ids[i] < vocabulary, "id %d is not in a vocabulary of %d", ids[i], vocabulary);
    Tokens *tokens = mem_new(1, sizeof *tokens);
    size_t train = count * 9 / 10;
    *tokens = (Tokens){.ids = ids,
                       .count = count,
                       .vocabulary = vocabulary,
                       .train = {ids, train},
                       .held_out = {ids + train, count - train}};
    return tokens;
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
