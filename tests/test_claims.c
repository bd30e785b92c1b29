#include "claims.h"
#include "file.h"
#include "mem.h"
#include "test.h"

#define ONE(more)                                                                                            \
    "{\"id\": \"e.x\", \"says\": \"s\", \"source\": \"C9\", \"origin\": \"source\", \"kind\": \"exact\", "   \
    "\"measure\": \"m\", \"published\": 1" more "}"
#define FILE_OF(claims) "{\"experiment\": \"e\", \"about\": \"a\", \"claims\": [" claims "]}"

static Claims *read_text(const char *text, Err *err)
{
    char *folder = new_folder(), *path = mem_text("%s/e.claims.json", folder);
    assert_true(file_write(path, text, strlen(text), err));
    Claims *claims = claims_read(path, err);
    free(path);
    remove_folder(folder);
    return claims;
}

static void refuse(const char *text, const char *why)
{
    Err err;
    Claims *claims = read_text(text, &err);
    if (claims)
        fail_msg("accepted: %s", text);
    assert_says(err.text, "e.claims.json");
    assert_says(err.text, why);
}

static void a_claim_is_read_with_all_its_words(void **state)
{
    (void)state;
    Err err;
    Claims *claims = read_text(FILE_OF(ONE(", \"needs\": [\"corpus\", \"budget\"], \"disagrees\": \"d\", "
                                           "\"finding\": \"f\", \"holds_as\": \"reconstructed\", \"unit\": "
                                           "\"u\"") ", "
                                                    "{\"id\": \"e.y\", \"says\": \"t\", \"source\": \"\", "
                                                    "\"origin\": \"own\", "
                                                    "\"kind\": \"order\", \"needs\": \"corpus\", "
                                                    "\"not_run\": \"r\"}"),
                               &err);
    if (!claims)
        fail_msg("%s", err.text);
    assert_string_equal(claims->experiment, "e");
    assert_string_equal(claims->about, "a");
    assert_int_equal(claims->count, 2);
    const Claim *x = &claims->list[0], *y = &claims->list[1];
    assert_string_equal(x->id, "e.x");
    assert_string_equal(x->says, "s");
    assert_string_equal(x->source, "C9");
    assert_true(x->origin == ORIGIN_SOURCE && x->rule.kind == CLAIM_EXACT && x->needs_corpus &&
                x->needs_budget);
    assert_string_equal(x->disagrees, "d");
    assert_string_equal(x->finding, "f");
    assert_int_equal(x->holds_as, HOLDS_AS_RECONSTRUCTED);
    assert_string_equal(x->unit, "u");
    assert_null(x->not_run);
    assert_true(y->origin == ORIGIN_OWN && y->rule.kind == CLAIM_ORDER && y->needs_corpus &&
                !y->needs_budget);
    assert_string_equal(y->not_run, "r");
    assert_null(y->finding);
    claims_free(claims);
    claims_free(NULL);
}

static void a_file_that_is_not_there_or_not_json_is_an_error(void **state)
{
    (void)state;
    Err err;
    assert_null(claims_read("/nowhere/e.claims.json", &err));
    assert_says(err.text, "/nowhere/e.claims.json");
    refuse("{\"experiment\": \"e\",", "e.claims.json:1:");
    refuse("[]", "an object");
}

static void the_file_itself_is_checked(void **state)
{
    (void)state;
    refuse("{\"experiment\": \"e\", \"about\": \"a\"}", "key \"claims\" is missing");
    refuse("{\"experiment\": \"e\", \"claims\": []}", "key \"about\" is missing");
    refuse(FILE_OF(""), "key \"claims\" is an empty list");
    refuse("{\"experiment\": \"e\", \"about\": \"a\", \"claims\": [], \"tabels\": []}",
           "is \"tables\" meant?");
    refuse(FILE_OF("1"), "claim 1: key \"id\" is missing");
}

static void an_id_is_of_its_experiment_and_used_once(void **state)
{
    (void)state;
    refuse(FILE_OF("{\"id\": \"f.x\"}"), "claim \"f.x\": key \"id\" must begin with \"e.\"");
    refuse(FILE_OF("{\"id\": \"e.\"}"), "must begin with");
    refuse(FILE_OF("{\"id\": \"ex\"}"), "must begin with");
    refuse(FILE_OF(ONE("") ", " ONE("")), "claim \"e.x\": key \"id\" is used twice");
}

static void words_are_of_their_lists(void **state)
{
    (void)state;
    refuse(FILE_OF("{\"id\": \"e.x\", \"kind\": \"exactly\"}"),
           "claim \"e.x\": key \"kind\" says \"exactly\"");
    refuse(FILE_OF("{\"id\": \"e.x\"}"), "claim \"e.x\": key \"kind\" is missing");
    refuse(FILE_OF(ONE(", \"holds_as\": \"true\"")), "key \"holds_as\" says \"true\"");
    refuse(FILE_OF(ONE(", \"needs\": [\"corpse\"]")), "key \"needs\" says \"corpse\"");
    refuse(FILE_OF(ONE(", \"findings\": \"f\"")), "is \"finding\" meant?");
    refuse(FILE_OF(ONE(", \"finding\": \"\"")), "key \"finding\" is empty");
    refuse(FILE_OF("{\"id\": \"e.x\", \"says\": \"s\", \"source\": \"C8\", \"origin\": \"source\", \"kind\": "
                   "\"exact\", \"measure\": \"m\", \"published\": 1}"),
           "key \"source\" says \"C8\"");
    refuse(FILE_OF("{\"id\": \"e.x\", \"says\": \"s\", \"source\": \"\", \"origin\": \"source\", \"kind\": "
                   "\"exact\", \"measure\": \"m\", \"published\": 1}"),
           "key \"source\" is empty");
    refuse(FILE_OF("{\"id\": \"e.x\", \"says\": \"s\", \"source\": \"C9\", \"origin\": \"me\", \"kind\": "
                   "\"exact\", \"measure\": \"m\", \"published\": 1}"),
           "key \"origin\" says \"me\"");
}

static void every_source_has_its_title(void **state)
{
    (void)state;
    assert_string_equal(claim_source_title("MH"), "Masks and Heads");
    assert_string_equal(claim_source_title("ID"), "Multi-head attention");
    assert_string_equal(claim_source_title("C9"), "Attention e o bloco transformer, derivados de uma média");
    assert_string_equal(claim_source_title(""), "");
    assert_string_equal(claim_kind_words[CLAIM_AT_MOST], "at_most");
    assert_string_equal(claim_kind_words[CLAIM_FRACTION], "fraction");
    assert_string_equal(claim_origin_words[ORIGIN_IMPLIED], "implied");
}

/* Whatever is cut off or written over, the reader answers with a sentence and does not crash. */
static void a_damaged_file_never_crashes_the_reader(void **state)
{
    (void)state;
    const char whole[] = FILE_OF(ONE(", \"needs\": [\"corpus\"]"));
    static const char marks[] = "{}[]\",:0 ";
    for (size_t place = 0; place < sizeof whole - 1; place++) {
        for (size_t m = 0; m < sizeof marks; m++) { /* the last mark is the zero byte: a truncated file */
            char text[sizeof whole];
            Err err = {""};
            memcpy(text, whole, sizeof whole);
            text[place] = marks[m];
            Json *json = json_parse(text, "x", &err);
            Claims *claims = json ? read_text(text, &err) : NULL; /* still JSON: the claims reader's turn */
            assert_true(claims || *err.text);
            json_free(json);
            claims_free(claims);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_is_read_with_all_its_words),
        cmocka_unit_test(a_file_that_is_not_there_or_not_json_is_an_error),
        cmocka_unit_test(the_file_itself_is_checked),
        cmocka_unit_test(an_id_is_of_its_experiment_and_used_once),
        cmocka_unit_test(words_are_of_their_lists),
        cmocka_unit_test(every_source_has_its_title),
        cmocka_unit_test(a_damaged_file_never_crashes_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
