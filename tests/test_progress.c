#include "progress.h"
#include "test.h"

static void in_a_pipe_lines_are_plain_and_say_the_time_left(void **state)
{
    (void)state;
    FILE *out = tmpfile();
    Progress progress;
    progress_begin(&progress, out, "depth");
    assert_false(progress.rewrites);
    progress.started -= 100; /* a quarter took 100 seconds: 300 are left */
    progress.shown -= 100;
    progress_show(&progress, 0.25, "two blocks");
    progress_show(&progress, 0.26, "two blocks"); /* too soon after it */
    progress_end(&progress);
    rewind(out);
    char line[128], more[8];
    assert_non_null(fgets(line, sizeof line, out));
    assert_string_equal(line, "depth:  25 %, 5 min 0 s left: two blocks\n");
    assert_null(fgets(more, sizeof more, out));
    fclose(out);
}

static void on_a_terminal_the_line_rewrites_itself_and_is_cleared(void **state)
{
    (void)state;
    FILE *out = tmpfile();
    Progress progress;
    progress_begin(&progress, out, "depth");
    progress.rewrites = true;
    progress.shown -= 1;
    progress_show(&progress, 0, "starting");
    progress_end(&progress);
    progress_end(&progress);
    rewind(out);
    char text[128] = {0};
    assert_true(fread(text, 1, sizeof text - 1, out) > 0);
    assert_string_equal(text, "\rdepth:   0 %, ? left: starting\033[K\r\033[K");
    fclose(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_pipe_lines_are_plain_and_say_the_time_left),
        cmocka_unit_test(on_a_terminal_the_line_rewrites_itself_and_is_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
