#include "child.h"
#include "mem.h"
#include "test.h"

#include <signal.h>

static ChildEnd run_shell(const char *script, const ChildWatch *watch)
{
    char *text = mem_text("%s", script), *arguments[] = {"sh", "-c", text, NULL};
    ChildEnd end = child_run(arguments, watch);
    free(text);
    return end;
}

static void join(void *context, const char *text)
{
    char **all = context, *longer = mem_text("%s[%s]", *all, text);
    free(*all);
    *all = longer;
}

static void hears(const char *script, bool output, bool errors, const char *expected)
{
    char *all = mem_text("%s", "");
    ChildWatch watch = {.limit = 60, .output = output, .errors = errors, .line = join, .context = &all};
    ChildEnd end = run_shell(script, &watch);
    assert_string_equal(all, expected);
    free(all);
    free(end.last_lines);
}

static void only_the_streams_that_were_asked_for_are_heard(void **state)
{
    (void)state;
    const char *script = "echo out; echo err >&2";
    hears(script, true, false, "[out]");
    hears(script, false, true, "[err]");
    hears(script, true, true, "[out][err]");
    hears(script, false, false, "");
}

static void a_line_ends_with_a_newline_a_carriage_return_or_the_stream(void **state)
{
    (void)state;
    hears("printf 'one\\rtwo\\n\\nthree'", true, false, "[one][two][three]");
}

static void code_signal_and_last_lines_come_back(void **state)
{
    (void)state;
    ChildEnd end = run_shell("seq 20; exit 3", &(ChildWatch){.limit = 60, .output = true});
    assert_int_equal(end.code, 3);
    assert_int_equal(end.signal, 0);
    assert_false(end.timed_out);
    assert_string_equal(end.last_lines, "11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n");
    free(end.last_lines);

    end = run_shell("kill -9 $$", &(ChildWatch){.limit = 60});
    assert_int_equal(end.code, -1);
    assert_int_equal(end.signal, SIGKILL);
    free(end.last_lines);
}

static void no_shell_reads_the_arguments(void **state)
{
    (void)state;
    char *arguments[] = {"printf", "%s|", "it's $HOME; `exit 1`", "", "\"\\", NULL};
    ChildEnd end = child_run(arguments, &(ChildWatch){.limit = 60, .output = true});
    assert_string_equal(end.last_lines, "it's $HOME; `exit 1`||\"\\|\n");
    free(end.last_lines);
}

static void it_reads_nothing(void **state)
{
    (void)state;
    ChildEnd end = run_shell("read word", &(ChildWatch){.limit = 60});
    assert_int_equal(end.code, 1);
    free(end.last_lines);
}

static void a_program_that_is_not_there_is_told_from_one_that_fails(void **state)
{
    (void)state;
    char *arguments[] = {"/nowhere/at/all", NULL};
    ChildEnd end = child_run(arguments, &(ChildWatch){.limit = 60});
    assert_int_equal(end.code, CHILD_NOT_STARTED);
    assert_says(end.last_lines, "cannot start /nowhere/at/all: No such file or directory");
    free(end.last_lines);
}

static void its_time_is_bounded_whatever_it_does(void **state)
{
    (void)state;
    const char *const scripts[] = {"sleep 100", "sleep 100 & wait", "exec >&- 2>&-; sleep 100", "yes"};
    for (size_t i = 0; i < COUNT(scripts); i++) {
        ChildEnd end = run_shell(scripts[i], &(ChildWatch){.limit = 0.3, .output = true});
        assert_true(end.timed_out);
        assert_int_equal(end.signal, SIGKILL);
        assert_true(end.seconds >= 0.3 && end.seconds < 50);
        free(end.last_lines);
    }
}

/* What a program leaves running behind it keeps the streams open. */
static void its_end_is_seen_though_others_hold_its_streams(void **state)
{
    (void)state;
    ChildEnd end =
        run_shell("sleep 20 & echo done", &(ChildWatch){.limit = 60, .output = true, .errors = true});
    assert_int_equal(end.code, 0);
    assert_string_equal(end.last_lines, "done\n");
    assert_true(end.seconds < 15);
    free(end.last_lines);
}

static void it_serves_a_program_whose_threads_have_worked(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
        threads = 1;
        assert_int_equal(threads, 2);
        hears("echo here", true, false, "[here]");
    }
}

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

static void signals_are_the_callers_until_they_are_taken(void **state)
{
    (void)state;
    signal(SIGINT, on_signal);
    hears("kill -INT $PPID; sleep 0.1; echo still here", true, false, "[still here]");
    assert_int_equal(caught, SIGINT);
    signal(SIGINT, SIG_DFL);
}

static void its_end_is_known_though_the_caller_inherited_that_none_is(void **state)
{
    (void)state;
    signal(SIGCHLD, SIG_IGN);
    ChildEnd end = run_shell("exit 4", &(ChildWatch){.limit = 60});
    assert_int_equal(end.code, 4);
    free(end.last_lines);
}

/* ---- with the signals taken: this program run anew, whose only thread that is; 0 when all was as it must be ---- */

static int run_sheltered(void)
{
    ChildWatch watch = {.limit = 60, .sheltered = true};
    child_take_stops();
    ChildEnd end = run_shell("kill -TERM $PPID; sleep 0.2; exit 6", &watch);
    free(end.last_lines);
    return end.code == 6 && child_stop_asked() ? 0 : 1;
}

static int run_stopped(void)
{
    child_take_stops();
    bool before = child_stop_asked();
    ChildEnd first =
        run_shell("trap 'exit 5' INT; kill -TERM $PPID; sleep 20 & wait", &(ChildWatch){.limit = 60});
    bool after = child_stop_asked();
    ChildEnd second =
        run_shell("trap '' INT; sleep 0.6; kill -TERM $PPID; sleep 20", &(ChildWatch){.limit = 60});
    free(first.last_lines);
    free(second.last_lines);
    return !before && first.code == 5 && after && second.signal == SIGKILL && !second.timed_out ? 0 : 1;
}

static int code_of_this_program(const char *how)
{
    char *word = mem_text("%s", how), *arguments[] = {"/proc/self/exe", word, NULL};
    ChildEnd end = child_run(arguments, &(ChildWatch){.limit = 60});
    free(end.last_lines);
    free(word);
    return end.code;
}

static void a_stop_is_kept_from_a_sheltered_child(void **state)
{
    (void)state;
    assert_int_equal(code_of_this_program("sheltered"), 0);
}

static void a_stop_is_handed_on_and_a_second_one_kills(void **state)
{
    (void)state;
    assert_int_equal(code_of_this_program("stopped"), 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return strcmp(argv[1], "sheltered") == 0 ? run_sheltered() : run_stopped();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_streams_that_were_asked_for_are_heard),
        cmocka_unit_test(a_line_ends_with_a_newline_a_carriage_return_or_the_stream),
        cmocka_unit_test(code_signal_and_last_lines_come_back),
        cmocka_unit_test(no_shell_reads_the_arguments),
        cmocka_unit_test(it_reads_nothing),
        cmocka_unit_test(a_program_that_is_not_there_is_told_from_one_that_fails),
        cmocka_unit_test(its_time_is_bounded_whatever_it_does),
        cmocka_unit_test(its_end_is_seen_though_others_hold_its_streams),
        cmocka_unit_test(it_serves_a_program_whose_threads_have_worked),
        cmocka_unit_test(signals_are_the_callers_until_they_are_taken),
        cmocka_unit_test(its_end_is_known_though_the_caller_inherited_that_none_is),
        cmocka_unit_test(a_stop_is_kept_from_a_sheltered_child),
        cmocka_unit_test(a_stop_is_handed_on_and_a_second_one_kills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
