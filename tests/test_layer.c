#include "blas.h"
#include "layer.h"
#include "mem.h"
#include "test.h"

#include <omp.h>

static Layer layer_of(int length, int width, int heads, bool causal, LayerKeeps keeps)
{
    Err err;
    Layer layer;
    LayerPlan plan = {length, width, heads, causal, keeps};
    if (!layer_new(&plan, &layer, &err))
        fail_msg("%s", err.text);
    assert_true(layer.bytes == layer_bytes(&plan));
    return layer;
}

/* One output row, exactly. */
static void exact_output(const Layer *l, int t, double *y)
{
    int n = l->plan.length, width = l->plan.width, d = width / l->plan.heads;
    double *qkv = mem_new((size_t)n * 3 * width, sizeof *qkv), *mixed = mem_new(width, sizeof *mixed);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3 * width; c++)
            for (int j = 0; j < width; j++)
                qkv[i * 3 * width + c] += (double)l->x[i * width + j] * l->w_qkv[c * width + j];
    for (int c = 0; c < width; c += d) {
        double sum = 0;
        for (int i = 0; i < (l->plan.causal ? t + 1 : n); i++) {
            double dot = 0;
            for (int j = c; j < c + d; j++)
                dot += qkv[t * 3 * width + j] * qkv[i * 3 * width + width + j];
            double weight = exp(dot / sqrt(d)); /* scores are small here */
            sum += weight;
            for (int j = c; j < c + d; j++)
                mixed[j] += weight * qkv[i * 3 * width + 2 * width + j];
        }
        for (int j = c; j < c + d; j++)
            mixed[j] /= sum;
    }
    for (int c = 0; c < width; c++) {
        y[c] = l->bias[c];
        for (int j = 0; j < width; j++)
            y[c] += mixed[j] * l->w_out[c * width + j];
    }
    free(mixed);
    free(qkv);
}

/* Values of order one, sums of 12 and 70 terms, three in a row: 1e-5 is some 50 roundings of an output. */
static void every_kind_computes_the_layer(void **state)
{
    (void)state;
    enum { LENGTH = 70, WIDTH = 12 };
    for (int keeps = KEEPS_NEITHER; keeps <= KEEPS_BOTH; keeps++)
        for (int heads = 1; heads <= 4; heads++)
            for (int causal = 0; causal < 2; causal++) {
                Layer layer = layer_of(LENGTH, WIDTH, heads, causal, (LayerKeeps)keeps);
                layer_forward(&layer);
                for (int t = 0; t < LENGTH; t += 23) {
                    double y[WIDTH];
                    exact_output(&layer, t, y);
                    for (int c = 0; c < WIDTH; c++)
                        assert_near(layer.y[t * WIDTH + c], y[c], 1e-5);
                }
                layer_free(&layer);
            }
}

static void the_projections_alone_give_the_layers_q_k_v_and_output(void **state)
{
    (void)state;
    Layer layer = layer_of(70, 12, 3, true, KEEPS_NEITHER);
    layer_forward(&layer);
    float *qkv = mem_new(70 * 36, sizeof *qkv), *y = mem_new(70 * 12, sizeof *y);
    memcpy(qkv, layer.qkv, 70 * 36 * sizeof *qkv);
    memcpy(y, layer.y, 70 * 12 * sizeof *y);
    memset(layer.qkv, 0, 70 * 36 * sizeof *qkv);
    memset(layer.y, 0, 70 * 12 * sizeof *y);
    layer_project(&layer);
    assert_memory_equal(layer.qkv, qkv, 70 * 36 * sizeof *qkv);
    assert_memory_equal(layer.y, y, 70 * 12 * sizeof *y);
    free(qkv);
    free(y);
    layer_free(&layer);
}

static void no_bit_depends_on_the_number_of_threads(void **state)
{
    (void)state;
    int before = omp_get_max_threads();
    for (int keeps = KEEPS_NEITHER; keeps <= KEEPS_BOTH; keeps++) {
        Layer alone = layer_of(200, 24, 3, true, (LayerKeeps)keeps);
        omp_set_num_threads(1);
        layer_forward(&alone);
        for (int threads = 2; threads <= 3; threads++) {
            Layer shared = layer_of(200, 24, 3, true, (LayerKeeps)keeps);
            omp_set_num_threads(threads);
            layer_forward(&shared);
            assert_memory_equal(shared.y, alone.y, 200 * 24 * sizeof *alone.y);
            layer_free(&shared);
        }
        layer_free(&alone);
    }
    omp_set_num_threads(before);
}

static void memory_that_is_not_to_be_had_is_an_error(void **state)
{
    (void)state;
    Err err;
    Layer layer;
    assert_false(layer_new(&(LayerPlan){1, 1 << 30, 1, true, KEEPS_BOTH}, &layer, &err));
    assert_says(err.text, "not enough memory for the weights of q, k and v");
    assert_true(layer.bytes == 0);
    layer_free(&layer);
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
        cmocka_unit_test(every_kind_computes_the_layer),
        cmocka_unit_test(the_projections_alone_give_the_layers_q_k_v_and_output),
        cmocka_unit_test(no_bit_depends_on_the_number_of_threads),
        cmocka_unit_test(memory_that_is_not_to_be_had_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
