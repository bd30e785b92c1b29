#include "mem.h"
#include "pieces.h"
#include "rng.h"
#include "test.h"

static void the_text_is_cut_as_gpt2_cuts_it(void **state)
{
    (void)state;
    /* The pieces of each text, put together with a bar between them. */
    static const struct {
        const char *text, *pieces;
    } cases[] = {
        {"", ""},
        {"Hello world", "Hello| world"},
        {"  two  spaces ", " | two| | spaces| "},
        {"it's we're I'd they'll 'tis can't", "it|'s| we|'re| I|'d| they|'ll| '|tis| can|'t"},
        {"I've I'm 'S", "I|'ve| I|'m| '|S"},
        {"abc123 45,6", "abc|123| 45|,|6"},
        {"Hm!? ...no", "Hm|!?| ...|no"},
        {"a\n\n b", "a|\n\n| b"},
        {"a \nb\r\n", "a| |\n|b|\r\n"},
        {"a\tb", "a|\t|b"},
        {"Ol\u00e1, \u4e16\u754c 42", "Ol\u00e1|,| \u4e16\u754c| 42"},
        {"\u0663\u0664 x\u00b2", "\u0663\u0664| x|\u00b2"}, /* digits of other scripts, a superscript */
        {"e\u0301t", "e|\u0301|t"},                         /* a combining accent is no letter */
        {"a\u00a0b", "a|\u00a0|b"},                         /* a no-break space is white, but no space */
        {"caf\xE9 noir", "caf|\xE9| noir"},
        {"a \xFF\xFE b", "a| |\xFF|\xFE| b"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Err err;
        Pieces *pieces = pieces_new(cases[i].text, strlen(cases[i].text), &err);
        assert_non_null(pieces);
        char joined[128] = "";
        for (size_t j = 0; j < pieces->count; j++) {
            const Piece *piece = &pieces->distinct[pieces->order[j]];
            strcat(joined, j > 0 ? "|" : "");
            strncat(joined, piece->text, piece->length);
        }
        assert_string_equal(joined, cases[i].pieces);
        pieces_free(pieces);
    }
}

static void equal_pieces_are_counted_in_the_order_they_come_up(void **state)
{
    (void)state;
    Err err;
    const char *text = "a b a b a";
    Pieces *pieces = pieces_new(text, strlen(text), &err);
    static const Piece expected[] = {{"a", 1, 1}, {" b", 2, 2}, {" a", 2, 2}};
    static const uint32_t order[] = {0, 1, 2, 1, 2};
    assert_int_equal(pieces->distinct_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_int_equal(pieces->distinct[i].length, expected[i].length);
        assert_memory_equal(pieces->distinct[i].text, expected[i].text, expected[i].length);
        assert_int_equal(pieces->distinct[i].count, expected[i].count);
    }
    assert_ptr_equal(pieces->distinct[1].text, text + 1);
    assert_int_equal(pieces->count, COUNT(order));
    assert_memory_equal(pieces->order, order, sizeof order);
    pieces_free(pieces);
}

static void any_bytes_are_cut_without_loss(void **state)
{
    (void)state;
    size_t size = 200000;
    char *text = malloc(size), *joined = malloc(size);
    Rng rng = rng_stream(1, "pieces");
    for (size_t i = 0; i < size; i++) /* half of them ASCII, so that words and spaces occur as well */
        text[i] = (char)(rng_bits(&rng) >> (i / 1000 % 2 ? 24 : 25));
    Err err;
    Pieces *pieces = pieces_new(text, size, &err);
    size_t at = 0, counted = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->distinct[pieces->order[i]];
        assert_true(piece->length >= 1 && at + piece->length <= size);
        memcpy(joined + at, piece->text, piece->length);
        at += piece->length;
    }
    for (size_t i = 0; i < pieces->distinct_count; i++)
        counted += pieces->distinct[i].count;
    assert_int_equal(at, size);
    assert_int_equal(counted, pieces->count);
    assert_memory_equal(joined, text, size);
    pieces_free(pieces);
    free(text);
    free(joined);
}

static void a_run_of_a_million_alike_is_one_piece(void **state)
{
    (void)state;
    size_t size = 1000000;
    char *text = malloc(size);
    for (const char *c = " a1!\n\t"; *c; c++) {
        memset(text, *c, size);
        Err err;
        Pieces *pieces = pieces_new(text, size, &err);
        assert_int_equal(pieces->count, 1);
        assert_int_equal(pieces->distinct[0].length, size);
        pieces_free(pieces);
    }
    free(text);
}

static void a_text_that_is_too_large_is_refused(void **state)
{
    (void)state;
    Err err;
    assert_null(pieces_new("", PIECES_LARGEST + 1, &err));
    assert_says(err.text, "2147483648 bytes is too large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_cut_as_gpt2_cuts_it),
        cmocka_unit_test(equal_pieces_are_counted_in_the_order_they_come_up),
        cmocka_unit_test(any_bytes_are_cut_without_loss),
        cmocka_unit_test(a_run_of_a_million_alike_is_one_piece),
        cmocka_unit_test(a_text_that_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
