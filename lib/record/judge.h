/*
 * judge: does the published number reproduce?
 *
 * One claim and the measurements in, a verdict with interval and reason out. The rules, with their
 * error rates, stand at the top of judge.c; they are those of a prediction interval for one new
 * draw.
 *
 * Source   Spence and Stanley 2016, PLoS ONE 11(9):e0162874; Crawford and Howell 1998.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "claims.h"
#include "measure.h"

typedef enum Verdict {
    VERDICT_REPRODUCED,
    VERDICT_WITHIN_MARGIN,
    VERDICT_INCONCLUSIVE,
    VERDICT_NOT_REPRODUCED,
    VERDICT_CONTRADICTION,  /* the source contradicts itself */
    VERDICT_RECONSTRUCTED,  /* consistent, but the inputs were reconstructed from the claim */
    VERDICT_NOT_STATED,     /* a lost table's cell: reported, not judged */
    VERDICT_NOT_COMPARABLE, /* another corpus, a reduced budget */
    VERDICT_NOT_RUN
} Verdict;

/* What a claim's outcome means for the exit code. */
typedef enum Outcome {
    OUTCOME_FINE,
    OUTCOME_DECLARED, /* does not hold, as its claims file says */
    OUTCOME_FAILED    /* does not hold and nobody said so; an own control fails; a declared
                         disagreement holds */
} Outcome;

/* What the run was like, as far as it decides whether a claim can be compared at all. */
typedef struct Conditions {
    bool published_corpus; /* the source's own corpus, or no corpus is involved */
    bool published_budget; /* the full profile with unchanged settings */
} Conditions;

typedef struct Judgement {
    Verdict verdict;
    Outcome outcome;
    size_t count;      /* entries of the four below: one for each measured number, contrast or name ordered */
    double *published; /* NaN where the claim has none */
    double *measured;  /* means over the seeds (of ratios: geometric ones); NaN where there is no value */
    double *low, *high; /* the interval that was compared, as the rules at the top of judge.c say; NaN where
                           there is none */
    int seeds;          /* how many were judged, the fewest of all entries; 0 when no chance is involved */
    bool timed;         /* rests on a time or a rate, which differs between two runs */
    char *reason;       /* one sentence with the numbers that decided */
} Judgement;

/* False, with claim and key in err and nothing to free, when the claim can't be judged: it names a measurement
 * that nobody made, or one that mixes FIXED with seeds, no seed has both sides of a pair, or counts are none. A claim that is
 * not comparable under the conditions may name what was not measured; its reason says so. */
bool judge(const Claim *claim, const Measurements *measurements, Conditions conditions, Judgement *judgement,
           Err *err);
void judgement_free(Judgement *judgement);

/* What a verdict means, of a claim of that kind that was judged on so many seeds and is declared to disagree or not:
 * the one outcome that can stand beside it. */
Outcome verdict_outcome(Verdict verdict, ClaimKind kind, int seeds, bool disagrees);

extern const char *const claim_verdict_words[]; /* NULL ends them */
const char *verdict_word(Verdict verdict);

/* Whether the verdict rests on chance, so that about 5 % of the true ones are called false. */
bool judgement_is_stochastic(const Claim *claim, const Judgement *judgement);

#endif
