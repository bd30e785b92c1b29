#include "describe.h"

#include "tiny.h"

static char *text_of(Json *json)
{
    char *text = json_text(json);
    json_free(json);
    return text;
}

/* What a description leaves out would let two models share a record. */
static void any_field_of_a_model_shows(void **state)
{
    (void)state;
    const ModelConfig config = config_block();
    char *plain = text_of(describe_model(&config));
    ModelConfig changed[16];
    for (size_t i = 0; i < COUNT(changed); i++)
        changed[i] = config;
    changed[0].vocabulary++;
    changed[1].context++;
    changed[2].width++;
    changed[3].blocks++;
    changed[4].heads++;
    changed[5].head_width++;
    changed[6].mixer = MIXER_AVERAGE;
    changed[7].position = POSITION_ROPE;
    changed[8].norm = NORM_POST;
    changed[9].residual = !config.residual;
    changed[10].causal = !config.causal;
    changed[11].scaled = !config.scaled;
    changed[12].output_projection = !config.output_projection;
    changed[13].qkv_bias = !config.qkv_bias;
    changed[14].mlp = !config.mlp;
    changed[15].tied = !config.tied;
    /* A new field makes the struct larger and must be added here. */
    assert_int_equal(sizeof config, 9 * sizeof(int) + 7 * sizeof(bool) + 1);
    for (size_t i = 0; i < COUNT(changed); i++) {
        char *text = text_of(describe_model(&changed[i]));
        assert_string_not_equal(plain, text);
        free(text);
    }
    free(plain);
}

static void any_field_of_a_plan_but_its_seed_shows(void **state)
{
    (void)state;
    const TrainPlan plan = tiny_plan();
    char *plain = text_of(describe_training(&plan));
    TrainPlan changed[9];
    for (size_t i = 0; i < COUNT(changed); i++)
        changed[i] = plan;
    changed[0].steps++;
    changed[1].batch++;
    changed[2].length++;
    changed[3].schedule.rate *= 1 + 1e-15;
    changed[4].schedule.warmup++;
    changed[5].optimizer.beta1 = 0.8;
    changed[6].optimizer.beta2 = 0.99;
    changed[7].optimizer.epsilon = 1e-7;
    changed[8].optimizer.decay = 0;
    for (size_t i = 0; i < COUNT(changed); i++) {
        char *text = text_of(describe_training(&changed[i]));
        assert_string_not_equal(plain, text);
        free(text);
    }
    TrainPlan reseeded = plan;
    reseeded.seed++;
    char *text = text_of(describe_training(&reseeded));
    assert_string_equal(plain, text);
    free(text);
    free(plain);
}

static void one_other_token_shows(void **state)
{
    (void)state;
    Tokens *tokens = tiny_text();
    char *plain = text_of(describe_tokens(tokens));
    tokens->ids[100] ^= 1;
    char *changed = text_of(describe_tokens(tokens));
    assert_string_not_equal(plain, changed);
    free(plain);
    free(changed);
    tokens_free(tokens);
}

/* The same ids in the same parts: windows begin elsewhere. */
static void running_text_and_sentences_are_two_texts(void **state)
{
    (void)state;
    Tokens *running = tokens_from_ids(mem_new(40, sizeof(int32_t)), 40, 1);
    Tokens *sentences = tokens_from_sentences(mem_new(40, sizeof(int32_t)), 10, 1, 4, 1);
    assert_int_equal(running->train.count, sentences->train.count);
    char *plain = text_of(describe_tokens(running)), *other = text_of(describe_tokens(sentences));
    assert_string_not_equal(plain, other);
    free(plain);
    free(other);
    tokens_free(running);
    tokens_free(sentences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_field_of_a_model_shows),
        cmocka_unit_test(any_field_of_a_plan_but_its_seed_shows),
        cmocka_unit_test(one_other_token_shows),
        cmocka_unit_test(running_text_and_sentences_are_two_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
