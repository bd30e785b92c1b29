/*
 * depth: does a second block help?
 *
 * Source   C9: on this little text two blocks learn the training part better and the held-out part worse.
 * Method   One and two blocks, trained alike and paired by seed; the one-block model is the ladder's last row.
 * Emits    held_out/<arm> and train/<arm>; curves loss/<arm>.
 * Verdict  depth.claims.json. No threshold appears in this file.
 */
#include "arm.h"
#include "mem.h"

static const Setting settings[] = {
    /* name, kind, full, quick, lowest, highest, meaning */
    {"vocabulary", INTEGER, 1024, 1024, 256, 1e5, "tokens in the vocabulary, the 256 bytes included"},
    {"width", INTEGER, 128, 128, 4, 1e4, "width of the residual stream, a multiple of 4"},
    {"context", INTEGER, 128, 64, 1, 1e4, "tokens in a window"},
    {"batch", INTEGER, 64, 16, 1, 1e4, "windows in a step"},
    {"steps", INTEGER, 3000, 100, 1, 1e6, "steps of AdamW"},
    {"rate", REAL, 1e-3, 1e-3, 0, 1, "learning rate"},
    SETTINGS_END,
};

static const struct {
    const char *name;
    int blocks;
} depths[] = {{"one block", 1}, {"two blocks", 2}};

static bool run(Experiment *x, Err *err)
{
    ModelConfig model = config_block();
    model.vocabulary = (int)setting_integer(x, "vocabulary");
    model.context = (int)setting_integer(x, "context");
    model.width = (int)setting_integer(x, "width");
    model.head_width = model.width / model.heads;
    TrainPlan plan = {.steps = setting_integer(x, "steps"),
                      .batch = (int)setting_integer(x, "batch"),
                      .length = model.context,
                      .schedule = {.rate = setting_real(x, "rate")},
                      .optimizer = adamw_default()};

    Arm arms[COUNT(depths)];
    for (size_t i = 0; i < COUNT(depths); i++) {
        model.blocks = depths[i].blocks;
        arms[i] = (Arm){.name = depths[i].name, .model = model, .plan = plan, .train_text = true};
    }
    return arms_run_on_corpus(x, arms, COUNT(arms), err);
}

const ExperimentPlan experiment = {"depth", settings, 3, 1, run};
