#include "entry.h"

#include "rules.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

size_t entry_count(const Claim *claim)
{
    const Json *measure = json_get(claim->json, "measure"), *published = json_get(claim->json, "published");
    if (claim->kind == CLAIM_SHAPE && !claim->not_run)
        return json_count(json_get(claim->json, "contrasts"));
    if (measure)
        return claim_entries(measure);
    return published ? claim_entries(published) : 1;
}

static void note(Judgement *judgement, const Series *series)
{
    judgement->timed = judgement->timed || series->timed;
    if (!series->fixed && (judgement->seeds == 0 || (int)series->count < judgement->seeds))
        judgement->seeds = (int)series->count;
}

bool entry_read_name(const Measurements *all, const char *key, const char *name, Judgement *judgement,
                     Series *series, Err *err)
{
    if (!series_read(all, name, series, err))
        return err_within(err, "key \"%s\"", key);
    note(judgement, series);
    return true;
}

bool entry_read_pair(const Measurements *all, const char *key, const char *a, const char *b, Pairing pairing,
                     Judgement *judgement, Series *series, Err *err)
{
    if (!series_pair(all, a, b, pairing, series, err))
        return err_within(err, "key \"%s\"", key);
    note(judgement, series);
    return true;
}

static bool read_listed(const Measurements *all, const Json *owner, const char *key, Pairing pairing,
                        Judgement *judgement, Series *series, Err *err)
{
    const Json *pair = json_get(owner, key);
    return entry_read_pair(all, key, json_string(json_at(pair, 0)), json_string(json_at(pair, 1)), pairing,
                           judgement, series, err);
}

static bool read_contrast(const Measurements *all, const Json *contrast, Judgement *judgement, Series *series,
                          Err *err)
{
    if (json_get(contrast, "of"))
        return entry_read_name(all, "of", json_string(json_get(contrast, "of")), judgement, series, err);
    if (json_get(contrast, "minus"))
        return read_listed(all, contrast, "minus", PAIR_MINUS, judgement, series, err);
    return read_listed(all, contrast, "over", PAIR_LOG_OVER, judgement, series, err);
}

bool entry_read(const Claim *claim, const Measurements *all, size_t index, Judgement *judgement,
                Series *series, Err *err)
{
    const Json *json = claim->json;
    if (claim->kind == CLAIM_DIFFERENCE)
        return read_listed(all, json, "of", PAIR_MINUS, judgement, series, err);
    if (claim->kind == CLAIM_RATIO)
        return read_listed(all, json, "of", PAIR_LOG_OVER, judgement, series, err);
    if (claim->kind == CLAIM_SHAPE)
        return read_contrast(all, json_at(json_get(json, "contrasts"), index), judgement, series, err);
    const Json *name = claim_entry(json_get(json, "measure"), index);
    if (!entry_read_name(all, "measure", json_string(name), judgement, series, err))
        return false;
    if (rule_is_log(claim))
        series_log(series);
    return true;
}

bool entry_is_log(const Claim *claim, size_t index)
{
    if (claim->kind == CLAIM_SHAPE)
        return json_get(json_at(json_get(claim->json, "contrasts"), index), "over") != NULL;
    return rule_is_log(claim);
}

double entry_plain(const Claim *claim, size_t index, double x)
{
    return entry_is_log(claim, index) ? exp(x) : x;
}

double entry_rounding(double a, double b)
{
    return 2 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

const char *entry_seeds(const Series *series, char text[static 32])
{
    *text = '\0';
    if (!series->fixed)
        snprintf(text, 32, " in %zu seed%s", series->count, series->count == 1 ? "" : "s");
    return text;
}
