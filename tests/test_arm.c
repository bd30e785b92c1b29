#include "arm.h"

#include "frame.h"
#include "tiny.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

/* An experiment with three arms on the invented language. With the setting "stop" the program is told to stop, as when
 * its terminal is closed, while it trains; with "rate" the second arm may diverge. */
static const Setting settings[] = {
    {"rate", REAL, 3e-3, 3e-3, 0, 1e30, "learning rate of the second arm"},
    {"stop", INTEGER, 0, 0, 0, 1, "stop while training"},
    SETTINGS_END,
};

static void probe_bias(const Model *model, void *stop, double *values)
{
    values[0] = model->parameters[layout_find(model->layout, "vocabulary.bias")->offset];
    if (*(bool *)stop && values[0] != 0)
        raise(SIGHUP);
}

static bool observe_norm(const Model *model, const Tokens *tokens, void *context, Measurements *seen,
                         Err *err)
{
    (void)tokens, (void)context, (void)err;
    double sum = 0;
    for (size_t i = 0; i < model->layout->floats; i++)
        sum += pow(model->parameters[i], 2);
    measurements_add(seen, "norm", FIXED, sqrt(sum), false);
    return true;
}

static bool run(Experiment *x, Err *err)
{
    static const char *const probe_names[] = {"bias"}, *const observed[] = {"norm", NULL};
    bool stop = setting_integer(x, "stop") == 1;
    Tokens *tokens = tiny_text(), *sentences = tiny_sentences();
    TrainPlan plan = tiny_plan();
    plan.steps = 11; /* enough to stop between */
    plan.batch = 5;
    TrainPlan other = plan;
    other.schedule = (Schedule){.rate = setting_real(x, "rate")};
    const Arm arms[] = {
        {.name = "plain", .model = tiny_config(), .plan = plan, .train_text = true},
        {.name = "observed",
         .model = tiny_config(),
         .plan = other,
         .probe = {.every = 3, .count = 1, .measure = probe_bias, .context = &stop},
         .probe_names = probe_names,
         .observe = observe_norm,
         .observed = observed,
         .source = "the digest of this test"},
        {.name = "control", .model = tiny_config(), .plan = plan, .tokens = sentences, .once = true},
    };
    measure(x, FIXED, 1, "it");
    bool good = arms_run(x, arms, COUNT(arms), tokens, err);
    tokens_free(tokens);
    tokens_free(sentences);
    return good;
}

static Json *run_in(const char *folder, const char *const words[])
{
    Json *result;
    setenv("ATTEST_RESULTS", folder, 1);
    assert_int_equal(run_framed(folder, run, settings, 2, words, &result), 0);
    assert_non_null(result);
    return result;
}

static const Json *measurement(const Json *result, const char *name)
{
    const Json *found = json_get(json_get(result, "measurements"), name);
    if (!found)
        fail_msg("there is no measurement \"%s\"", name);
    return found;
}

static void assert_units(const Json *result, const char *expected)
{
    assert_says(json_string(json_get(json_get(result, "context"), "units_trained")), expected);
}

static void assert_same(const Json *a, const Json *b, const char *member)
{
    char *left = json_text(json_get(a, member)), *right = json_text(json_get(b, member));
    assert_string_equal(left, right);
    free(left);
    free(right);
}

static void assert_same_results(const Json *a, const Json *b)
{
    assert_same(a, b, "measurements");
    assert_same(a, b, "curves");
}

static void every_arm_is_measured_at_every_seed(void **state)
{
    (void)state;
    char *folder = new_folder();
    Json *result = run_in(folder, NULL);
    const char *names[] = {"held_out/plain", "train/plain", "held_out/observed", "norm/observed"};
    for (size_t i = 0; i < COUNT(names); i++)
        assert_int_equal(json_count(json_get(measurement(result, names[i]), "samples")), 2);
    const Json *size = json_at(json_get(measurement(result, "parameters/plain"), "samples"), 0);
    assert_true(json_number(json_get(size, "value")) > 1000);
    assert_null(json_get(json_get(result, "measurements"), "train/observed")); /* not asked for */
    assert_int_equal(json_count(json_get(result, "curves")),
                     7); /* two losses and a probe, two seeds; a control */
    json_free(result);
    remove_folder(folder);
}

static double sample(const Json *result, const char *name)
{
    return json_number(json_get(json_at(json_get(measurement(result, name), "samples"), 0), "value"));
}

/* "plain" and "control" differ in nothing else. */
static void an_arm_may_have_a_text_of_its_own(void **state)
{
    (void)state;
    char *folder = new_folder();
    Json *result = run_in(folder, NULL);
    assert_true(sample(result, "held_out/plain") != sample(result, "held_out/control"));
    json_free(result);
    remove_folder(folder);
}

static void a_control_runs_at_the_first_seed_alone(void **state)
{
    (void)state;
    char *folder = new_folder();
    Json *result = run_in(folder, NULL);
    const Json *samples = json_get(measurement(result, "held_out/control"), "samples");
    assert_int_equal(json_count(samples), 1);
    assert_true(json_number(json_get(json_at(samples, 0), "seed")) == 0);
    json_free(result);
    remove_folder(folder);
}

static const Json *curve(const Json *result, const char *name)
{
    const Json *curves = json_get(result, "curves");
    for (const Json *found = json_first(curves); found; found = json_next(found))
        if (strcmp(json_string(json_get(found, "name")), name) == 0)
            return found;
    fail_msg("there is no curve \"%s\"", name);
    return NULL;
}

static void a_probe_leaves_its_first_and_last_value_its_peak_and_its_dip(void **state)
{
    (void)state;
    char *folder = new_folder();
    Json *result = run_in(folder, NULL);
    const Json *y = json_get(curve(result, "bias/observed"), "y");
    size_t points = json_count(y);
    assert_int_equal(points, 4); /* before the first step, and after the 3rd, 6th and 9th */
    double largest = -INFINITY, dip = INFINITY;
    for (const Json *value = json_first(y); value; value = json_next(value)) {
        dip = json_number(value) > largest ? INFINITY : dip;
        largest = fmax(largest, json_number(value));
        dip = fmin(dip, json_number(value));
    }
    assert_true(sample(result, "bias_start/observed") == json_number(json_first(y)));
    assert_true(sample(result, "bias_end/observed") == json_number(json_at(y, points - 1)));
    assert_true(sample(result, "bias_peak/observed") == largest);
    assert_true(sample(result, "bias_dip/observed") == dip);
    json_free(result);
    remove_folder(folder);
}

static void what_overflows_is_missing(void **state)
{
    (void)state;
    Measurements seen = {0};
    arm_see(&seen, "finite", 1);
    arm_see(&seen, "infinite", INFINITY);
    assert_null(measurements_find(&seen, "finite")->samples[0].missing);
    assert_says(measurements_find(&seen, "infinite")->samples[0].missing, "not finite");
    measurements_free(&seen);
}

static void what_was_trained_is_not_trained_again(void **state)
{
    (void)state;
    char *folder = new_folder();
    Json *first = run_in(folder, NULL), *second = run_in(folder, NULL);
    assert_units(first, "5 of 5");
    assert_units(second, "0 of 5");
    assert_same_results(first, second);
    json_free(first);
    json_free(second);
    remove_folder(folder);
}

static void only_an_arm_whose_settings_change_is_trained_again(void **state)
{
    (void)state;
    char *folder = new_folder();
    json_free(run_in(folder, NULL));
    Json *result = run_in(folder, (const char *[]){"--set", "rate=0.004", NULL});
    assert_units(result, "2 of 5");
    assert_says(json_string(json_get(json_get(result, "context"), "first_unit_trained")), "rate (now 0.004");
    json_free(result);
    remove_folder(folder);
}

/* The first record in the folder of units, as a text; both are owned by the caller. */
static char *first_record(const char *folder, char **path)
{
    Err err;
    Bytes bytes;
    size_t count;
    char *units = mem_text("%s/units", folder), **names = file_list(units, ".json", &count);
    assert_int_equal(count, 5);
    *path = mem_text("%s/%s", units, names[0]);
    assert_true(file_read(*path, &bytes, &err));
    char *text = mem_text("%s", bytes.data);
    bytes_free(&bytes);
    file_list_free(names, count);
    free(units);
    return text;
}

/* Damages a record, and expects it to be named and computed again, once. */
static void assert_recovers(const char *folder, const Json *first, const char *path, const char *damaged)
{
    Err err;
    assert_true(file_write(path, damaged, strlen(damaged), &err));
    Json *second = run_in(folder, NULL);
    assert_units(second, "1 of 5");
    const Json *warnings = json_get(second, "warnings");
    assert_int_equal(json_count(warnings), 1);
    assert_says(json_string(json_first(warnings)), path);
    assert_says(json_string(json_first(warnings)), "computed again");
    assert_same_results(first, second);
    json_free(second);
}

static void a_record_that_is_damaged_is_computed_again(void **state)
{
    (void)state;
    char *folder = new_folder(), *path;
    Json *first = run_in(folder, NULL);
    free(first_record(folder, &path));
    assert_recovers(folder, first, path, "{");
    json_free(first);
    free(path);
    remove_folder(folder);
}

/* Each is JSON, and has what the name of the record stands for: only what was seen is not there. */
static void a_record_whose_content_is_damaged_is_computed_again(void **state)
{
    (void)state;
    static const char *const contents[] = {
        "null",
        "{}",
        "{\"measurements\": {}, \"curves\": [], \"matrices\": []}",
        "{\"measurements\": {\"held_out\": {\"samples\": [], \"n\": 0}}, \"curves\": [], \"matrices\": []}",
        "{\"measurements\": {\"held_out\": {\"samples\": [{\"seed\": 1, \"value\": 2}], \"n\": 1, \"mean\": "
        "2}, "
        "\"train\": {\"samples\": [{\"value\": 2}], \"n\": 1, \"mean\": 2}}, \"curves\": [], \"matrices\": "
        "[]}",
    };
    char *folder = new_folder(), *path;
    Json *first = run_in(folder, NULL);
    char *text = first_record(folder, &path);
    const char *content = strstr(text, "\"content\": ");
    assert_non_null(content);
    for (size_t i = 0; i < COUNT(contents); i++) {
        char *damaged = mem_text("%.*s\"content\": %s}", (int)(content - text), text, contents[i]);
        assert_recovers(folder, first, path, damaged);
        free(damaged);
    }
    json_free(first);
    free(text);
    free(path);
    remove_folder(folder);
}

static void a_record_whose_time_is_damaged_is_computed_again(void **state)
{
    (void)state;
    static const char key[] = "\"seconds\": ";
    char *folder = new_folder(), *path;
    Json *first = run_in(folder, NULL);
    char *text = first_record(folder, &path), *seconds = strstr(text, key);
    assert_non_null(seconds);
    char *damaged =
        mem_text("%.*s\"seconds\": \"x\", \"else\": %s", (int)(seconds - text), text, seconds + strlen(key));
    assert_recovers(folder, first, path, damaged);
    json_free(first);
    free(damaged);
    free(text);
    free(path);
    remove_folder(folder);
}

static void zero_bias(Model *model)
{
    model->parameters[layout_find(model->layout, "vocabulary.bias")->offset] = 0;
}

/* Two arms that differ in their first weights alone. */
static bool run_altered(Experiment *x, Err *err)
{
    static const char *const names[] = {"bias"};
    bool stop = false;
    Arm arm = {.name = "drawn",
               .model = tiny_config(),
               .plan = tiny_plan(),
               .probe = {.every = 1, .count = 1, .measure = probe_bias, .context = &stop},
               .probe_names = names,
               .source = "the digest of this test"};
    Arm altered = arm;
    altered.name = "altered";
    altered.alter = zero_bias;
    altered.altered = "the first bias is 0";
    Tokens *tokens = tiny_text();
    measure(x, FIXED, 1, "it");
    bool good = arms_run(x, (const Arm[]){arm, altered}, 2, tokens, err);
    tokens_free(tokens);
    return good;
}

static void an_arm_may_alter_its_first_weights(void **state)
{
    (void)state;
    Json *result;
    char *folder = new_folder();
    setenv("ATTEST_RESULTS", folder, 1);
    assert_int_equal(run_framed(folder, run_altered, settings, 2, NULL, &result), 0);
    assert_true(sample(result, "bias_start/drawn") != 0);
    assert_true(sample(result, "bias_start/altered") == 0);
    assert_true(sample(result, "held_out/altered") != sample(result, "held_out/drawn"));
    assert_units(result, "4 of 4"); /* neither is taken for the other */
    json_free(result);
    remove_folder(folder);
}

static void an_arm_that_diverges_has_its_measurements_missing(void **state)
{
    (void)state;
    char *folder = new_folder();
    Json *result = run_in(folder, (const char *[]){"--set", "rate=1e30", NULL});
    const char *names[] = {"held_out/observed", "norm/observed", "bias_start/observed"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const Json *sample = json_at(json_get(measurement(result, names[i]), "samples"), 0);
        assert_says(json_string(json_get(sample, "missing")), "diverged at step ");
    }
    json_free(result);
    remove_folder(folder);
}

static size_t count_files(const char *folder, const char *ending)
{
    size_t count;
    char **names = file_list(folder, ending, &count);
    file_list_free(names, count);
    return count;
}

/* The stop is asked for once in a program's life, so another program runs it. */
static void a_run_that_was_stopped_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    char *folder = new_folder(), *other = new_folder(), *program = file_program_folder();
    char *command = mem_text("ATTEST_RESULTS='%s' '%s/test_arm' stop 2>/dev/null", folder, program);
    int status = system(command);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    char *units = mem_text("%s/units", folder);
    assert_int_equal(count_files(units, ".checkpoint"), 1);

    Json *resumed = run_in(folder, NULL), *whole = run_in(other, NULL);
    assert_units(resumed, "4 of 5");
    assert_same_results(resumed, whole);
    assert_int_equal(count_files(units, ".checkpoint"), 0);
    json_free(resumed);
    json_free(whole);
    free(units);
    free(command);
    free(program);
    remove_folder(folder);
    remove_folder(other);
}

static bool trained;

static void probe_training(const Model *model, void *context, double *values)
{
    (void)model, (void)context;
    trained = true;
    values[0] = 0;
}

static bool run_on_a_stub(Experiment *x, Err *err)
{
    static const char *const names[] = {"trained"};
    Tokens *tokens = tiny_text();
    tokens->held_out.count = TINY_LENGTH; /* a window needs one more, to be predicted */
    const Arm arm = {.name = "plain",
                     .model = tiny_config(),
                     .plan = tiny_plan(),
                     .probe = {.every = 1, .count = 1, .measure = probe_training},
                     .probe_names = names,
                     .source = "the digest of this test"};
    bool good = arms_run(x, &arm, 1, tokens, err);
    tokens_free(tokens);
    return good;
}

static void a_held_out_text_without_a_window_is_found_before_training(void **state)
{
    (void)state;
    Json *result;
    char *folder = new_folder();
    setenv("ATTEST_RESULTS", folder, 1);
    assert_int_equal(run_framed(folder, run_on_a_stub, settings, 2, NULL, &result), 2);
    assert_null(result);
    assert_false(trained);
    remove_folder(folder);
}

static void a_folder_that_can_not_be_written_is_found_before_training(void **state)
{
    (void)state;
    Json *result;
    char *folder = new_folder();
    setenv("ATTEST_RESULTS", "/dev/null/results", 1);
    assert_int_equal(run_framed(folder, run, settings, 2, NULL, &result), 2);
    assert_null(result);
    remove_folder(folder);
}

static int run_and_stop(void)
{
    signal(SIGHUP, SIG_DFL); /* nohup may have left it ignored */
    Json *result;
    char *folder = new_folder();
    int code = run_framed(folder, run, settings, 2, (const char *[]){"--set", "stop=1", NULL}, &result);
    json_free(result);
    remove_folder(folder);
    return code;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "stop") == 0)
        return run_and_stop();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_arm_is_measured_at_every_seed),
        cmocka_unit_test(a_control_runs_at_the_first_seed_alone),
        cmocka_unit_test(a_probe_leaves_its_first_and_last_value_its_peak_and_its_dip),
        cmocka_unit_test(what_overflows_is_missing),
        cmocka_unit_test(an_arm_may_have_a_text_of_its_own),
        cmocka_unit_test(what_was_trained_is_not_trained_again),
        cmocka_unit_test(only_an_arm_whose_settings_change_is_trained_again),
        cmocka_unit_test(a_record_that_is_damaged_is_computed_again),
        cmocka_unit_test(a_record_whose_content_is_damaged_is_computed_again),
        cmocka_unit_test(a_record_whose_time_is_damaged_is_computed_again),
        cmocka_unit_test(an_arm_may_alter_its_first_weights),
        cmocka_unit_test(an_arm_that_diverges_has_its_measurements_missing),
        cmocka_unit_test(a_run_that_was_stopped_goes_on_with_the_same_bits),
        cmocka_unit_test(a_held_out_text_without_a_window_is_found_before_training),
        cmocka_unit_test(a_folder_that_can_not_be_written_is_found_before_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
