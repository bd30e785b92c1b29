#include "mem.h"
#include "test.h"
#include "utf8.h"

/* The bytes of a code point, without asking whether it is one; returns how many. */
static size_t spell(uint32_t point, char *bytes)
{
    static const unsigned char lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, point >>= 6)
        bytes[i] = (char)(0x80 | (point & 0x3F));
    bytes[0] = (char)(lead[length] | point);
    return length;
}

static int is_surrogate(uint32_t point)
{
    return point >= 0xD800 && point <= 0xDFFF;
}

static void every_character_is_valid_and_surrogates_are_not(void **state)
{
    (void)state;
    for (uint32_t point = 0; point < 0x110000; point++) {
        char bytes[4];
        size_t length = spell(point, bytes);
        assert_int_equal(utf8_valid(bytes, length), is_surrogate(point) ? 0 : length);
    }
    char beyond[4];
    assert_int_equal(utf8_valid(beyond, spell(0x110000, beyond)), 0);
}

/* With all characters known to be valid, counting shows that nothing else is: so many strings of three bytes
 * can be cut into characters, 128 of one byte, 1920 of two and 61440 of three. */
static void no_other_string_of_three_bytes_is_valid(void **state)
{
    (void)state;
    long valid = 0;
    for (uint32_t i = 0; i < 1 << 24; i++) {
        char bytes[3] = {(char)(i >> 16), (char)(i >> 8), (char)i};
        valid += utf8_valid(bytes, 3) == 3;
    }
    assert_int_equal(valid, 128 * 128 * 128 + 2 * 128 * 1920 + 61440);
}

/* The same for four bytes that begin with one of F0 … FF: all second bytes, and of the others those at the
 * limits of what may continue a character. */
static void no_other_string_of_four_bytes_is_valid(void **state)
{
    (void)state;
    static const unsigned char third[] = {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF};
    long valid = 0;
    for (int first = 0xF0; first <= 0xFF; first++)
        for (int second = 0; second <= 0xFF; second++)
            for (size_t i = 0; i < COUNT(third); i++)
                for (size_t j = 0; j < COUNT(third); j++) {
                    char bytes[4] = {(char)first, (char)second, (char)third[i], (char)third[j]};
                    valid += utf8_valid(bytes, 4) == 4;
                }
    /* U+10000 … U+10FFFF take (0x110000 − 0x10000) / 64² pairs of first and second byte. */
    assert_int_equal(valid, (0x110000 - 0x10000) / 4096 * 4);
}

static void the_valid_part_ends_before_the_first_wrong_byte(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t valid;
    } cases[] = {
        {"", 0},
        {"abc", 3},
        {"caf\xC3\xA9", 5},
        {"caf\xC3", 3},           /* cut in the middle of a character */
        {"caf\xE9 noir", 3},      /* Latin-1 */
        {"\xE2\x82\xAC\x80", 3},  /* a byte that continues nothing */
        {"a\xC0\x80", 1},         /* zero in two bytes */
        {"a\xED\xA0\x80", 1},     /* half of a surrogate pair */
        {"ab\xF0\x9F\x98\x80", 6} /* outside the basic plane */
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(utf8_valid(cases[i].text, strlen(cases[i].text)), cases[i].valid);
    assert_int_equal(utf8_valid("a\0b", 3), 3);
}

static void characters_are_counted_not_bytes(void **state)
{
    (void)state;
    assert_int_equal(utf8_characters("", 0), 0);
    const char *text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";
    assert_int_equal(utf8_characters(text, strlen(text)), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_is_valid_and_surrogates_are_not),
        cmocka_unit_test(no_other_string_of_three_bytes_is_valid),
        cmocka_unit_test(no_other_string_of_four_bytes_is_valid),
        cmocka_unit_test(the_valid_part_ends_before_the_first_wrong_byte),
        cmocka_unit_test(characters_are_counted_not_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
