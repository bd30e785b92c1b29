#include "tally.h"

#include "mem.h"
#include "stats.h"

#include <stdio.h>

void tally_add(Tally *tally, const Judgements *judgements)
{
    for (size_t i = 0; i < judgements->count; i++) {
        const Judgement *judgement = &judgements->list[i];
        tally->verdicts[judgement->verdict]++;
        tally->claims++;
        tally->failed += judgement->outcome == OUTCOME_FAILED;
        tally->declared += judgement->outcome == OUTCOME_DECLARED;
        tally->stochastic += judgement->stochastic;
    }
}

double tally_false_alarms(const Tally *tally)
{
    return ALPHA * (double)tally->stochastic;
}

char *tally_words(const Tally *tally)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for a sentence");
    const char *comma = "";
    for (size_t i = 0; i < VERDICTS; i++)
        if (tally->verdicts[i] > 0) {
            fprintf(out, "%s%zu %s", comma, tally->verdicts[i], verdict_word((Verdict)i));
            comma = ", ";
        }
    fclose(out);
    return text;
}
