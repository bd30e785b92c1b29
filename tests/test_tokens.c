#include "bpe.h"
#include "mem.h"
#include "test.h"
#include "tokens.h"

static void nine_tenths_train_and_the_rest_is_held_out(void **state)
{
    (void)state;
    static const struct {
        size_t count, train;
    } cases[] = {{0, 0}, {1, 0}, {9, 8}, {10, 9}, {11, 9}, {19, 17}, {459760, 413784}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        Tokens *tokens = tokens_from_ids(mem_new(cases[i].count, sizeof(int32_t)), cases[i].count, 1);
        assert_int_equal(tokens->train.count, cases[i].train);
        assert_int_equal(tokens->held_out.count, cases[i].count - cases[i].train);
        assert_ptr_equal(tokens->train.ids, tokens->ids);
        assert_ptr_equal(tokens->held_out.ids, tokens->ids + cases[i].train);
        tokens_free(tokens);
    }
}

static void of_sentences_the_last_ones_are_held_out(void **state)
{
    (void)state;
    Tokens *tokens = tokens_from_sentences(mem_new(5 * 7, sizeof(int32_t)), 5, 2, 7, 1);
    assert_int_equal(tokens->count, 35);
    assert_int_equal(tokens->train.count, 3 * 7);
    assert_int_equal(tokens->held_out.count, 2 * 7);
    assert_ptr_equal(tokens->held_out.ids, tokens->ids + 3 * 7);
    assert_int_equal(tokens->train.sentence, 7);
    assert_int_equal(tokens->held_out.sentence, 7);
    tokens_free(tokens);
}

static void a_corpus_becomes_the_tokens_of_a_tokenizer_learnt_on_all_of_it(void **state)
{
    (void)state;
    char text[] = "the cat sat on the mat and the rat sat on the cat that sat on the mat";
    Corpus corpus = {.text = text, .size = sizeof text - 1};
    Err err;
    Tokens *tokens = tokens_from_corpus(&corpus, 260, &err);
    assert_non_null(tokens);
    assert_int_equal(tokens->vocabulary, 260);

    Bpe *bpe = bpe_learn(text, sizeof text - 1, 260, BPE_TIES_FIRST, &err);
    assert_int_equal(bpe->count, 4);
    size_t count, size;
    int32_t *ids = bpe_encode(bpe, 4, text, sizeof text - 1, &count, &err);
    assert_int_equal(tokens->count, count);
    assert_memory_equal(tokens->ids, ids, count * sizeof *ids);
    char *back = bpe_decode(bpe, tokens->ids, tokens->count, &size, &err);
    assert_string_equal(back, text);
    free(back);
    free(ids);
    bpe_free(bpe);
    tokens_free(tokens);
}

static void a_vocabulary_that_the_text_can_not_fill_keeps_its_size(void **state)
{
    (void)state;
    char text[] = "ab ab";
    Corpus corpus = {.text = text, .size = sizeof text - 1};
    Err err;
    Tokens *tokens = tokens_from_corpus(&corpus, 1024, &err);
    assert_int_equal(tokens->vocabulary, 1024);
    assert_int_equal(tokens->count, 2); /* "ab", " ab" */
    tokens_free(tokens);
}

static void the_published_text_gives_the_published_parts(void **state)
{
    (void)state;
    Err err;
    Corpus *corpus = corpus_load(getenv("ATTEST_CORPUS"), NULL, &err);
    if (!corpus || !corpus->is_published) {
        corpus_free(corpus);
        skip();
    }
    Tokens *tokens = tokens_from_corpus(corpus, 1024, &err);
    assert_int_equal(tokens->count, 459760);
    assert_int_equal(tokens->train.count, 413784);
    assert_int_equal(tokens->held_out.count, 45976);
    tokens_free(tokens);
    corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nine_tenths_train_and_the_rest_is_held_out),
        cmocka_unit_test(of_sentences_the_last_ones_are_held_out),
        cmocka_unit_test(a_corpus_becomes_the_tokens_of_a_tokenizer_learnt_on_all_of_it),
        cmocka_unit_test(a_vocabulary_that_the_text_can_not_fill_keeps_its_size),
        cmocka_unit_test(the_published_text_gives_the_published_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
