#include "layout.h"
#include "mem.h"
#include "test.h"

#include <math.h>

static size_t parameters(const ModelConfig *config)
{
    Layout *layout = layout_new(config);
    size_t count = layout->parameters;
    layout_free(layout);
    return count;
}

/* Published counts of Radford et al. 2019's four models. */
static void gpt2_has_its_published_parameters(void **state)
{
    (void)state;
    const struct {
        const char *size;
        size_t count;
    } published[] = {{"small", 124439808}, {"medium", 354823168}, {"large", 774030080}, {"xl", 1557611200}};
    for (size_t i = 0; i < COUNT(published); i++) {
        ModelConfig config;
        assert_true(config_gpt2(published[i].size, &config));
        assert_int_equal(parameters(&config), published[i].count);
    }
}

/* Each row of the ladder, counted by hand at width d = 128, vocabulary V = 1024, context T = 128.
 */
static void each_row_of_the_ladder_has_its_count(void **state)
{
    (void)state;
    const size_t d = 128, V = 1024, T = 128;
    ModelConfig config = config_block();
    config.blocks = 0;
    config.norm = NORM_NONE;
    config.position = POSITION_NONE;
    size_t token = V * d + d * V + V;
    assert_int_equal(token, 263168);
    assert_int_equal(parameters(&config), token);

    config.blocks = 1;
    config.mixer = MIXER_AVERAGE;
    config.output_projection = config.residual = config.mlp = false;
    assert_int_equal(parameters(&config), token); /* an average learns nothing of its own */
    config.position = POSITION_LEARNED;
    assert_int_equal(parameters(&config), token + T * d);

    config.mixer = MIXER_ATTENTION;
    size_t one_head = token + T * d + 3 * d * d;
    assert_int_equal(parameters(&config), one_head);
    config.residual = config.output_projection = true;
    assert_int_equal(parameters(&config), one_head + 16512);
    config.mlp = true;
    assert_int_equal(parameters(&config), one_head + 16512 + 8 * d * d + 5 * d);
    config.norm = NORM_PRE;
    assert_int_equal(parameters(&config), one_head + 16512 + 8 * d * d + 5 * d + 768);
    assert_int_equal(parameters(&config), 477696);
}

static void a_block_has_12dd_plus_13d_parameters(void **state)
{
    (void)state;
    for (int heads = 1; heads <= 4; heads++)
        for (int head_width = 1; head_width < 40; head_width += 3) {
            ModelConfig config = config_block();
            size_t d = (size_t)(heads * head_width);
            config.width = (int)d;
            config.heads = heads;
            config.head_width = head_width;
            config.qkv_bias = true;
            size_t one = parameters(&config);
            config.blocks = 2;
            assert_int_equal(parameters(&config) - one, 12 * d * d + 13 * d);
        }
}

static void tensors_start_cache_lines_and_never_overlap(void **state)
{
    (void)state;
    ModelConfig config = config_block();
    config.vocabulary = 301; /* sizes that are no multiples of anything */
    config.width = 21;
    config.heads = 3;
    config.head_width = 5;
    config.blocks = 3;
    config.qkv_bias = true;
    Layout *layout = layout_new(&config);
    size_t end = 0, sum = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const Tensor *tensor = &layout->list[i];
        assert_int_equal(tensor->offset % 16, 0);
        assert_true(tensor->offset >= end && tensor->offset < end + 16);
        end = tensor->offset + tensor_size(tensor);
        sum += tensor_size(tensor);
        assert_ptr_equal(layout_find(layout, tensor->name), tensor); /* so names are unique */
    }
    assert_int_equal(sum, layout->parameters);
    assert_true(layout->floats >= end && layout->floats < end + 16 && layout->floats % 16 == 0);
    assert_null(layout_find(layout, "block3.qkv.weight"));
    layout_free(layout);
}

static void tensors_have_the_shapes_that_their_names_promise(void **state)
{
    (void)state;
    ModelConfig config = config_block();
    config.head_width = 50; /* the heads are wider than the model */
    config.qkv_bias = true;
    Layout *layout = layout_new(&config);
    const struct {
        const char *name;
        int rows, columns, block;
        Initial initial;
        int fan_in;
    } expected[] = {
        {"token", 1024, 128, -1, INITIAL_NORMAL, 0},
        {"position", 128, 128, -1, INITIAL_NORMAL, 0},
        {"block0.norm1.gain", 1, 128, 0, INITIAL_ONE, 0},
        {"block0.norm1.bias", 1, 128, 0, INITIAL_ZERO, 0},
        {"block0.qkv.weight", 600, 128, 0, INITIAL_UNIFORM, 128},
        {"block0.qkv.bias", 1, 600, 0, INITIAL_UNIFORM, 128},
        {"block0.project.weight", 128, 200, 0, INITIAL_UNIFORM, 200},
        {"block0.project.bias", 1, 128, 0, INITIAL_UNIFORM, 200},
        {"block0.norm2.gain", 1, 128, 0, INITIAL_ONE, 0},
        {"block0.norm2.bias", 1, 128, 0, INITIAL_ZERO, 0},
        {"block0.expand.weight", 512, 128, 0, INITIAL_UNIFORM, 128},
        {"block0.expand.bias", 1, 512, 0, INITIAL_UNIFORM, 128},
        {"block0.contract.weight", 128, 512, 0, INITIAL_UNIFORM, 512},
        {"block0.contract.bias", 1, 128, 0, INITIAL_UNIFORM, 512},
        {"norm.gain", 1, 128, -1, INITIAL_ONE, 0},
        {"norm.bias", 1, 128, -1, INITIAL_ZERO, 0},
        {"vocabulary.weight", 1024, 128, -1, INITIAL_UNIFORM, 128},
        {"vocabulary.bias", 1, 1024, -1, INITIAL_UNIFORM, 128},
    };
    assert_int_equal(layout->count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const Tensor *tensor = &layout->list[i];
        assert_string_equal(tensor->name, expected[i].name);
        assert_int_equal(tensor->rows, expected[i].rows);
        assert_int_equal(tensor->columns, expected[i].columns);
        assert_int_equal(tensor->block, expected[i].block);
        assert_int_equal(tensor->initial, expected[i].initial);
        assert_int_equal(tensor->fan_in, expected[i].fan_in);
    }
    layout_free(layout);
}

static float *initialised(const Layout *layout, uint64_t seed)
{
    Err err;
    float *values = mem_try(layout->floats, sizeof *values, "parameters", &err);
    assert_non_null(values);
    for (size_t i = 0; i < layout->floats; i++)
        values[i] = NAN;
    layout_initialise(layout, seed, values);
    return values;
}

static void every_tensor_starts_from_its_law(void **state)
{
    (void)state;
    ModelConfig config = config_block();
    Layout *layout = layout_new(&config);
    float *values = initialised(layout, 1);
    for (size_t i = 0; i < layout->count; i++) {
        const Tensor *tensor = &layout->list[i];
        size_t n = tensor_size(tensor);
        double sum = 0, square = 0, largest = 0;
        for (size_t j = 0; j < n; j++) {
            double value = values[tensor->offset + j];
            sum += value;
            square += value * value;
            largest = fmax(largest, fabs(value));
        }
        double mean = sum / (double)n, variance = square / (double)n - mean * mean;
        if (tensor->initial == INITIAL_ONE) {
            assert_true(mean == 1 && variance == 0);
        } else if (tensor->initial == INITIAL_ZERO) {
            assert_true(largest == 0);
        } else {
            bool normal = tensor->initial == INITIAL_NORMAL;
            double bound = normal ? INFINITY : 1 / sqrt(tensor->fan_in);
            double law = normal ? 1 : bound * bound / 3;
            /* Five standard errors; (fourth moment − variance²) / variance² is 2 for the normal law
             * and 4/5 for the uniform one. */
            assert_true(largest <= bound);
            assert_true(fabs(mean) < 5 * sqrt(law / (double)n));
            assert_true(fabs(variance / law - 1) < 5 * sqrt((normal ? 2 : 0.8) / (double)n));
        }
    }
    free(values);
    layout_free(layout);
}

static void gaps_between_tensors_are_zero(void **state)
{
    (void)state;
    ModelConfig config = config_block();
    config.vocabulary = 301;
    Layout *layout = layout_new(&config);
    float *values = initialised(layout, 1);
    size_t end = 0, gaps = 0;
    for (size_t i = 0; i <= layout->count; i++) {
        size_t next = i < layout->count ? layout->list[i].offset : layout->floats;
        for (; end < next; end++, gaps++)
            assert_true(values[end] == 0);
        if (i < layout->count)
            end = next + tensor_size(&layout->list[i]);
    }
    assert_int_equal(gaps, layout->floats - layout->parameters);
    assert_true(gaps > 0);
    free(values);
    layout_free(layout);
}

static void models_of_one_seed_agree_wherever_shapes_do(void **state)
{
    (void)state;
    ModelConfig small = config_block(), large = config_block();
    large.blocks = 2;
    large.heads = 1;
    large.head_width = 128;
    Layout *a = layout_new(&small), *b = layout_new(&large);
    float *x = initialised(a, 7), *y = initialised(b, 7), *z = initialised(a, 8);
    size_t changed = 0;
    for (size_t i = 0; i < a->count; i++) {
        const Tensor *here = &a->list[i], *there = layout_find(b, here->name);
        assert_non_null(there);
        size_t bytes = tensor_size(here) * sizeof *x;
        assert_memory_equal(x + here->offset, y + there->offset, bytes);
        changed += memcmp(x + here->offset, z + here->offset, bytes) != 0;
    }
    assert_int_equal(changed, a->count - 6); /* all but gains and biases of the three norms */
    const Tensor *first = layout_find(b, "block0.expand.weight");
    const Tensor *second = layout_find(b, "block1.expand.weight");
    assert_memory_not_equal(y + first->offset, y + second->offset, tensor_size(first) * sizeof *y);
    free(x);
    free(y);
    free(z);
    layout_free(a);
    layout_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpt2_has_its_published_parameters),
        cmocka_unit_test(each_row_of_the_ladder_has_its_count),
        cmocka_unit_test(a_block_has_12dd_plus_13d_parameters),
        cmocka_unit_test(tensors_start_cache_lines_and_never_overlap),
        cmocka_unit_test(tensors_have_the_shapes_that_their_names_promise),
        cmocka_unit_test(every_tensor_starts_from_its_law),
        cmocka_unit_test(gaps_between_tensors_are_zero),
        cmocka_unit_test(models_of_one_seed_agree_wherever_shapes_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
