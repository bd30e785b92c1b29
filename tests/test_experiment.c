#include "blas.h"
#include "experiment.h"
#include "file.h"
#include "json.h"
#include "mem.h"
#include "test.h"

#undef skip /* cmocka has a macro of that name */

#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const Setting settings[] = {
    {"answer", INTEGER, 42, 41, 0, 100, "what is measured"},
    SETTINGS_END,
};

static const char claims[] =
    "{\"experiment\": \"%s\", \"about\": \"Is it 42?\", \"claims\": [{\"id\": \"%s.answer\","
    " \"says\": \"it is 42\", \"source\": \"C9\", \"origin\": \"source\", \"kind\": \"exact\","
    " \"published\": 42, \"measure\": \"answer\"%s}]}";
static const char *more = ""; /* further keys of the claim */

/* Each case is a run of experiment_main in the test's own process; name and claims file are the test's. */
typedef struct Ran {
    int code;
    char *said; /* on standard error; owned */
} Ran;

static Ran run_named(const char *name, bool (*run)(Experiment *, Err *), int argc, char **argv)
{
    char *folder = file_program_folder();
    char *path = mem_text("%s/%s.claims.json", folder, name);
    char *text = mem_text(claims, name, name, more);
    Err err;
    assert_true(file_write(path, text, strlen(text), &err));
    free(text);

    fflush(stderr);
    FILE *captured = tmpfile();
    int kept = dup(STDERR_FILENO);
    dup2(fileno(captured), STDERR_FILENO);
    Ran ran = {.code = experiment_main(argc, argv, &(ExperimentPlan){name, settings, 0, 0, run})};
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(captured);
    ran.said = mem_new(4096, 1);
    if (fread(ran.said, 1, 4095, captured) == 0)
        ran.said[0] = '\0';
    fclose(captured);
    unlink(path);
    free(path);
    free(folder);
    return ran;
}

static Ran run_words(bool (*run)(Experiment *, Err *), const char *a, const char *b, const char *c,
                     const char *d)
{
    char *words[] = {"test", (char *)a, (char *)b, (char *)c, (char *)d, NULL};
    int count = 1;
    while (words[count])
        count++;
    char *name = mem_text("tested%ld", (long)getpid());
    Ran ran = run_named(name, run, count, words);
    free(name);
    return ran;
}

static void assert_ran(Ran ran, int code, const char *part)
{
    assert_int_equal(ran.code, code);
    assert_says(ran.said, part);
    free(ran.said);
}

static bool measures(Experiment *x, Err *err)
{
    (void)err;
    measure(x, FIXED, (double)setting_integer(x, "answer"), "ans%s", "wer");
    return true;
}

static bool multiplies(Experiment *x, Err *err)
{
    (void)err;
    const float six = 6, seven = 7;
    float product;
    gemm_nn(1, 1, 1, 1, &six, 1, &seven, 1, 0, &product, 1);
    measure(x, FIXED, product, "answer");
    return true;
}

static bool has_no_room(Experiment *x, Err *err)
{
    (void)err;
    reduce_budget(x, "%d tokens do not fit", 42);
    measure(x, FIXED, 7, "answer");
    return true;
}

static bool finds_a_unit(Experiment *x, Err *err)
{
    note_unit(x, "0123abcd", 1000);
    return measures(x, err);
}

static bool measures_nothing(Experiment *x, Err *err)
{
    (void)x, (void)err;
    return true;
}

static bool measures_something_else(Experiment *x, Err *err)
{
    (void)err;
    measure(x, FIXED, 1, "question");
    return true;
}

static bool measures_no_number(Experiment *x, Err *err)
{
    (void)err;
    measure(x, FIXED, NAN, "answer");
    return true;
}

static bool fails(Experiment *x, Err *err)
{
    (void)x;
    return err_set(err, "the file is not there");
}

static bool skips(Experiment *x, Err *err)
{
    (void)err;
    return skip(x, "there is no %s", "PyTorch");
}

static bool is_left(Experiment *x, Err *err)
{
    (void)err;
    raise(SIGHUP);
    assert_false(interrupted(x));
    measure(x, FIXED, 42, "answer");
    return true;
}

static bool is_stopped(Experiment *x, Err *err)
{
    (void)err;
    assert_false(interrupted(x));
    raise(SIGINT);
    assert_true(interrupted(x));
    return true;
}

static void the_exit_code_says_how_the_claims_did(void **state)
{
    (void)state;
    assert_ran(run_words(measures, NULL, NULL, NULL, NULL), 0, "");
    assert_ran(run_words(measures, "--quick", NULL, NULL, NULL), 1, "");
    assert_ran(run_words(measures, "--set", "answer=7", NULL, NULL), 1, "");
    assert_ran(run_words(measures, "--help", NULL, NULL, NULL), 0, "");
}

static void what_measures_nothing_or_fails_is_unusable(void **state)
{
    (void)state;
    assert_ran(run_words(measures_nothing, NULL, NULL, NULL, NULL), 2, "nothing was measured");
    assert_ran(run_words(fails, NULL, NULL, NULL, NULL), 2, "the file is not there");
    assert_ran(run_words(measures, "--set", "answer=101", NULL, NULL), 2, "--set answer");
}

static void products_work_and_their_library_is_named(void **state)
{
    (void)state;
    char *folder = new_folder(), *path = mem_text("%s/result.json", folder);
    assert_ran(run_words(multiplies, "--out", path, NULL, NULL), 0, "");
    Err err;
    Json *result = json_read(path, &err);
    assert_non_null(result);
    assert_says(json_string(json_get(json_get(result, "context"), "blas")), "OpenBLAS");
    json_free(result);
    free(path);
    remove_folder(folder);
}

/* The rest of hours of work is not lost for a name that is mistyped in a claim, which fails. */
static void a_claim_on_what_was_not_measured_fails_and_the_result_stays(void **state)
{
    (void)state;
    Err err;
    char *folder = new_folder(), *path = mem_text("%s/result.json", folder);
    assert_ran(run_words(measures_something_else, "--out", path, NULL, NULL), 1, "");
    Json *result = json_read(path, &err);
    assert_non_null(result);
    const Json *claim = json_first(json_get(result, "claims"));
    assert_string_equal(json_string(json_get(claim, "verdict")), "not run");
    assert_says(json_string(json_get(claim, "reason")), "was not measured");
    json_free(result);
    free(path);
    remove_folder(folder);
}

static void units_of_work_are_named_and_their_seconds_counted(void **state)
{
    (void)state;
    char *folder = new_folder(), *path = mem_text("%s/result.json", folder);
    assert_ran(run_words(finds_a_unit, "--out", path, NULL, NULL), 0, "");
    Err err;
    Json *result = json_read(path, &err);
    assert_non_null(result);
    const Json *context = json_get(result, "context");
    assert_int_equal(json_count(json_get(context, "units")), 1);
    assert_string_equal(json_string(json_at(json_get(context, "units"), 0)), "0123abcd");
    assert_true(json_number(json_get(context, "saved_seconds")) == 1000);
    assert_true(json_number(json_get(context, "seconds")) >= 1000);
    json_free(result);
    free(path);
    remove_folder(folder);
}

static void a_value_that_is_no_number_is_a_claim_not_reproduced(void **state)
{
    (void)state;
    assert_ran(run_words(measures_no_number, NULL, NULL, NULL, NULL), 1, "");
}

static void what_the_machine_can_not_do_is_not_comparable(void **state)
{
    (void)state;
    assert_ran(run_words(has_no_room, NULL, NULL, NULL, NULL), 1, "warning: 42 tokens do not fit");
    more = ", \"needs\": [\"budget\"]";
    assert_ran(run_words(has_no_room, NULL, NULL, NULL, NULL), 0, "warning: 42 tokens do not fit");
    more = "";
}

static void a_skipped_experiment_says_why(void **state)
{
    (void)state;
    assert_ran(run_words(skips, NULL, NULL, NULL, NULL), 77, "skipped: there is no PyTorch");
}

static void the_result_is_written_where_it_was_asked_for(void **state)
{
    (void)state;
    char *folder = new_folder();
    char *path = mem_text("%s/deeper/result.json", folder);
    assert_ran(run_words(measures, "--out", path, NULL, NULL), 0, "");
    Err err;
    Json *result = json_read(path, &err);
    assert_non_null(result);
    assert_string_equal(json_string(json_get(result, "profile")), "full");
    assert_true(json_number(json_get(json_get(result, "settings"), "answer")) == 42);
    assert_non_null(json_get(json_get(result, "context"), "seconds"));
    json_free(result);
    free(path);
    remove_folder(folder);
}

static void a_folder_that_can_not_be_written_is_refused_before_the_run(void **state)
{
    (void)state;
    assert_ran(run_words(fails, "--out", "/dev/null/result.json", NULL, NULL), 2, "/dev/null");
}

static void a_result_replaces_no_folder_and_no_pipe(void **state)
{
    (void)state;
    char *folder = new_folder(), *pipe_path = mem_text("%s/pipe", folder),
         *none = mem_text("%s/none/", folder);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_ran(run_words(fails, "--out", folder, NULL, NULL), 2, folder);
    assert_ran(run_words(fails, "--out", none, NULL, NULL), 2, none);
    assert_ran(run_words(fails, "--out", pipe_path, NULL, NULL), 2, pipe_path);
    free(none);
    free(pipe_path);
    remove_folder(folder);
}

static void under_nohup_a_run_outlives_its_terminal(void **state)
{
    (void)state;
    signal(SIGHUP, SIG_IGN);
    assert_ran(run_words(is_left, NULL, NULL, NULL, NULL), 0, "");
    signal(SIGHUP, SIG_DFL);
}

static void ctrl_c_ends_a_run_without_a_result(void **state)
{
    (void)state;
    char *folder = new_folder();
    char *path = mem_text("%s/result.json", folder);
    assert_ran(run_words(is_stopped, "--out", path, NULL, NULL), 130, "interrupted");
    assert_false(file_exists(path));
    free(path);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exit_code_says_how_the_claims_did),
        cmocka_unit_test(what_measures_nothing_or_fails_is_unusable),
        cmocka_unit_test(products_work_and_their_library_is_named),
        cmocka_unit_test(a_claim_on_what_was_not_measured_fails_and_the_result_stays),
        cmocka_unit_test(units_of_work_are_named_and_their_seconds_counted),
        cmocka_unit_test(a_value_that_is_no_number_is_a_claim_not_reproduced),
        cmocka_unit_test(what_the_machine_can_not_do_is_not_comparable),
        cmocka_unit_test(a_skipped_experiment_says_why),
        cmocka_unit_test(the_result_is_written_where_it_was_asked_for),
        cmocka_unit_test(a_folder_that_can_not_be_written_is_refused_before_the_run),
        cmocka_unit_test(a_result_replaces_no_folder_and_no_pipe),
        cmocka_unit_test(under_nohup_a_run_outlives_its_terminal),
        cmocka_unit_test(ctrl_c_ends_a_run_without_a_result), /* last: the signal stays noted */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
