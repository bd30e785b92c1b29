#include "claims.h"

#include "display.h"
#include "fields.h"
#include "mem.h"
#include "rules.h"

#include <string.h>

const char *const claim_kind_words[] = {"exact", "at_most", "value",    "difference", "ratio",
                                        "order", "shape",   "fraction", NULL};
const char *const claim_origin_words[] = {"source", "implied", "own", NULL};
static const char *const source_letters[] = {"", "C9", "MH", "ID", NULL};
static const char *const source_titles[] = {"", "Attention e o bloco transformer, derivados de uma média",
                                            "Masks and Heads", "Multi-head attention"};
static const char *const holds_words[] = {"reconstructed", "contradiction", NULL};

static const Field file_fields[] = {{"experiment", TEXT, true}, {"about", TEXT, true},
                                    {"claims", LIST, true},     {"tables", LIST, false},
                                    {"figures", LIST, false},   {0}};

static bool read_needs(Claim *claim, Err *err)
{
    const Json *needs = json_get(claim->json, "needs");
    if (!needs)
        return true;
    if (!rules_all_are(claim->json, "needs", JSON_STRING, err))
        return false;
    for (size_t i = 0; i < claim_entries(needs); i++) {
        const char *word = json_string(claim_entry(needs, i));
        if (strcmp(word, "corpus") == 0)
            claim->needs_corpus = true;
        else if (strcmp(word, "budget") == 0)
            claim->needs_budget = true;
        else
            return err_set(err, "key \"needs\" says \"%s\", which is none of \"corpus\", \"budget\"", word);
    }
    return true;
}

/* Takes over the words that every claim has; the object's keys are known to be of their kinds. */
static bool read_words(Claim *claim, Err *err)
{
    const Json *json = claim->json;
    claim->says = fields_text(json, "says");
    claim->source = fields_text(json, "source");
    claim->unit = fields_text(json, "unit");
    claim->disagrees = fields_text(json, "disagrees");
    claim->finding = fields_text(json, "finding");
    claim->holds_as = fields_text(json, "holds_as");
    int origin = fields_word(json, "origin", claim_origin_words, err);
    if (origin < 0 || fields_word(json, "source", source_letters, err) < 0 || !read_needs(claim, err))
        return false;
    claim->origin = (ClaimOrigin)origin;
    if (claim->origin != ORIGIN_OWN && !*claim->source)
        return err_set(err, "key \"source\" is empty, which only an own control's may be");
    return !claim->holds_as || fields_word(json, "holds_as", holds_words, err) >= 0;
}

static bool read_claim(Claim *claim, Err *err)
{
    const Json *not_run = json_get(claim->json, "not_run"), *kind = json_get(claim->json, "kind");
    if (!kind || json_kind(kind) != JSON_STRING)
        return err_set(err, "key \"kind\" is missing or not a string");
    int index = fields_word(claim->json, "kind", claim_kind_words, err);
    if (index < 0)
        return false;
    claim->kind = (ClaimKind)index;
    claim->not_run = not_run && json_kind(not_run) == JSON_STRING ? json_string(not_run) : NULL;
    return rules_check(claim, err) && read_words(claim, err);
}

/* The id names the claim in every other sentence, so it is read before anything else. */
static bool read_id(Claims *claims, Claim *claim, Err *err)
{
    const Json *id = json_get(claim->json, "id");
    if (!id || json_kind(id) != JSON_STRING)
        return err_set(err, "claim %zu: key \"id\" is missing or not a string", claims->count);
    claim->id = json_string(id);
    size_t length = strlen(claims->experiment);
    if (strncmp(claim->id, claims->experiment, length) != 0 || claim->id[length] != '.' ||
        !claim->id[length + 1])
        return err_set(err, "claim \"%s\": key \"id\" must begin with \"%s.\"", claim->id,
                       claims->experiment);
    for (size_t i = 0; i + 1 < claims->count; i++)
        if (strcmp(claims->list[i].id, claim->id) == 0)
            return err_set(err, "claim \"%s\": key \"id\" is used twice", claim->id);
    return true;
}

static bool read_file(Claims *claims, Err *err)
{
    if (!fields_check(claims->json, file_fields, NULL, err))
        return false;
    claims->experiment = fields_text(claims->json, "experiment");
    claims->about = fields_text(claims->json, "about");
    claims->tables = json_get(claims->json, "tables");
    claims->figures = json_get(claims->json, "figures");
    const Json *list = json_get(claims->json, "claims");
    for (const Json *json = json_first(list); json; json = json_next(json)) {
        Claim *claim = mem_grow(&claims->list, &claims->count, sizeof *claim);
        claim->json = json;
        if (!read_id(claims, claim, err))
            return false;
        if (!read_claim(claim, err))
            return err_within(err, "claim \"%s\"", claim->id);
    }
    if (claims->count == 0)
        return err_set(err, "key \"claims\" is an empty list");
    return display_check(claims, err);
}

Claims *claims_read(const char *path, Err *err)
{
    Json *json = json_read(path, err);
    if (!json)
        return NULL;
    Claims *claims = mem_new(1, sizeof *claims);
    claims->json = json;
    if (!read_file(claims, err)) {
        err_within(err, "%s", path);
        claims_free(claims);
        return NULL;
    }
    return claims;
}

void claims_free(Claims *claims)
{
    if (!claims)
        return;
    json_free(claims->json);
    free(claims->list);
    free(claims);
}

const char *claim_kind_word(ClaimKind kind)
{
    return claim_kind_words[kind];
}

const char *claim_origin_word(ClaimOrigin origin)
{
    return claim_origin_words[origin];
}

const char *claim_source_title(const char *letters)
{
    for (size_t i = 0; source_letters[i]; i++)
        if (strcmp(source_letters[i], letters) == 0)
            return source_titles[i];
    return letters;
}
