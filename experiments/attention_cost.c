/*
 * attention_cost: how do time and memory of one attention layer grow with the number of tokens?
 *
 * Source   C9 measures a layer of width 512 with 8 heads on a laptop GPU of 8 GB.
 * Method   The forward pass over one sequence, causal, float32: q, k and v (no bias), attention that keeps the whole
 *          matrices of scores and of weights, output projection. Beside it the same layer in tiles, which keeps
 *          neither, and PyTorch's when it is installed. Times are medians over repeats, on all threads. Memory is
 *          what the layer asks for, counted where it asks; nothing is given back before its end, so the sum is the
 *          high-water mark. The 16,384 tokens that did not fit are asked for under a limit of 8 GiB on what the
 *          program may hold besides.
 * Emits    For each number of tokens n and form (kept, tiled): time/<form>/<n> (ms), peak/<form>/<n> (MiB), computed/…
 *          by the formula and resident/… (the process's peak, MiB); with mask and workspace/<n>, what PyTorch would
 *          hold on a graphics card; time/projections/<n>, time/pytorch/<n>, matrix/<n>;
 *          ratio/<time or peak>/kept/<n> to the row before. Of log-log fits over four rows exponent/<what>, …/low and
 *          …/high. difference (kept − tiled, largest); unaccounted (bytes); out of memory/<which>. Curves time/…,
 *          peak/… and fit/….
 * Verdict  attention_cost.claims.json. No threshold appears in this file.
 */
#include "experiment.h"
#include "footprint.h"
#include "largest.h"
#include "layer.h"
#include "machine.h"
#include "mem.h"
#include "pytorch.h"
#include "stats.h"
#include "timing.h"

#include <math.h>

enum { WIDTH = 512, HEADS = 8, FIRST = 128, TOO_MANY = 16384, MOST_ROWS = 20, FIT = 4, REPEATS = 15 };

static const double mebi = 1 << 20;
static const size_t memory_limit = (size_t)8 << 30;

/* What PyTorch holds on a graphics card besides a layer's own: a mask of one byte for each pair of tokens, and a workspace
 * for its products, :4096:2:16:8 KiB unless CUBLAS_WORKSPACE_CONFIG says otherwise. */
static const double workspace = (2 * 4096 + 8 * 16) * 1024;

static const Setting settings[] = {
    {"kept", INTEGER, 8192, 2048, 1024, 8192, "most tokens with both matrices kept"},
    {"tiled", INTEGER, 65536, 16384, 16384, 1 << 21, "most tokens in tiles"},
    {"seconds", REAL, 2, 0.2, 0, 3600, "seconds of repeats for each time"},
    SETTINGS_END,
};

/* The layer's two forms. */
enum { KEPT, TILED, FORMS };
static const char *const forms[FORMS] = {"kept", "tiled"};

static LayerPlan plan_of(int form, int tokens)
{
    return (LayerPlan){tokens, WIDTH, HEADS, true, form == KEPT ? KEEPS_BOTH : KEEPS_NEITHER};
}

/* A measurement over the rows, for fits and figures. */
typedef struct Column {
    const char *name;
    bool timed;
    double n[MOST_ROWS], value[MOST_ROWS];
    size_t count;
} Column;

static void add(Column *column, double n, double value)
{
    if (column->count == MOST_ROWS)
        return;
    column->n[column->count] = n;
    column->value[column->count++] = value;
}

static void put(Experiment *x, const Column *column, double value, const char *name)
{
    if (column->timed)
        measure_timed(x, FIXED, value, "%s", name);
    else
        measure(x, FIXED, value, "%s", name);
}

typedef struct Table {
    Column time[FORMS], peak[FORMS], projections, pytorch;
    double difference;  /* the largest between the two forms' outputs */
    double unaccounted; /* bytes asked for beyond or below the formula */
} Table;

/* ---- one row -------------------------------------------------------------------------------------------- */

static void forward(void *layer)
{
    layer_forward(layer);
}

static void project(void *layer)
{
    layer_project(layer);
}

/* Whether so much can be had without swapping, and some to spare. */
static bool fits(double bytes)
{
    return 1.1 * bytes < (double)machine_memory_available();
}

static bool compare_with_tiled(const Layer *kept, double *difference, Err *err)
{
    Layer tiled;
    LayerPlan plan = plan_of(TILED, kept->plan.length);
    bool ready = layer_new(&plan, &tiled, err);
    if (ready) {
        layer_forward(&tiled);
        *difference = fmax(*difference, largest_difference(kept->y, tiled.y, (size_t)plan.length * WIDTH));
    }
    layer_free(&tiled);
    return ready;
}

static void leave_out(Experiment *x, int form, int n, double bytes)
{
    static const char *const what[] = {"time", "peak", "resident"};
    reduce_budget(x, "%d tokens, %s: left out, since %.0f MiB would not fit into the memory that is free", n,
                  forms[form], bytes / mebi);
    for (size_t i = 0; i < COUNT(what); i++)
        measure_missing(x, FIXED, "not enough memory is free", "%s/%s/%d", what[i], forms[form], n);
    if (form == KEPT)
        measure_missing(x, FIXED, "not enough memory is free", "time/projections/%d", n);
}

static void time_it(Experiment *x, void (*work)(void *), Layer *layer, Column *column)
{
    double milliseconds = 1e3 * timing_median(setting_real(x, "seconds"), REPEATS, work, layer);
    measure_timed(x, FIXED, milliseconds, "%s/%d", column->name, layer->plan.length);
    add(column, layer->plan.length, milliseconds);
}

static bool run_row(Experiment *x, int form, int n, Table *table, Err *err)
{
    LayerPlan plan = plan_of(form, n);
    double computed = (double)layer_bytes(&plan);
    measure(x, FIXED, computed / mebi, "computed/%s/%d", forms[form], n);
    if (form == KEPT)
        measure(x, FIXED, (computed + (double)n * n + workspace) / mebi, "with mask and workspace/%d", n);
    if (!fits(computed)) {
        leave_out(x, form, n, computed);
        return true;
    }
    bool fresh = footprint_reset();
    Layer layer;
    bool ready = layer_new(&plan, &layer, err);
    if (ready) {
        double bytes = (double)layer.bytes;
        table->unaccounted += fabs(bytes - computed);
        measure(x, FIXED, bytes / mebi, "peak/%s/%d", forms[form], n);
        add(&table->peak[form], n, bytes / mebi);
        time_it(x, forward, &layer, &table->time[form]);
        if (fresh)
            measure_timed(x, FIXED, (double)machine_peak_memory() / mebi, "resident/%s/%d", forms[form], n);
        else
            measure_missing(x, FIXED, "known for the whole run only", "resident/%s/%d", forms[form], n);
    }
    if (ready && form == KEPT) {
        time_it(x, project, &layer, &table->projections);
        ready = compare_with_tiled(&layer, &table->difference, err);
    }
    layer_free(&layer);
    return ready;
}

static bool run_rows(Experiment *x, Table *table, Err *err)
{
    const long most[FORMS] = {setting_integer(x, "kept"),
                              setting_integer(x, "tiled")}; /* the latter is more */
    double rows = log2((double)most[TILED] / FIRST) + 1, row = 0;
    for (int n = FIRST; n <= most[TILED]; n *= 2, row++)
        for (int form = n <= most[KEPT] ? KEPT : TILED; form < FORMS && !interrupted(x); form++) {
            progress(x, 0.8 * row / rows, "%d tokens, %s", n, forms[form]);
            if (!run_row(x, form, n, table, err))
                return false;
        }
    for (int n = FIRST; n <= TOO_MANY; n *= 2) {
        LayerPlan plan = plan_of(KEPT, n);
        measure(x, FIXED, (double)layer_matrix_bytes(&plan) / mebi, "matrix/%d", n);
        if (n == TOO_MANY)
            measure(x, FIXED, (double)layer_bytes(&plan) / mebi, "computed/kept/%d", n);
    }
    return table->time[KEPT].count >= FIT || interrupted(x) ||
           err_set(err, "fewer than %d rows fit into the memory that is free", FIT);
}

/* ---- what follows from the rows ------------------------------------------------------------------------- */

/* The exponent over FIT rows from `first` on, its interval and the fitted line. */
static void fit(Experiment *x, const Column *column, size_t first, const char *name)
{
    PowerFit power = stats_power_fit(column->n + first, column->value + first, FIT, ALPHA);
    const char *const parts[] = {"", "/low", "/high"};
    const double values[] = {power.slope, power.interval.low, power.interval.high};
    for (size_t i = 0; i < COUNT(parts); i++) {
        char *full = mem_text("exponent/%s%s", name, parts[i]);
        put(x, column, values[i], full);
        free(full);
    }
    double line[FIT];
    for (size_t i = 0; i < FIT; i++)
        line[i] = exp(power.intercept) * pow(column->n[first + i], power.slope);
    record_curve(x, FIXED, column->n + first, line, FIT, "fit/%s", name);
}

static void measure_doublings(Experiment *x, const Column *column)
{
    for (size_t i = 1; i < column->count; i++) {
        char *name = mem_text("ratio/%s/%.0f", column->name, column->n[i]);
        if (column->n[i] == 2 * column->n[i - 1]) /* none was left out between them */
            put(x, column, column->value[i] / column->value[i - 1], name);
        free(name);
    }
}

static void measure_growth(Experiment *x, const Table *table)
{
    const Column *const all[] = {&table->time[KEPT], &table->time[TILED], &table->peak[KEPT],
                                 &table->peak[TILED], &table->projections};
    for (size_t i = 0; i < COUNT(all); i++) {
        fit(x, all[i], all[i]->count - FIT, all[i]->name);
        record_curve(x, FIXED, all[i]->n, all[i]->value, all[i]->count, "%s", all[i]->name);
    }
    fit(x, &table->time[KEPT], 0, "time/kept/first");
    measure_doublings(x, &table->time[KEPT]);
    measure_doublings(x, &table->peak[KEPT]);
    measure(x, FIXED, table->difference, "difference");
    measure(x, FIXED, table->unaccounted, "unaccounted");
}

/* ---- the end of memory ---------------------------------------------------------------------------------- */

/* Whether the layer that keeps its matrices can be had, and runs, under the limit. */
static bool try_under_limit(Experiment *x, int tokens, const char *which, Err *err)
{
    Err refusal;
    Layer layer;
    LayerPlan plan = plan_of(KEPT, tokens);
    if (!footprint_limit(memory_limit, err))
        return false;
    bool fits_in = layer_new(&plan, &layer, &refusal);
    if (fits_in)
        layer_forward(&layer);
    layer_free(&layer);
    footprint_unlimit();

    measure(x, FIXED, !fits_in, "out of memory/%s", which);
    if (!fits_in) {
        note(x, "out_of_memory", refusal.text);
        measure_missing(x, FIXED, "out of memory", "peak/kept/%d", tokens);
        measure_missing(x, FIXED, "out of memory", "time/kept/%d", tokens);
    }
    return true;
}

/* ---- PyTorch -------------------------------------------------------------------------------------------- */

/* A line "tokens milliseconds"; a warning may stand between them. */
static void take_time(void *column, const char *line)
{
    char *rest;
    long tokens = strtol(line, &rest, 10);
    double milliseconds = strtod(rest, &rest);
    if (tokens > 0 && milliseconds > 0 && *rest == '\0')
        add(column, (double)tokens, milliseconds);
}

/* No claim needs it. It holds three matrices and a mask at once. */
static void time_pytorch(Experiment *x, Column *column)
{
    int most = (int)setting_integer(x, "kept");
    for (LayerPlan plan = plan_of(KEPT, most); !fits(3.5 * (double)layer_matrix_bytes(&plan));
         plan.length = most)
        most /= 2;
    char *script = mem_text("%s/bench/torch_attention.py", machine_home());
    char *threads = mem_text("%d", thread_count(x)), *longest = mem_text("%d", most);
    char *seconds = mem_text("%g", setting_real(x, "seconds"));
    char *const arguments[] = {script, "--threads", threads, "--seconds", seconds, longest, NULL};
    Err reason = {"not enough memory is free"};
    if (pytorch_run(arguments, take_time, column, &reason) != PYTORCH_RAN)
        warn(x, "no more than %zu rows of PyTorch's layer were timed: %s", column->count, reason.text);
    size_t i = 0;
    for (int n = FIRST; n <= setting_integer(x, "kept"); n *= 2)
        if (i < column->count && column->n[i] == n)
            measure_timed(x, FIXED, column->value[i++], "%s/%d", column->name, n);
        else
            measure_missing(x, FIXED, reason.text, "%s/%d", column->name, n);
    record_curve(x, FIXED, column->n, column->value, column->count, "%s", column->name);
    free(script);
    free(threads);
    free(longest);
    free(seconds);
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static bool run(Experiment *x, Err *err)
{
    double share = timing_share(thread_count(x));
    if (share < 0.9)
        warn(x, "other programs take %.0f %% of the processors: times are too long", 100 * (1 - share));

    Table table = {.time = {{.name = "time/kept", .timed = true}, {.name = "time/tiled", .timed = true}},
                   .peak = {{.name = "peak/kept"}, {.name = "peak/tiled"}},
                   .projections = {.name = "time/projections", .timed = true},
                   .pytorch = {.name = "time/pytorch", .timed = true}};
    if (!run_rows(x, &table, err) || interrupted(x))
        return interrupted(x);
    measure_growth(x, &table);
    progress(x, 0.8, "PyTorch's layer");
    time_pytorch(x, &table.pytorch);
    progress(x, 0.95, "the layer under a limit on memory");
    const Column *ran = &table.peak[KEPT];
    return try_under_limit(x, TOO_MANY, "16384", err) &&
           try_under_limit(x, (int)ran->n[ran->count - 1], "longest that ran", err);
}

const ExperimentPlan experiment = {"attention_cost", settings, 0, 0, run};
