#include "trainer.h"

#include "batch.h"
#include "blas.h"
#include "lanes.h"
#include "tiny.h"

#include <float.h>
#include <math.h>
#include <omp.h>

static Tokens *text;

static int start(void **state)
{
    (void)state;
    Err err;
    text = tiny_text();
    return blas_start(&err) ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    tokens_free(text);
    return 0;
}

static void losses_gradients_and_weights_have_the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    Err err;
    Model *first = NULL;
    Trainer *expected = NULL;
    int usual = omp_get_max_threads();
    for (int threads = 1; threads <= 9; threads++) {
        omp_set_num_threads(threads);
        Model *model = tiny_model();
        Trainer *trainer = tiny_trainer(model, text, NULL);
        while (trainer_step(trainer))
            ;
        if (threads == 1) {
            first = model;
            expected = trainer;
            continue;
        }
        float *a = mem_try(model->layout->floats, sizeof *a, "a", &err);
        float *b = mem_try(model->layout->floats, sizeof *b, "b", &err);
        assert_memory_equal(trainer->losses, expected->losses, 20 * sizeof(double));
        assert_memory_equal(model->parameters, first->parameters, parameter_bytes(model));
        assert_memory_equal(trainer->first, expected->first, parameter_bytes(model));
        assert_memory_equal(trainer->second, expected->second, parameter_bytes(model));
        assert_true(trainer_gradient(trainer, 7, a) == trainer_gradient(expected, 7, b));
        assert_memory_equal(a, b, parameter_bytes(model));
        free(a);
        free(b);
        trainer_free(trainer);
        model_free(model);
    }
    omp_set_num_threads(usual);
    trainer_free(expected);
    model_free(first);
}

/* The shards' sum against the whole batch in one pass: both sum 19 · 12 terms in some order, so an element
 * differs by at most as many roundings of the sum of its terms' sizes. That sum is not known here; the
 * largest element of the tensor stands for it, and rarely is it ten times as large. */
static void the_gradient_is_that_of_the_whole_batch(void **state)
{
    (void)state;
    enum { BATCH = 19, ROWS = BATCH * TINY_LENGTH };
    Err err;
    Model *model = tiny_model();
    Trainer *trainer = tiny_trainer(model, text, NULL);
    size_t floats = model->layout->floats;
    float *sum = mem_try(floats, sizeof *sum, "sum", &err),
          *whole = mem_try(floats, sizeof *whole, "whole", &err);
    double loss = trainer_gradient(trainer, 4, sum);

    int32_t tokens[ROWS], targets[ROWS];
    Rng stream = rng_stream(3, "batches"), rng = rng_substream(&stream, 4);
    batch_random(text->train, &rng, BATCH, TINY_LENGTH, tokens, targets);
    Activations *activations = activations_new(model, BATCH, TINY_LENGTH, &err);
    double whole_loss =
        model_gradient(model, activations, tokens, targets, BATCH, (float)(1.0 / ROWS), whole) / ROWS;

    assert_true(fabs(loss - whole_loss) < 32 * FLT_EPSILON * whole_loss);
    for (size_t i = 0; i < model->layout->count; i++) {
        const Tensor *tensor = &model->layout->list[i];
        const float *a = sum + tensor->offset, *b = whole + tensor->offset;
        double largest = 0, error = 0;
        for (size_t j = 0; j < tensor_size(tensor); j++) {
            largest = fmax(largest, fabs(b[j]));
            error = fmax(error, fabs(a[j] - b[j]));
        }
        assert_true(largest > 0);
        assert_true(error < 10 * sqrt(ROWS) * FLT_EPSILON * largest);
    }
    free(sum);
    free(whole);
    activations_free(activations);
    trainer_free(trainer);
    model_free(model);
}

static void a_step_is_adamw_on_that_gradient(void **state)
{
    (void)state;
    Err err;
    Model *model = tiny_model();
    Trainer *trainer = tiny_trainer(model, text, NULL);
    size_t floats = model->layout->floats;
    float *lanes = mem_try(LANES * floats, sizeof *lanes, "lanes", &err);
    float *m = mem_try(floats, sizeof *m, "m", &err), *v = mem_try(floats, sizeof *v, "v", &err);
    float *expected = mem_try(floats, sizeof *expected, "expected", &err);
    double loss = trainer_gradient(trainer, 1, lanes);
    memcpy(expected, model->parameters, parameter_bytes(model));
    adamw_update(&trainer->plan.optimizer, 3e-3 / 5, 1, 0, floats, floats, lanes, m, v, expected);

    assert_true(trainer_step(trainer));
    assert_true(trainer->losses[0] == loss);
    assert_memory_equal(model->parameters, expected, parameter_bytes(model));
    assert_memory_equal(trainer->first, m, parameter_bytes(model));
    assert_memory_equal(trainer->second, v, parameter_bytes(model));
    free(lanes);
    free(m);
    free(v);
    free(expected);
    trainer_free(trainer);
    model_free(model);
}

static void training_learns_what_can_be_learnt(void **state)
{
    (void)state;
    Err err;
    Model *model = tiny_model();
    TrainPlan plan = tiny_plan();
    plan.steps = 400;
    Trainer *trainer = trainer_new(model, text->train, &plan, NULL, &err);
    while (trainer_step(trainer))
        ;
    assert_int_equal(trainer->step, 400);
    double last = 0;
    for (int i = 390; i < 400; i++)
        last += trainer->losses[i] / 10;
    /* The language's entropy: 0.9 + 0.1/32 of the time the rule holds, else one of 31 others. */
    double p = 0.9 + 0.1 / 32, entropy = -p * log(p) - (1 - p) * log((1 - p) / 31);
    assert_true(trainer->losses[0] > log(32));
    assert_true(last > 0.8 * entropy && last < 1.5 * entropy);
    assert_false(trainer_step(trainer));
    trainer_free(trainer);
    model_free(model);
}

static void a_loss_that_is_not_finite_ends_the_run_and_changes_nothing(void **state)
{
    (void)state;
    Model *model = tiny_model();
    Trainer *trainer = tiny_trainer(model, text, NULL);
    for (int i = 0; i < 3; i++)
        assert_true(trainer_step(trainer));
    size_t bytes = parameter_bytes(model);
    const Tensor *bias = layout_find(model->layout, "vocabulary.bias");
    model->parameters[bias->offset] = NAN;
    float *before = malloc(bytes);
    memcpy(before, model->parameters, bytes);

    assert_false(trainer_step(trainer));
    assert_int_equal(trainer->diverged_at, 4);
    assert_int_equal(trainer->step, 3);
    assert_memory_equal(model->parameters, before, bytes);
    assert_false(trainer_step(trainer));
    free(before);
    trainer_free(trainer);
    model_free(model);
}

static void a_rate_far_too_high_diverges_at_a_step(void **state)
{
    (void)state;
    Err err;
    Model *model = tiny_model();
    TrainPlan plan = tiny_plan();
    plan.schedule = (Schedule){.rate = 1e30};
    Trainer *trainer = trainer_new(model, text->train, &plan, NULL, &err);
    while (trainer_step(trainer))
        ;
    assert_true(trainer->diverged_at > 1 && trainer->diverged_at == trainer->step + 1);
    for (long i = 0; i < trainer->step; i++)
        assert_true(isfinite(trainer->losses[i]));
    trainer_free(trainer);
    model_free(model);
}

/* Notes how often it is called, and something of the model. */
static void probe_first_bias(const Model *model, void *context, double *values)
{
    values[0] = ++*(int *)context;
    values[1] = model->parameters[layout_find(model->layout, "vocabulary.bias")->offset];
}

static void a_probe_measures_before_the_first_step_and_every_so_many_after(void **state)
{
    (void)state;
    int calls = 0;
    Model *model = tiny_model();
    double untrained = model->parameters[layout_find(model->layout, "vocabulary.bias")->offset];
    Probe probe = {.every = 6, .count = 2, .measure = probe_first_bias, .context = &calls};
    Trainer *trainer = tiny_trainer(model, text, &probe);
    while (trainer_step(trainer))
        ;
    assert_int_equal(trainer_probes(trainer), 4); /* after 0, 6, 12 and 18 of 20 steps */
    assert_int_equal(calls, 4);
    for (int i = 0; i < 4; i++)
        assert_true(trainer->probes[2 * i] == i + 1);
    assert_true(trainer->probes[1] == untrained);
    assert_true(trainer->probes[3] != untrained);
    trainer_free(trainer);
    model_free(model);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    Err err;
    Model *model = tiny_model();
    TrainPlan plan = tiny_plan();
    TokenSpan too_short = {.ids = text->ids, .count = TINY_LENGTH};
    assert_null(trainer_new(model, too_short, &plan, NULL, &err));
    assert_says(err.text, "train");
    plan.length = TINY_LENGTH + 1;
    assert_null(trainer_new(model, text->train, &plan, NULL, &err));
    assert_says(err.text, "13");
    model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_gradients_and_weights_have_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(the_gradient_is_that_of_the_whole_batch),
        cmocka_unit_test(a_step_is_adamw_on_that_gradient),
        cmocka_unit_test(training_learns_what_can_be_learnt),
        cmocka_unit_test(a_loss_that_is_not_finite_ends_the_run_and_changes_nothing),
        cmocka_unit_test(a_rate_far_too_high_diverges_at_a_step),
        cmocka_unit_test(a_probe_measures_before_the_first_step_and_every_so_many_after),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
