#include "corpus.h"
#include "file.h"
#include "machine.h"
#include "mem.h"
#include "test.h"

static char *folder;

static int make_folder(void **state)
{
    (void)state;
    folder = new_folder();
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    remove_folder(folder);
    return 0;
}

/* Puts a file into the folder; its path is the caller's to free. */
static char *put(const char *name, const char *text, size_t size)
{
    char *path = mem_text("%s/%s", folder, name);
    Err err;
    assert_true(file_write(path, text, size, &err));
    return path;
}

static void a_file_of_ones_own_is_taken_as_it_is(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBFOl\xC3\xA1,\r\nmundo\0.\r\n";
    char *path = put("mine.txt", text, sizeof text - 1);
    Err err;
    Corpus *corpus = corpus_load(path, folder, &err);
    assert_non_null(corpus);
    assert_int_equal(corpus->size, sizeof text - 1);
    assert_memory_equal(corpus->text, text, sizeof text); /* the zero byte behind it too */
    assert_string_equal(corpus->name, "mine.txt");
    assert_false(corpus->is_published);
    char digest[DIGEST_TEXT];
    digest_hex(text, sizeof text - 1, digest);
    assert_string_equal(corpus->digest, digest);
    corpus_free(corpus);
    free(path);
}

static void without_a_file_the_error_says_how_to_get_one(void **state)
{
    (void)state;
    Err err;
    assert_null(corpus_load(NULL, folder, &err));
    assert_says(err.text, folder);
    assert_says(err.text, "run data/get_corpus.sh");
    assert_says(err.text, "--corpus FILE");
    assert_true(corpus_is_missing(NULL, folder));
    assert_null(corpus_load("/nowhere/text.txt", folder, &err));
    assert_says(err.text, "/nowhere/text.txt");
    assert_false(
        corpus_is_missing("/nowhere/text.txt", folder)); /* who names a file expects it to be there */
}

static void the_fallback_text_is_used_when_it_alone_is_there(void **state)
{
    (void)state;
    char *path = put("kjv.txt", "In the beginning\n", 17);
    Err err;
    Corpus *corpus = corpus_load(NULL, folder, &err);
    assert_non_null(corpus);
    assert_false(corpus_is_missing(NULL, folder));
    assert_string_equal(corpus->name, "kjv.txt");
    assert_false(corpus->is_published);
    corpus_free(corpus);
    free(path);
}

static void a_damaged_published_text_is_refused_even_beside_a_fallback(void **state)
{
    (void)state;
    char *fallback = put("kjv.txt", "In the beginning\n", 17);
    char *damaged = put("tinyshakespeare.txt", "First", 5);
    Err err;
    assert_null(corpus_load(NULL, folder, &err));
    assert_says(err.text, damaged);
    assert_says(err.text, "damaged");
    assert_says(err.text, "delete it and run data/get_corpus.sh");
    /* … but whoever names it wants it. */
    Corpus *corpus = corpus_load(damaged, folder, &err);
    assert_non_null(corpus);
    assert_false(corpus->is_published);
    corpus_free(corpus);
    free(damaged);
    free(fallback);
}

static void an_empty_file_is_refused(void **state)
{
    (void)state;
    char *path = put("empty.txt", "", 0);
    Err err;
    assert_null(corpus_load(path, folder, &err));
    assert_says(err.text, path);
    assert_says(err.text, "empty");
    free(path);
}

static void what_is_not_utf8_is_refused_with_its_place(void **state)
{
    (void)state;
    char *path = put("latin1.txt", "one\ntwo\ncaf\xE9 noir\n", 18);
    Err err;
    assert_null(corpus_load(path, folder, &err));
    assert_says(err.text, path);
    assert_says(err.text, "0xE9");
    assert_says(err.text, "offset 11");
    assert_says(err.text, "line 3");
    free(path);
}

static void the_published_text_is_known_by_its_digest_under_any_name(void **state)
{
    (void)state;
    char *data = mem_text("%s/data/tinyshakespeare.txt", machine_home());
    if (!file_exists(data)) {
        free(data);
        skip();
    }
    Bytes bytes;
    Err err;
    assert_true(file_read(data, &bytes, &err));
    char *renamed = put("input.txt", bytes.data, bytes.size);
    Corpus *found = corpus_load(NULL, NULL, &err), *named = corpus_load(renamed, NULL, &err);
    assert_non_null(found);
    assert_non_null(named);
    assert_true(found->is_published);
    assert_true(named->is_published);
    assert_int_equal(found->size, 1115394);
    assert_string_equal(found->name, named->name);
    corpus_free(found);
    corpus_free(named);
    bytes_free(&bytes);
    free(renamed);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_of_ones_own_is_taken_as_it_is, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(without_a_file_the_error_says_how_to_get_one, make_folder,
                                        drop_folder),
        cmocka_unit_test_setup_teardown(the_fallback_text_is_used_when_it_alone_is_there, make_folder,
                                        drop_folder),
        cmocka_unit_test_setup_teardown(a_damaged_published_text_is_refused_even_beside_a_fallback,
                                        make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(an_empty_file_is_refused, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(what_is_not_utf8_is_refused_with_its_place, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(the_published_text_is_known_by_its_digest_under_any_name, make_folder,
                                        drop_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
