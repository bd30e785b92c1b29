#include "digest.h"
#include "test.h"

/* FIPS 180-4's own examples. */
static void the_standard_examples_have_their_published_digests(void **state)
{
    (void)state;
    char text[DIGEST_TEXT];
    digest_hex("abc", 3, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    digest_hex("", 0, text);
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_standard_examples_have_their_published_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
