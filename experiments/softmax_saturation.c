/*
 * softmax_saturation: what does the division by sqrt(d) save a softmax from?
 *
 * Claim    Rows of 64 scores q·k, with and without the division: undivided, a wide head attends to one token and
 *          hardly any gradient comes back; divided, nothing saturates at any width.
 * Method   For each of 2000 rows one query and 64 keys, all standard normal. Of the softmax weights w of a row:
 *          effective tokens, exp(entropy) (median over rows); the Jacobian's trace, 1 − Σw² (mean over rows); a row
 *          is frozen when its largest weight exceeds 0.99. Both variants see the same scores.
 * Emits    effective/<variant>/d<d>, trace/<variant>/d<d>, frozen/<variant>/d<d> (a count of rows), rows; for one
 *          width: effective/times one, effective/times ten, doubling; jacobian/<end>; self/… for raw x·x scores.
 */
#include "experiment.h"
#include "largest.h"
#include "mem.h"
#include "ops_linear.h"
#include "ops_softmax.h"
#include "rng.h"
#include "stats.h"

#include <math.h>

enum { KEYS = 64, TOKENS = 64, TOKEN_WIDTH = 64 };

static const double frozen_above = 0.99;

static const Setting settings[] = {
    {"rows", INTEGER, 2000, 500, 10, 1e6, "random rows for each width"},
    SETTINGS_END,
};

static const int widths[] = {4, 16, 64, 256, 1024};
static const char *const variants[] = {"raw", "divided"};

/* Scores of one query with 64 keys; each row has a substream of its own, whatever thread draws it. */
static void draw_scores(const Rng *stream, int width, long rows, float *scores)
{
#pragma omp parallel for schedule(static)
    for (long r = 0; r < rows; r++) {
        Rng rng = rng_substream(stream, (uint32_t)r);
        double query[1024];
        for (int j = 0; j < width; j++)
            query[j] = rng_normal(&rng);
        for (int i = 0; i < KEYS; i++) {
            double sum = 0;
            for (int j = 0; j < width; j++)
                sum += query[j] * rng_normal(&rng);
            scores[r * KEYS + i] = (float)sum;
        }
    }
}

typedef struct Saturation {
    double effective, trace, frozen;
} Saturation;

/* Of rows of scores times `factor`; weights and entropies are room to work in. */
static Saturation saturation(const float *scores, float factor, long rows, float *weights, double *effective)
{
    Saturation s = {0};
    for (long i = 0; i < rows * KEYS; i++)
        weights[i] = factor * scores[i];
    softmax_forward((int)rows, KEYS, weights, weights);
    for (long r = 0; r < rows; r++) {
        const float *row = weights + r * KEYS;
        effective[r] = exp(softmax_entropy(KEYS, row));
        s.trace += softmax_trace(KEYS, row) / (double)rows;
        s.frozen += softmax_peak(KEYS, row) > frozen_above;
    }
    s.effective = stats_median(effective, (size_t)rows);
    return s;
}

typedef struct Room {
    float *scores, *weights;
    double *effective;
} Room;

static void measure_widths(Experiment *x, int seed, long rows, const Room *room)
{
    double d[COUNT(widths)], effective[2][COUNT(widths)], share[2][COUNT(widths)];
    for (size_t i = 0; i < COUNT(widths); i++) {
        char name[32];
        snprintf(name, sizeof name, "rows of width %d", widths[i]);
        Rng stream = rng_stream((uint64_t)seed, name);
        draw_scores(&stream, widths[i], rows, room->scores);
        d[i] = widths[i];
        for (int v = 0; v < 2; v++) {
            float factor = v == 0 ? 1 : 1 / sqrtf((float)widths[i]);
            Saturation s = saturation(room->scores, factor, rows, room->weights, room->effective);
            measure(x, seed, s.effective, "effective/%s/d%d", variants[v], widths[i]);
            measure(x, seed, s.trace, "trace/%s/d%d", variants[v], widths[i]);
            measure(x, seed, s.frozen, "frozen/%s/d%d", variants[v], widths[i]);
            effective[v][i] = s.effective;
            share[v][i] = s.frozen / (double)rows;
        }
        if (widths[i] == TOKEN_WIDTH) {
            float unit = 1 / sqrtf(TOKEN_WIDTH);
            Saturation one = saturation(room->scores, unit, rows, room->weights, room->effective);
            Saturation ten = saturation(room->scores, 10 * unit, rows, room->weights, room->effective);
            measure(x, seed, one.effective, "effective/times one");
            measure(x, seed, ten.effective, "effective/times ten");
        }
    }
    measure(x, seed, (double)rows, "rows");
    for (int v = 0; v < 2; v++) {
        record_curve(x, seed, d, effective[v], COUNT(widths), "effective/%s", variants[v]);
        record_curve(x, seed, d, share[v], COUNT(widths), "frozen/%s", variants[v]);
    }
}

/* How far scores [TOKENS x TOKENS] are from symmetric, relative to their size. */
static double asymmetry(float scores[TOKENS][TOKENS])
{
    double difference = 0, size = 0;
    for (int i = 0; i < TOKENS; i++)
        for (int j = 0; j < TOKENS; j++) {
            difference += fabs((double)scores[i][j] - scores[j][i]);
            size += fabs((double)scores[i][j]);
        }
    return difference / size;
}

/* Scores x·x of random tokens with themselves, then q·k after two different maps; and what a map makes of tokens twice as
 * large. */
static void measure_self_scores(Experiment *x, int seed)
{
    static float tokens[TOKENS * TOKEN_WIDTH], maps[2][TOKEN_WIDTH * TOKEN_WIDTH];
    static float mapped[2][TOKENS * TOKEN_WIDTH], of_doubled[TOKENS * TOKEN_WIDTH], scores[2][TOKENS][TOKENS];
    Rng rng = rng_stream((uint64_t)seed, "self scores");
    rng_fill_normal(&rng, tokens, COUNT(tokens));
    for (int m = 0; m < 2; m++) {
        rng_fill_uniform(&rng, maps[m], COUNT(maps[m]), 1 / sqrt(TOKEN_WIDTH));
        linear_forward(TOKENS, TOKEN_WIDTH, TOKEN_WIDTH, tokens, maps[m], NULL, NULL, mapped[m]);
    }
    linear_forward(TOKENS, TOKEN_WIDTH, TOKENS, tokens, tokens, NULL, NULL, *scores[0]);
    linear_forward(TOKENS, TOKEN_WIDTH, TOKENS, mapped[0], mapped[1], NULL, NULL, *scores[1]);
    measure(x, seed, asymmetry(scores[0]), "self/asymmetry");
    measure(x, seed, asymmetry(scores[1]), "self/asymmetry of q·k");

    double own = 0;
    softmax_forward(TOKENS, TOKENS, *scores[0], *scores[0]);
    for (int i = 0; i < TOKENS; i++)
        own += (double)scores[0][i][i] / TOKENS;
    measure(x, seed, own, "self/own weight");

    for (size_t i = 0; i < COUNT(tokens); i++) {
        tokens[i] *= 2;
        mapped[0][i] *= 2; /* exactly */
    }
    linear_forward(TOKENS, TOKEN_WIDTH, TOKEN_WIDTH, tokens, maps[0], NULL, NULL, of_doubled);
    measure(x, seed, largest_difference(of_doubled, mapped[0], COUNT(of_doubled)), "doubling");
}

/* w(1 − w) where a row has made up its mind: a score far above the rest, so that weights are exactly 0 and 1. */
static void measure_jacobian(Experiment *x)
{
    float row[2] = {-1000, 1000};
    softmax_forward(1, 2, row, row);
    measure(x, FIXED, row[0] * (1 - (double)row[0]), "jacobian/unattended");
    measure(x, FIXED, row[1] * (1 - (double)row[1]), "jacobian/attended");
}

static bool run(Experiment *x, Err *err)
{
    long rows = setting_integer(x, "rows");
    Room room = {0};
    bool ready = (room.scores = mem_try((size_t)rows * KEYS, sizeof *room.scores, "the scores", err)) &&
                 (room.weights = mem_try((size_t)rows * KEYS, sizeof *room.weights, "the weights", err)) &&
                 (room.effective = mem_try((size_t)rows, sizeof *room.effective, "the entropies", err));
    for (int seed = first_seed(x); ready && seed < end_seed(x) && !interrupted(x); seed++) {
        progress(x, (double)(seed - first_seed(x)) / (end_seed(x) - first_seed(x)), "seed %d", seed);
        measure_widths(x, seed, rows, &room);
        measure_self_scores(x, seed);
    }
    if (ready)
        measure_jacobian(x);
    free(room.scores);
    free(room.weights);
    free(room.effective);
    return ready;
}

const ExperimentPlan experiment = {"softmax_saturation", settings, 3, 1, run};
