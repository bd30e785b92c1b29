#include "claims.h"

#include "fields.h"
#include "mem.h"

#include <string.h>

const char *const claim_origin_words[] = {"source", "implied", "own", NULL};

const Source claim_sources[] = {{"C9", "Attention e o bloco transformer, derivados de uma média"},
                                {"MH", "Masks and Heads"},
                                {"ID", "Multi-head attention"},
                                {NULL, NULL}};

const char *claim_source_title(const char *letters)
{
    for (const Source *source = claim_sources; source->letters; source++)
        if (strcmp(source->letters, letters) == 0)
            return source->title;
    return "";
}

static bool read_needs(const Json *json, Claim *claim, Err *err)
{
    const Json *needs = json_get(json, "needs");
    bool is_list = needs && json_kind(needs) == JSON_ARRAY;
    for (const Json *need = is_list ? json_first(needs) : needs; need;
         need = is_list ? json_next(need) : NULL) {
        const char *word = json_kind(need) == JSON_STRING ? json_string(need) : "something else";
        if (strcmp(word, "corpus") == 0)
            claim->needs_corpus = true;
        else if (strcmp(word, "budget") == 0)
            claim->needs_budget = true;
        else
            return err_set(err, "key \"needs\" says \"%s\", which is none of \"corpus\", \"budget\"", word);
    }
    return true;
}

static bool read_source(const Json *json, Claim *claim, Err *err)
{
    claim->source = fields_text(json, "source");
    if (!*claim->source)
        return claim->origin == ORIGIN_OWN ||
               err_set(err, "key \"source\" is empty, which only an own control's may be");
    if (*claim_source_title(claim->source))
        return true;
    return err_set(err, "key \"source\" says \"%s\", which is no document's letters", claim->source);
}

/* Takes over the words that every claim has; the object's keys are known to be of their kinds. */
static bool read_words(const Json *json, Claim *claim, Err *err)
{
    static const char *const holds_words[] = {"reproduced", "reconstructed", "contradiction", NULL};
    claim->says = fields_text(json, "says");
    claim->unit = fields_text(json, "unit");
    claim->disagrees = fields_text(json, "disagrees");
    claim->finding = fields_text(json, "finding");
    int origin = fields_word(json, "origin", claim_origin_words, err);
    int holds = json_get(json, "holds_as") ? fields_word(json, "holds_as", holds_words, err) : 0;
    claim->origin = (ClaimOrigin)origin;
    claim->holds_as = (HoldsAs)holds;
    return origin >= 0 && holds >= 0 && read_source(json, claim, err) && read_needs(json, claim, err);
}

/* The id names the claim in every other sentence, so it is read before anything else. */
static bool read_id(const Json *json, const Claims *claims, Claim *claim, Err *err)
{
    const Json *id = json_get(json, "id");
    if (!id || json_kind(id) != JSON_STRING)
        return err_set(err, "claim %zu: key \"id\" is missing or not a string", claims->count);
    const char *text = json_string(id);
    size_t length = strlen(claims->experiment);
    if (strncmp(text, claims->experiment, length) != 0 || text[length] != '.' || !text[length + 1])
        return err_set(err, "claim \"%s\": key \"id\" must begin with \"%s.\"", text, claims->experiment);
    if (claims_find(claims, text))
        return err_set(err, "claim \"%s\": key \"id\" is used twice", text);
    claim->id = text;
    return true;
}

static bool read_claim(const Json *json, Claim *claim, Err *err)
{
    const Json *not_run = json_get(json, "not_run"), *kind = json_get(json, "kind");
    if (!kind || json_kind(kind) != JSON_STRING)
        return err_set(err, "key \"kind\" is missing or not a string");
    claim->not_run = not_run && json_kind(not_run) == JSON_STRING ? json_string(not_run) : NULL;
    return rule_read(json, not_run != NULL, &claim->rule, err) && read_words(json, claim, err);
}

static bool read_claims(const Json *list, Claims *claims, Err *err)
{
    for (const Json *json = json_first(list); json; json = json_next(json)) {
        Claim *claim = mem_grow(&claims->list, &claims->count, sizeof *claim);
        claim->id = "";
        if (!read_id(json, claims, claim, err))
            return false;
        if (!read_claim(json, claim, err))
            return err_within(err, "claim \"%s\"", claim->id);
    }
    return claims->count > 0 || err_set(err, "key \"claims\" is an empty list");
}

/* A column of published numbers names claims, one at least: lost cells have none, but a column without any is a
 * mistake. */
static bool check_tables(const Claims *claims, Err *err)
{
    for (size_t t = 0; t < claims->table_count; t++)
        for (size_t c = 0; c < claims->tables[t].column_count; c++) {
            const TableSpec *table = &claims->tables[t];
            bool found = table->columns[c].kind != COLUMN_CLAIM;
            for (size_t r = 0; r < table->row_count && !found; r++) {
                char *id = display_name(table->columns[c].pattern, table->rows[r].key);
                found = claims_find(claims, id) != NULL;
                free(id);
            }
            if (!found)
                return err_set(
                    err,
                    "table %zu: key \"columns\", entry %zu: key \"claim\" says \"%s\", which is no "
                    "claim's id for any row",
                    t + 1, c + 1, table->columns[c].pattern);
        }
    return true;
}

static bool read_file(Claims *claims, Err *err)
{
    static const Field fields[] = {{"experiment", TEXT, true}, {"about", TEXT, true},
                                   {"claims", LIST, true},     {"tables", LIST, false},
                                   {"figures", LIST, false},   {0}};
    if (!fields_check(claims->json, fields, NULL, err))
        return false;
    claims->experiment = fields_text(claims->json, "experiment");
    claims->about = fields_text(claims->json, "about");
    return read_claims(json_get(claims->json, "claims"), claims, err) &&
           display_read_tables(json_get(claims->json, "tables"), &claims->tables, &claims->table_count,
                               err) &&
           display_read_figures(json_get(claims->json, "figures"), &claims->figures, &claims->figure_count,
                                err) &&
           check_tables(claims, err);
}

Claims *claims_read(const char *path, Err *err)
{
    Json *json = json_read(path, err);
    if (!json)
        return NULL;
    Claims *claims = mem_new(1, sizeof *claims);
    claims->json = json;
    if (read_file(claims, err))
        return claims;
    err_within(err, "%s", path);
    claims_free(claims);
    return NULL;
}

void claims_free(Claims *claims)
{
    if (!claims)
        return;
    for (size_t i = 0; i < claims->count; i++)
        rule_free(&claims->list[i].rule);
    free(claims->list);
    display_free_tables(claims->tables, claims->table_count);
    display_free_figures(claims->figures, claims->figure_count);
    json_free(claims->json);
    free(claims);
}

const Claim *claims_find(const Claims *claims, const char *id)
{
    for (size_t i = 0; i < claims->count; i++)
        if (strcmp(claims->list[i].id, id) == 0)
            return &claims->list[i];
    return NULL;
}
