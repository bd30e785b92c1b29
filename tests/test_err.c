#include "err.h"
#include "test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_failing_function_can_return_the_error_it_sets(void **state)
{
    (void)state;
    Err err;
    assert_false(err_set(&err, "%s has %d lines", "corpus.txt", 0));
    assert_string_equal(err.text, "corpus.txt has 0 lines");
}

static void context_goes_in_front_of_the_sentence(void **state)
{
    (void)state;
    Err err;
    err_set(&err, "key \"kind\" is missing");
    assert_false(err_within(&err, "claim %d", 3));
    assert_string_equal(err.text, "claim 3: key \"kind\" is missing");
}

static void a_sentence_too_long_is_cut_and_stays_a_string(void **state)
{
    (void)state;
    Err err;
    char text[4096];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    err_set(&err, "%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    err_within(&err, "%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void a_broken_contract_aborts_and_names_the_place(void **state)
{
    (void)state;
    int pipe_ends[2];
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], STDERR_FILENO);
        require(1 + 1 == 3, "sum %d", 2);
        _exit(0);
    }
    close(pipe_ends[1]);
    char said[512] = {0};
    FILE *end = fdopen(pipe_ends[0], "r");
    assert_true(fread(said, 1, sizeof said - 1, end) > 0);
    fclose(end);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_says(said, "test_err.c");
    assert_says(said, "1 + 1 == 3");
    assert_says(said, "sum 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failing_function_can_return_the_error_it_sets),
        cmocka_unit_test(context_goes_in_front_of_the_sentence),
        cmocka_unit_test(a_sentence_too_long_is_cut_and_stays_a_string),
        cmocka_unit_test(a_broken_contract_aborts_and_names_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
