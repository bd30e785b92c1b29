#include "verdicts.h"

#include "wording.h"

#include <stdlib.h>

static void print_claim(FILE *out, const Claim *claim, const Judgement *judgement)
{
    static const char *const marks[] = {
        [OUTCOME_FINE] = "", [OUTCOME_DECLARED] = " (declared)", [OUTCOME_FAILED] = "  <- FAILED"};
    char *published = wording_published(claim), *measured = wording_measured(judgement, true);
    fprintf(out, "%s: %s%s\n    %s\n    published %s, measured %s\n    %s\n", claim->id,
            verdict_word(judgement->verdict), marks[judgement->outcome], claim->says, published, measured,
            judgement->reason);
    free(published);
    free(measured);
}

void verdicts_print(FILE *out, const Claims *claims, const Judgements *judgements)
{
    for (size_t i = 0; i < claims->count; i++)
        print_claim(out, &claims->list[i], &judgements->list[i]);
}
