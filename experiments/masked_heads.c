/*
 * masked_heads: do the numbers of the worked example in "Masks and Heads" follow from its five tokens?
 *
 * Claim    Two heads of width 2 under a causal mask; the page prints some scores, weights and outputs.
 * Method   The page's matrices are lost. The integer rows below were recovered by a search over every number its
 *          prose still states, so that agreement shows consistency and is no test; what no surviving number
 *          fixes (one query column of head 1: both readings are run; the values of head 1; scale and shift of each
 *          row before its norm) stays undetermined. The rows go through the project's own LayerNorm and attention.
 * Emits    one measurement per printed number, all FIXED; reading/<…> for what differs between the readings;
 *          matrices weights/head1, weights/head2, weights/single.
 */
#include "experiment.h"
#include "ops_attention.h"
#include "ops_norm.h"

#include <math.h>

enum { LENGTH = 5, WIDTH = 4, HEADS = 2, HEAD_WIDTH = WIDTH / HEADS, QKV = 3 * WIDTH };

static const char *const tokens[LENGTH] = {"o", "␣gato", "␣sub", "iu", "␣no"};
enum { GATO = 1, SUB, IU, LAST };

/* Any scale and shift of a row gives the same normalised row. */
static const float rows[LENGTH][WIDTH] = {
    {0, 0, 1, 3}, {1, 0, 0, 0}, {1, 5, 2, 0}, {0, 2, 1, 1}, {0, 0, 0, 1}};

/* W_Q, W_K and W_V only pick columns of the normalised rows u: which one, counted from 0. Head 1's second query
 * column may be u_2 or u_3: the tokens with printed numbers have the same value in both. */
typedef struct Reading {
    const char *name;
    int query[WIDTH], key[WIDTH], value[WIDTH];
} Reading;

static const Reading readings[] = {
    {"u_2", {3, 1, 3, 0}, {1, 3, 0, 3}, {0, 1, 2, 3}},
    {"u_3", {3, 2, 3, 0}, {1, 3, 0, 3}, {0, 1, 2, 3}},
};

static const Setting settings[] = {SETTINGS_END};

/* What attention of `heads` heads makes of the example. */
typedef struct Outcome {
    float qkv[LENGTH][QKV];
    float scores[HEADS][LENGTH][LENGTH], weights[HEADS][LENGTH][LENGTH];
    float output[LENGTH][WIDTH];
} Outcome;

static Outcome attend(const Reading *reading, int heads, bool causal)
{
    Outcome o = {0};
    float u[LENGTH][WIDTH], statistics[LENGTH][2];
    const float gain[WIDTH] = {1, 1, 1, 1}, bias[WIDTH] = {0};
    norm_forward(LENGTH, WIDTH, *rows, gain, bias, *u, *statistics);
    for (int t = 0; t < LENGTH; t++)
        for (int c = 0; c < WIDTH; c++) {
            o.qkv[t][c] = u[t][reading->query[c]];
            o.qkv[t][WIDTH + c] = u[t][reading->key[c]];
            o.qkv[t][2 * WIDTH + c] = u[t][reading->value[c]];
        }
    Attention a = {.length = LENGTH,
                   .heads = heads,
                   .head_width = WIDTH / heads,
                   .stride = QKV,
                   .output_stride = WIDTH,
                   .causal = causal,
                   .scale = 1 / sqrtf((float)WIDTH / (float)heads)};
    attention_forward(&a, *o.qkv, *o.qkv + WIDTH, *o.qkv + 2 * WIDTH, **o.scores, **o.weights, *o.output);
    return o;
}

static void record_weights(Experiment *x, const char *name, const float weights[LENGTH][LENGTH])
{
    double values[LENGTH * LENGTH];
    for (int i = 0; i < LENGTH * LENGTH; i++)
        values[i] = weights[i / LENGTH][i % LENGTH];
    record_matrix(x, FIXED, values, LENGTH, LENGTH, tokens, tokens, "weights/%s", name);
}

static void measure_numbers(Experiment *x, const Outcome *masked, const Outcome *open, const Outcome *single)
{
    double sum = 0;
    for (int i = 0; i < LENGTH; i++)
        measure(x, FIXED, open->scores[0][GATO][i], "row2 score/%s", tokens[i]);
    for (int i = 0; i <= GATO; i++) {
        double exponential = exp(open->scores[0][GATO][i]);
        sum += exponential;
        measure(x, FIXED, exponential, "row2 exponential/%s", tokens[i]);
        measure(x, FIXED, masked->weights[0][GATO][i], "row2 weight/%s", tokens[i]);
    }
    measure(x, FIXED, sum, "row2 exponential/sum");
    measure(x, FIXED, masked->weights[0][0][0], "row1 weight");
    for (int c = 0; c < HEAD_WIDTH; c++) {
        measure(x, FIXED, masked->qkv[LAST][c], "last query/head1/%d", c);
        measure(x, FIXED, masked->qkv[LAST][HEAD_WIDTH + c], "last query/head2/%d", c);
        measure(x, FIXED, masked->output[LAST][HEAD_WIDTH + c], "last output/head2/%d", c);
    }
    measure(x, FIXED, masked->weights[0][LAST][SUB] + masked->weights[0][LAST][IU], "last weight/head1/verb");
    measure(x, FIXED, masked->weights[1][LAST][GATO], "last weight/head2/subject");
    measure(x, FIXED, single->weights[0][LAST][GATO], "last weight/single/gato");
    measure(x, FIXED, single->weights[0][LAST][SUB], "last weight/single/sub");
    double moved = 0;
    for (int i = 0; i < LENGTH; i++)
        moved = fmax(moved, fabs((double)masked->weights[0][LAST][i] - open->weights[0][LAST][i]));
    measure(x, FIXED, moved, "last row moved");
}

/* How far the two readings of head 1's query are apart, row by row of the output. */
static void measure_readings(Experiment *x, const Outcome *one, const Outcome *other)
{
    for (int t = 0; t < LENGTH; t++) {
        double apart = 0;
        for (int c = 0; c < WIDTH; c++)
            apart = fmax(apart, fabs((double)one->output[t][c] - other->output[t][c]));
        measure(x, FIXED, apart, "readings apart/%s", tokens[t]);
    }
}

static bool run(Experiment *x, Err *err)
{
    (void)err;
    Outcome masked = attend(&readings[0], HEADS, true);
    Outcome open = attend(&readings[0], HEADS, false);
    Outcome single = attend(&readings[0], 1, true);
    Outcome other = attend(&readings[1], HEADS, true);
    measure_numbers(x, &masked, &open, &single);
    measure_readings(x, &masked, &other);
    measure(x, FIXED, 4096.0 / 32, "head width");
    record_weights(x, "head1", masked.weights[0]);
    record_weights(x, "head2", masked.weights[1]);
    record_weights(x, "single", single.weights[0]);
    return true;
}

const ExperimentPlan experiment = {"masked_heads", settings, 0, 0, run};
