/*
 * dot_product_variance: does the dot product of two random vectors really grow with their width?
 *
 * Claim    For independent entries of mean 0 and variance 1, Var(q·k) = d, so scores have standard deviation
 *          sqrt(d); chapter 9 shows one draw of 20,000 pairs for five widths.
 * Method   Standard normal q and k, the sample variance of their dot products in double precision. Its standard
 *          error follows from the law: each product q_j k_j has kurtosis 9, so Var of the sample variance is
 *          d²(2 + 6/d)/pairs.
 * Emits    variance/d<d>, std/d<d>, standard_error/d<d>, slope (of log std on log d); curves std, square root.
 */
#include "experiment.h"
#include "mem.h"
#include "rng.h"
#include "stats.h"

#include <math.h>

static const Setting settings[] = {
    {"pairs", INTEGER, 20000, 20000, 100, 1e7, "random pairs for each width"},
    SETTINGS_END,
};

static const int widths[] = {4, 16, 64, 256, 1024};

/* The dot products of `pairs` random pairs; each pair has a substream of its own, so that the numbers do not
 * depend on how threads share the work. */
static void draw(const Rng *stream, int width, double *products, long pairs)
{
#pragma omp parallel for schedule(static)
    for (long p = 0; p < pairs; p++) {
        Rng rng = rng_substream(stream, (uint32_t)p);
        double sum = 0;
        for (int j = 0; j < width; j++) {
            double q = rng_normal(&rng), k = rng_normal(&rng);
            sum += q * k;
        }
        products[p] = sum;
    }
}

static void run_seed(Experiment *x, int seed, double *products, long pairs)
{
    double d[COUNT(widths)], deviation[COUNT(widths)], root[COUNT(widths)];
    for (size_t i = 0; i < COUNT(widths); i++) {
        char name[32];
        snprintf(name, sizeof name, "pairs of width %d", widths[i]);
        Rng stream = rng_stream((uint64_t)seed, name);
        draw(&stream, widths[i], products, pairs);

        d[i] = widths[i];
        root[i] = sqrt(d[i]);
        deviation[i] = stats_sd(products, (size_t)pairs);
        measure(x, seed, deviation[i] * deviation[i], "variance/d%d", widths[i]);
        measure(x, seed, deviation[i], "std/d%d", widths[i]);
        measure(x, seed, d[i] * sqrt((2 + 6 / d[i]) / (double)pairs), "standard_error/d%d", widths[i]);
    }
    measure(x, seed, stats_power_fit(d, deviation, COUNT(widths), ALPHA).slope, "slope");
    record_curve(x, seed, d, deviation, COUNT(widths), "std");
    record_curve(x, seed, d, root, COUNT(widths), "square root");
}

static bool run(Experiment *x, Err *err)
{
    long pairs = setting_integer(x, "pairs");
    double *products = mem_try((size_t)pairs, sizeof *products, "the dot products", err);
    if (!products)
        return false;
    for (int seed = first_seed(x); seed < end_seed(x) && !interrupted(x); seed++) {
        progress(x, (double)(seed - first_seed(x)) / (end_seed(x) - first_seed(x)), "seed %d", seed);
        run_seed(x, seed, products, pairs);
    }
    free(products);
    return true;
}

const ExperimentPlan experiment = {"dot_product_variance", settings, 3, 1, run};
