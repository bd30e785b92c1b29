#include "file.h"
#include "mem.h"
#include "pytorch.h"
#include "test.h"

#include <unistd.h>

static void join(void *context, const char *text)
{
    char **all = context, *longer = mem_text("%s[%s]", *all, text);
    free(*all);
    *all = longer;
}

/* Runs a script of this content with two arguments; what it prints through *said, to be freed. */
static PytorchEnd run(const char *script, char **said, Err *why)
{
    char *folder = new_folder(), *path = mem_text("%s/script.py", folder);
    assert_true(file_write(path, script, strlen(script), why));
    *said = mem_text("%s", "");
    char *const arguments[] = {path, "one", "two 'words'", NULL};
    PytorchEnd end = pytorch_run(arguments, join, said, why);
    free(path);
    remove_folder(folder);
    return end;
}

static void lines_come_back_and_arguments_arrive_whole(void **state)
{
    (void)state;
    Err why = {"untouched"};
    char *said;
    assert_int_equal(run("import sys\nprint(sys.argv[1])\nprint(sys.argv[2])\n", &said, &why), PYTORCH_RAN);
    assert_string_equal(said, "[one][two 'words']");
    assert_string_equal(why.text, "untouched");
    free(said);
}

static void a_script_that_can_not_import_torch_is_told_from_one_that_fails(void **state)
{
    (void)state;
    Err why;
    char *said;
    assert_int_equal(run("raise SystemExit(77)\n", &said, &why), PYTORCH_MISSING);
    assert_string_equal(why.text, "PyTorch is not installed");
    free(said);
    assert_int_equal(run("print('first')\nraise ValueError('no such width')\n", &said, &why), PYTORCH_FAILED);
    assert_says(why.text, "script.py failed: ValueError: no such width");
    assert_says(said, "[first]");
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_back_and_arguments_arrive_whole),
        cmocka_unit_test(a_script_that_can_not_import_torch_is_told_from_one_that_fails),
    };
    if (access("/usr/bin/python3", X_OK) != 0)
        return 0; /* nothing can be run: Debian's Python is not installed */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
