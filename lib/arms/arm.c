#include "arm.h"

#include "batch.h"
#include "checkpoint.h"
#include "describe.h"
#include "evaluate.h"
#include "file.h"
#include "machine.h"
#include "measure_json.h"
#include "mem.h"
#include "training_text.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CHECKPOINT_SECONDS = 60,
    CURVE_POINTS = 200 /* of a loss curve: as many as a figure shows */
};

/* An arm at a seed. */
typedef struct Unit {
    const Arm *arm;
    int seed;
    Json *identity;
    double before, cost; /* of training: what stands before this unit, and its own; see estimate_cost */
} Unit;

/* What a record of a unit holds. */
typedef struct Record {
    bool there;
    double seconds;
    Measurements seen;
} Record;

typedef struct Run {
    Experiment *x;
    const Tokens *tokens; /* of the arms that have none of their own */
    char *folder;
    Unit *units;
    size_t count, trained;
    double cost; /* of all units without a record */
} Run;

static const Tokens *text_of(const Run *run, const Arm *arm)
{
    return arm->tokens ? arm->tokens : run->tokens;
}

/* Whether every arm makes sense; and how large its model is. */
static bool check_arms(const Run *run, const Arm *arms, size_t count, Err *err)
{
    for (size_t i = 0; i < count; i++) {
        const Arm *arm = &arms[i];
        require((arm->probe.every == 0 && !arm->observe && !arm->alter) || arm->source,
                "the arm \"%s\" has code of its own, and does not say which source it is in", arm->name);
        require(!arm->alter == !arm->altered, "the arm \"%s\" does not say how it is altered", arm->name);
        if (!config_check(&arm->model, err))
            return err_within(err, "the model of \"%s\"", arm->name);
        if (!batch_fits(text_of(run, arm)->held_out, arm->plan.length, "the held-out text", err))
            return false; /* now, not after hours of training */
        Layout *layout = layout_new(&arm->model);
        measure(run->x, FIXED, (double)layout->parameters, "parameters/%s", arm->name);
        layout_free(layout);
    }
    return true;
}

/* ---- what is to be done --------------------------------------------------------------------------------- */

static Json *identify(const Arm *arm, int seed, const Json *text)
{
    Json *settings = json_object();
    json_add(settings, "seed", json_from_number(seed));
    json_add(settings, "model", describe_model(&arm->model));
    json_add(settings, "training", describe_training(&arm->plan));
    json_add(settings, "text", json_copy(text));
    json_add(settings, "train_text", json_from_bool(arm->train_text));
    if (arm->probe.every > 0)
        json_add(settings, "probe_every", json_from_number((double)arm->probe.every));
    if (arm->altered)
        json_add(settings, "altered", json_from_string(arm->altered));
    if (arm->source)
        json_add(settings, "experiment", json_from_string(arm->source));
    return unit_identity(settings);
}

/* Multiplications in the products of all steps: enough to tell how far a run is. */
static double estimate_cost(const Arm *arm)
{
    Layout *layout = layout_new(&arm->model);
    double tokens = (double)arm->plan.steps * arm->plan.batch * arm->plan.length;
    double mixing = (double)arm->model.blocks * arm->model.heads * arm->model.head_width * arm->plan.length;
    double cost = tokens * ((double)layout->parameters + mixing);
    layout_free(layout);
    return cost;
}

/* Whether everything was seen once, and at no seed: the unit has one. */
static bool is_seen_once(const Measurements *seen)
{
    bool good = true;
    for (size_t i = 0; i < seen->count; i++)
        good = good && seen->list[i].count == 1 && seen->list[i].samples[0].seed == FIXED;
    for (size_t i = 0; i < seen->curve_count; i++)
        good = good && seen->curves[i].seed == FIXED;
    for (size_t i = 0; i < seen->matrix_count; i++)
        good = good && seen->matrices[i].seed == FIXED;
    return good;
}

static bool read_content(const Arm *arm, const Json *content, const char *path, Measurements *seen, Err *err)
{
    if (!measurements_from_json(json_get(content, "measurements"), json_get(content, "curves"),
                                json_get(content, "matrices"), seen, err))
        return err_within(err, "%s", path);
    if (!measurements_find(seen, "held_out") || (arm->train_text && !measurements_find(seen, "train")))
        err_set(err, "%s: the perplexity is missing", path);
    else if (!is_seen_once(seen))
        err_set(err, "%s: something has another number of samples than one", path);
    else
        return true;
    measurements_free(seen);
    return false;
}

/* Looks for the record of a unit. False with a sentence that names it when there is one that can't be used. */
static bool find_record(const Run *run, const Unit *unit, Record *record, Err *err)
{
    Json *json;
    *record = (Record){0};
    if (!unit_find(run->folder, unit->identity, &json, err))
        return false;
    if (!json)
        return true;
    char *path = unit_record_path(run->folder, unit->identity);
    record->there = read_content(unit->arm, json_get(json, "content"), path, &record->seen, err);
    record->seconds = unit_seconds(json);
    free(path);
    json_free(json);
    return record->there;
}

static void run_prepare(Run *run, const Arm *arms, size_t count)
{
    Json **texts = mem_new(count, sizeof *texts);
    for (size_t i = 0; i < count; i++)
        texts[i] = describe_tokens(text_of(run, &arms[i]));
    int first = first_seed(run->x), end = end_seed(run->x);
    run->units = mem_new((size_t)(end - first) * count, sizeof *run->units);
    for (int seed = first; seed < end; seed++)
        for (size_t i = 0; i < count; i++) {
            if (arms[i].once && seed > first)
                continue;
            Unit *unit = &run->units[run->count++];
            *unit = (Unit){.arm = &arms[i], .seed = seed, .identity = identify(&arms[i], seed, texts[i])};
            unit->before = run->cost;
            Record record;
            Err unusable; /* said when the unit's turn comes */
            if (!find_record(run, unit, &record, &unusable) || !record.there)
                run->cost += unit->cost = estimate_cost(&arms[i]);
            measurements_free(&record.seen);
        }
    for (size_t i = 0; i < count; i++)
        json_free(texts[i]);
    free(texts);
}

/* ---- training ------------------------------------------------------------------------------------------- */

static void show_progress(const Run *run, const Unit *unit, const Trainer *trainer)
{
    double share = (double)trainer->step / (double)trainer->plan.steps;
    progress(run->x, (unit->before + share * unit->cost) / run->cost,
             "%s, seed %d: step %ld of %ld, loss %.3f", unit->arm->name, unit->seed, trainer->step,
             trainer->plan.steps, trainer->losses[trainer->step - 1]);
}

/* Trains to the plan's end or to divergence, from the checkpoint if there is one. False when a checkpoint can't
 * be written, or the user stops the run. */
static bool train(const Run *run, const Unit *unit, const char *checkpoint, Trainer *trainer, Err *err)
{
    char key[DIGEST_TEXT];
    unit_key(unit->identity, key);
    Err unusable;
    if (file_exists(checkpoint) && !checkpoint_read(checkpoint, key, trainer, &unusable))
        warn(run->x, "%s; it is trained from the beginning", unusable.text);
    double saved = machine_seconds();
    while (trainer_step(trainer)) {
        show_progress(run, unit, trainer);
        bool stop = interrupted(run->x);
        if (stop || machine_seconds() - saved > CHECKPOINT_SECONDS) {
            if (!checkpoint_write(checkpoint, key, trainer, err) || stop)
                return false;
            saved = machine_seconds();
        }
    }
    return true;
}

/* ---- what is seen --------------------------------------------------------------------------------------- */

static void see_loss(const Trainer *trainer, Measurements *seen)
{
    double x[CURVE_POINTS], y[CURVE_POINTS];
    long steps = trainer->plan.steps, wanted = steps < CURVE_POINTS ? steps : CURVE_POINTS;
    size_t points = 0;
    for (long i = 0; i < wanted; i++) {
        long begin = i * steps / wanted, end = (i + 1) * steps / wanted;
        if (end > trainer->step)
            break;
        double sum = 0;
        for (long step = begin; step < end; step++)
            sum += trainer->losses[step];
        x[points] = (double)end;
        y[points++] = sum / (double)(end - begin);
    }
    if (points > 0)
        measurements_add_curve(seen, "loss", FIXED, x, y, points);
}

void arm_see(Measurements *seen, const char *name, double value)
{
    if (isfinite(value))
        measurements_add(seen, name, FIXED, value, false);
    else
        measurements_add_missing(seen, name, FIXED, "it is not finite");
}

static void see_ends(const char *name, const double *y, size_t points, const char *missing,
                     Measurements *seen)
{
    double peak = y[0], dip = y[0];
    for (size_t i = 1; i < points; i++) {
        dip = y[i] > peak ? y[i] : fmin(dip, y[i]);
        peak = fmax(peak, y[i]);
    }
    const struct {
        const char *word;
        double value;
    } ends[] = {{"start", y[0]}, {"end", y[points - 1]}, {"peak", peak}, {"dip", dip}};
    for (size_t i = 0; i < COUNT(ends); i++) {
        char *full = mem_text("%s_%s", name, ends[i].word);
        if (missing)
            measurements_add_missing(seen, full, FIXED, missing);
        else
            arm_see(seen, full, ends[i].value);
        free(full);
    }
}

static void see_probes(const Trainer *trainer, const char *const *names, const char *missing,
                       Measurements *seen)
{
    size_t points = trainer_probes(trainer), count = (size_t)trainer->probe.count;
    double *x = mem_new(points, sizeof *x), *y = mem_new(points, sizeof *y);
    for (size_t c = 0; c < count && points > 0; c++) {
        for (size_t i = 0; i < points; i++) {
            x[i] = (double)((long)i * trainer->probe.every);
            y[i] = trainer->probes[i * count + c];
        }
        measurements_add_curve(seen, names[c], FIXED, x, y, points);
        see_ends(names[c], y, points, missing, seen);
    }
    free(x);
    free(y);
}

static void see_nothing(const Arm *arm, const char *missing, Measurements *seen)
{
    measurements_add_missing(seen, "held_out", FIXED, missing);
    if (arm->train_text)
        measurements_add_missing(seen, "train", FIXED, missing);
    for (size_t i = 0; arm->observed && arm->observed[i]; i++)
        measurements_add_missing(seen, arm->observed[i], FIXED, missing);
}

static bool see(const Arm *arm, const Trainer *trainer, const Tokens *tokens, Measurements *seen, Err *err)
{
    char *missing = trainer->diverged_at ? mem_text("diverged at step %ld", trainer->diverged_at) : NULL;
    see_loss(trainer, seen);
    see_probes(trainer, arm->probe_names, missing, seen);
    if (missing) {
        see_nothing(arm, missing, seen);
        free(missing);
        return true;
    }
    double perplexity;
    if (!evaluate_perplexity(trainer->model, tokens->held_out, "the held-out text", arm->plan.length,
                             &perplexity, NULL, err))
        return false;
    arm_see(seen, "held_out", perplexity);
    if (arm->train_text) {
        if (!evaluate_perplexity(trainer->model, tokens->train, "the text to train on", arm->plan.length,
                                 &perplexity, NULL, err))
            return false;
        arm_see(seen, "train", perplexity);
    }
    return !arm->observe || arm->observe(trainer->model, tokens, arm->context, seen, err);
}

/* ---- a unit, from its beginning to its record ------------------------------------------------------------ */

static bool record_unit(const Run *run, const Unit *unit, const Measurements *seen, double seconds, Err *err)
{
    Json *content = json_object();
    json_add(content, "measurements", measurements_to_json(seen));
    json_add(content, "curves", curves_to_json(seen));
    json_add(content, "matrices", matrices_to_json(seen));
    return unit_save(run->folder, unit->identity, content, seconds, err);
}

static bool compute_unit(const Run *run, const Unit *unit, Err *err)
{
    const Arm *arm = unit->arm;
    const Tokens *tokens = text_of(run, arm);
    TrainPlan plan = arm->plan;
    plan.seed = (uint64_t)unit->seed;
    Measurements seen = {0};
    char *checkpoint = unit_path(run->folder, unit->identity, ".checkpoint");
    Model *model = model_new(&arm->model, plan.seed, err);
    if (model && arm->alter)
        arm->alter(model);
    Trainer *trainer = model ? trainer_new(model, tokens->train, &plan, &arm->probe, err) : NULL;
    bool trained = trainer && train(run, unit, checkpoint, trainer, err);
    double end = machine_seconds();
    bool done = trained && see(arm, trainer, tokens, &seen, err) &&
                record_unit(run, unit, &seen, trainer->seconds + machine_seconds() - end, err);
    if (done)
        remove(checkpoint);
    trainer_free(trainer);
    model_free(model);
    measurements_free(&seen);
    free(checkpoint);
    return done;
}

/* Adds what was seen to the experiment's measurements, under the arm's name and seed. */
static void report_unit(const Run *run, const Unit *unit, const Measurements *seen)
{
    const char *arm = unit->arm->name;
    for (size_t i = 0; i < seen->count; i++) {
        const Measurement *m = &seen->list[i];
        if (m->samples[0].missing)
            measure_missing(run->x, unit->seed, m->samples[0].missing, "%s/%s", m->name, arm);
        else
            measure(run->x, unit->seed, m->samples[0].value, "%s/%s", m->name, arm);
    }
    for (size_t i = 0; i < seen->curve_count; i++) {
        const Curve *c = &seen->curves[i];
        record_curve(run->x, unit->seed, c->x, c->y, c->points, "%s/%s", c->name, arm);
    }
    for (size_t i = 0; i < seen->matrix_count; i++) {
        const Matrix *m = &seen->matrices[i];
        record_matrix(run->x, unit->seed, m->values, m->rows, m->columns, (const char *const *)m->row_labels,
                      (const char *const *)m->column_labels, "%s/%s", m->name, arm);
    }
}

/* Trains a unit that has no record, and reads back the one it leaves, as every later run will see it. */
static bool make_record(Run *run, const Unit *unit, Record *record, Err *err)
{
    if (run->trained++ == 0) {
        char *why = unit_explain(run->folder, unit->identity);
        note(run->x, "first_unit_trained", why);
        free(why);
    }
    if (!compute_unit(run, unit, err))
        return false;
    if (find_record(run, unit, record, err) && !record->there)
        err_set(err, "it is not there");
    record->seconds = 0; /* nothing was saved */
    return record->there ||
           err_within(err, "the record of \"%s\" at seed %d can't be read back", unit->arm->name, unit->seed);
}

static bool run_unit(Run *run, const Unit *unit, Err *err)
{
    char key[DIGEST_TEXT];
    unit_key(unit->identity, key);
    Record record;
    if (!find_record(run, unit, &record, err))
        warn(run->x, "%s; it is computed again", err->text);
    if (!record.there && !make_record(run, unit, &record, err))
        return false;
    note_unit(run->x, key, record.seconds);
    report_unit(run, unit, &record.seen);
    measurements_free(&record.seen);
    return true;
}

bool arms_run(Experiment *x, const Arm *arms, size_t count, const Tokens *tokens, Err *err)
{
    Run run = {.x = x, .tokens = tokens, .folder = machine_results()};
    bool good = check_arms(&run, arms, count, err) && file_can_write(run.folder, err);
    if (good)
        run_prepare(&run, arms, count);
    for (size_t i = 0; good && i < run.count; i++)
        good = run_unit(&run, &run.units[i], err);

    char *trained = mem_text("%zu of %zu", run.trained, run.count);
    note(x, "units_trained", trained);
    free(trained);
    for (size_t i = 0; i < run.count; i++)
        json_free(run.units[i].identity);
    free(run.units);
    free(run.folder);
    return good;
}

bool arms_run_on_corpus(Experiment *x, const Arm *arms, size_t count, Err *err)
{
    if (training_text_skips(x))
        return true;
    Tokens *tokens = training_text_load(x, arms[0].model.vocabulary, err);
    bool good = tokens && arms_run(x, arms, count, tokens, err);
    tokens_free(tokens);
    return good;
}
