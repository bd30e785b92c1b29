#include "judgement_json.h"

#include <math.h>

/* What is not there, or too large for a number, is null. */
static Json *number_or_null(double value)
{
    return isfinite(value) ? json_from_number(value) : json_from_null();
}

static Json *published_of(const Number *number)
{
    return number_or_null(number->published);
}

static Json *measured_of(const Number *number)
{
    return number_or_null(number->measured);
}

static Json *interval_of(const Number *number)
{
    if (isnan(number->low) && isnan(number->high))
        return json_from_null();
    Json *pair = json_array();
    json_append(pair, number_or_null(number->low));
    json_append(pair, number_or_null(number->high));
    return pair;
}

/* A single number's part stands alone, those of several in a list. */
static Json *one_or_list(const Judgement *judgement, Json *(*part)(const Number *))
{
    if (judgement->count == 1)
        return part(&judgement->numbers[0]);
    Json *list = json_array();
    for (size_t i = 0; i < judgement->count; i++)
        json_append(list, part(&judgement->numbers[i]));
    return list;
}

static void add_text(Json *object, const char *key, const char *text)
{
    if (text)
        json_add(object, key, json_from_string(text));
}

static Json *claim_to_json(const Claim *claim, const Judgement *judgement)
{
    Json *json = json_object();
    bool is_stated = !isnan(judgement->numbers[0].published);
    add_text(json, "id", claim->id);
    add_text(json, "says", claim->says);
    add_text(json, "source", claim->source);
    add_text(json, "origin", claim_origin_words[claim->origin]);
    add_text(json, "kind", claim_kind_words[claim->rule.kind]);
    add_text(json, "unit", claim->unit);
    json_add(json, "published", is_stated ? one_or_list(judgement, published_of) : json_from_null());
    json_add(json, "measured", one_or_list(judgement, measured_of));
    json_add(json, "interval", one_or_list(judgement, interval_of));
    json_add(json, "seeds", json_from_number(judgement->seeds));
    add_text(json, "verdict", verdict_word(judgement->verdict));
    add_text(json, "outcome", outcome_word(judgement->outcome));
    add_text(json, "reason", judgement->reason);
    json_add(json, "stochastic", json_from_bool(judgement->stochastic));
    if (judgement->timed)
        json_add(json, "timed", json_from_bool(true));
    add_text(json, "finding", claim->finding);
    add_text(json, "disagrees", claim->disagrees);
    return json;
}

Json *judgements_to_json(const Claims *claims, const Judgements *judgements)
{
    Json *list = json_array();
    for (size_t i = 0; i < claims->count; i++)
        json_append(list, claim_to_json(&claims->list[i], &judgements->list[i]));
    return list;
}
