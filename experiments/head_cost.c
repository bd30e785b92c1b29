/*
 * head_cost: do heads cost nothing?
 *
 * Source   MH and ID: h heads of width d/h need the same multiply-adds as one head of width d.
 * Method   One attention layer, forward, causal, its weights kept, with h = 1, 2, 4 … heads for two widths d. Multiply-
 *          adds are counted by the matrix products themselves while the layer runs, and compared with one head's;
 *          without the mask also with the formula 4 n d² + 2 n² d. Times are medians over repeats on one thread, so
 *          that one head and many are given the same processor.
 * Emits    For each d and h: multiply-adds/d<d>/h<h>, extra multiply-adds/… (over one head), beyond the formula/…;
 *          time/… and attention/… (ms, with and without the projections), ratio/… (of time, to one head);
 *          memory/… (MiB); projections/d<d> (ms). Curves ratio/d<d>.
 * Verdict  head_cost.claims.json. No threshold appears in this file.
 */
#include "blas.h"
#include "experiment.h"
#include "layer.h"
#include "machine.h"
#include "mem.h"
#include "timing.h"

#include <math.h>
#include <omp.h>

enum { REPEATS = 15, THINNEST = 4, MOST_COUNTS = 16 };

static const int widths[] = {512, 4096};

static const Setting settings[] = {
    {"tokens", INTEGER, 512, 128, 16, 8192, "tokens of the sequence"},
    {"seconds", REAL, 2, 0.1, 0, 3600, "seconds of repeats for each time"},
    SETTINGS_END,
};

static void forward(void *layer)
{
    layer_forward(layer);
}

static void project(void *layer)
{
    layer_project(layer);
}

/* Multiply-adds of one forward pass, as its products count them on this thread. */
static double counted(Layer *layer, bool causal)
{
    bool before = layer->plan.causal;
    layer->plan.causal = causal;
    uint64_t start = gemm_multiply_adds();
    layer_forward(layer);
    layer->plan.causal = before;
    return (double)(gemm_multiply_adds() - start);
}

static double formula(const LayerPlan *plan)
{
    double n = plan->length, d = plan->width;
    return 4 * n * d * d + 2 * n * n * d;
}

/* One width; the layer has room for the most heads. Begin and end are shares of the whole run. */
static void run_width(Experiment *x, Layer *layer, double begin, double end)
{
    int d = layer->plan.width, most = layer->plan.heads;
    double heads[MOST_COUNTS], ratio[MOST_COUNTS], seconds = setting_real(x, "seconds");
    double projections = 1e3 * timing_median(seconds, REPEATS, project, layer), one_time = 0, one_count = 0;
    size_t count = 0;
    measure_timed(x, FIXED, projections, "projections/d%d", d);
    for (int h = 1; h <= most && !interrupted(x); h *= 2, count++) {
        progress(x, begin + (end - begin) * log2(h) / (log2(most) + 1), "width %d, %d heads", d, h);
        layer->plan.heads = h;
        double multiply_adds = counted(layer, true);
        double time = 1e3 * timing_median(seconds, REPEATS, forward, layer);
        one_time = h == 1 ? time : one_time;
        one_count = h == 1 ? multiply_adds : one_count;
        heads[count] = h;
        ratio[count] = time / one_time;
        measure(x, FIXED, multiply_adds, "multiply-adds/d%d/h%d", d, h);
        measure(x, FIXED, multiply_adds - one_count, "extra multiply-adds/d%d/h%d", d, h);
        measure(x, FIXED, counted(layer, false) - formula(&layer->plan), "beyond the formula/d%d/h%d", d, h);
        measure(x, FIXED, (double)layer_bytes(&layer->plan) / (1 << 20), "memory/d%d/h%d", d, h);
        measure_timed(x, FIXED, time, "time/d%d/h%d", d, h);
        measure_timed(x, FIXED, time - projections, "attention/d%d/h%d", d, h);
        measure_timed(x, FIXED, ratio[count], "ratio/d%d/h%d", d, h);
    }
    record_curve(x, FIXED, heads, ratio, count, "ratio/d%d", d);
}

static bool run(Experiment *x, Err *err)
{
    omp_set_num_threads(1);
    double share = timing_share(1);
    if (share < 0.9)
        warn(x, "other programs take %.0f %% of the processor: times are too long", 100 * (1 - share));

    int tokens = (int)setting_integer(x, "tokens");
    bool good = true;
    for (size_t w = 0; w < COUNT(widths) && good && !interrupted(x); w++) {
        Layer layer;
        LayerPlan plan = {tokens, widths[w], widths[w] / THINNEST, true, KEEPS_WEIGHTS};
        if (1.1 * (double)layer_bytes(&plan) > (double)machine_memory_available())
            return skip(x, "%zu MiB of memory are needed", layer_bytes(&plan) >> 20);
        good = layer_new(&plan, &layer, err);
        if (good)
            run_width(x, &layer, w ? 0.25 : 0, w ? 1 : 0.25);
        layer_free(&layer);
    }
    return good;
}

const ExperimentPlan experiment = {"head_cost", settings, 0, 0, run};
