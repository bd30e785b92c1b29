#include "arms.h"
#include "reference_model.h"

enum { LOGITS = LENGTH * VOCABULARY };

static float *first_logits(const Model *model)
{
    Activations *a = new_activations(model, 1, LENGTH);
    float *logits = mem_new(LOGITS, sizeof *logits);
    model_logits(model, a, tokens, 1, logits);
    activations_free(a);
    return logits;
}

static void logits_of_every_arm_are_exact_to_rounding(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        float *logits = first_logits(model);
        double *parameters = doubles(model->layout->floats, model->parameters), noise = 0;
        double *exact = mem_new(LOGITS, sizeof *exact);
        reference_loss(&model->config, model->layout, parameters, tokens, targets, LENGTH, exact, NULL);
        for (int k = 0; k < NUDGES; k++) {
            Model *other = nudged(&arms[i], k);
            float *moved = first_logits(other);
            for (int j = 0; j < LOGITS; j++)
                noise = fmax(noise, fabsf(moved[j] - logits[j]));
            free(moved);
            model_free(other);
        }
        for (int j = 0; j < LOGITS; j++)
            assert_close(logits[j], exact[j], SAFETY * noise, arms[i].name, j);
        free(exact);
        free(parameters);
        free(logits);
        model_free(model);
    }
}

static void the_loss_is_the_same_bits_with_and_without_a_gradient(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        float *gradient = mem_new(model->layout->floats, sizeof *gradient);
        float nll[SEQUENCES * LENGTH];
        double sum = 0;
        Activations *a = new_activations(model, SEQUENCES, LENGTH);
        double with = model_gradient(model, a, tokens, targets, SEQUENCES, 1, gradient);
        assert_true(model_loss(model, a, tokens, targets, SEQUENCES, NULL) == with);
        assert_true(model_loss(model, a, tokens, targets, SEQUENCES, nll) == with);
        for (int j = 0; j < SEQUENCES * LENGTH; j++)
            sum += nll[j];
        /* the terms are the same floats; their sums in double may be cut differently */
        assert_close(sum, with, 1e-12 * with, "loss", i);
        activations_free(a);
        free(gradient);
        model_free(model);
    }
}

static void under_the_causal_mask_a_later_token_changes_no_earlier_bit(void **state)
{
    (void)state;
    enum { CHANGED = 20 };
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        float *before = first_logits(model);
        int32_t kept = tokens[CHANGED];
        tokens[CHANGED] = (kept + 1) % VOCABULARY;
        float *after = first_logits(model);
        tokens[CHANGED] = kept;
        size_t earlier = CHANGED * VOCABULARY * sizeof *before;
        bool equal = memcmp(before, after, earlier) == 0;
        if (equal != model->config.causal)
            fail_msg("%s: earlier logits are %s", arms[i].name, equal ? "equal" : "changed");
        assert_memory_not_equal(before + CHANGED * VOCABULARY, after + CHANGED * VOCABULARY,
                                VOCABULARY * sizeof *before);
        free(before);
        free(after);
        model_free(model);
    }
}

static void what_else_is_in_the_shard_changes_no_bit_of_a_sequence(void **state)
{
    (void)state;
    int32_t other[SEQUENCES * LENGTH];
    for (int i = 0; i < SEQUENCES * LENGTH; i++)
        other[i] = i / LENGTH == 1 ? tokens[i] : (tokens[i] + 1) % VOCABULARY;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        float *logits[2] = {mem_new(SEQUENCES * LOGITS, sizeof **logits),
                            mem_new(SEQUENCES * LOGITS, sizeof **logits)};
        Activations *a = new_activations(model, SEQUENCES, LENGTH);
        model_logits(model, a, tokens, SEQUENCES, logits[0]);
        model_logits(model, a, other, SEQUENCES, logits[1]);
        assert_memory_equal(logits[0] + LOGITS, logits[1] + LOGITS, LOGITS * sizeof **logits);
        assert_memory_not_equal(logits[0], logits[1], LOGITS * sizeof **logits);
        activations_free(a);
        free(logits[0]);
        free(logits[1]);
        model_free(model);
    }
}

static void equal_shards_have_equal_gradients_whoever_computes_them(void **state)
{
    (void)state;
    Model *model = arm_model(&arms[COUNT(arms) - 1]);
    size_t floats = model->layout->floats;
    float *gradients[2] = {mem_new(floats, sizeof **gradients), mem_new(floats, sizeof **gradients)};
    double sums[2];
    Activations *a[2] = {new_activations(model, SEQUENCES, LENGTH),
                         new_activations(model, SEQUENCES, LENGTH)};
    model_loss(model, a[1], targets, tokens, 2, NULL); /* leaves other numbers in the second */
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 2; i++)
        sums[i] = model_gradient(model, a[i], tokens, targets, SEQUENCES, 1, gradients[i]);
    assert_true(sums[0] == sums[1]);
    assert_memory_equal(gradients[0], gradients[1], floats * sizeof **gradients);
    for (int i = 0; i < 2; i++) {
        activations_free(a[i]);
        free(gradients[i]);
    }
    model_free(model);
}

static void weights_and_scores_can_be_read_after_a_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(arms); i++) {
        Model *model = arm_model(&arms[i]);
        if (model->config.mixer != MIXER_ATTENTION) {
            model_free(model);
            continue;
        }
        int heads = model->config.heads;
        double *parameters = doubles(model->layout->floats, model->parameters);
        double *exact = mem_new((size_t)heads * LENGTH * LENGTH, sizeof *exact);
        Activations *a = new_activations(model, SEQUENCES, LENGTH);
        model_loss(model, a, tokens, targets, SEQUENCES, NULL);
        reference_loss(&model->config, model->layout, parameters, tokens + LENGTH, targets + LENGTH, LENGTH,
                       NULL, exact);
        for (int head = 0; head < heads; head++) {
            const float *w = activations_weights(a, 0, head, 1);
            float scores[LENGTH * LENGTH];
            activations_scores(a, 0, head, 1, scores);
            for (int t = 0; t < LENGTH; t++) {
                double sum = 0;
                for (int u = 0; u < LENGTH; u++)
                    sum += exp(scores[t * LENGTH + u]);
                for (int u = 0; u < LENGTH; u++) {
                    size_t at = (size_t)t * LENGTH + u;
                    double expected = exact[(size_t)head * LENGTH * LENGTH + at];
                    assert_true((w[at] == 0) == (expected == 0));
                    /* scores are below 20 in size, sums of at most 20 + 4 terms and products */
                    double bound = 2 * 20 * 24 * ROUNDOFF * expected;
                    assert_close(w[at], expected, bound, arms[i].name, at);
                    assert_close(w[at], exp(scores[at]) / sum, bound, arms[i].name, at);
                }
            }
        }
        activations_free(a);
        free(exact);
        free(parameters);
        model_free(model);
    }
}

/* Limits. */

static void what_makes_no_sense_is_refused_in_a_sentence(void **state)
{
    (void)state;
    Err err;
    ModelConfig config = config_block();
    config.position = POSITION_ROPE;
    config.head_width = 33;
    assert_null(model_new(&config, 1, &err));
    assert_says(err.text, "RoPE");
    config = config_block();
    Model *model = model_new(&config, 1, &err);
    assert_null(activations_new(model, 1, config.context + 1, &err));
    assert_says(err.text, "129");
    model_free(model);
}

static void nothing_can_be_freed(void **state)
{
    (void)state;
    activations_free(NULL);
    model_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_of_every_arm_are_exact_to_rounding),
        cmocka_unit_test(the_loss_is_the_same_bits_with_and_without_a_gradient),
        cmocka_unit_test(under_the_causal_mask_a_later_token_changes_no_earlier_bit),
        cmocka_unit_test(what_else_is_in_the_shard_changes_no_bit_of_a_sequence),
        cmocka_unit_test(equal_shards_have_equal_gradients_whoever_computes_them),
        cmocka_unit_test(weights_and_scores_can_be_read_after_a_pass),
        cmocka_unit_test(what_makes_no_sense_is_refused_in_a_sentence),
        cmocka_unit_test(nothing_can_be_freed),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
