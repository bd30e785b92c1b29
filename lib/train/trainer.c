#include "trainer.h"

#include "batch.h"
#include "lanes.h"
#include "machine.h"
#include "mem.h"
#include "rng.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    SHARD_TOKENS = 256, /* activations of so many stay in cache; 128 and 512 are a few per cent slower */
    CHUNK = 4096        /* elements of the optimizer's pass that a thread takes at a time */
};

struct TrainerWork {
    TokenSpan text;
    Rng batches;
    int threads;
    Activations **activations; /* one for each thread */
    int32_t *tokens, *targets; /* [batch x length] */
    int shard;                 /* sequences in a shard; the last may have fewer */
    int shards;
    double *sums;     /* [shards]: Σ −log p */
    float *gradients; /* [LANES x layout->floats]; zero between the steps */
};

static void work_free(TrainerWork *work)
{
    for (int i = 0; work->activations && i < work->threads; i++)
        activations_free(work->activations[i]);
    free(work->activations);
    free(work->tokens);
    free(work->targets);
    free(work->sums);
    free(work->gradients);
    free(work);
}

void trainer_free(Trainer *trainer)
{
    if (!trainer)
        return;
    work_free(trainer->work);
    free(trainer->losses);
    free(trainer->probes);
    free(trainer->first);
    free(trainer->second);
    free(trainer);
}

static int ceiling(int a, int b)
{
    return (a + b - 1) / b;
}

static bool work_allocate(Trainer *trainer, Err *err)
{
    const TrainPlan *plan = &trainer->plan;
    TrainerWork *work = trainer->work;
    size_t floats = trainer->model->layout->floats, tokens = (size_t)plan->batch * (size_t)plan->length;

    /* Short sequences go several to a shard, but never so many that a lane stays idle. */
    int most = ceiling(plan->batch, LANES), wanted = SHARD_TOKENS / plan->length;
    work->shard = wanted < 1 ? 1 : wanted > most ? most : wanted;
    work->shards = ceiling(plan->batch, work->shard);
    work->threads = omp_get_max_threads() < LANES ? omp_get_max_threads() : LANES;

    work->activations = mem_new((size_t)work->threads, sizeof(Activations *));
    for (int i = 0; i < work->threads; i++) {
        work->activations[i] = activations_new(trainer->model, work->shard, plan->length, err);
        if (!work->activations[i])
            return false;
    }
    return (work->tokens = mem_try(tokens, sizeof(int32_t), "the tokens of a batch", err)) &&
           (work->targets = mem_try(tokens, sizeof(int32_t), "the targets of a batch", err)) &&
           (work->sums = mem_try((size_t)work->shards, sizeof(double), "the losses of a batch", err)) &&
           (work->gradients = mem_try(LANES * floats, sizeof(float), "the gradients' lanes", err)) &&
           (trainer->first = mem_try(floats, sizeof(float), "AdamW's first moments", err)) &&
           (trainer->second = mem_try(floats, sizeof(float), "AdamW's second moments", err)) &&
           (trainer->losses = mem_try((size_t)plan->steps, sizeof(double), "the losses", err));
}

Trainer *trainer_new(Model *model, TokenSpan text, const TrainPlan *plan, const Probe *probe, Err *err)
{
    require(plan->steps > 0 && plan->batch > 0 && plan->length > 0, "a plan of nothing");
    if (!batch_fits(text, plan->length, "the text to train on", err))
        return NULL;
    Trainer *trainer = mem_new(1, sizeof *trainer);
    trainer->model = model;
    trainer->plan = *plan;
    trainer->work = mem_new(1, sizeof *trainer->work);
    trainer->work->text = text;
    trainer->work->batches = rng_stream(plan->seed, "batches");
    if (!work_allocate(trainer, err)) {
        trainer_free(trainer);
        return NULL;
    }
    if (probe && probe->every > 0) {
        trainer->probe = *probe;
        size_t times = 1 + (size_t)(plan->steps / probe->every);
        trainer->probes = mem_new(times * (size_t)probe->count, sizeof *trainer->probes);
    }
    return trainer;
}

/* All shards of a lane, one after the other. Called by a thread of the team. */
static void take_lane(const Trainer *trainer, int lane)
{
    const TrainPlan *plan = &trainer->plan;
    const TrainerWork *work = trainer->work;
    float *gradient = work->gradients + (size_t)lane * trainer->model->layout->floats;
    float weight = (float)(1.0 / ((double)plan->batch * plan->length));
    for (int shard = lane; shard < work->shards; shard += LANES) {
        int first = shard * work->shard, rest = plan->batch - first;
        size_t offset = (size_t)first * (size_t)plan->length;
        work->sums[shard] =
            model_gradient(trainer->model, work->activations[omp_get_thread_num()], work->tokens + offset,
                           work->targets + offset, rest < work->shard ? rest : work->shard, weight, gradient);
    }
}

/* The mean over the batch, summed in the order of the shards. */
static double mean_loss(const Trainer *trainer)
{
    double sum = 0;
    for (int i = 0; i < trainer->work->shards; i++)
        sum += trainer->work->sums[i];
    return sum / ((double)trainer->plan.batch * trainer->plan.length);
}

static void draw_batch(Trainer *trainer, long step)
{
    TrainerWork *work = trainer->work;
    Rng rng = rng_substream(&work->batches, (uint32_t)step);
    batch_random(work->text, &rng, trainer->plan.batch, trainer->plan.length, work->tokens, work->targets);
}

static void take_probe(Trainer *trainer)
{
    const Probe *probe = &trainer->probe;
    if (probe->every > 0 && trainer->step % probe->every == 0)
        probe->measure(trainer->model, probe->context,
                       trainer->probes + trainer->step / probe->every * probe->count);
}

size_t trainer_probes(const Trainer *trainer)
{
    return trainer->probe.every == 0 ? 0 : 1 + (size_t)(trainer->step / trainer->probe.every);
}

/* After a step adamw_update has done it. */
static void clear_gradients(Trainer *trainer)
{
    memset(trainer->work->gradients, 0, LANES * trainer->model->layout->floats * sizeof(float));
}

bool trainer_step(Trainer *trainer)
{
    const TrainPlan *plan = &trainer->plan;
    if (trainer->step == plan->steps || trainer->diverged_at)
        return false;
    if (trainer->step == 0)
        take_probe(trainer);

    double started = machine_seconds();
    long step = trainer->step + 1;
    double rate = schedule_rate(plan->schedule, step), loss = 0;
    size_t floats = trainer->model->layout->floats;
    draw_batch(trainer, step);
#pragma omp parallel num_threads(trainer->work->threads)
    {
#pragma omp for schedule(dynamic)
        for (int lane = 0; lane < LANES; lane++)
            take_lane(trainer, lane);
#pragma omp single
        loss = mean_loss(trainer);
        if (isfinite(loss)) {
#pragma omp for schedule(static)
            for (size_t begin = 0; begin < floats; begin += CHUNK)
                adamw_update(&plan->optimizer, rate, step, begin,
                             begin + CHUNK < floats ? begin + CHUNK : floats, floats,
                             trainer->work->gradients, trainer->first, trainer->second,
                             trainer->model->parameters);
        }
    }
    if (!isfinite(loss)) {
        clear_gradients(trainer);
        trainer->diverged_at = step;
        return false;
    }
    trainer->losses[trainer->step] = loss;
    trainer->step = step;
    take_probe(trainer);
    trainer->seconds += machine_seconds() - started;
    return true;
}

double trainer_gradient(Trainer *trainer, long step, float *gradient)
{
    TrainerWork *work = trainer->work;
    size_t floats = trainer->model->layout->floats;
    draw_batch(trainer, step);
#pragma omp parallel for num_threads(work->threads) schedule(dynamic)
    for (int lane = 0; lane < LANES; lane++)
        take_lane(trainer, lane);
    for (size_t i = 0; i < floats; i++)
        gradient[i] = lanes_sum(work->gradients, floats, i);
    clear_gradients(trainer);
    return mean_loss(trainer);
}
