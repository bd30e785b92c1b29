#include "blas.h"
#include "block.h"
#include "oracle.h"

#include <math.h>

/* That a block computes its formula, and its gradients, is test_model's. Here: what it takes, what it
 * keeps and what must hold whatever its numbers. */

enum { SEQUENCES = 2, LENGTH = 5, WIDTH = 8, ROWS = SEQUENCES * LENGTH };

typedef struct Fixture {
    Shard shard;
    Layout *layout;
    float *parameters, *gradients, *input, *d;
    BlockTensors p, g;
    BlockActivations a;
    BlockScratch s;
    Arena arena;
} Fixture;

static ModelConfig config(Norm norm)
{
    ModelConfig c = config_block();
    c.width = WIDTH;
    c.heads = 2;
    c.head_width = 4;
    c.norm = norm;
    return c;
}

static Fixture fixture_new(const ModelConfig *c)
{
    Fixture f = {.shard = {.config = *c,
                           .sequences = SEQUENCES,
                           .length = LENGTH,
                           .joined = c->heads * c->head_width,
                           .attention = {LENGTH, c->heads, c->head_width, 3 * c->heads * c->head_width,
                                         c->heads * c->head_width, true, 0.5f, NULL, NULL}},
                 .layout = layout_new(c)};
    Err err;
    f.parameters = mem_new(f.layout->floats, sizeof *f.parameters);
    f.gradients = mem_new(f.layout->floats, sizeof *f.gradients);
    layout_initialise(f.layout, 1, f.parameters);
    f.p = block_tensors(f.layout, 0, f.parameters);
    f.g = block_tensors(f.layout, 0, f.gradients);
    f.input = uniform_floats(ROWS * WIDTH, "x", 1);
    f.d = uniform_floats(ROWS * WIDTH, "d", 1);
    for (int pass = 0; pass < 2; pass++) {
        f.a = block_activations(&f.shard, f.input, &f.arena);
        f.s = block_scratch(&f.shard, &f.arena);
        if (pass == 0)
            assert_true(arena_allocate(&f.arena, "a block", &err));
    }
    return f;
}

static void fixture_free(Fixture *f)
{
    layout_free(f->layout);
    free(f->parameters);
    free(f->gradients);
    free(f->input);
    free(f->d);
    arena_free(&f->arena);
}

static void zero(const Layout *layout, const char *name, float *parameters)
{
    const Tensor *t = layout_find(layout, name);
    memset(parameters + t->offset, 0, tensor_size(t) * sizeof *parameters);
}

static void tensors_are_found_by_their_block(void **state)
{
    (void)state;
    ModelConfig c = config(NORM_PRE);
    c.blocks = 12;
    Layout *layout = layout_new(&c);
    float *array = mem_new(layout->floats, sizeof *array);
    for (int block = 0; block < c.blocks; block++) {
        char name[40];
        BlockTensors t = block_tensors(layout, block, array);
        snprintf(name, sizeof name, "block%d.expand.weight", block);
        assert_ptr_equal(t.expand.weight, array + layout_find(layout, name)->offset);
        snprintf(name, sizeof name, "block%d.norm2.gain", block);
        assert_ptr_equal(t.norm2.weight, array + layout_find(layout, name)->offset);
        snprintf(name, sizeof name, "block%d.project.bias", block);
        assert_ptr_equal(t.project.bias, array + layout_find(layout, name)->offset);
        assert_null(t.qkv.bias); /* C9's block has none */
    }
    free(array);
    layout_free(layout);
}

static void a_step_that_is_left_out_has_no_array(void **state)
{
    (void)state;
    ModelConfig c = config(NORM_NONE);
    c.mlp = false;
    Fixture f = fixture_new(&c);
    assert_ptr_equal(f.a.normed1, f.a.input);
    assert_ptr_equal(f.a.output, f.a.sum1);
    assert_null(f.a.hidden);
    assert_null(f.s.d_hidden);
    fixture_free(&f);
}

/* The residual stream of a pre-norm block: sublayers that give 0 leave it, and its gradient, as they
 * were. */
static void a_block_whose_last_layers_are_0_is_the_identity_both_ways(void **state)
{
    (void)state;
    ModelConfig c = config(NORM_PRE);
    Fixture f = fixture_new(&c);
    const char *last[] = {"block0.project.weight", "block0.project.bias", "block0.contract.weight",
                          "block0.contract.bias"};
    for (size_t i = 0; i < COUNT(last); i++)
        zero(f.layout, last[i], f.parameters);
    block_forward(&f.shard, &f.p, &f.a);
    assert_memory_equal(f.a.output, f.input, ROWS * WIDTH * sizeof *f.input);
    float *before = uniform_floats(ROWS * WIDTH, "d", 1);
    block_backward(&f.shard, &f.p, &f.a, &f.s, f.d, &f.g);
    for (int i = 0; i < ROWS * WIDTH; i++)
        assert_true(f.d[i] == before[i]);
    free(before);
    fixture_free(&f);
}

static void a_post_norm_block_leaves_normalised_rows(void **state)
{
    (void)state;
    ModelConfig c = config(NORM_POST);
    Fixture f = fixture_new(&c);
    block_forward(&f.shard, &f.p, &f.a);
    for (int i = 0; i < ROWS; i++) {
        double sum = 0, square = 0;
        for (int j = 0; j < WIDTH; j++) {
            sum += f.a.output[i * WIDTH + j];
            square += pow(f.a.output[i * WIDTH + j], 2);
        }
        assert_close(sum, 0, 4 * WIDTH * WIDTH * ROUNDOFF, "sum", i);
        /* below 1 by the epsilon's share of the variance, which is above 0.01 here */
        assert_true(square / WIDTH < 1 + 1e-6 && square / WIDTH > 1 - 1e-5 / 0.01);
    }
    fixture_free(&f);
}

static int set_up(void **state)
{
    (void)state;
    Err err;
    if (!blas_start(&err))
        fail_msg("%s", err.text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_are_found_by_their_block),
        cmocka_unit_test(a_step_that_is_left_out_has_no_array),
        cmocka_unit_test(a_block_whose_last_layers_are_0_is_the_identity_both_ways),
        cmocka_unit_test(a_post_norm_block_leaves_normalised_rows),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
