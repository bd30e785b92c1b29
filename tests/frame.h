/*
 * frame: runs an experiment of a test's own inside the test.
 */
#ifndef FRAME_H
#define FRAME_H

#include "experiment.h"
#include "file.h"
#include "json.h"
#include "mem.h"
#include "test.h"

#include <unistd.h>

#undef skip /* cmocka has one, and so has an experiment */

enum { FRAME_WORDS = 8 };

/* Runs `run` with these words as its command line, and --out. *result is what it wrote, or NULL; returns the exit
 * code. The one claim needs the published budget, so it never decides. Its file lies beside the program, where tests that
 * run at the same time have theirs as well: the name is this process's own. */
static inline int run_framed(const char *folder, bool (*run)(Experiment *, Err *), const Setting *settings,
                             int seeds, const char *const words[], Json **result)
{
    Err err;
    char *program = file_program_folder(), *name = mem_text("framed%ld", (long)getpid());
    char *claims = mem_text("%s/%s.claims.json", program, name), *out = mem_text("%s/out.json", folder);
    char *text =
        mem_text("{\"experiment\": \"%s\", \"about\": \"a test\", \"claims\": [{\"id\": \"%s.it\","
                 " \"says\": \"it is\", \"source\": \"C9\", \"origin\": \"source\", \"kind\": \"exact\","
                 " \"published\": 1, \"measure\": \"it\", \"needs\": [\"budget\", \"corpus\"]}]}",
                 name, name);
    assert_true(file_write(claims, text, strlen(text), &err));
    unlink(out);

    char *line[FRAME_WORDS + 4] = {name, "--quick", "--out", out};
    int count = 4;
    for (; words && words[count - 4]; count++)
        line[count] = (char *)words[count - 4];
    int code = experiment_main(count, line, &(ExperimentPlan){name, settings, seeds, seeds, run});
    *result = file_exists(out) ? json_read(out, &err) : NULL;
    unlink(claims);
    free(text);
    free(claims);
    free(out);
    free(name);
    free(program);
    return code;
}

#endif
