#include "config.h"
#include "mem.h"
#include "test.h"

static void the_named_models_make_sense(void **state)
{
    (void)state;
    Err err;
    ModelConfig config = config_block();
    assert_true(config_check(&config, &err));
    const char *sizes[] = {"small", "medium", "large", "xl"};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        assert_true(config_gpt2(sizes[i], &config));
        assert_true(config_check(&config, &err));
        assert_int_equal(config.heads * config.head_width, config.width);
        assert_int_equal(config.head_width, 64); /* in all four */
    }
}

static void an_unknown_size_is_no_model(void **state)
{
    (void)state;
    ModelConfig config;
    assert_false(config_gpt2("tiny", &config));
}

/* A change that must be refused, and words that must be in the refusal. */
typedef struct Clash {
    void (*change)(ModelConfig *config);
    const char *first, *second;
} Clash;

static void no_width(ModelConfig *c)
{
    c->width = 0;
}
static void negative_blocks(ModelConfig *c)
{
    c->blocks = -1;
}
static void heads_beyond_an_int(ModelConfig *c)
{
    c->heads = c->head_width = 1 << 16;
}
static void odd_rope(ModelConfig *c)
{
    c->position = POSITION_ROPE;
    c->head_width = 33;
}
static void wide_heads_on_a_residual(ModelConfig *c)
{
    c->output_projection = false;
    c->head_width = 64;
}
static void wide_head_into_a_tied_table(ModelConfig *c)
{
    c->output_projection = c->residual = c->mlp = false;
    c->norm = NORM_NONE;
    c->tied = true;
    c->head_width = 64;
}
static void alibi_without_scores(ModelConfig *c)
{
    c->mixer = MIXER_AVERAGE;
    c->output_projection = false;
    c->position = POSITION_ALIBI;
}
static void projection_of_an_average(ModelConfig *c)
{
    c->mixer = MIXER_AVERAGE;
}
static void average_over_the_future(ModelConfig *c)
{
    c->mixer = MIXER_AVERAGE;
    c->output_projection = c->causal = false;
}
static void block_of_nothing(ModelConfig *c)
{
    c->mixer = MIXER_NONE;
    c->output_projection = c->mlp = false;
}
static void post_norm_without_a_sum(ModelConfig *c)
{
    c->norm = NORM_POST;
    c->residual = false;
}

static void what_makes_no_sense_is_refused_with_both_fields_named(void **state)
{
    (void)state;
    const Clash clashes[] = {
        {no_width, "width", "0"},
        {negative_blocks, "blocks", "-1"},
        {heads_beyond_an_int, "heads x head_width", "65536"},
        {odd_rope, "RoPE", "head_width"},
        {wide_heads_on_a_residual, "heads x head_width", "output projection"},
        {wide_head_into_a_tied_table, "tied", "heads"},
        {alibi_without_scores, "ALiBi", "attention"},
        {projection_of_an_average, "output_projection", "attention"},
        {average_over_the_future, "average", "causal"},
        {block_of_nothing, "mixer", "MLP"},
        {post_norm_without_a_sum, "post-norm", "residual"},
    };
    for (size_t i = 0; i < COUNT(clashes); i++) {
        ModelConfig config = config_block();
        Err err = {""};
        clashes[i].change(&config);
        assert_false(config_check(&config, &err));
        assert_says(err.text, clashes[i].first);
        assert_says(err.text, clashes[i].second);
    }
}

static void a_head_that_replaces_the_token_sets_the_output_width(void **state)
{
    (void)state;
    Err err;
    ModelConfig config = config_block();
    assert_int_equal(config_output_width(&config), 128);
    config.heads = 1;
    config.head_width = 1024;
    assert_int_equal(config_output_width(&config), 128); /* W_o brings it back */
    config.output_projection = config.residual = config.mlp = false;
    config.norm = NORM_NONE;
    assert_true(config_check(&config, &err));
    assert_int_equal(config_output_width(&config), 1024);
    config.blocks = 0;
    assert_int_equal(config_output_width(&config), 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_named_models_make_sense),
        cmocka_unit_test(an_unknown_size_is_no_model),
        cmocka_unit_test(what_makes_no_sense_is_refused_with_both_fields_named),
        cmocka_unit_test(a_head_that_replaces_the_token_sets_the_output_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
