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
 * code. The one claim needs the published budget, so it never decides. */
static inline int run_framed(const char *folder, bool (*run)(Experiment *, Err *), const Setting *settings,
                             int seeds, const char *const words[], Json **result)
{
    Err err;
    char *program = file_program_folder();
    char *claims = mem_text("%s/framed.claims.json", program), *out = mem_text("%s/out.json", folder);
    const char *text =
        "{\"experiment\": \"framed\", \"about\": \"a test\", \"claims\": [{\"id\": \"framed.it\","
        " \"says\": \"it is\", \"source\": \"C9\", \"origin\": \"source\", \"kind\": \"exact\","
        " \"published\": 1, \"measure\": \"it\", \"needs\": [\"budget\", \"corpus\"]}]}";
    assert_true(file_write(claims, text, strlen(text), &err));
    unlink(out);

    char *line[FRAME_WORDS + 4] = {"framed", "--quick", "--out", out};
    int count = 4;
    for (; words && words[count - 4]; count++)
        line[count] = (char *)words[count - 4];
    int code = experiment_main(count, line, &(ExperimentPlan){"framed", settings, seeds, seeds, run});
    *result = file_exists(out) ? json_read(out, &err) : NULL;
    unlink(claims);
    free(claims);
    free(out);
    free(program);
    return code;
}

#endif
