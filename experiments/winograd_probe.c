/*
 * winograd_probe: does a model find out whom a sentence means, and which of its parts does?
 *
 * Source   C9. In "the {x} did not cross the {y} because it was too {adj} , so the {ref} waited ." four adjectives
 *          mean the noun that crosses and four the one that is crossed. Where {x} is an animal and {y} a place, the
 *          adjective alone tells the kind of noun, and a bag of words can cheat. Where both are any of sixteen nouns,
 *          one has to know which came first: some pairs are hidden in one order and trained on in the other.
 * Method   The language is made here, a sentence to a sequence. A uniform average (token + average), one block and two
 *          are trained to predict the next token, and answer at the word after "so the", where fifteen are visible.
 *          The attention from there is read for "animal" and "street" with each adjective.
 * Ours     The nouns, and the steps: the chapter's 3000. So is the split: of 240 ordered pairs 48 are hidden, and 12 of
 *          the 64 of an animal and a place. At these numbers every printed percentage is one of whole sentences: 107,
 *          192 and 356 of 384 (27.9, 50.0, 92.7) and 88 of 96 (91.7). More arms show what hangs on these choices,
 *          and on AdamW's epsilon: a model that is right in every sentence can be thrown off it again.
 * Emits    In per cent of the hidden sentences accuracy/<arm>, wrong noun/<arm>, changed answers/<arm>, and chance. Of
 *          arms with attention unequal scores/<arm>, apart in block <n>/<arm>, most on the adjective in block <n>/<arm>,
 *          <place> in block <n>, <adjective>/<arm>; matrices pair/<arm>, adjectives/<arm>. Curves loss/<arm>, accuracy
 *          by step/<arm>. hidden sentences/<arm>, uniform weight/<which>.
 * Quick    What it judges at the reduced budget held at each of the seeds 0 to 19.
 * Verdict  winograd_probe.claims.json. No threshold appears in this file.
 */
#include "arm.h"
#include "experiment_source.h"
#include "mem.h"
#include "ops_average.h"
#include "rng.h"

#include <math.h>
#include <string.h>

static const Setting settings[] = {
    /* name, kind, full, quick, lowest, highest, meaning */
    {"hidden", INTEGER, 48, 48, 4, 120, "ordered pairs of nouns that are hidden, their reverses trained on"},
    {"split", INTEGER, 0, 0, 0, 1e6, "which pairs these are"},
    {"batch", INTEGER, 64, 64, 2, 1e4, "sentences in a step"},
    {"steps", INTEGER, 3000, 300, 2, 1e6, "steps of AdamW"},
    {"rate", REAL, 1e-3, 1e-3, 0, 1, "learning rate"},
    {"probe_every", INTEGER, 50, 50, 1, 1e6, "steps between two points of the accuracy curves"},
    SETTINGS_END,
};

/* ---- the language --------------------------------------------------------------------------------------- */

enum { NOUNS = 16, KIND = 8 };     /* eight animals, eight places */
enum { ADJECTIVES = 8, ROLE = 4 }; /* four that mean the noun that crosses, four that mean the one crossed */

enum { THE, DID, NOT, CROSS, BECAUSE, IT, WAS, TOO, COMMA, SO, WAITED, STOP, NOUN };
enum { ADJECTIVE = NOUN + NOUNS, VOCABULARY = ADJECTIVE + ADJECTIVES };

static const char *const words[VOCABULARY] = {
    "the",   "did",    "not",    "cross",  "because", "it",     "was",   "too",    ",",
    "so",    "waited", ".",      "animal", "dog",     "cat",    "horse", "cow",    "goat",
    "sheep", "duck",   "street", "road",   "river",   "bridge", "field", "square", "park",
    "yard",  "tired",  "scared", "slow",   "weak",    "wet",    "wide",  "busy",   "steep",
};

/* Places in a sentence. The answer is given where the last visible token stands. */
enum { AT_FIRST = 1, AT_SECOND = 6, AT_ADJECTIVE = 11, VISIBLE = 15, AT_REFERENT = VISIBLE, SENTENCE = 18 };
enum { PAIR = ADJECTIVES * SENTENCE }; /* tokens of a pair's sentences, one for each adjective */

enum { ANIMAL = 0, STREET = KIND }; /* the pair of the maps */
enum { TIRED = 0, WET = ROLE };     /* and its two adjectives */

static void write_sentence(int first, int second, int adjective, int32_t *ids)
{
    int referent = adjective < ROLE ? first : second;
    const int32_t sentence[SENTENCE] = {THE,    NOUN + first, DID,           NOT,
                                        CROSS,  THE,          NOUN + second, BECAUSE,
                                        IT,     WAS,          TOO,           ADJECTIVE + adjective,
                                        COMMA,  SO,           THE,           NOUN + referent,
                                        WAITED, STOP};
    memcpy(ids, sentence, sizeof sentence);
}

typedef struct Pair {
    int first, second;
} Pair;

/* Every pair of two nouns once, in one order; or every animal with every place. Returns how many. */
static uint32_t list_pairs(bool can_cheat, Pair *pairs)
{
    uint32_t count = 0;
    for (int first = 0; first < (can_cheat ? KIND : NOUNS); first++)
        for (int second = can_cheat ? KIND : first + 1; second < NOUNS; second++)
            pairs[count++] = (Pair){first, second};
    return count;
}

/* Returns what is behind the pair's sentences. */
static int32_t *write_pair(Pair pair, int32_t *ids)
{
    for (int adjective = 0; adjective < ADJECTIVES; adjective++, ids += SENTENCE)
        write_sentence(pair.first, pair.second, adjective, ids);
    return ids;
}

/* All sentences of a version, the hidden pairs' last. */
static Tokens *write_text(bool can_cheat, uint32_t hidden, uint64_t split)
{
    enum { MOST = NOUNS * (NOUNS - 1) / 2 };
    Pair pairs[MOST];
    uint32_t order[MOST], count = list_pairs(can_cheat, pairs), all = can_cheat ? count : 2 * count;
    Rng rng = rng_stream(split, "hidden pairs");
    rng_permutation(&rng, order, count);

    int32_t *ids = mem_new((size_t)all * PAIR, sizeof *ids);
    int32_t *trained = ids, *held_out = ids + (size_t)(all - hidden) * PAIR;
    for (uint32_t i = 0; i < count; i++) {
        Pair pair = pairs[order[i]];
        if (!can_cheat) {
            Pair reverse = {pair.second, pair.first};
            bool turned = rng_below(&rng, 2) == 1;
            trained = write_pair(turned ? pair : reverse, trained);
            pair = turned ? reverse : pair;
        }
        if (i < hidden)
            held_out = write_pair(pair, held_out);
        else
            trained = write_pair(pair, trained);
    }
    return tokens_from_sentences(ids, (size_t)all * ADJECTIVES, (size_t)hidden * ADJECTIVES, SENTENCE,
                                 VOCABULARY);
}

typedef enum Text { ANY_NOUNS, CAN_CHEAT, OTHER_SPLIT, TEXTS } Text;

static void write_texts(const Experiment *x, Tokens *texts[TEXTS])
{
    uint32_t hidden = (uint32_t)setting_integer(x, "hidden");
    uint64_t split = (uint64_t)setting_integer(x, "split");
    texts[ANY_NOUNS] = write_text(false, hidden, split);
    texts[CAN_CHEAT] = write_text(true, hidden / 4, split); /* as there are about a quarter as many pairs */
    texts[OTHER_SPLIT] = write_text(false, hidden, split + 1);
}

/* ---- answers -------------------------------------------------------------------------------------------- */

/* In per cent. */
typedef struct Score {
    double right, wrong_noun;
    double changed; /* by an adjective of the other role in its place */
} Score;

static int32_t likeliest(const float *logits)
{
    int32_t best = 0;
    for (int32_t i = 1; i < VOCABULARY; i++)
        if (logits[i] > logits[best])
            best = i;
    return best;
}

/* What the model says to the sentences of a pair. */
static void answer(const Model *model, Activations *activations, const int32_t *sentences, int32_t *answers)
{
    int32_t tokens[ADJECTIVES][VISIBLE];
    float logits[ADJECTIVES][VISIBLE][VOCABULARY];
    for (int i = 0; i < ADJECTIVES; i++)
        memcpy(tokens[i], sentences + i * SENTENCE, sizeof tokens[i]);
    model_logits(model, activations, *tokens, ADJECTIVES, **logits);
    for (int i = 0; i < ADJECTIVES; i++)
        answers[i] = likeliest(logits[i][VISIBLE - 1]);
}

static bool score(const Model *model, TokenSpan text, Score *s, Err *err)
{
    Activations *activations = activations_new(model, ADJECTIVES, VISIBLE, err);
    if (!activations)
        return false;
    double right = 0, wrong_noun = 0, changed = 0, sentences = (double)text.count / SENTENCE;
    for (const int32_t *pair = text.ids; pair < text.ids + text.count; pair += PAIR) {
        int32_t answers[ADJECTIVES];
        answer(model, activations, pair, answers);
        for (int i = 0; i < ADJECTIVES; i++) {
            const int32_t *sentence = pair + i * SENTENCE;
            int32_t referent = sentence[AT_REFERENT];
            right += answers[i] == referent;
            wrong_noun += answers[i] == sentence[AT_FIRST] + sentence[AT_SECOND] - referent;
            changed += answers[i] != answers[(i + ROLE) % ADJECTIVES];
        }
    }
    activations_free(activations);
    *s = (Score){100 * right / sentences, 100 * wrong_noun / sentences, 100 * changed / sentences};
    return true;
}

static const char *const probe_names[] = {"accuracy by step"};

/* While training; without memory for it, a gap in the curve. */
static void probe_accuracy(const Model *model, void *tokens, double *values)
{
    Err err;
    Score s;
    values[0] = score(model, ((const Tokens *)tokens)->held_out, &s, &err) ? s.right : NAN;
}

static bool observe_answers(const Model *model, const Tokens *tokens, void *context, Measurements *seen,
                            Err *err)
{
    (void)context;
    Score s;
    if (!score(model, tokens->held_out, &s, err))
        return false;
    measurements_add(seen, "accuracy", FIXED, s.right, false);
    measurements_add(seen, "wrong noun", FIXED, s.wrong_noun, false);
    measurements_add(seen, "changed answers", FIXED, s.changed, false);
    return true;
}

/* ---- attention ------------------------------------------------------------------------------------------ */

enum { MOST_BLOCKS = 2, HEADS = 4 };

/* Of the position that answers, in the pair's sentence with each adjective. */
typedef struct Map {
    double weights[MOST_BLOCKS][ADJECTIVES][VISIBLE]; /* averaged over the heads */
    float scores[ADJECTIVES][HEADS][VISIBLE];         /* of block 1 */
} Map;

/* Each sentence goes through the model by itself, so that equal numbers have equal bits. */
static bool map_attention(const Model *model, Map *map, Err *err)
{
    enum { ROW = (VISIBLE - 1) * VISIBLE };
    float logits[VISIBLE * VOCABULARY], scores[VISIBLE * VISIBLE];
    int32_t sentence[SENTENCE];
    Activations *activations = activations_new(model, 1, VISIBLE, err);
    if (!activations)
        return false;
    *map = (Map){0};
    for (int i = 0; i < ADJECTIVES; i++) {
        write_sentence(ANIMAL, STREET, i, sentence);
        model_logits(model, activations, sentence, 1, logits);
        for (int head = 0; head < HEADS; head++) {
            for (int block = 0; block < model->config.blocks; block++) {
                const float *weights = activations_weights(activations, block, head, 0) + ROW;
                for (int t = 0; t < VISIBLE; t++)
                    map->weights[block][i][t] += (double)weights[t] / HEADS;
            }
            activations_scores(activations, 0, head, 0, scores);
            memcpy(map->scores[i][head], scores + ROW, sizeof map->scores[i][head]);
        }
    }
    activations_free(activations);
    return true;
}

/* Scores of block 1 that differ between the two sentences, in any head, on the tokens that both have. */
static int count_unequal(const Map *map)
{
    int unequal = 0;
    for (int head = 0; head < HEADS; head++)
        for (int t = 0; t < VISIBLE; t++)
            unequal += t != AT_ADJECTIVE &&
                       memcmp(&map->scores[TIRED][head][t], &map->scores[WET][head][t], sizeof(float)) != 0;
    return unequal;
}

/* Takes the name over. */
static void see(Measurements *seen, char *name, double value)
{
    measurements_add(seen, name, FIXED, value, false);
    free(name);
}

/* How far the two sentences' rows are apart, the most that an adjective gets, and what nouns and adjective get. */
static void see_weights(const double weights[ADJECTIVES][VISIBLE], int block, Measurements *seen)
{
    static const struct {
        const char *name;
        int at;
    } places[] = {{"first noun", AT_FIRST}, {"second noun", AT_SECOND}, {"adjective", AT_ADJECTIVE}};
    double apart = 0, most = 0;
    for (int t = 0; t < VISIBLE; t++)
        apart = fmax(apart, fabs(weights[TIRED][t] - weights[WET][t]));
    see(seen, mem_text("apart in block %d", block + 1), apart);
    for (int i = 0; i < ADJECTIVES; i++) {
        most = fmax(most, weights[i][AT_ADJECTIVE]);
        for (size_t p = 0; p < COUNT(places); p++)
            see(seen, mem_text("%s in block %d, %s", places[p].name, block + 1, words[ADJECTIVE + i]),
                weights[i][places[p].at]);
    }
    see(seen, mem_text("most on the adjective in block %d", block + 1), most);
}

/* Heat maps: the two sentences in every block, and all adjectives in the last. */
static void see_maps(const Map *map, int blocks, Measurements *seen)
{
    static const char *const pair_labels[] = {"block 1, tired", "block 1, wet", "block 2, tired",
                                              "block 2, wet"};
    const char *labels[VISIBLE];
    int32_t sentence[SENTENCE];
    double pair[2 * MOST_BLOCKS][VISIBLE];
    write_sentence(ANIMAL, STREET, TIRED, sentence);
    for (int t = 0; t < VISIBLE; t++)
        labels[t] = t == AT_ADJECTIVE ? "adjective" : words[sentence[t]];
    for (int block = 0; block < blocks; block++) {
        memcpy(pair[2 * block], map->weights[block][TIRED], sizeof *pair);
        memcpy(pair[2 * block + 1], map->weights[block][WET], sizeof *pair);
    }
    measurements_add_matrix(seen, "pair", FIXED, *pair, 2 * (size_t)blocks, VISIBLE, pair_labels, labels);
    measurements_add_matrix(seen, "adjectives", FIXED, *map->weights[blocks - 1], ADJECTIVES, VISIBLE,
                            words + ADJECTIVE, labels);
}

static bool observe_attention(const Model *model, const Tokens *tokens, void *context, Measurements *seen,
                              Err *err)
{
    Map map;
    if (!observe_answers(model, tokens, context, seen, err) || !map_attention(model, &map, err))
        return false;
    measurements_add(seen, "unequal scores", FIXED, count_unequal(&map), false);
    for (int block = 0; block < model->config.blocks; block++)
        see_weights(map.weights[block], block, seen);
    see_maps(&map, model->config.blocks, seen);
    return true;
}

/* ---- what needs no training ----------------------------------------------------------------------------- */

/* The share of hidden sentences that mean the first noun: who always names it, or always the second, or tosses a
 * coin, is right that often. */
static void measure_chance(Experiment *x, TokenSpan text)
{
    double first = 0, sentences = (double)text.count / SENTENCE;
    for (const int32_t *sentence = text.ids; sentence < text.ids + text.count; sentence += SENTENCE)
        first += sentence[AT_REFERENT] == sentence[AT_FIRST];
    measure(x, FIXED, 100 * first / sentences, "chance");
}

/* The average of the unit vectors is what it gives to each token. */
static void measure_uniform_weight(Experiment *x)
{
    float unit[VISIBLE][VISIBLE] = {{0}}, mean[VISIBLE][VISIBLE];
    for (int t = 0; t < VISIBLE; t++)
        unit[t][t] = 1;
    average_forward(VISIBLE, VISIBLE, *unit, *mean);
    double smallest = 1, largest = 0;
    for (int t = 0; t < VISIBLE; t++) {
        smallest = fmin(smallest, mean[VISIBLE - 1][t]);
        largest = fmax(largest, mean[VISIBLE - 1][t]);
    }
    measure(x, FIXED, smallest, "uniform weight/smallest");
    measure(x, FIXED, largest, "uniform weight/largest");
}

/* ---- arms ----------------------------------------------------------------------------------------------- */

typedef struct Row {
    const char *name;
    Mixer mixer;
    int blocks;
    Text text;
    double steps, batch; /* times the setting */
    double epsilon;      /* AdamW's */
} Row;

enum { SOURCE_ROWS = 5 };
static const Row rows[] = {
    {"average", MIXER_AVERAGE, 1, ANY_NOUNS, 1, 1, 1e-8},
    {"one block", MIXER_ATTENTION, 1, ANY_NOUNS, 1, 1, 1e-8},
    {"two blocks", MIXER_ATTENTION, 2, ANY_NOUNS, 1, 1, 1e-8},
    {"average, cheat", MIXER_AVERAGE, 1, CAN_CHEAT, 1, 1, 1e-8},
    {"one block, cheat", MIXER_ATTENTION, 1, CAN_CHEAT, 1, 1, 1e-8},

    /* Not in the source, and not in the quick profile: what depends on our choices, */
    {"average, half the steps", MIXER_AVERAGE, 1, ANY_NOUNS, 0.5, 1, 1e-8},
    {"one block, half the steps", MIXER_ATTENTION, 1, ANY_NOUNS, 0.5, 1, 1e-8},
    {"average, twice the steps", MIXER_AVERAGE, 1, ANY_NOUNS, 2, 1, 1e-8},
    {"one block, twice the steps", MIXER_ATTENTION, 1, ANY_NOUNS, 2, 1, 1e-8},
    {"average, half the batch", MIXER_AVERAGE, 1, ANY_NOUNS, 1, 0.5, 1e-8},
    {"one block, half the batch", MIXER_ATTENTION, 1, ANY_NOUNS, 1, 0.5, 1e-8},
    {"average, other split", MIXER_AVERAGE, 1, OTHER_SPLIT, 1, 1, 1e-8},
    {"one block, other split", MIXER_ATTENTION, 1, OTHER_SPLIT, 1, 1, 1e-8},
    /* and whether AdamW's denominator, which shrinks with the gradients, throws a model off what it knew. */
    {"one block, large epsilon", MIXER_ATTENTION, 1, ANY_NOUNS, 1, 1, 1e-4},
    {"one block, cheat, large epsilon", MIXER_ATTENTION, 1, CAN_CHEAT, 1, 1, 1e-4},
};

static ModelConfig row_model(const Row *row)
{
    ModelConfig config = config_block();
    config.vocabulary = VOCABULARY;
    config.context = SENTENCE - 1;
    config.blocks = row->blocks;
    config.mixer = row->mixer;
    if (row->mixer == MIXER_AVERAGE) { /* as in the ladder's row "token + average" */
        config.norm = NORM_NONE;
        config.output_projection = config.mlp = false;
    }
    return config;
}

static Arm row_arm(const Experiment *x, const Row *row, Tokens *const texts[TEXTS])
{
    static const char *const answers[] = {"accuracy", "wrong noun", "changed answers", NULL};
    static const char *const attention[] = {"accuracy",       "wrong noun",       "changed answers",
                                            "unequal scores", "apart in block 1", NULL};
    bool maps = row < rows + SOURCE_ROWS && row->mixer == MIXER_ATTENTION;
    Tokens *tokens = texts[row->text];
    AdamW optimizer = adamw_default();
    optimizer.epsilon = row->epsilon;
    return (Arm){.name = row->name,
                 .model = row_model(row),
                 .plan = {.steps = (long)(row->steps * (double)setting_integer(x, "steps")),
                          .batch = (int)(row->batch * (double)setting_integer(x, "batch")),
                          .length = SENTENCE - 1,
                          .schedule = {.rate = setting_real(x, "rate")},
                          .optimizer = optimizer},
                 .tokens = tokens,
                 .observe = maps ? observe_attention : observe_answers,
                 .observed = maps ? attention : answers,
                 .probe = {setting_integer(x, "probe_every"), 1, probe_accuracy, tokens},
                 .probe_names = probe_names,
                 .source = EXPERIMENT_SOURCE};
}

static bool run(Experiment *x, Err *err)
{
    Tokens *texts[TEXTS];
    write_texts(x, texts);
    measure_chance(x, texts[ANY_NOUNS]->held_out);
    measure_uniform_weight(x);
    Arm arms[COUNT(rows)];
    size_t count = is_quick(x) ? SOURCE_ROWS : COUNT(rows);
    for (size_t i = 0; i < count; i++) {
        arms[i] = row_arm(x, &rows[i], texts);
        measure(x, FIXED, (double)arms[i].tokens->held_out.count / SENTENCE, "hidden sentences/%s",
                rows[i].name);
    }
    bool good = arms_run(x, arms, count, NULL, err);
    for (int i = 0; i < TEXTS; i++)
        tokens_free(texts[i]);
    return good;
}

const ExperimentPlan experiment = {"winograd_probe", settings, 5, 1, run};
