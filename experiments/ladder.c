/*
 * ladder: what is each piece of a transformer worth, in perplexity?
 *
 * Source   C9. Each row adds one piece to the row above: from a table of tokens to a whole block.
 * Method   All rows are trained alike: the same windows at the same steps, the same first weights where shapes
 *          agree. So each contrast is paired by seed.
 * Emits    parameters/<row>, held_out/<row>, train/one block; curves loss/<row>.
 * Verdict  ladder.claims.json. No threshold appears in this file.
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

/* A row as it differs from the one above. */
typedef struct Row {
    const char *name;
    int blocks, heads;
    Mixer mixer;
    Position position;
    bool residual, output_projection, mlp;
    Norm norm;
} Row;

enum { NO = false, YES = true };

static const Row rows[] = {
    /* name, blocks, heads, mixer, positions, residual, W_o, MLP, norm */
    {"token", 0, 1, MIXER_NONE, POSITION_NONE, NO, NO, NO, NORM_NONE},
    {"average", 1, 1, MIXER_AVERAGE, POSITION_NONE, NO, NO, NO, NORM_NONE},
    {"average + position", 1, 1, MIXER_AVERAGE, POSITION_LEARNED, NO, NO, NO, NORM_NONE},
    {"token + average", 1, 1, MIXER_AVERAGE, POSITION_LEARNED, YES, NO, NO, NORM_NONE},
    {"one head, replaced", 1, 1, MIXER_ATTENTION, POSITION_LEARNED, NO, NO, NO, NORM_NONE},
    {"one head, added", 1, 1, MIXER_ATTENTION, POSITION_LEARNED, YES, NO, NO, NORM_NONE},
    {"four heads, added", 1, 4, MIXER_ATTENTION, POSITION_LEARNED, YES, YES, NO, NORM_NONE},
    {"four heads + MLP", 1, 4, MIXER_ATTENTION, POSITION_LEARNED, YES, YES, YES, NORM_NONE},
    {"one block", 1, 4, MIXER_ATTENTION, POSITION_LEARNED, YES, YES, YES, NORM_PRE},
};

static ModelConfig row_model(const Experiment *x, const Row *row)
{
    ModelConfig config = config_block();
    config.vocabulary = (int)setting_integer(x, "vocabulary");
    config.context = (int)setting_integer(x, "context");
    config.width = (int)setting_integer(x, "width");
    config.blocks = row->blocks;
    config.heads = row->heads;
    config.head_width = config.width / row->heads;
    config.mixer = row->mixer;
    config.position = row->position;
    config.residual = row->residual;
    config.output_projection = row->output_projection;
    config.mlp = row->mlp;
    config.norm = row->norm;
    return config;
}

static bool run(Experiment *x, Err *err)
{
    Arm arms[COUNT(rows)];
    TrainPlan plan = {.steps = setting_integer(x, "steps"),
                      .batch = (int)setting_integer(x, "batch"),
                      .length = (int)setting_integer(x, "context"),
                      .schedule = {.rate = setting_real(x, "rate")},
                      .optimizer = adamw_default()};
    for (size_t i = 0; i < COUNT(rows); i++)
        arms[i] = (Arm){.name = rows[i].name,
                        .model = row_model(x, &rows[i]),
                        .plan = plan,
                        .train_text = i + 1 == COUNT(rows)};
    return arms_run_on_corpus(x, arms, COUNT(arms), err);
}

const ExperimentPlan experiment = {"ladder", settings, 3, 1, run};
