/*
 * judge: does the published number reproduce?
 *
 * One claim and one result in, a verdict with interval and reason out: a pure function, called where a result is made
 * (for the exit code) and wherever one is read (reports, comparisons), so that every verdict shown is one of the
 * present rules. The rules, with their error rates, stand at the top of judge.c; they are those of a prediction
 * interval for one new draw.
 *
 * Source   Spence and Stanley 2016, PLoS ONE 11(9):e0162874; Crawford and Howell 1998.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "claims.h"
#include "result.h"

/* Fewer seeds than this decide nothing, and show no interval of their own. */
enum { FEW_SEEDS = 3 };

typedef enum Verdict {
    VERDICT_REPRODUCED,
    VERDICT_WITHIN_MARGIN,
    VERDICT_INCONCLUSIVE,
    VERDICT_NOT_REPRODUCED,
    VERDICT_CONTRADICTION,  /* the source contradicts itself */
    VERDICT_RECONSTRUCTED,  /* consistent, but the inputs were reconstructed from the claim */
    VERDICT_NOT_STATED,     /* a lost table's cell: reported, not judged */
    VERDICT_NOT_COMPARABLE, /* another corpus, a reduced budget */
    VERDICT_NOT_RUN,        /* never, as its claims file says, or not in this result */
    VERDICTS                /* how many there are */
} Verdict;

/* What a claim's verdict means for the exit code. */
typedef enum Outcome {
    OUTCOME_FINE,
    OUTCOME_DECLARED, /* does not hold, as its claims file says */
    OUTCOME_FAILED /* does not hold and nobody said so; an own control fails; a declared disagreement holds; the
                         result lacks what the claim asks for */
} Outcome;

/* One number of a claim: a measured number, a contrast, or a name of an order. NaN where there is none. */
typedef struct Number {
    double published;
    double measured;  /* the mean over the seeds (of ratios: the geometric one) */
    double low, high; /* the interval that was compared, as the rules at the top of judge.c say */
} Number;

typedef struct Judgement {
    Verdict verdict;
    Outcome outcome;
    Number *numbers; /* owned */
    size_t count;
    int seeds;       /* how many were judged, the fewest of all numbers; 0 when no chance is involved */
    bool timed;      /* rests on a time or a rate, which differs between two runs */
    bool stochastic; /* rests on chance, so that a true claim may be called something else */
    char *reason;    /* one sentence with the numbers that decided; owned */
} Judgement;

Judgement judge(const Claim *claim, const Result *result);
void judgement_free(Judgement *judgement);

/* All claims of a file, each judged, in the file's order. The result is one of the same experiment. */
typedef struct Judgements {
    Judgement *list;
    size_t count;
} Judgements;

Judgements judge_all(const Claims *claims, const Result *result);
void judgements_free(Judgements *judgements);

const char *verdict_word(Verdict verdict);
const char *outcome_word(Outcome outcome);

#endif
