#include "measure_json.h"
#include "mem.h"
#include "rng.h"
#include "test.h"

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

static char *text_of(const Measurements *all)
{
    Json *whole = json_object();
    json_add(whole, "measurements", measurements_to_json(all));
    json_add(whole, "curves", curves_to_json(all));
    json_add(whole, "matrices", matrices_to_json(all));
    char *text = json_text(whole);
    json_free(whole);
    return text;
}

static bool read_text(const char *text, Measurements *all, Err *err)
{
    Json *whole = json_parse(text, "r.json", err);
    if (!whole)
        fail_msg("%s", err->text);
    bool good = measurements_from_json(json_get(whole, "measurements"), json_get(whole, "curves"),
                                       json_get(whole, "matrices"), all, err);
    json_free(whole);
    return good;
}

static void summaries_stand_beside_the_samples(void **state)
{
    (void)state;
    Measurements all = example();
    Json *json = measurements_to_json(&all);
    const Json *warm = json_get(json, "loss/warm"), *interval = json_get(warm, "interval");
    assert_near(json_number(json_get(warm, "n")), 3, 0);
    assert_near(json_number(json_get(warm, "mean")), 2, 0);
    assert_near(json_number(json_get(warm, "sd")), 1, 0);
    assert_near(json_number(json_at(interval, 0)), 2 - 4.97, 0.005); /* t(0.975, 2) sqrt(1 + 1/3) */
    assert_near(json_number(json_at(interval, 1)), 2 + 4.97, 0.005);
    const Json *cold = json_get(json, "loss/cold"); /* one value: no spread */
    assert_near(json_number(json_get(cold, "n")), 1, 0);
    assert_null(json_get(cold, "sd"));
    assert_null(json_get(cold, "interval"));
    const Json *memory = json_get(json, "memory");
    assert_near(json_number(json_get(memory, "n")), 0, 0);
    assert_null(json_get(memory, "mean"));
    const Json *parameters = json_first(json_get(json_get(json, "parameters"), "samples"));
    assert_null(json_get(parameters, "seed"));
    json_free(json);
    measurements_free(&all);
}

static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    Measurements all = example(), again;
    Rng rng = rng_stream(1, "measure");
    for (int seed = 0; seed < 100; seed++)
        measurements_add(&all, "random", seed, ldexp(rng_normal(&rng), (int)rng_below(&rng, 2000) - 1000),
                         false);
    Err err;
    char *text = text_of(&all);
    assert_true(read_text(text, &again, &err));
    char *text_again = text_of(&again);
    assert_string_equal(text, text_again);
    const Measurement *a = measurements_find(&all, "random"), *b = measurements_find(&again, "random");
    for (size_t i = 0; i < a->count; i++)
        assert_memory_equal(&a->samples[i].value, &b->samples[i].value, sizeof(double));
    assert_true(isnan(again.curves[0].y[2]));
    assert_true(isnan(again.matrices[0].values[1]));
    assert_string_equal(again.matrices[0].row_labels[1], "cat");
    free(text);
    free(text_again);
    measurements_free(&all);
    measurements_free(&again);
}

static void malformed_measurements_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"[]", "measurements"},
        {"{\"a\": 1}", "\"a\""},
        {"{\"a\": {}}", "\"a\""},
        {"{\"a\": {\"samples\": 1}}", "\"a\""},
        {"{\"a\": {\"samples\": [1]}}", "\"a\""},
        {"{\"a\": {\"samples\": [{}]}}", "\"a\""},
        {"{\"a\": {\"samples\": [{\"value\": \"1\"}]}}", "\"a\""},
        {"{\"a\": {\"samples\": [{\"value\": null}]}}", "\"a\""},
        {"{\"a\": {\"samples\": [{\"value\": 1, \"missing\": \"x\"}]}}", "\"a\""},
        {"{\"a\": {\"samples\": [{\"seed\": 0.5, \"value\": 1}]}}", "\"a\""},
        {"{\"a\": {\"samples\": [{\"seed\": -1, \"value\": 1}]}}", "\"a\""},
        {"{\"a\": {\"samples\": [{\"seed\": 1e10, \"value\": 1}]}}", "\"a\""},
        {"{\"a\": {\"samples\": [{\"seed\": \"0\", \"value\": 1}]}}", "\"a\""},
        {"{\"a\": {\"samples\": [{\"seed\": 1, \"value\": 1}, {\"seed\": 1, \"value\": 2}]}}", "\"a\""},
        {"{\"a\": {\"timed\": 1, \"samples\": [{\"value\": 1}], \"n\": 1, \"mean\": 1}}", "\"a\""},
        {"{\"a\": {\"samples\": [], \"n\": 0}}", "\"a\""},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        Err err;
        Measurements all;
        char *text = mem_text("{\"measurements\": %s, \"curves\": [], \"matrices\": []}", wrong[i][0]);
        if (read_text(text, &all, &err))
            fail_msg("accepted: %s", text);
        assert_says(err.text, wrong[i][1]);
        free(text);
    }
}

/* It is there for people and scripts: the samples are what counts. */
static void a_summary_is_not_read_back(void **state)
{
    (void)state;
    Measurements all;
    Err err;
    assert_true(
        read_text("{\"measurements\": {\"a\": {\"samples\": [{\"seed\": 0, \"value\": 1}, {\"seed\": 1, "
                  "\"value\": 3}], \"n\": 7, \"mean\": \"none\"}}, \"curves\": [], \"matrices\": []}",
                  &all, &err));
    Summary summary = measurement_summary(&all.list[0]);
    assert_int_equal(summary.n, 2);
    assert_near(summary.mean, 2, 0);
    measurements_free(&all);
}

/* The squares of values beyond 1e154 are no numbers: a summary without them is one that is written. */
static void a_summary_that_writing_cuts_short_is_read(void **state)
{
    (void)state;
    Measurements all = {0}, again;
    Err err;
    measurements_add(&all, "a", 0, 1e300, false);
    measurements_add(&all, "a", 1, -1e300, false);
    char *text = text_of(&all);
    assert_null(strstr(text, "interval"));
    if (!read_text(text, &again, &err))
        fail_msg("%s", err.text);
    free(text);
    measurements_free(&all);
    measurements_free(&again);
}

static void malformed_curves_and_matrices_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"\"curves\": [{\"name\": \"c\", \"x\": [1], \"y\": [1, 2]}], \"matrices\": []", "\"c\""},
        {"\"curves\": [{\"name\": \"c\", \"x\": [1], \"y\": [true]}], \"matrices\": []", "\"c\""},
        {"\"curves\": [{\"name\": \"c\", \"x\": [1]}], \"matrices\": []", "\"c\""},
        {"\"curves\": [{\"x\": [1], \"y\": [1]}], \"matrices\": []", "entry 1"},
        {"\"curves\": [{\"name\": \"c\", \"x\": [], \"y\": []}, {\"name\": \"c\", \"x\": [], \"y\": []}], "
         "\"matrices\": []",
         "\"c\""},
        {"\"curves\": []", "matrices"},
        {"\"curves\": [], \"matrices\": [{\"name\": \"m\", \"values\": [[1], [1, 2]]}]", "\"m\""},
        {"\"curves\": [], \"matrices\": [{\"name\": \"m\", \"values\": [1, 2]}]", "\"m\""},
        {"\"curves\": [], \"matrices\": [{\"name\": \"m\", \"values\": [[\"1\"]]}]", "\"m\""},
        {"\"curves\": [], \"matrices\": [{\"name\": \"m\", \"values\": [[1]], \"row_labels\": []}]", "\"m\""},
        {"\"curves\": [], \"matrices\": [{\"name\": \"m\", \"values\": [[1]], \"column_labels\": [1]}]",
         "\"m\""},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        Err err;
        Measurements all;
        char *text = mem_text("{\"measurements\": {}, %s}", wrong[i][0]);
        if (read_text(text, &all, &err))
            fail_msg("accepted: %s", text);
        assert_says(err.text, wrong[i][1]);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summaries_stand_beside_the_samples),
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(malformed_measurements_are_refused_by_name),
        cmocka_unit_test(a_summary_is_not_read_back),
        cmocka_unit_test(a_summary_that_writing_cuts_short_is_read),
        cmocka_unit_test(malformed_curves_and_matrices_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
