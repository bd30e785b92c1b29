/*
 * rules: the fields by which a claim of each kind is judged (they are described in claims.h): checked when the
 * claims are read, and resolved to numbers when they are judged.
 *
 * On the scale of logarithms (a ratio, "log": true) y, r and D are logarithms as well.
 */
#ifndef RULES_H
#define RULES_H

#include "claims.h"
#include "digest.h"

/* Checks all keys of the claim's entry, whose kind and not_run are known; the sentence names the key. */
bool rules_check(const Claim *claim, Err *err);

/* Whether all entries of a key that is there are of one kind; there must be one, and texts not be empty. */
bool rules_all_are(const Json *claim, const char *key, JsonKind kind, Err *err);

/* What may stand alone or in a list: how many there are, and the index-th. */
size_t claim_entries(const Json *one_or_list);
const Json *claim_entry(const Json *one_or_list, size_t index);

/* SHA-256 of all that decides the claim's verdict: its entry but for the words that explain it. */
void rule_digest(const Claim *claim, char digest[static DIGEST_TEXT]);

/* Whether logarithms are compared. */
bool rule_is_log(const Claim *claim);

/* Of an order: whether a large quantity is a good one, as an accuracy is and a perplexity is not. */
bool rule_larger_is_better(const Claim *claim);

/* The index-th published number as it is printed, and as it is compared (y); NaN when none is stated. */
double rule_printed(const Claim *claim, size_t index);
double rule_published(const Claim *claim, size_t index);

/* r, half a unit of the published number's last printed digit; 0 when the claim gives none. A logarithm takes
 * the wider of its two sides. */
double rule_half_unit(const Claim *claim, size_t index);

/* D, the margin that counts as the same; NaN when the claim gives none. */
double rule_margin(const Claim *claim, size_t index);

#endif
