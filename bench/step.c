/*
 * step: times the training step against the machine's own ceiling.
 *
 *   build/bench/step [--json] [--blocks N] [--batch N] [--threads N] [--rounds N]
 *
 * The ceiling is the largest rate of a 2048 x 2048 x 2048 product that every thread computes for itself at the
 * same time. Of the step, only the multiply-adds that the model needs count: under the causal mask half the
 * scores are not. Ceiling and steps alternate in rounds, and the best of each counts, so that what else the
 * machine does in between disturbs neither more than the other.
 *
 * Below the step stand its parts, each run alone at the step's shapes on all threads: where the time goes.
 */
#include "adamw.h"
#include "blas.h"
#include "lanes.h"
#include "machine.h"
#include "mem.h"
#include "ops_attention.h"
#include "ops_gelu.h"
#include "ops_linear.h"
#include "ops_loss.h"
#include "ops_norm.h"
#include "rng.h"
#include "trainer.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>

enum {
    LENGTH = 128,
    CUBE = 2048,   /* rows, columns and terms of the ceiling's product */
    STEPS = 8,     /* in a round: their mean is the round's time */
    SEQUENCES = 2, /* in a shard of the parts, as the trainer cuts them */
    TEXT = 100000  /* random tokens to train on */
};

typedef struct Options {
    bool json;
    int blocks, batch, threads, rounds;
} Options;

typedef struct Timing {
    double seconds; /* of a step */
    double flops;   /* that it needs */
    double ceiling; /* flops per second */
} Timing;

/* Multiplications and additions that one step needs: each weight once for every token forward and twice
 * backward; each visible pair of positions likewise, for its score and its share of the output. */
static double step_flops(const ModelConfig *c, int batch)
{
    double tokens = (double)batch * LENGTH, pairs = tokens * (LENGTH + 1) / 2, width = c->width;
    double weights = c->blocks * 12 * width * width + c->vocabulary * width;
    return 3 * 2 * (tokens * weights + c->blocks * pairs * 2 * width);
}

/* The ceiling. */

static float *filled(size_t n, double bound, Err *err)
{
    float *x = mem_try(n, sizeof *x, "the benchmark", err);
    Rng rng = rng_stream(0, "bench");
    if (x)
        rng_fill_uniform(&rng, x, n, bound);
    return x;
}

/* a and b are shared, and each thread has a result of its own in c. */
static double ceiling(const float *a, const float *b, float *c)
{
    double seconds = 0;
#pragma omp parallel
    {
        float *own = c + (size_t)omp_get_thread_num() * CUBE * CUBE;
#pragma omp barrier
#pragma omp master
        seconds = -machine_seconds();
        gemm_nn(CUBE, CUBE, CUBE, 1, a, CUBE, b, CUBE, 0, own, CUBE);
#pragma omp barrier
#pragma omp master
        seconds += machine_seconds();
    }
    return omp_get_max_threads() * 2.0 * CUBE * CUBE * CUBE / seconds;
}

static bool time_steps(Trainer *trainer, int rounds, Timing *timing, Err *err)
{
    size_t cube = (size_t)CUBE * CUBE;
    float *a = filled(cube, 1, err), *b = filled(cube, 1, err);
    float *c = mem_try(omp_get_max_threads() * cube, sizeof *c, "the ceiling's products", err);
    bool done = a && b && c;
    timing->seconds = INFINITY;
    for (int round = 0; done && round < rounds; round++) {
        timing->ceiling = fmax(timing->ceiling, ceiling(a, b, c));
        double start = machine_seconds();
        for (int i = 0; done && i < STEPS; i++)
            done = trainer_step(trainer) || err_set(err, "training diverged");
        timing->seconds = fmin(timing->seconds, (machine_seconds() - start) / STEPS);
    }
    free(a);
    free(b);
    free(c);
    return done;
}

/* The parts. Each is what one shard needs of it. */

typedef struct Room {
    int rows;
    float *x, *y, *z;         /* [rows x the widest layer] */
    float *matrix, *gradient; /* [the largest layer] */
    float *vector, *sums;     /* [the widest layer] */
    float *weights;           /* [SEQUENCES x heads x LENGTH x LENGTH] */
    float *scratch;           /* attention's, and the norms' statistics */
    int32_t targets[SEQUENCES * LENGTH];
} Room;

static void run_layer(Room *r, int in, int out)
{
    linear_forward(r->rows, in, out, r->x, r->matrix, r->vector, NULL, r->y);
    linear_backward_weight(r->rows, in, out, r->x, r->y, r->gradient, r->sums);
    linear_backward_input(r->rows, in, out, r->y, r->matrix, false, r->z);
}

static void run_products(const ModelConfig *c, Room *r)
{
    int d = c->width;
    for (int block = 0; block < c->blocks; block++) {
        run_layer(r, d, 3 * d);
        run_layer(r, d, d);
        run_layer(r, d, 4 * d);
        run_layer(r, 4 * d, d);
    }
    run_layer(r, d, c->vocabulary);
}

static void run_attention(const ModelConfig *c, Room *r)
{
    int d = c->width;
    Attention a = {LENGTH, c->heads, c->head_width, 3 * d, d, c->causal, 1 / sqrtf((float)c->head_width),
                   NULL,   NULL};
    for (int i = 0; i < c->blocks * SEQUENCES; i++) {
        size_t sequence = (size_t)(i % SEQUENCES) * LENGTH;
        float *q = r->x + sequence * 3 * d, *d_q = r->z + sequence * 3 * d, *output = r->y + sequence * d;
        float *weights = r->weights + sequence * c->heads * LENGTH;
        attention_forward(&a, q, q + d, q + 2 * d, NULL, weights, output);
        attention_backward(&a, q, q + d, q + 2 * d, weights, output, d_q, d_q + d, d_q + 2 * d, r->scratch);
    }
}

static void run_gelu(const ModelConfig *c, Room *r)
{
    size_t n = (size_t)r->rows * 4 * c->width;
    for (int block = 0; block < c->blocks; block++) {
        gelu_forward(n, r->x, r->y, r->z);
        gelu_backward(n, r->z, r->y, r->y);
    }
}

static void run_norms(const ModelConfig *c, Room *r)
{
    for (int i = 0; i < 2 * c->blocks + 1; i++) {
        norm_forward(r->rows, c->width, r->x, r->vector, r->vector, r->y, r->scratch);
        norm_backward(r->rows, c->width, r->x, r->vector, r->scratch, r->y, r->y, r->z, r->sums, r->sums);
    }
}

static void run_loss(const ModelConfig *c, Room *r)
{
    loss_cross_entropy(r->rows, c->vocabulary, r->x, r->targets, 1, NULL, r->y);
}

static const struct {
    const char *name;
    void (*run)(const ModelConfig *c, Room *r);
} parts[] = {
    {"layers' products, with bias", run_products},
    {"attention", run_attention},
    {"GELU", run_gelu},
    {"layer norm", run_norms},
    {"cross-entropy", run_loss},
};

static bool room_new(const ModelConfig *c, Room *r, Err *err)
{
    size_t widest = 4 * (size_t)c->width > (size_t)c->vocabulary ? 4 * c->width : c->vocabulary;
    Attention shape = {.length = LENGTH};
    r->rows = SEQUENCES * LENGTH;
    r->x = filled(r->rows * widest, 1, err);
    r->y = filled(r->rows * widest, 1, err);
    r->z = filled(r->rows * widest, 1, err);
    r->matrix = filled(widest * c->width, 0.1, err);
    r->gradient = filled(widest * c->width, 0.1, err);
    r->vector = filled(widest, 1, err);
    r->sums = filled(widest, 1, err);
    r->weights = filled((size_t)SEQUENCES * c->heads * LENGTH * LENGTH, 1, err);
    r->scratch = filled(attention_scratch(&shape) + 2 * r->rows, 1, err);
    return r->x && r->y && r->z && r->matrix && r->gradient && r->vector && r->sums && r->weights &&
           r->scratch;
}

static void room_free(Room *r)
{
    float *arrays[] = {r->x, r->y, r->z, r->matrix, r->gradient, r->vector, r->sums, r->weights, r->scratch};
    for (size_t i = 0; i < COUNT(arrays); i++)
        free(arrays[i]);
}

/* Seconds of one part for a whole batch; the best of the rounds. */
static double time_part(size_t part, const ModelConfig *c, const Options *o, Room *rooms)
{
    double best = INFINITY;
    for (int round = 0; round < o->rounds; round++) {
        double start = machine_seconds();
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < o->batch; i += SEQUENCES)
            parts[part].run(c, &rooms[omp_get_thread_num()]);
        best = fmin(best, machine_seconds() - start);
    }
    return best;
}

static double time_optimizer(const Model *model, const Options *o, float *lanes, float *moments)
{
    AdamW adamw = adamw_default();
    size_t floats = model->layout->floats, chunk = 4096;
    double best = INFINITY;
    for (int round = 0; round < o->rounds; round++) {
        double start = machine_seconds();
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < floats; i += chunk)
            adamw_update(&adamw, 1e-3, round + 1, i, i + chunk < floats ? i + chunk : floats, floats, lanes,
                         moments, moments + floats, model->parameters);
        best = fmin(best, machine_seconds() - start);
    }
    return best;
}

static void print_part(const char *name, double seconds, double step)
{
    printf("  %-28s %8.2f ms %6.1f %%\n", name, 1e3 * seconds, 100 * seconds / step);
}

static bool print_parts(const Model *model, const Options *o, double step, Err *err)
{
    size_t floats = model->layout->floats;
    float *lanes = mem_try(LANES * floats, sizeof *lanes, "the lanes", err);
    float *moments = mem_try(2 * floats, sizeof *moments, "the moments", err);
    Room *rooms = mem_new(o->threads, sizeof *rooms);
    bool done = lanes && moments;
    for (int i = 0; done && i < o->threads; i++)
        done = room_new(&model->config, &rooms[i], err);
    if (done) {
        double sum = 0;
        printf("Its parts, each run alone:\n");
        for (size_t i = 0; i < COUNT(parts); i++) {
            double seconds = time_part(i, &model->config, o, rooms);
            print_part(parts[i].name, seconds, step);
            sum += seconds;
        }
        double seconds = time_optimizer(model, o, lanes, moments);
        print_part("lanes and AdamW", seconds, step);
        print_part("the rest", step - sum - seconds, step);
    }
    for (int i = 0; i < o->threads; i++)
        room_free(&rooms[i]);
    free(rooms);
    free(lanes);
    free(moments);
    return done;
}

/* The program. */

static void print_json(const Options *o, const Timing *t)
{
    double rate = t->flops / t->seconds;
    printf("{\"ms_per_step\": %.3f, \"gflops\": %.2f, \"ceiling_gflops\": %.2f, \"ratio\": %.4f, "
           "\"threads\": %d}\n",
           1e3 * t->seconds, 1e-9 * rate, 1e-9 * t->ceiling, rate / t->ceiling, o->threads);
}

static bool bench(const Options *o, Err *err)
{
    ModelConfig config = config_block();
    config.blocks = o->blocks;
    int32_t *ids = mem_new(TEXT, sizeof *ids);
    Rng rng = rng_stream(0, "text");
    for (int i = 0; i < TEXT; i++)
        ids[i] = (int32_t)rng_below(&rng, (uint32_t)config.vocabulary);
    TrainPlan plan = {.steps = (long)o->rounds * STEPS,
                      .batch = o->batch,
                      .length = LENGTH,
                      .schedule = {1e-3, 0},
                      .optimizer = adamw_default()};
    Timing t = {.flops = step_flops(&config, o->batch)};
    Model *model = model_new(&config, 0, err);
    Trainer *trainer =
        model ? trainer_new(model, (TokenSpan){.ids = ids, .count = TEXT}, &plan, NULL, err) : NULL;
    bool done = trainer && time_steps(trainer, o->rounds, &t, err);
    if (done && o->json)
        print_json(o, &t);
    if (done && !o->json) {
        printf("%s, %s\n", machine_cpu(), blas_description());
        printf("%d block(s), batch %d x %d, %d thread(s)\n", o->blocks, o->batch, LENGTH, o->threads);
        printf("step %.2f ms, %.1f of %.1f GFLOP/s: %.1f %% of the ceiling\n", 1e3 * t.seconds,
               1e-9 * t.flops / t.seconds, 1e-9 * t.ceiling, 100 * t.flops / t.seconds / t.ceiling);
        done = print_parts(model, o, t.seconds, err);
    }
    trainer_free(trainer);
    model_free(model);
    free(ids);
    return done;
}

/* A whole number in 1 … highest. */
static bool read_number(const char *text, long highest, int *value)
{
    char *end;
    long number = strtol(text, &end, 10);
    *value = (int)number;
    return end != text && *end == '\0' && number >= 1 && number <= highest;
}

int main(int argc, char **argv)
{
    Options o = {false, 1, 64, machine_cores(), 8};
    const struct option flags[] = {
        {"json", no_argument, NULL, 'j'},         {"blocks", required_argument, NULL, 'b'},
        {"batch", required_argument, NULL, 's'},  {"threads", required_argument, NULL, 't'},
        {"rounds", required_argument, NULL, 'r'}, {0}};
    bool usage = false;
    for (int flag; (flag = getopt_long(argc, argv, "", flags, NULL)) != -1;) {
        if (flag == 'j')
            o.json = true;
        else if (flag == 'b')
            usage |= !read_number(optarg, 1000, &o.blocks);
        else if (flag == 's')
            usage |= !read_number(optarg, 100000, &o.batch);
        else if (flag == 't')
            usage |= !read_number(optarg, 1000, &o.threads);
        else if (flag == 'r')
            usage |= !read_number(optarg, 1000000, &o.rounds);
        else
            usage = true;
    }
    if (usage || optind != argc) {
        fprintf(stderr, "usage: %s [--json] [--blocks N] [--batch N] [--threads N] [--rounds N]\n", argv[0]);
        return 2;
    }
    Err err;
    omp_set_num_threads(o.threads);
    if (!blas_start(&err) || !bench(&o, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    return 0;
}
