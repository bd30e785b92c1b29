/*
 * judgement_json: the claims of a result file, for people and scripts: what was claimed, and what the rules in force
 * when the file was written said of it.
 *
 *   [{id, says, source, origin, kind, unit, published, measured, interval, seeds, verdict, outcome, reason,
 *     stochastic, timed, finding, disagrees}]
 *
 * Of a claim with one number, published and measured are numbers and interval is [low, high]; of one with more they
 * are lists of these. What is not there is null; absent: unit, timed (when false), finding, disagrees.
 */
#ifndef JUDGEMENT_JSON_H
#define JUDGEMENT_JSON_H

#include "judge.h"

/* The list, owned by the caller; the judgements are those of the claims, in their order. */
Json *judgements_to_json(const Claims *claims, const Judgements *judgements);

#endif
