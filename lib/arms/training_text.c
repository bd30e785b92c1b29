#include "training_text.h"

bool training_text_skips(Experiment *x)
{
    return corpus_is_missing(corpus_option(x), NULL) &&
           skip(x, "there is no corpus; data/get_corpus.sh fetches one");
}

Tokens *training_text_load(Experiment *x, int vocabulary, Err *err)
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
