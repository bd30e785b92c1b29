/*
 * uniform_average: is the causal mean a matrix product, and a softmax of equal scores?
 *
 * Claim    A loop over growing prefixes, a lower triangular matrix whose rows sum to 1, and a softmax over scores
 *          of 0 with −inf above the diagonal give the same averages up to float32 rounding; −inf gives a weight of
 *          exactly 0 and stays −inf in float16.
 * Method   Standard normal tokens; sizes are ours (the source's are lost). Also what −1e9 does in its place, and
 *          that a row with nothing to attend to has a defined result.
 * Emits    difference/<pair>, largest, matrix/<row>,<column>, upper triangle, row sums, masked weight bits,
 *          share of position 100, half/…, minus 1e9/…, all padding/…; matrix "averaging matrix".
 */
#include "blas.h"
#include "experiment.h"
#include "largest.h"
#include "mem.h"
#include "ops_attention.h"
#include "ops_average.h"
#include "ops_softmax.h"
#include "rng.h"

#include <math.h>
#include <string.h>

enum { PRINTED = 6 };

static const Setting settings[] = {
    {"length", INTEGER, 128, 128, 100, 4096, "tokens in the window"},
    {"width", INTEGER, 128, 128, 1, 4096, "numbers in a token"},
    SETTINGS_END,
};

/* The obvious version: each prefix summed anew, in float32 as the source's mean does. */
static void average_by_loop(int length, int width, const float *x, float *y)
{
    for (int t = 0; t < length; t++)
        for (int j = 0; j < width; j++) {
            float sum = 0;
            for (int i = 0; i <= t; i++)
                sum += x[i * width + j];
            y[t * width + j] = sum / (float)(t + 1);
        }
}

static void averaging_matrix(int length, float *a)
{
    for (int t = 0; t < length; t++)
        for (int i = 0; i < length; i++)
            a[t * length + i] = i <= t ? 1 / (float)(t + 1) : 0;
}

/* Softmax weights of equal scores under the causal mask. */
static void masked_softmax(int length, float *weights)
{
    for (int t = 0; t < length; t++)
        for (int i = 0; i < length; i++)
            weights[t * length + i] = i <= t ? 0 : -INFINITY;
    softmax_forward(length, length, weights, weights);
}

typedef struct Room {
    float *x, *loop, *product, *soft, *library; /* [length x width] */
    float *matrix, *weights;                    /* [length x length] */
} Room;

static void measure_ways(Experiment *x, int seed, int length, int width, const Room *room)
{
    size_t n = (size_t)length * (size_t)width;
    Rng rng = rng_stream((uint64_t)seed, "tokens");
    rng_fill_normal(&rng, room->x, n);
    average_by_loop(length, width, room->x, room->loop);
    average_forward(length, width, room->x, room->library);
    gemm_nn(length, width, length, 1, room->matrix, length, room->x, width, 0, room->product, width);
    gemm_nn(length, width, length, 1, room->weights, length, room->x, width, 0, room->soft, width);

    measure(x, seed, largest_value(room->x, n), "largest");
    measure(x, seed, largest_difference(room->loop, room->product, n), "difference/loop and product");
    measure(x, seed, largest_difference(room->loop, room->soft, n), "difference/loop and softmax");
    measure(x, seed, largest_difference(room->loop, room->library, n), "difference/loop and library");
}

/* The corner that the source prints. */
static void measure_corner(Experiment *x, int length, const float *matrix)
{
    double printed[PRINTED * PRINTED];
    for (int t = 0; t < PRINTED; t++)
        for (int i = 0; i < PRINTED; i++) {
            double entry = printed[t * PRINTED + i] = matrix[t * length + i];
            measure(x, FIXED, entry, "matrix/%d,%d", t + 1, i + 1);
        }
    record_matrix(x, FIXED, printed, PRINTED, PRINTED, NULL, NULL, "averaging matrix");
}

static void measure_matrix(Experiment *x, int length, const Room *room)
{
    double upper = 0, sums = 0;
    uint32_t bits = 0; /* of all masked weights together: −0 has one */
    for (int t = 0; t < length; t++) {
        const float *row = room->matrix + t * length, *weights = room->weights + t * length;
        upper = fmax(upper, largest_value(row + t + 1, (size_t)(length - t - 1)));
        for (int i = t + 1; i < length; i++) {
            uint32_t pattern;
            memcpy(&pattern, &weights[i], sizeof pattern);
            bits |= pattern;
        }
        double sum = 0;
        for (int i = 0; i < length; i++)
            sum += (double)row[i];
        sums = fmax(sums, fabs(sum - 1));
    }
    measure(x, FIXED, upper, "upper triangle");
    measure(x, FIXED, sums, "row sums");
    measure(x, FIXED, bits, "masked weight bits");
    measure(x, FIXED, (double)room->matrix[99 * length + 99], "share of position 100");
}

/* What −inf and −1e9 become in float16, and what −1e9 does to a row that may attend to nothing. */
static void measure_constants(Experiment *x)
{
    volatile _Float16 infinite = (_Float16)-INFINITY,
                      large = (_Float16)-1e9f; /* volatile: really in float16 */
    measure(x, FIXED, isinf((float)infinite) && (float)infinite < 0, "half/infinity stays");
    measure(x, FIXED, isinf((float)large) && (float)large < 0, "half/minus 1e9 is infinite");

    float masked[4] = {-1e9f, -1e9f, -1e9f, -1e9f}, added[2] = {3.0f + -1e9f, -3.0f + -1e9f};
    softmax_forward(1, 4, masked, masked);
    measure(x, FIXED, (double)masked[0], "minus 1e9/weight of a forbidden token");
    measure(x, FIXED, (double)added[0] - (double)added[1], "minus 1e9/difference that is left of 6");
}

/* Attention where every token is padding: how many weights, outputs and gradients are anything but 0. */
static void measure_padding(Experiment *x)
{
    enum { LENGTH = 3, WIDTH = 2, SIZE = LENGTH * WIDTH };
    const bool padding[LENGTH] = {true, true, true};
    const float q[SIZE] = {1, -2, 3, 4, -5, 6}, d_output[SIZE] = {1, 1, 1, 1, 1, 1};
    float weights[LENGTH * LENGTH] = {0}, output[SIZE], d_q[SIZE], d_k[SIZE], d_v[SIZE];
    Attention a = {.length = LENGTH,
                   .heads = 1,
                   .head_width = WIDTH,
                   .stride = WIDTH,
                   .output_stride = WIDTH,
                   .causal = true,
                   .scale = 1,
                   .padding = padding};
    float *scratch = mem_new(attention_scratch(&a), sizeof *scratch);
    attention_forward(&a, q, q, q, NULL, weights, output);
    attention_backward(&a, q, q, q, weights, d_output, d_q, d_k, d_v, scratch);
    free(scratch);
    int wrong_weights = 0, wrong_outputs = 0, wrong_gradients = 0;
    for (int i = 0; i < LENGTH * LENGTH; i++)
        wrong_weights += weights[i] != 0; /* true for NaN as well */
    for (int i = 0; i < SIZE; i++) {
        wrong_outputs += output[i] != 0;
        wrong_gradients += (d_q[i] != 0) + (d_k[i] != 0) + (d_v[i] != 0);
    }
    measure(x, FIXED, wrong_weights, "all padding/weights");
    measure(x, FIXED, wrong_outputs, "all padding/outputs");
    measure(x, FIXED, wrong_gradients, "all padding/gradients");
}

static bool room_new(size_t length, size_t width, Room *room, Err *err)
{
    float **tokens[] = {&room->x, &room->loop, &room->product, &room->soft, &room->library};
    for (size_t i = 0; i < COUNT(tokens); i++)
        if (!(*tokens[i] = mem_try(length * width, sizeof(float), "the tokens", err)))
            return false;
    return (room->matrix = mem_try(length * length, sizeof(float), "the averaging matrix", err)) &&
           (room->weights = mem_try(length * length, sizeof(float), "the weights", err));
}

static void room_free(Room *room)
{
    float *all[] = {room->x,       room->loop,   room->product, room->soft,
                    room->library, room->matrix, room->weights};
    for (size_t i = 0; i < COUNT(all); i++)
        free(all[i]);
}

static bool run(Experiment *x, Err *err)
{
    int length = (int)setting_integer(x, "length"), width = (int)setting_integer(x, "width");
    Room room = {0};
    bool ready = room_new((size_t)length, (size_t)width, &room, err);
    if (ready) {
        averaging_matrix(length, room.matrix);
        masked_softmax(length, room.weights);
        for (int seed = first_seed(x); seed < end_seed(x) && !interrupted(x); seed++)
            measure_ways(x, seed, length, width, &room);
        measure_corner(x, length, room.matrix);
        measure_matrix(x, length, &room);
        measure_constants(x);
        measure_padding(x);
    }
    room_free(&room);
    return ready;
}

const ExperimentPlan experiment = {"uniform_average", settings, 3, 3, run};
