#include "checkpoint.h"

#include "blas.h"
#include "file.h"
#include "tiny.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static Tokens *text;

static void probe_first_parameter(const Model *model, void *context, double *values)
{
    (void)context;
    values[0] = model->parameters[0];
}

static const Probe probe = {.every = 4, .count = 1, .measure = probe_first_parameter};

static void assert_same_state(const Trainer *a, const Trainer *b)
{
    size_t bytes = parameter_bytes(a->model);
    assert_int_equal(a->step, b->step);
    assert_memory_equal(a->model->parameters, b->model->parameters, bytes);
    assert_memory_equal(a->first, b->first, bytes);
    assert_memory_equal(a->second, b->second, bytes);
    assert_memory_equal(a->losses, b->losses, (size_t)a->plan.steps * sizeof *a->losses);
    assert_memory_equal(a->probes, b->probes, trainer_probes(a) * sizeof *a->probes);
}

/* What a program does that may be killed at any moment: takes up the checkpoint if there is one, and writes one
 * after every step. */
static void train_with_checkpoints(const char *path)
{
    Err err;
    require(blas_start(&err), "%s", err.text);
    Model *model = tiny_model();
    Trainer *trainer = tiny_trainer(model, text, &probe);
    if (file_exists(path))
        require(checkpoint_read(path, "key", trainer, &err), "%s", err.text);
    while (trainer_step(trainer))
        require(checkpoint_write(path, "key", trainer, &err), "%s", err.text);
    trainer_free(trainer);
    model_free(model);
}

/* To be run first: a child forked from a program that has used OpenMP would hang. */
static void killed_at_any_moment_a_run_ends_with_the_same_bits(void **state)
{
    (void)state;
    char *folder = new_folder(), *path = mem_text("%s/checkpoint", folder);
    for (int kills = 0; kills < 12; kills++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            train_with_checkpoints(path);
            _exit(0);
        }
        usleep(3000 + 1700 * (useconds_t)kills);
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
    }

    Err err;
    assert_true(blas_start(&err));
    train_with_checkpoints(path);
    Model *killed = tiny_model(), *whole = tiny_model();
    Trainer *resumed = tiny_trainer(killed, text, &probe), *uninterrupted = tiny_trainer(whole, text, &probe);
    assert_true(checkpoint_read(path, "key", resumed, &err));
    while (trainer_step(uninterrupted))
        ;
    assert_same_state(resumed, uninterrupted);
    trainer_free(resumed);
    trainer_free(uninterrupted);
    model_free(killed);
    model_free(whole);
    free(path);
    remove_folder(folder);
}

/* A checkpoint after seven steps, and a fresh trainer for it. */
typedef struct Half {
    char *folder, *path;
    Model *model, *fresh;
    Trainer *trainer, *other;
} Half;

static Half half_way(void)
{
    Err err;
    Half h = {.folder = new_folder(), .model = tiny_model(), .fresh = tiny_model()};
    h.path = mem_text("%s/checkpoint", h.folder);
    h.trainer = tiny_trainer(h.model, text, &probe);
    h.other = tiny_trainer(h.fresh, text, &probe);
    for (int i = 0; i < 7; i++)
        assert_true(trainer_step(h.trainer));
    assert_true(checkpoint_write(h.path, "key", h.trainer, &err));
    return h;
}

static void half_free(Half *h)
{
    trainer_free(h->trainer);
    trainer_free(h->other);
    model_free(h->model);
    model_free(h->fresh);
    free(h->path);
    remove_folder(h->folder);
}

static void a_run_taken_up_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    Err err;
    Half h = half_way();
    assert_true(checkpoint_read(h.path, "key", h.other, &err));
    assert_same_state(h.trainer, h.other);
    while (trainer_step(h.trainer))
        ;
    while (trainer_step(h.other))
        ;
    assert_same_state(h.trainer, h.other);
    half_free(&h);
}

static void refused(const Half *h, const char *key, const char *part)
{
    Err err;
    Model *untouched = tiny_model();
    assert_false(checkpoint_read(h->path, key, h->other, &err));
    assert_says(err.text, h->path);
    assert_says(err.text, part);
    assert_int_equal(h->other->step, 0);
    assert_memory_equal(h->fresh->parameters, untouched->parameters, parameter_bytes(untouched));
    model_free(untouched);
}

static void a_truncated_or_damaged_checkpoint_is_refused(void **state)
{
    (void)state;
    Err err;
    Half h = half_way();
    Bytes bytes;
    assert_true(file_read(h.path, &bytes, &err));
    for (size_t size = 0; size < bytes.size; size += 1 + bytes.size / 50) {
        assert_true(file_write(h.path, bytes.data, size, &err));
        refused(&h, "key", size < 300 ? "checkpoint" : "checksum");
    }
    for (size_t i = 24; i < bytes.size; i += 1 + bytes.size / 50) {
        bytes.data[i] ^= 1;
        assert_true(file_write(h.path, bytes.data, bytes.size, &err));
        refused(&h, "key", "checksum");
        bytes.data[i] ^= 1;
    }
    bytes_free(&bytes);
    half_free(&h);
}

static void a_foreign_checkpoint_is_refused(void **state)
{
    (void)state;
    Err err;
    Half h = half_way();
    refused(&h, "another key", "other work");

    ModelConfig wider = tiny_config();
    wider.width = 32;
    wider.head_width = 16;
    Model *model = model_new(&wider, 1, &err);
    Trainer *trainer = tiny_trainer(model, text, &probe);
    assert_false(checkpoint_read(h.path, "key", trainer, &err));
    assert_says(err.text, "another model");
    trainer_free(trainer);
    model_free(model);

    const char *poem = "Shall I compare thee to a summer's day?\n";
    assert_true(file_write(h.path, poem, strlen(poem), &err));
    refused(&h, "key", "not a checkpoint");
    half_free(&h);
}

static void a_missing_checkpoint_is_an_error(void **state)
{
    (void)state;
    Err err;
    Half h = half_way();
    assert_false(checkpoint_read("/nowhere/checkpoint", "key", h.other, &err));
    assert_says(err.text, "/nowhere/checkpoint");
    half_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_at_any_moment_a_run_ends_with_the_same_bits),
        cmocka_unit_test(a_run_taken_up_goes_on_with_the_same_bits),
        cmocka_unit_test(a_truncated_or_damaged_checkpoint_is_refused),
        cmocka_unit_test(a_foreign_checkpoint_is_refused),
        cmocka_unit_test(a_missing_checkpoint_is_an_error),
    };
    text = tiny_text();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tokens_free(text);
    return failed;
}
