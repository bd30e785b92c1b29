#include "text.h"

bool text_is_missing(const Experiment *x)
{
    return corpus_is_missing(corpus_option(x), NULL);
}

Tokens *text_load(Experiment *x, int vocabulary, Err *err)
{
    progress(x, 0, "learning the vocabulary");
    Corpus *corpus = corpus_load(corpus_option(x), NULL, err);
    if (!corpus)
        return NULL;
    use_corpus(x, corpus->name, corpus->digest, corpus->is_published);
    Tokens *tokens = tokens_from_corpus(corpus, vocabulary, err);
    corpus_free(corpus);
    return tokens;
}
