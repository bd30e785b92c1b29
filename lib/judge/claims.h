/*
 * claims: what the source says, and how it will be judged; written down before any run.
 *
 * An experiment's claims stand beside its program, in <name>.claims.json:
 *
 *   { "experiment": "dot_product_variance",
 *     "about": "one sentence: the question the experiment asks",
 *     "claims": [ … ], "tables": [ … ], "figures": [ … ] }
 *
 * Every claim has
 *   "id"         stable, "<experiment>.<name>"
 *   "says"       the claim in one sentence, in our words
 *   "source"     "C9", "MH" or "ID" (the titles are in claims.c), or "" for an own control
 *   "origin"     "source", "implied" (follows from published numbers) or "own" (makes a claim falsifiable)
 *   "kind"       see below
 *   "published"  the number, an array of numbers, or null where the source gives none ("not stated")
 *                of kind exact, value, difference, ratio and fraction; the other kinds may leave it out
 * and may have
 *   "unit"       of the published number, with its normaliser ("perplexity per token")
 *   "needs"      of "corpus" (comparable on the source's corpus only) and "budget" (with the full profile and
 *                its settings only); unmet, the verdict is "not comparable"
 *   "disagrees"  why it is known not to hold: a declared disagreement; should it hold one day, that is an error
 *   "finding"    one or two sentences for the report
 *   "holds_as"   "reconstructed" or "contradiction": what a claim that holds is called instead of reproduced
 *   "not_run"    why it is not run at all; then there is nothing to measure
 *
 * Kinds and their own fields. NAME is a measurement's name; a list of names goes with an equally long list of
 * published numbers (and laws, and standard errors), all of which must hold.
 *   exact        "measure": NAME; equal, or equal when rounded to "decimals" digits
 *   at_most      "measure": NAME;
 *                "bound": {"c", "k", "eps": "float32"|"float64", "scale": number|NAME, "why"} for c·k·eps·scale,
 *                where eps is 2^-23 or 2^-52, or {"value", "why"}; magnitudes are compared
 *   value        "measure": NAME;
 *                "decimals" (r is half a unit of the last printed one) or "half_unit" (r itself);
 *                "margin": {"value" | "share" (of the published number), "why"};
 *                "log": true compares logarithms: r is taken over, a share p becomes ln(1 + p) and a value is
 *                already one of the logarithm;
 *                "pool": [NAME, …] takes the standard deviation from these rows of one table, its own among
 *                them. A Monte-Carlo law has "law": number and "standard_error": NAME in place of the margin
 *   difference   "of": [NAME, NAME], the first minus the second, paired by seed; decimals, margin as in value
 *   ratio        "of": [NAME, NAME], the first over the second, paired by seed, judged as logarithms
 *   order        "falling" or "rising": [NAME, …]; a nested list holds names not ordered among themselves;
 *                "better": "smaller" (when absent) or "larger": what is lost ranks worst
 *   shape        "contrasts": [{"of": NAME | "minus": [NAME, NAME] | "over": [NAME, NAME],
 *                               "above" and/or "below": number, "why"}, …]; over is judged as a logarithm
 *   fraction     "successes": NAME, "trials": NAME, both counts of independent trials; decimals as in value;
 *                with a margin, an interval too wide for it is inconclusive
 * A published number needs its r, and a value, difference or ratio its margin; where nothing is published both
 * may be left out.
 *
 * A key that is not of these, a missing one, an id twice, or a margin that can't be resolved is an error that
 * names file, claim and key. Tables and figures are described in display.h.
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "display.h"
#include "rule.h"

typedef enum ClaimOrigin { ORIGIN_SOURCE, ORIGIN_IMPLIED, ORIGIN_OWN } ClaimOrigin;

/* What a claim that holds is called. */
typedef enum HoldsAs { HOLDS_AS_REPRODUCED, HOLDS_AS_RECONSTRUCTED, HOLDS_AS_CONTRADICTION } HoldsAs;

typedef struct Claim {
    const char *id, *says, *source; /* these and all below belong to the file's json */
    ClaimOrigin origin;
    HoldsAs holds_as;
    bool needs_corpus, needs_budget;
    const char *unit, *disagrees, *finding, *not_run; /* NULL when absent */
    Rule rule;
} Claim;

typedef struct Claims {
    Json *json; /* owned; the file, for its texts */
    const char *experiment, *about;
    Claim *list;
    size_t count;
    TableSpec *tables;
    size_t table_count;
    FigureSpec *figures;
    size_t figure_count;
} Claims;

/* Reads and checks a whole claims file; NULL with file, claim and key in err. */
Claims *claims_read(const char *path, Err *err);
void claims_free(Claims *claims);

/* The claim of that id, or NULL. */
const Claim *claims_find(const Claims *claims, const char *id);

/* The documents that claims are taken from, in the order in which a report names them. */
typedef struct Source {
    const char *letters, *title; /* "C9" and what it stands for; letters NULL ends the list */
} Source;

extern const Source claim_sources[];

/* The title that a source's letters stand for; "" for an own control's. */
const char *claim_source_title(const char *letters);

/* Words as the files have them: "source" …; NULL ends them. */
extern const char *const claim_origin_words[];

#endif
