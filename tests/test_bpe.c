#include "bpe.h"
#include "corpus.h"
#include "digest.h"
#include "mem.h"
#include "pieces.h"
#include "rng.h"
#include "test.h"

/* ---- The definition itself, slowly: count all pairs anew before each merge. ---- */

enum { LONGEST = 400, LARGEST = 256 + 200 };

typedef struct Naive {
    int32_t ids[LONGEST];
    bool begins[LONGEST]; /* whether a piece begins here */
    size_t count;
} Naive;

static Naive naive_new(const char *text, size_t size)
{
    Naive naive = {.count = size};
    Err err;
    Pieces *pieces = pieces_new(text, size, &err);
    for (size_t i = 0, at = 0; i < pieces->count; i++) {
        naive.begins[at] = true;
        at += pieces->distinct[pieces->order[i]].length;
    }
    pieces_free(pieces);
    for (size_t i = 0; i < size; i++)
        naive.ids[i] = (unsigned char)text[i];
    return naive;
}

static bool is_pair(const Naive *naive, size_t at)
{
    return at + 1 < naive->count && !naive->begins[at + 1];
}

/* The pair to join next; false when none is left. *tied: whether another is as frequent. */
static bool naive_best(const Naive *naive, BpeTies ties, BpeMerge *best, bool *tied)
{
    static int frequency[LARGEST][LARGEST];
    memset(frequency, 0, sizeof frequency);
    for (size_t i = 0; i < naive->count; i++)
        if (is_pair(naive, i))
            frequency[naive->ids[i]][naive->ids[i + 1]]++;
    int most = 0;
    *tied = false;
    for (size_t i = 0; i < naive->count; i++) {
        if (!is_pair(naive, i))
            continue;
        BpeMerge pair = {naive->ids[i], naive->ids[i + 1]};
        int here = frequency[pair.left][pair.right];
        bool same = most > 0 && pair.left == best->left && pair.right == best->right;
        bool smaller = pair.left != best->left ? pair.left < best->left : pair.right < best->right;
        if (here == most && !same)
            *tied = true;
        if (here > most)
            *tied = false;
        if (here > most || (here == most && ties == BPE_TIES_SMALLEST && smaller)) {
            most = here;
            *best = pair;
        }
    }
    return most > 0;
}

static void naive_join(Naive *naive, BpeMerge pair, int32_t id)
{
    size_t kept = 0;
    for (size_t i = 0; i < naive->count; kept++) {
        bool joined = is_pair(naive, i) && naive->ids[i] == pair.left && naive->ids[i + 1] == pair.right;
        naive->ids[kept] = joined ? id : naive->ids[i];
        naive->begins[kept] = naive->begins[i];
        i += joined ? 2 : 1;
    }
    naive->count = kept;
}

/* Learns a text to its end, slowly and fast, and compares the merges and every stage of the encoding. */
static void compare_with_the_definition(const char *text, size_t size, BpeTies ties)
{
    Err err;
    Bpe *bpe = bpe_learn(text, size, LARGEST, ties, &err);
    assert_non_null(bpe);
    Naive naive = naive_new(text, size);
    BpeMerge best = {0};
    size_t merges = 0, tie_count = 0;
    for (bool tied; merges < LARGEST - BPE_BYTES && naive_best(&naive, ties, &best, &tied); merges++) {
        assert_true(merges < bpe->count);
        assert_int_equal(bpe->merges[merges].left, best.left);
        assert_int_equal(bpe->merges[merges].right, best.right);
        naive_join(&naive, best, BPE_BYTES + (int32_t)merges);
        tie_count += tied;
        size_t count;
        int32_t *ids = bpe_encode(bpe, merges + 1, text, size, &count, &err);
        assert_int_equal(count, naive.count);
        assert_memory_equal(ids, naive.ids, count * sizeof *ids);
        free(ids);
    }
    assert_int_equal(bpe->count, merges);
    assert_int_equal(bpe->ties, tie_count);
    bpe_free(bpe);
}

static void learning_and_encoding_follow_the_definition(void **state)
{
    (void)state;
    /* Alphabets small enough for overlaps and ties everywhere; the last has two bytes of one character. */
    static const char *alphabets[] = {"a", "ab", "ab ", "abcd  \n", "ab'st 1", "\xC3\xA9 ae"};
    Rng stream = rng_stream(1, "bpe");
    for (uint32_t trial = 0; trial < 120; trial++) {
        Rng rng = rng_substream(&stream, trial);
        const char *alphabet = alphabets[trial % COUNT(alphabets)];
        char text[LONGEST];
        size_t size = rng_below(&rng, LONGEST);
        for (size_t i = 0; i < size; i++)
            text[i] = alphabet[rng_below(&rng, (uint32_t)strlen(alphabet))];
        compare_with_the_definition(text, size, BPE_TIES_FIRST);
        compare_with_the_definition(text, size, BPE_TIES_SMALLEST);
    }
}

static void a_worked_example_by_hand(void **state)
{
    (void)state;
    /* aa four times, overlaps counted; then (aa,a) and (a,b) are both there twice. */
    static const BpeMerge first[] = {{'a', 'a'}, {256, 'a'}, {257, 'b'}, {258, 'd'}};
    static const BpeMerge smallest[] = {{'a', 'a'}, {'a', 'b'}, {256, 257}, {'a', 'c'}};
    for (int ties = BPE_TIES_FIRST; ties <= BPE_TIES_SMALLEST; ties++) {
        Err err;
        Bpe *bpe = bpe_learn("aaabdaaabac", 11, BPE_BYTES + 4, (BpeTies)ties, &err);
        assert_int_equal(bpe->count, 4);
        assert_memory_equal(bpe->merges, ties == BPE_TIES_FIRST ? first : smallest, sizeof first);
        assert_int_equal(bpe->ties, 2); /* the second and the fourth */
        bpe_free(bpe);
    }
}

static void a_smaller_vocabulary_is_a_prefix_of_a_larger_one(void **state)
{
    (void)state;
    static const char text[] = "the cat sat on the mat and the rat sat on the cat that sat on the mat";
    Err err;
    size_t large_count, small_count;
    Bpe *large = bpe_learn(text, sizeof text - 1, 300, BPE_TIES_FIRST, &err);
    Bpe *small = bpe_learn(text, sizeof text - 1, 265, BPE_TIES_FIRST, &err);
    assert_int_equal(small->count, 9);
    assert_memory_equal(small->merges, large->merges, small->count * sizeof *small->merges);
    int32_t *a = bpe_encode(large, small->count, text, sizeof text - 1, &large_count, &err);
    int32_t *b = bpe_encode(small, small->count, text, sizeof text - 1, &small_count, &err);
    assert_int_equal(large_count, small_count);
    assert_memory_equal(a, b, small_count * sizeof *a);
    free(a);
    free(b);
    bpe_free(large);
    bpe_free(small);
}

static void assert_survives(const Bpe *bpe, const char *text, size_t size)
{
    Err err;
    size_t count, back_size;
    int32_t *ids = bpe_encode(bpe, bpe->count, text, size, &count, &err);
    assert_non_null(ids);
    char *back = bpe_decode(bpe, ids, count, &back_size, &err);
    assert_int_equal(back_size, size);
    assert_memory_equal(back, text, size);
    assert_int_equal(back[size], 0);
    free(back);
    free(ids);
}

static void any_byte_string_survives(void **state)
{
    (void)state;
    enum { SIZE = 2 * 65536 };
    char *text = malloc(SIZE);
    for (int i = 0; i < SIZE / 2; i++) { /* every pair of bytes */
        text[2 * i] = (char)(i >> 8);
        text[2 * i + 1] = (char)i;
    }
    Err err;
    Bpe *bpe = bpe_learn(text, SIZE, 600, BPE_TIES_FIRST, &err);
    assert_survives(bpe, text, SIZE);
    assert_survives(bpe, "", 0);
    for (int i = 0; i < 256; i++)
        assert_survives(bpe, (char[1]){(char)i}, 1);
    Rng rng = rng_stream(1, "bytes");
    for (int trial = 0; trial < 50; trial++) {
        size_t size = rng_below(&rng, 2000);
        for (size_t i = 0; i < size; i++)
            text[i] = (char)rng_bits(&rng);
        assert_survives(bpe, text, size);
    }
    bpe_free(bpe);
    free(text);
}

static void a_text_without_pairs_teaches_nothing(void **state)
{
    (void)state;
    Err err;
    static const char *texts[] = {"", "a", "a\nb\nc"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        Bpe *bpe = bpe_learn(texts[i], strlen(texts[i]), 1024, BPE_TIES_FIRST, &err);
        assert_int_equal(bpe->count, 0);
        assert_survives(bpe, "still encodes", 13);
        bpe_free(bpe);
    }
}

static void a_deep_chain_of_merges_is_decoded(void **state)
{
    (void)state;
    /* 'b' and more and more of 'a' before it: each merge is made of the one before. */
    enum { DEPTH = 3000 };
    Bpe bpe = {.merges = mem_new(DEPTH, sizeof *bpe.merges), .count = DEPTH};
    for (int i = 0; i < DEPTH; i++)
        bpe.merges[i] = (BpeMerge){'a', i == 0 ? 'b' : BPE_BYTES + i - 1};
    Err err;
    size_t size;
    char *text = bpe_decode(&bpe, (int32_t[]){BPE_BYTES + DEPTH - 1}, 1, &size, &err);
    assert_int_equal(size, DEPTH + 1);
    assert_int_equal(strspn(text, "a"), DEPTH);
    assert_string_equal(text + DEPTH, "b");
    free(text);
    free(bpe.merges);
}

static void a_text_that_is_too_large_is_refused(void **state)
{
    (void)state;
    Err err;
    size_t count;
    assert_null(bpe_learn("", PIECES_LARGEST + 1, 300, BPE_TIES_FIRST, &err));
    assert_says(err.text, "too large");
    assert_null(bpe_encode(&(Bpe){0}, 0, "", PIECES_LARGEST + 1, &count, &err));
    assert_says(err.text, "too large");
}

/* Pins the 768 merges themselves, since the published count of tokens can't tell every order of equally
 * frequent pairs from another. */
static void the_published_text_gives_the_known_merges_and_the_published_count(void **state)
{
    (void)state;
    Err err;
    Corpus *corpus = corpus_load(getenv("ATTEST_CORPUS"), NULL, &err);
    if (!corpus || !corpus->is_published) {
        corpus_free(corpus);
        skip();
    }
    static const struct {
        const char *digest; /* of the merges, one "left right" a line */
        size_t tokens;
    } expected[] = {
        [BPE_TIES_FIRST] = {"dcc58dbd4a8f937d9fda916df13eca8fd31ee6972277ab853b43043d6de33843", 459760},
        [BPE_TIES_SMALLEST] = {"4fabb4cf5982614ec151d218d931ef4d55bc3f27559612381d029a68490a36cc", 459792},
    };
    for (int ties = BPE_TIES_FIRST; ties <= BPE_TIES_SMALLEST; ties++) {
        Bpe *bpe = bpe_learn(corpus->text, corpus->size, 1024, (BpeTies)ties, &err);
        char *lines;
        size_t size, count;
        FILE *out = open_memstream(&lines, &size);
        for (size_t i = 0; i < bpe->count; i++)
            fprintf(out, "%d %d\n", bpe->merges[i].left, bpe->merges[i].right);
        fclose(out);
        char digest[DIGEST_TEXT];
        digest_hex(lines, size, digest);
        assert_string_equal(digest, expected[ties].digest);
        free(bpe_encode(bpe, bpe->count, corpus->text, corpus->size, &count, &err));
        assert_int_equal(count, expected[ties].tokens);
        assert_survives(bpe, corpus->text, corpus->size);
        free(lines);
        bpe_free(bpe);
    }
    corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_and_encoding_follow_the_definition),
        cmocka_unit_test(a_worked_example_by_hand),
        cmocka_unit_test(a_smaller_vocabulary_is_a_prefix_of_a_larger_one),
        cmocka_unit_test(any_byte_string_survives),
        cmocka_unit_test(a_text_without_pairs_teaches_nothing),
        cmocka_unit_test(a_deep_chain_of_merges_is_decoded),
        cmocka_unit_test(a_text_that_is_too_large_is_refused),
        cmocka_unit_test(the_published_text_gives_the_known_merges_and_the_published_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
