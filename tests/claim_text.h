/*
 * claim_text: for tests of the judge: a claim from its text, samples from a line, and the judgement.
 */
#ifndef CLAIM_TEXT_H
#define CLAIM_TEXT_H

#include "file.h"
#include "judge.h"
#include "mem.h"
#include "test.h"

/* A claims file of one source claim, "e.x", with these fields beside those that every claim has. */
static inline Claims *claim_text(const char *kind, const char *fields)
{
    Err err;
    char *folder = new_folder(), *path = mem_text("%s/e.claims.json", folder);
    char *text =
        mem_text("{\"experiment\": \"e\", \"about\": \"a\", \"claims\": [{\"id\": \"e.x\", \"says\": \"s\", "
                 "\"source\": \"C9\", \"origin\": \"source\", \"kind\": \"%s\", %s}]}",
                 kind, fields);
    assert_true(file_write(path, text, strlen(text), &err));
    Claims *claims = claims_read(path, &err);
    if (!claims)
        fail_msg("%s", err.text);
    free(text);
    free(path);
    remove_folder(folder);
    return claims;
}

/* Adds a line of samples at seeds 0, 1, …: numbers, or x for one that diverged; "= 5" is FIXED. */
static inline void samples_text(Measurements *all, const char *name, const char *line)
{
    int seed = *line == '=' ? FIXED : 0;
    char *copy = mem_text("%s", line), *rest = copy;
    for (char *word; (word = strsep(&rest, " "));) {
        if (strcmp(word, "=") == 0)
            continue;
        if (strcmp(word, "x") == 0)
            measurements_add_missing(all, name, seed++, "diverged at step 7");
        else
            measurements_add(all, name, seed++, strtod(word, NULL), false);
    }
    free(copy);
}

/* Measurements from pairs of name and line, ended by NULL. */
static inline Measurements measured(const char *name, ...)
{
    Measurements all = {0};
    va_list arguments;
    va_start(arguments, name);
    for (; name; name = va_arg(arguments, const char *))
        samples_text(&all, name, va_arg(arguments, const char *));
    va_end(arguments);
    return all;
}

static const Conditions comparable = {.published_corpus = true, .published_budget = true};

/* Judges one claim under these conditions and frees claim and measurements; the judgement is the caller's. */
static inline Judgement judged_under(const char *kind, const char *fields, Measurements all,
                                     Conditions conditions)
{
    Claims *claims = claim_text(kind, fields);
    Result result = {.conditions = conditions, .measurements = all};
    Judgement judgement = judge(&claims->list[0], &result);
    claims_free(claims);
    measurements_free(&all);
    return judgement;
}

static inline Judgement judged(const char *kind, const char *fields, Measurements all)
{
    return judged_under(kind, fields, all, comparable);
}

/* The verdict and a part of the reason, which must be there. */
static inline void assert_verdict(Judgement judgement, const char *word, const char *reason)
{
    if (strcmp(verdict_word(judgement.verdict), word) != 0)
        fail_msg("expected %s, not %s: %s", word, verdict_word(judgement.verdict), judgement.reason);
    assert_says(judgement.reason, reason);
    judgement_free(&judgement);
}

/* A claim that asks for what was not measured: it is not run, fails, and says why. */
static inline void assert_unjudgeable(const char *kind, const char *fields, Measurements all, const char *why)
{
    Judgement judgement = judged(kind, fields, all);
    assert_int_equal(judgement.outcome, OUTCOME_FAILED);
    assert_verdict(judgement, "not run", why);
}

#endif
