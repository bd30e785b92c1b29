#include "blas.h"
#include "ops_attention.h"
#include "ops_position.h"
#include "oracle.h"

/* A case: its shape and which of the variations it has. */
typedef struct Case {
    int length, heads, head_width;
    bool causal, scaled, alibi, padding;
} Case;

static const Case cases[] = {
    {1, 1, 1, true, true, false, false},   {1, 2, 3, false, true, true, false},
    {5, 2, 2, true, true, false, false},   {5, 2, 2, false, false, false, false},
    {31, 1, 7, true, false, false, false}, {32, 3, 5, true, true, true, false},
    {33, 2, 4, true, true, false, true},   {40, 1, 16, false, true, true, true},
    {70, 2, 9, true, true, true, true},
};

/* Everything a case needs; q, k and v interleaved in one array with spare columns behind. */
typedef struct Problem {
    Attention a;
    float *qkv, *weights, *scores, *output, *d_output, *d_qkv, *scratch, *slopes;
    bool *padding;
    int width; /* heads x head_width */
} Problem;

static Problem *problem_new(const Case *c)
{
    Problem *p = mem_new(1, sizeof *p);
    int n = c->length, width = p->width = c->heads * c->head_width;
    size_t square = (size_t)c->heads * n * n;
    p->a = (Attention){n,
                       c->heads,
                       c->head_width,
                       3 * width + 2,
                       width + 1,
                       c->causal,
                       c->scaled ? 1 / sqrtf((float)c->head_width) : 1,
                       NULL,
                       NULL};
    p->qkv = uniform_floats((size_t)n * p->a.stride, "qkv", 2);
    p->d_output = uniform_floats((size_t)n * p->a.output_stride, "d_output", 1);
    p->d_qkv = uniform_floats((size_t)n * p->a.stride, "d_qkv", 1); /* to be overwritten */
    p->output = uniform_floats((size_t)n * p->a.output_stride, "output", 1);
    p->weights = mem_new(square, sizeof *p->weights);
    p->scores = mem_new(square, sizeof *p->scores);
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
    float *arrays[] = {p->qkv,      p->weights, p->scores,  p->output,
                       p->d_output, p->d_qkv,   p->scratch, p->slopes};
    for (size_t i = 0; i < COUNT(arrays); i++)
        free(arrays[i]);
    free(p->padding);
    free(p);
}

static void forward(Problem *p, float *scores)
{
    attention_forward(&p->a, p->qkv, p->qkv + p->width, p->qkv + 2 * p->width, scores, p->weights, p->output);
}

static void backward(Problem *p)
{
    attention_backward(&p->a, p->qkv, p->qkv + p->width, p->qkv + 2 * p->width, p->weights, p->d_output,
                       p->d_qkv, p->d_qkv + p->width, p->d_qkv + 2 * p->width, p->scratch);
}

static bool sees(const Attention *a, int i, int j)
{
    return !(a->causal && j > i) && !(a->padding && a->padding[j]);
}

/* One row of one head, exactly: scores, weights, output. */
static void exact_row(const Problem *p, const double *qkv, int head, int i, double *scores, double *weights,
                      double *output)
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
        dot = a->scale * dot - (a->slopes ? a->slopes[head] * abs(i - j) : 0);
        scores[j] = sees(a, i, j) ? dot : -INFINITY;
        top = fmax(top, scores[j]);
    }
    for (int j = 0; j < a->length; j++)
        sum += weights[j] = sees(a, i, j) ? exp(scores[j] - top) : 0;
    for (int x = 0; x < d; x++)
        output[x] = 0;
    for (int j = 0; j < a->length; j++) {
        weights[j] /= sum > 0 ? sum : 1;
        for (int x = 0; x < d; x++)
            output[x] += weights[j] * qkv[(size_t)j * a->stride + 2 * p->width + column + x];
    }
}

/* A dot product of d_k terms of at most 4 and the penalty of at most n: both scaled and rounded. */
static double score_bound(const Problem *p)
{
    int d = p->a.head_width;
    return (4.0 * d * (d + 2) * p->a.scale + (p->a.slopes ? 3 * p->a.length : 0)) * ROUNDOFF;
}

/* Relative: a score's error, the exponential's (4 ROUNDOFF and the rounded difference of two scores of at
 * most 4 d_k scale + n each), the sum's n. */
static double weight_bound(const Problem *p)
{
    double largest = 4 * p->a.head_width * p->a.scale + p->a.length;
    return 2 * (score_bound(p) + (4 + 2 * largest) * ROUNDOFF) + (p->a.length + 2) * ROUNDOFF;
}

static void scores_weights_and_output_are_exact_to_rounding(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        Problem *p = problem_new(&cases[c]);
        int n = p->a.length, d = p->a.head_width;
        double *qkv = doubles((size_t)n * p->a.stride, p->qkv);
        double *scores = mem_new(n, sizeof *scores), *weights = mem_new(n, sizeof *weights);
        double *output = mem_new(d, sizeof *output);
        forward(p, p->scores);
        for (int head = 0; head < p->a.heads; head++)
            for (int i = 0; i < n; i++) {
                exact_row(p, qkv, head, i, scores, weights, output);
                for (int j = 0; j < n; j++) {
                    size_t at = ((size_t)head * n + i) * n + j;
                    if (isinf(scores[j])) {
                        assert_true(p->scores[at] == -INFINITY && p->weights[at] == 0);
                        continue;
                    }
                    assert_close(p->scores[at], scores[j], score_bound(p), "score", at);
                    assert_close(p->weights[at], weights[j], weight_bound(p) * weights[j], "weight", at);
                }
                for (int x = 0; x < d; x++) { /* values are at most 2, weights sum to 1 */
                    size_t at = (size_t)i * p->a.output_stride + head * d + x;
                    assert_close(p->output[at], output[x], 2 * (weight_bound(p) + n * ROUNDOFF), "output",
                                 at);
                }
            }
        free(output);
        free(weights);
        free(scores);
        free(qkv);
        problem_free(p);
    }
}

static double weighted_output(const double *qkv, const void *context)
{
    const Problem *p = context;
    int n = p->a.length, d = p->a.head_width;
    double scores[70], weights[70], output[16], sum = 0;
    for (int head = 0; head < p->a.heads; head++)
        for (int i = 0; i < n; i++) {
            exact_row(p, qkv, head, i, scores, weights, output);
            for (int x = 0; x < d; x++)
                sum += p->d_output[(size_t)i * p->a.output_stride + head * d + x] * output[x];
        }
    return sum;
}

/*
 * d_v is a sum of n terms of at most 1. d_s = w (d_w − Σ w d_w) with |d_w| ≤ 2 d_k, off by twice the
 * weights' bound and the dot product's d_k roundings; d_q and d_k sum at most n of them, times 2 scale.
 * The spare columns have no gradient and stay as they were.
 */
static void gradients_are_the_derivatives(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        Problem *p = problem_new(&cases[c]);
        int n = p->a.length, d = p->a.head_width, stride = p->a.stride;
        double *qkv = doubles((size_t)n * stride, p->qkv);
        float *before = uniform_floats((size_t)n * stride, "d_qkv", 1);
        forward(p, NULL);
        backward(p);
        double d_w = 2.0 * d * (3 * weight_bound(p) + (d + n) * ROUNDOFF);
        double bound = fmax(n * (weight_bound(p) + n * ROUNDOFF), 2 * p->a.scale * n * d_w);
        for (int i = 0; i < n * stride; i++)
            if (i % stride >= 3 * p->width)
                assert_true(p->d_qkv[i] == before[i]);
            else
                assert_close(p->d_qkv[i], derivative(weighted_output, qkv, i, p), bound + 1e-9, "d_qkv", i);
        free(before);
        free(qkv);
        problem_free(p);
    }
}

static void keeping_the_scores_changes_no_bit_of_the_rest(void **state)
{
    (void)state;
    Problem *with = problem_new(&cases[8]), *without = problem_new(&cases[8]);
    int n = with->a.length;
    forward(with, with->scores);
    forward(without, NULL);
    assert_memory_equal(with->output, without->output, n * with->a.output_stride * sizeof(float));
    assert_memory_equal(with->weights, without->weights, (size_t)with->a.heads * n * n * sizeof(float));
    for (int head = 0; head < with->a.heads; head++) {
        attention_scores(&with->a, with->qkv, with->qkv + with->width, head, without->scores);
        assert_memory_equal(without->scores, with->scores + (size_t)head * n * n,
                            (size_t)n * n * sizeof(float));
    }
    problem_free(with);
    problem_free(without);
}

static void a_position_that_sees_nothing_gets_and_gives_zeros(void **state)
{
    (void)state;
    for (int causal = 0; causal < 2; causal++) {
        Problem *p = problem_new(&(Case){37, 2, 4, causal, true, true, true});
        int n = p->a.length;
        memset(p->padding, 1, n * sizeof *p->padding);
        forward(p, NULL);
        backward(p);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < p->width; j++)
                assert_true(p->output[i * p->a.output_stride + j] == 0);
            for (int j = 0; j < 3 * p->width; j++)
                assert_true(p->d_qkv[i * p->a.stride + j] == 0);
        }
        for (int i = 0; i < p->a.heads * n * n; i++)
            assert_true(p->weights[i] == 0);
        problem_free(p);
    }
}

static void under_the_causal_mask_a_later_row_changes_no_earlier_output(void **state)
{
    (void)state;
    Problem *p = problem_new(&(Case){70, 2, 8, true, true, false, false});
    forward(p, NULL);
    float *before = mem_new(70 * p->a.output_stride, sizeof *before);
    memcpy(before, p->output, 70 * p->a.output_stride * sizeof *before);
    for (int j = 0; j < p->a.stride; j++)
        p->qkv[40 * p->a.stride + j] += 1;
    forward(p, NULL);
    assert_memory_equal(p->output, before, 40 * p->a.output_stride * sizeof *before);
    assert_true(p->output[40 * p->a.output_stride] != before[40 * p->a.output_stride]);
    free(before);
    problem_free(p);
}

static void huge_scores_choose_one_token_without_overflow(void **state)
{
    (void)state;
    Problem *p = problem_new(&(Case){40, 1, 4, true, false, false, false});
    for (int i = 0; i < 40 * p->a.stride; i++)
        p->qkv[i] *= 50; /* scores up to 4e4 */
    forward(p, NULL);
    backward(p);
    for (int i = 0; i < 40 * p->a.stride; i++)
        assert_true(isfinite(p->d_qkv[i]));
    for (int i = 0; i < 40; i++) {
        double sum = 0;
        for (int j = 0; j <= i; j++)
            sum += p->weights[i * 40 + j];
        assert_close(sum, 1, 2 * 40 * ROUNDOFF, "sum of weights", i);
    }
    problem_free(p);
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
        cmocka_unit_test(scores_weights_and_output_are_exact_to_rounding),
        cmocka_unit_test(gradients_are_the_derivatives),
        cmocka_unit_test(keeping_the_scores_changes_no_bit_of_the_rest),
        cmocka_unit_test(a_position_that_sees_nothing_gets_and_gives_zeros),
        cmocka_unit_test(under_the_causal_mask_a_later_row_changes_no_earlier_output),
        cmocka_unit_test(huge_scores_choose_one_token_without_overflow),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
