#include "blas.h"
#include "ops_position.h"
#include "ops_tiled.h"
#include "oracle.h"

#include <omp.h>

/* A case: its shape and which of the variations it has. A tile is of 64 rows of one side and 256 of the other. */
typedef struct Case {
    int length, heads, head_width;
    bool causal, scaled, alibi, padding;
} Case;

static const Case small_cases[] = {
    {1, 1, 1, true, true, false, false},   {1, 2, 3, false, true, true, true},
    {5, 2, 2, false, false, false, false}, {65, 1, 3, true, true, false, true},
    {66, 1, 2, false, true, true, false},
};
static const Case large_cases[] = {
    {63, 2, 5, true, false, true, false},  {64, 1, 16, false, true, false, false},
    {256, 2, 8, true, true, false, false}, {257, 1, 7, false, true, false, true},
    {333, 3, 4, true, true, true, true},   {580, 1, 9, true, true, false, false},
    {600, 2, 3, false, false, true, true},
};

/* Everything a case needs; q, k and v interleaved in one array with spare columns behind. */
typedef struct Problem {
    Attention a;
    float *qkv, *d_output, *slopes;
    bool *padding;
    float *output, *statistics, *d_qkv;                    /* the tiled layer's */
    float *weights, *plain_output, *plain_d_qkv, *scratch; /* ops_attention's */
    int width;                                             /* heads x head_width */
} Problem;

static Problem *problem_new(const Case *c)
{
    Problem *p = mem_new(1, sizeof *p);
    int n = c->length, width = p->width = c->heads * c->head_width;
    p->a = (Attention){.length = n,
                       .heads = c->heads,
                       .head_width = c->head_width,
                       .stride = 3 * width + 2,
                       .output_stride = width + 1,
                       .causal = c->causal,
                       .scale = c->scaled ? 1 / sqrtf((float)c->head_width) : 1};
    size_t rows = (size_t)n * p->a.stride, outputs = (size_t)n * p->a.output_stride;
    p->qkv = uniform_floats(rows, "qkv", 2);
    p->d_output = uniform_floats(outputs, "d_output", 1);
    p->d_qkv = uniform_floats(rows, "d_qkv", 1); /* to be overwritten */
    p->plain_d_qkv = uniform_floats(rows, "d_qkv", 1);
    p->output = uniform_floats(outputs, "output", 1);
    p->plain_output = uniform_floats(outputs, "output", 1);
    p->statistics = mem_new((size_t)c->heads * n * 2, sizeof *p->statistics);
    p->weights = mem_new((size_t)c->heads * n * n, sizeof *p->weights);
    p->scratch = mem_new(attention_scratch(&p->a), sizeof *p->scratch);
    p->slopes = mem_new(c->heads, sizeof *p->slopes);
    p->padding = mem_new(n, sizeof *p->padding);
    position_alibi(c->heads, p->slopes);
    for (int j = 0; j < n; j++)
        p->padding[j] = j == 0 || j % 5 == 3; /* causal: the first row sees nothing */
    p->a.slopes = c->alibi ? p->slopes : NULL;
    p->a.padding = c->padding ? p->padding : NULL;
    return p;
}

static void problem_free(Problem *p)
{
    float *arrays[] = {p->qkv,   p->d_output, p->slopes,       p->output,      p->statistics,
                       p->d_qkv, p->weights,  p->plain_output, p->plain_d_qkv, p->scratch};
    for (size_t i = 0; i < COUNT(arrays); i++)
        free(arrays[i]);
    free(p->padding);
    free(p);
}

static void forward(Problem *p)
{
    for (int unit = 0; unit < tiled_units(&p->a); unit++)
        tiled_forward(&p->a, p->qkv, p->qkv + p->width, p->qkv + 2 * p->width, unit, p->statistics,
                      p->output);
}

static void backward(Problem *p)
{
    for (int head = 0; head < p->a.heads; head++)
        tiled_backward(&p->a, p->qkv, p->qkv + p->width, p->qkv + 2 * p->width, p->statistics, p->output,
                       p->d_output, head, p->d_qkv, p->d_qkv + p->width, p->d_qkv + 2 * p->width);
}

static void plain(Problem *p)
{
    attention_forward(&p->a, p->qkv, p->qkv + p->width, p->qkv + 2 * p->width, NULL, p->weights,
                      p->plain_output);
    attention_backward(&p->a, p->qkv, p->qkv + p->width, p->qkv + 2 * p->width, p->weights, p->d_output,
                       p->plain_d_qkv, p->plain_d_qkv + p->width, p->plain_d_qkv + 2 * p->width, p->scratch);
}

/* One row of one head, exactly. */
static void exact_row(const Problem *p, const double *qkv, int head, int i, double *scores, double *output)
{
    const Attention *a = &p->a;
    int d = a->head_width, column = head * d;
    double top = -INFINITY, sum = 0;
    for (int j = 0; j < a->length; j++) {
        const double *q = qkv + (size_t)i * a->stride + column;
        const double *k = qkv + (size_t)j * a->stride + p->width + column;
        double dot = 0;
        for (int x = 0; x < d; x++)
            dot += q[x] * k[x];
        bool sees = !(a->causal && j > i) && !(a->padding && a->padding[j]);
        scores[j] = sees ? a->scale * dot - (a->slopes ? a->slopes[head] * abs(i - j) : 0) : -INFINITY;
        top = fmax(top, scores[j]);
    }
    memset(output, 0, d * sizeof *output);
    for (int j = 0; j < a->length; j++) {
        double weight = scores[j] == -INFINITY ? 0 : exp(scores[j] - top);
        sum += weight;
        for (int x = 0; x < d; x++)
            output[x] += weight * qkv[(size_t)j * a->stride + 2 * p->width + column + x];
    }
    for (int x = 0; x < d; x++)
        output[x] /= sum > 0 ? sum : 1;
}

/* A dot product of d_k terms of at most 4 and the penalty of at most n: both scaled and rounded. */
static double score_bound(const Problem *p)
{
    int d = p->a.head_width;
    return (4.0 * d * (d + 2) * p->a.scale + (p->a.slopes ? 3 * p->a.length : 0)) * ROUNDOFF;
}

/* Relative, of a weight: a score's error; those of an exponential (4 ulp and the rounded difference of two scores of
 * at most 4 d_k scale + n each), once for the weight and once for each tile's correction; the sum's n. */
static double weight_bound(const Problem *p)
{
    double largest = 4 * p->a.head_width * p->a.scale + p->a.length, tiles = 1 + p->a.length / 256;
    return 2 * (score_bound(p) + (1 + tiles) * (8 + 2 * largest) * ROUNDOFF) + (p->a.length + 2) * ROUNDOFF;
}

/* d_v is a sum of n terms of at most 1. d_s = w (d_w − Σ w d_w) with |d_w| ≤ 2 d_k, off by twice the weights'
 * bound and the dot product's d_k roundings; d_q and d_k sum at most n of them, times 2 scale. */
static double gradient_bound(const Problem *p)
{
    int n = p->a.length, d = p->a.head_width;
    double d_w = 2.0 * d * (3 * weight_bound(p) + (d + n) * ROUNDOFF);
    return fmax(n * (weight_bound(p) + n * ROUNDOFF), 2 * p->a.scale * n * d_w);
}

static void check_output(const Case *c)
{
    Problem *p = problem_new(c);
    int n = p->a.length, d = p->a.head_width, stride = p->a.output_stride;
    double *qkv = doubles((size_t)n * p->a.stride, p->qkv);
    double *scores = mem_new(n, sizeof *scores), *output = mem_new(d, sizeof *output);
    float *before = uniform_floats((size_t)n * stride, "output", 1);
    forward(p);
    for (int head = 0; head < p->a.heads; head++)
        for (int i = 0; i < n; i++) {
            exact_row(p, qkv, head, i, scores, output);
            for (int x = 0; x < d; x++) { /* values are at most 2, weights sum to 1 */
                size_t at = (size_t)i * stride + head * d + x;
                assert_close(p->output[at], output[x], 2 * (weight_bound(p) + n * ROUNDOFF), "output", at);
            }
        }
    for (int i = 0; i < n; i++)
        assert_true(p->output[i * stride + p->width] == before[i * stride + p->width]);
    free(before);
    free(output);
    free(scores);
    free(qkv);
    problem_free(p);
}

static void the_output_is_exact_to_rounding(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(small_cases); c++)
        check_output(&small_cases[c]);
    for (size_t c = 0; c < COUNT(large_cases); c++)
        check_output(&large_cases[c]);
}

static double weighted_output(const double *qkv, const void *context)
{
    const Problem *p = context;
    double scores[66], output[3], sum = 0;
    for (int head = 0; head < p->a.heads; head++)
        for (int i = 0; i < p->a.length; i++) {
            exact_row(p, qkv, head, i, scores, output);
            for (int x = 0; x < p->a.head_width; x++)
                sum += p->d_output[(size_t)i * p->a.output_stride + head * p->a.head_width + x] * output[x];
        }
    return sum;
}

static void gradients_are_the_derivatives(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(small_cases); c++) {
        Problem *p = problem_new(&small_cases[c]);
        int stride = p->a.stride, count = p->a.length * stride;
        double *qkv = doubles(count, p->qkv);
        float *before = uniform_floats(count, "d_qkv", 1);
        forward(p);
        backward(p);
        for (int i = 0; i < count; i++)
            if (i % stride >= 3 * p->width)
                assert_true(p->d_qkv[i] == before[i]);
            else
                assert_close(p->d_qkv[i], derivative(weighted_output, qkv, i, p), gradient_bound(p) + 1e-9,
                             "d_qkv", i);
        free(before);
        free(qkv);
        problem_free(p);
    }
}

/* Each is within the bounds of the exact layer, so they are within twice as much of each other; and as such bounds
 * are far from what rounding does, within what is promised of ordinary inputs: 1e-5, of gradients relative to
 * the largest. */
static void it_is_the_layer_that_keeps_its_weights(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(large_cases); c++) {
        Problem *p = problem_new(&large_cases[c]);
        size_t rows = (size_t)p->a.length * p->a.stride, outputs = (size_t)p->a.length * p->a.output_stride;
        forward(p);
        backward(p);
        plain(p);
        for (size_t i = 0; i < outputs; i++)
            assert_close(p->output[i], p->plain_output[i], 1e-5, "output", i);
        double largest = 1, bound = 2 * gradient_bound(p);
        for (size_t i = 0; i < rows; i++)
            largest = fmax(largest, fabs((double)p->plain_d_qkv[i]));
        for (size_t i = 0; i < rows; i++)
            assert_close(p->d_qkv[i], p->plain_d_qkv[i], fmin(bound, 1e-5 * largest), "d_qkv", i);
        problem_free(p);
    }
}

static void a_position_that_sees_nothing_gets_and_gives_zeros(void **state)
{
    (void)state;
    for (int causal = 0; causal < 2; causal++) {
        Problem *p = problem_new(&(Case){300, 2, 4, causal, true, true, true});
        memset(p->padding, 1, p->a.length * sizeof *p->padding);
        forward(p);
        backward(p);
        for (int i = 0; i < p->a.length; i++) {
            for (int j = 0; j < p->width; j++)
                assert_true(p->output[i * p->a.output_stride + j] == 0);
            for (int j = 0; j < 3 * p->width; j++)
                assert_true(p->d_qkv[i * p->a.stride + j] == 0);
        }
        for (int i = 0; i < p->a.heads * p->a.length * 2; i++)
            assert_true(p->statistics[i] == 0);
        problem_free(p);
    }
}

/* Padding in front fills whole tiles with nothing before the first key that is seen. */
static void what_is_seen_only_in_a_later_tile_counts_alone(void **state)
{
    (void)state;
    Problem *p = problem_new(&(Case){400, 1, 4, true, true, false, true});
    for (int j = 0; j < p->a.length; j++)
        p->padding[j] = j < 300;
    forward(p);
    backward(p);
    plain(p);
    for (int i = 0; i < p->a.length; i++) {
        for (int j = 0; j < p->width; j++)
            assert_close(p->output[i * p->a.output_stride + j], p->plain_output[i * p->a.output_stride + j],
                         1e-5, "output", i);
        for (int j = 0; j < 3 * p->width; j++)
            assert_close(p->d_qkv[i * p->a.stride + j], p->plain_d_qkv[i * p->a.stride + j], 1e-5, "d_qkv",
                         i);
    }
    for (int j = 0; j < p->width; j++) /* position 300 sees itself alone */
        assert_true(p->output[300 * p->a.output_stride + j] == p->qkv[300 * p->a.stride + 2 * p->width + j]);
    problem_free(p);
}

static void the_bits_are_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    Problem *alone = problem_new(&large_cases[4]), *shared = problem_new(&large_cases[4]);
    const Attention *a = &alone->a;
    int width = alone->width;
    forward(alone);
    backward(alone);
    for (int threads = 2; threads <= 3; threads++) {
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (int unit = tiled_units(a) - 1; unit >= 0; unit--)
            tiled_forward(a, shared->qkv, shared->qkv + width, shared->qkv + 2 * width, unit,
                          shared->statistics, shared->output);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (int head = 0; head < a->heads; head++)
            tiled_backward(a, shared->qkv, shared->qkv + width, shared->qkv + 2 * width, shared->statistics,
                           shared->output, shared->d_output, head, shared->d_qkv, shared->d_qkv + width,
                           shared->d_qkv + 2 * width);
        assert_memory_equal(shared->output, alone->output, a->length * a->output_stride * sizeof(float));
        assert_memory_equal(shared->d_qkv, alone->d_qkv, a->length * a->stride * sizeof(float));
    }
    problem_free(alone);
    problem_free(shared);
}

static void huge_scores_choose_one_token_without_overflow(void **state)
{
    (void)state;
    Problem *p = problem_new(&(Case){300, 1, 4, true, false, false, false});
    for (int i = 0; i < 300 * p->a.stride; i++)
        p->qkv[i] *= 50; /* scores up to 4e4 */
    forward(p);
    backward(p);
    for (int i = 0; i < 300 * p->a.stride; i++)
        assert_true(isfinite(p->d_qkv[i]));
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < p->width; j++)
            assert_true(fabs((double)p->output[i * p->a.output_stride + j]) <= 100 * (1 + 300 * ROUNDOFF));
    problem_free(p);
}

static void not_a_number_shows_in_every_row_that_sees_it(void **state)
{
    (void)state;
    Problem *p = problem_new(&(Case){400, 1, 4, true, true, false, false});
    p->qkv[290 * p->a.stride + p->width] = NAN; /* a key in the second tile */
    forward(p);
    for (int i = 0; i < 400; i++)
        assert_int_equal(isnan(p->output[i * p->a.output_stride]), i >= 290);
    problem_free(p);
}

/* Of whole blocks of 64 rows the causal mask leaves n (n + 64) / 2 scores; a tile takes two products forward
 * and five backward. */
static void half_of_the_work_is_left_under_the_causal_mask(void **state)
{
    (void)state;
    for (int causal = 0; causal < 2; causal++) {
        Problem *p = problem_new(&(Case){320, 2, 3, causal, true, false, false});
        uint64_t scores = 2 * (causal ? 320 * (320 + 64) / 2 : 320 * 320), before = gemm_multiply_adds();
        forward(p);
        assert_int_equal(gemm_multiply_adds() - before, 2 * 3 * scores);
        before = gemm_multiply_adds();
        backward(p);
        assert_int_equal(gemm_multiply_adds() - before, 5 * 3 * scores);
        problem_free(p);
    }
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
        cmocka_unit_test(the_output_is_exact_to_rounding),
        cmocka_unit_test(gradients_are_the_derivatives),
        cmocka_unit_test(it_is_the_layer_that_keeps_its_weights),
        cmocka_unit_test(a_position_that_sees_nothing_gets_and_gives_zeros),
        cmocka_unit_test(what_is_seen_only_in_a_later_tile_counts_alone),
        cmocka_unit_test(the_bits_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(huge_scores_choose_one_token_without_overflow),
        cmocka_unit_test(not_a_number_shows_in_every_row_that_sees_it),
        cmocka_unit_test(half_of_the_work_is_left_under_the_causal_mask),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
