/*
 * rule: what one claim compares with what, as numbers; made from its entry in a claims file (claims.h describes the
 * keys) and checked once, when the file is read.
 *
 * On the scale of logarithms (a ratio, "log": true, a contrast's "over") y, r, D and limits are logarithms too.
 */
#ifndef RULE_H
#define RULE_H

#include "json.h"
#include "series.h"

typedef enum ClaimKind {
    CLAIM_EXACT,
    CLAIM_AT_MOST,
    CLAIM_VALUE,
    CLAIM_DIFFERENCE,
    CLAIM_RATIO,
    CLAIM_ORDER,
    CLAIM_SHAPE,
    CLAIM_FRACTION
} ClaimKind;

/* One number of a claim: where it comes from and what it is held against. What the kind has no use for is NaN,
 * infinitely far away or NULL. */
typedef struct Target {
    Term term;                  /* of a fraction: successes and trials */
    double printed;             /* the published number as the source prints it; NaN when it states none */
    int decimals;               /* of the printed number, -1 when "decimals" is not given */
    double published;           /* y, on the scale that is compared */
    double half_unit;           /* r, half a unit of its last printed digit; of a logarithm the wider side */
    double margin;              /* D, what counts as the same; NaN when the claim gives none */
    double law;                 /* of a Monte-Carlo law */
    const char *standard_error; /* the measurement that holds the law's */
    double above, below;        /* a contrast's limits */
    size_t place;               /* in an order, from 0; names of one place are not ordered among themselves */
    const char *why;            /* a contrast's */
} Target;

/* c·k·eps·scale, where the scale is a number or a measurement's name; or value alone. */
typedef struct Bound {
    double value, c, k, eps, scale; /* NaN where not given */
    const char *scale_name;
} Bound;

typedef struct Rule {
    ClaimKind kind;
    Target *targets; /* owned; the texts in it belong to the json */
    size_t count;
    Bound bound;       /* of at_most */
    const char **pool; /* of a value: the rows whose spread is pooled; owned */
    size_t pool_count;
    bool falling;          /* of an order: the first place is to be the largest */
    bool larger_is_better; /* of an order: an accuracy, not a perplexity: a lost sample ranks lowest */
    const char *why;       /* the margin's or the bound's reason; NULL when there is none */
} Rule;

/* Reads the fields of the claim's kind; of one that is not run only its published numbers. False with a sentence
 * that names the key. The rule is to be freed either way. */
bool rule_read(const Json *claim, bool not_run, Rule *rule, Err *err);
void rule_free(Rule *rule);

/* Words as the files have them; NULL ends them. */
extern const char *const claim_kind_words[];

/* Whether nothing is published to judge by, of a kind that is judged by what is published. */
bool rule_is_unstated(const Rule *rule);

#endif
