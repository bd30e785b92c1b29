#include "measure.h"
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

static Measurements example(void)
{
    Measurements all = {0};
    measurements_add(&all, "loss/warm", 0, 1, false);
    measurements_add(&all, "loss/warm", 1, 2, false);
    measurements_add(&all, "loss/warm", 2, 3, false);
    measurements_add(&all, "loss/cold", 0, 1.5, false);
    measurements_add_missing(&all, "loss/cold", 1, "diverged at step 120");
    measurements_add(&all, "parameters", FIXED, 124439808, false);
    measurements_add(&all, "seconds", 0, 0.25, true);
    measurements_add_missing(&all, "memory", FIXED, "out of memory");
    double x[] = {0, 10, 20}, y[] = {7, 3, INFINITY};
    measurements_add_curve(&all, "train/warm", 0, x, y, 3);
    measurements_add_curve(&all, "none", FIXED, x, y, 0);
    double scores[] = {1, -INFINITY, 0.25, 0.75};
    const char *const words[] = {"the", "cat"};
    measurements_add_matrix(&all, "weights", 1, scores, 2, 2, words, words);
    measurements_add_matrix(&all, "plain", FIXED, scores, 1, 4, NULL, NULL);
    return all;
}

static void what_was_measured_is_found_by_name(void **state)
{
    (void)state;
    Measurements all = example();
    const Measurement *m = measurements_find(&all, "loss/cold");
    assert_int_equal(m->count, 2);
    assert_near(m->samples[0].value, 1.5, 0);
    assert_null(m->samples[0].missing);
    assert_true(isnan(m->samples[1].value));
    assert_string_equal(m->samples[1].missing, "diverged at step 120");
    assert_true(measurements_find(&all, "seconds")->timed);
    assert_false(m->timed);
    assert_null(measurements_find(&all, "loss"));
    measurements_free(&all);
    assert_int_equal(all.count, 0);
    measurements_free(&all); /* empty is free to free */
}

static void samples_curves_and_matrices_are_found_by_seed(void **state)
{
    (void)state;
    Measurements all = example();
    const double x[] = {1};
    measurements_add_curve(&all, "train/warm", 1, x, x, 1);
    assert_near(measurement_at(measurements_find(&all, "loss/warm"), 2)->value, 3, 0);
    assert_null(measurement_at(measurements_find(&all, "loss/warm"), 3));
    const Curve *first = curves_find(&all, NULL, "train/warm"),
                *second = curves_find(&all, first, "train/warm");
    assert_int_equal(first->seed, 0);
    assert_int_equal(second->seed, 1);
    assert_null(curves_find(&all, second, "train/warm"));
    assert_ptr_equal(curve_at(&all, "train/warm", 1), second);
    assert_null(curve_at(&all, "train/warm", 2));
    assert_int_equal(matrix_at(&all, "weights", 1)->rows, 2);
    assert_null(matrix_at(&all, "weights", 0));
    assert_null(matrices_find(&all, matrices_find(&all, NULL, "weights"), "weights"));
    measurements_free(&all);
}

static void a_summary_leaves_out_what_it_has_too_few_values_for(void **state)
{
    (void)state;
    Measurements all = example();
    Summary warm = measurement_summary(measurements_find(&all, "loss/warm"));
    assert_int_equal(warm.n, 3);
    assert_near(warm.mean, 2, 0);
    assert_near(warm.sd, 1, 0);
    assert_near(warm.low, 2 - 4.968, 0.001); /* t(0.975, 2) sqrt(1 + 1/3) */
    assert_near(warm.high, 2 + 4.968, 0.001);
    Summary cold = measurement_summary(measurements_find(&all, "loss/cold"));
    assert_int_equal(cold.n, 1);
    assert_true(cold.mean == 1.5 && isnan(cold.sd) && isnan(cold.low));
    Summary memory = measurement_summary(measurements_find(&all, "memory"));
    assert_true(memory.n == 0 && isnan(memory.mean));
    measurements_free(&all);
}

static void a_value_that_is_not_finite_is_missing_and_says_so(void **state)
{
    (void)state;
    Measurements all = {0};
    measurements_add(&all, "loss", 0, NAN, false);
    measurements_add(&all, "loss", 1, INFINITY, true);
    const Measurement *m = measurements_find(&all, "loss");
    assert_true(isnan(m->samples[0].value) && isnan(m->samples[1].value) && m->timed);
    assert_string_equal(m->samples[0].missing, "not a number");
    assert_string_equal(m->samples[1].missing, "infinite");
    measurements_free(&all);
}

/* Runs the mistake in a child and expects it to abort. */
static void assert_aborts(void (*mistake)(Measurements *))
{
    pid_t child = fork();
    if (child == 0) {
        Measurements all = example();
        fclose(stderr);
        mistake(&all);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void the_same_seed_again(Measurements *all)
{
    measurements_add(all, "loss/cold", 1, 2, false);
}

static void the_same_curve_again(Measurements *all)
{
    measurements_add_curve(all, "none", FIXED, NULL, NULL, 0);
}

static void mistakes_of_the_measuring_program_abort(void **state)
{
    (void)state;
    assert_aborts(the_same_seed_again);
    assert_aborts(the_same_curve_again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_measured_is_found_by_name),
        cmocka_unit_test(samples_curves_and_matrices_are_found_by_seed),
        cmocka_unit_test(a_summary_leaves_out_what_it_has_too_few_values_for),
        cmocka_unit_test(a_value_that_is_not_finite_is_missing_and_says_so),
        cmocka_unit_test(mistakes_of_the_measuring_program_abort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
