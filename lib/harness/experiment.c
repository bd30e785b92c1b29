#include "experiment.h"

#include "blas.h"
#include "file.h"
#include "judge.h"
#include "judgement_json.h"
#include "machine.h"
#include "mem.h"
#include "progress.h"
#include "result.h"
#include "verdicts.h"

#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

enum { EXIT_HOLDS = 0, EXIT_FAILED = 1, EXIT_UNUSABLE = 2, EXIT_SKIPPED = 77, EXIT_INTERRUPTED = 130 };

struct Experiment {
    const ExperimentPlan *plan;
    Settings settings;
    Claims *claims;
    Result result;
    Progress progress;
    double started;
    char *skipped; /* why, or NULL */
};

static volatile sig_atomic_t stop_signal;

/* The first Ctrl-C asks; the handler is then gone, so that a second one ends the program at once. */
static void on_signal(int number)
{
    stop_signal = number;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND}, before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, &before);
    if (before.sa_handler == SIG_IGN) /* nohup */
        sigaction(SIGHUP, &before, NULL);
}

/* ---- what experiments call ---------------------------------------------------------------------------- */

static double setting_value(const Experiment *x, const char *name, SettingKind kind)
{
    size_t index = settings_index(&x->settings, name);
    require(x->plan->settings[index].kind == kind, "the setting \"%s\" is of the other kind", name);
    return x->settings.values[index];
}

long setting_integer(const Experiment *x, const char *name)
{
    return (long)setting_value(x, name, INTEGER);
}

double setting_real(const Experiment *x, const char *name)
{
    return setting_value(x, name, REAL);
}

int first_seed(const Experiment *x)
{
    return x->settings.first_seed;
}

int end_seed(const Experiment *x)
{
    return x->settings.end_seed;
}

bool is_quick(const Experiment *x)
{
    return x->settings.quick;
}

int thread_count(const Experiment *x)
{
    return x->settings.threads;
}

const char *corpus_option(const Experiment *x)
{
    return x->settings.corpus;
}

void use_corpus(Experiment *x, const char *name, const char *digest, bool is_published)
{
    result_set_corpus(&x->result, name, digest, is_published);
    if (!is_published)
        warn(x, "the corpus is %s, not the source's: claims on its absolute numbers are not comparable",
             name);
}

/* The formatted text behind the last named parameter of a variadic function; owned by the caller. */
#define FORMATTED(text, format)                                                                              \
    char *text;                                                                                              \
    do {                                                                                                     \
        va_list arguments;                                                                                   \
        va_start(arguments, format);                                                                         \
        require(vasprintf(&text, format, arguments) >= 0, "out of memory for a string");                     \
        va_end(arguments);                                                                                   \
    } while (0)

void measure(Experiment *x, int seed, double value, const char *name, ...)
{
    FORMATTED(text, name);
    measurements_add(&x->result.measurements, text, seed, value, false);
    free(text);
}

void measure_timed(Experiment *x, int seed, double value, const char *name, ...)
{
    FORMATTED(text, name);
    measurements_add(&x->result.measurements, text, seed, value, true);
    free(text);
}

void measure_missing(Experiment *x, int seed, const char *reason, const char *name, ...)
{
    FORMATTED(text, name);
    measurements_add_missing(&x->result.measurements, text, seed, reason);
    free(text);
}

void record_curve(Experiment *x, int seed, const double *xs, const double *ys, size_t points,
                  const char *name, ...)
{
    FORMATTED(text, name);
    measurements_add_curve(&x->result.measurements, text, seed, xs, ys, points);
    free(text);
}

void record_matrix(Experiment *x, int seed, const double *values, size_t rows, size_t columns,
                   const char *const *row_labels, const char *const *column_labels, const char *name, ...)
{
    FORMATTED(text, name);
    measurements_add_matrix(&x->result.measurements, text, seed, values, rows, columns, row_labels,
                            column_labels);
    free(text);
}

void warn(Experiment *x, const char *sentence, ...)
{
    FORMATTED(text, sentence);
    result_warn(&x->result, text);
    progress_end(&x->progress);
    fprintf(stderr, "%s: warning: %s\n", x->plan->name, text);
    free(text);
}

void reduce_budget(Experiment *x, const char *reason, ...)
{
    FORMATTED(text, reason);
    x->result.conditions.published_budget = false;
    warn(x, "%s", text);
    free(text);
}

void note(Experiment *x, const char *key, const char *text)
{
    context_note(&x->result.context, key, text);
}

void note_unit(Experiment *x, const char *key, double saved)
{
    context_add_unit(&x->result.context, key);
    x->result.context.saved_seconds += saved;
}

void progress(Experiment *x, double fraction, const char *doing, ...)
{
    FORMATTED(text, doing);
    progress_show(&x->progress, fraction, text);
    free(text);
}

bool interrupted(const Experiment *x)
{
    (void)x;
    return stop_signal != 0;
}

bool skip(Experiment *x, const char *reason, ...)
{
    FORMATTED(text, reason);
    free(x->skipped);
    x->skipped = text;
    return true;
}

/* ---- the frame ------------------------------------------------------------------------------------------ */

static void fill_settings(Experiment *x)
{
    for (size_t i = 0; x->plan->settings[i].name; i++)
        result_add_setting(&x->result, x->plan->settings[i].name, x->settings.values[i]);
    if (x->plan->seeds > 0) {
        result_add_setting(&x->result, "first_seed", x->settings.first_seed);
        result_add_setting(&x->result, "end_seed", x->settings.end_seed);
    }
}

static void fill_cost(Experiment *x)
{
    Context *context = &x->result.context;
    context->seconds = machine_seconds() - x->started + context->saved_seconds;
    context->peak_memory_mib = (double)(machine_peak_memory() >> 20);
}

/* Whether a result can be put at path. It is renamed into its place, which would replace a device or a pipe, too. */
static bool can_write_result(const char *path, Err *err)
{
    struct stat status;
    const char *slash = strrchr(path, '/');
    if ((slash && !slash[1]) || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return err_set(err, "--out takes the path of a file, and %s is a folder, a device or a pipe", path);
    char *folder = slash ? mem_text("%.*s", (int)(slash - path) + 1, path) : mem_text(".");
    bool can = file_can_write(folder, err);
    free(folder);
    return can;
}

/* Everything that can be refused is refused here, before anything is computed. */
static bool prepare(Experiment *x, int argc, char **argv, Err *err)
{
    const ExperimentPlan *plan = x->plan;
    char *folder = file_program_folder();
    char *path = mem_text("%s/%s.claims.json", folder, plan->name);
    free(folder);
    x->claims = claims_read(path, err);
    bool ready = x->claims != NULL;
    if (ready && strcmp(x->claims->experiment, plan->name) != 0)
        ready = err_set(err, "%s: \"experiment\" says \"%s\", but the program beside it is %s", path,
                        x->claims->experiment, plan->name);
    free(path);
    ready = ready &&
            settings_parse(argc, argv, plan->settings, plan->seeds, plan->quick_seeds, &x->settings, err);
    if (!ready || x->settings.help)
        return ready;

    return !x->settings.out || can_write_result(x->settings.out, err);
}

/* Judges what was measured, writes it and only then prints it: whoever reads the print may be gone. */
static int conclude(Experiment *x, Err *err)
{
    if (x->result.measurements.count == 0) {
        err_set(err, "nothing was measured");
        return EXIT_UNUSABLE;
    }
    Judgements judgements = judge_all(x->claims, &x->result);
    bool failed = false;
    for (size_t i = 0; i < judgements.count; i++)
        failed = failed || judgements.list[i].outcome == OUTCOME_FAILED;
    bool written = !x->settings.out ||
                   result_write(&x->result, judgements_to_json(x->claims, &judgements), x->settings.out, err);
    verdicts_print(stdout, x->claims, &judgements);
    judgements_free(&judgements);
    return !written ? EXIT_UNUSABLE : failed ? EXIT_FAILED : EXIT_HOLDS;
}

static int run(Experiment *x, Err *err)
{
    const ExperimentPlan *plan = x->plan;
    result_begin(&x->result, plan->name, x->settings.quick);
    x->result.conditions.published_budget = !x->settings.reduced;
    context_begin(&x->result.context, x->settings.threads);
    fill_settings(x);
    omp_set_num_threads(x->settings.threads);
    catch_signals();
    bool done = blas_start(err);
    if (done) {
        context_note(&x->result.context, "blas", blas_description());
        done = plan->run(x, err);
    }
    fill_cost(x);
    progress_end(&x->progress);

    if (stop_signal) {
        err_set(
            err,
            "interrupted; units of work that were finished are kept, and the next call goes on from there");
        return EXIT_INTERRUPTED;
    }
    if (!done)
        return EXIT_UNUSABLE;
    if (x->skipped) {
        err_set(err, "skipped: %s", x->skipped);
        return EXIT_SKIPPED;
    }
    return conclude(x, err);
}

int experiment_main(int argc, char **argv, const ExperimentPlan *plan)
{
    Experiment x = {.plan = plan, .started = machine_seconds()};
    Err err = {""};
    int code = EXIT_UNUSABLE;
    progress_begin(&x.progress, stderr, plan->name);
    if (prepare(&x, argc, argv, &err)) {
        code = EXIT_HOLDS;
        if (x.settings.help)
            settings_help(stdout, plan->name, x.claims->about, plan->settings, plan->seeds,
                          plan->quick_seeds);
        else
            code = run(&x, &err);
    }
    if (code <= EXIT_FAILED && (fflush(stdout) != 0 || ferror(stdout))) {
        err_set(&err, "cannot write to the standard output: %s", strerror(errno));
        code = EXIT_UNUSABLE;
    }
    if (code > EXIT_FAILED)
        fprintf(stderr, "%s: %s\n", plan->name, err.text);
    result_free(&x.result);
    claims_free(x.claims);
    settings_free(&x.settings);
    free(x.skipped);
    return code;
}
