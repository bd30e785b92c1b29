#include "describe.h"

#include "digest.h"

static void add_number(Json *object, const char *key, double value)
{
    json_add(object, key, json_from_number(value));
}

static void add_word(Json *object, const char *key, const char *word)
{
    json_add(object, key, json_from_string(word));
}

static void add_bool(Json *object, const char *key, bool value)
{
    json_add(object, key, json_from_bool(value));
}

Json *describe_model(const ModelConfig *config)
{
    static const char *const mixers[] = {
        [MIXER_NONE] = "none", [MIXER_AVERAGE] = "average", [MIXER_ATTENTION] = "attention"};
    static const char *const positions[] = {[POSITION_NONE] = "none",
                                            [POSITION_LEARNED] = "learned",
                                            [POSITION_SINUSOIDAL] = "sinusoidal",
                                            [POSITION_ROPE] = "RoPE",
                                            [POSITION_ALIBI] = "ALiBi"};
    static const char *const norms[] = {[NORM_NONE] = "none", [NORM_PRE] = "pre", [NORM_POST] = "post"};
    Json *model = json_object();
    add_number(model, "vocabulary", config->vocabulary);
    add_number(model, "context", config->context);
    add_number(model, "width", config->width);
    add_number(model, "blocks", config->blocks);
    add_number(model, "heads", config->heads);
    add_number(model, "head_width", config->head_width);
    add_word(model, "mixer", mixers[config->mixer]);
    add_word(model, "position", positions[config->position]);
    add_word(model, "norm", norms[config->norm]);
    add_bool(model, "residual", config->residual);
    add_bool(model, "causal", config->causal);
    add_bool(model, "scaled", config->scaled);
    add_bool(model, "output_projection", config->output_projection);
    add_bool(model, "qkv_bias", config->qkv_bias);
    add_bool(model, "mlp", config->mlp);
    add_bool(model, "tied", config->tied);
    return model;
}

Json *describe_training(const TrainPlan *plan)
{
    Json *training = json_object();
    add_number(training, "steps", (double)plan->steps);
    add_number(training, "batch", plan->batch);
    add_number(training, "length", plan->length);
    add_number(training, "rate", plan->schedule.rate);
    add_number(training, "warmup", (double)plan->schedule.warmup);
    add_number(training, "beta1", plan->optimizer.beta1);
    add_number(training, "beta2", plan->optimizer.beta2);
    add_number(training, "epsilon", plan->optimizer.epsilon);
    add_number(training, "decay", plan->optimizer.decay);
    return training;
}

Json *describe_tokens(const Tokens *tokens)
{
    char digest[DIGEST_TEXT];
    digest_hex(tokens->ids, tokens->count * sizeof *tokens->ids, digest);
    Json *text = json_object();
    add_number(text, "tokens", (double)tokens->count);
    add_number(text, "train", (double)tokens->train.count);
    add_number(text, "sentence", tokens->train.sentence);
    add_word(text, "sha256", digest);
    return text;
}
