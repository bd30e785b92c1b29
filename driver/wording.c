#include "wording.h"

#include "mem.h"
#include "text.h"

#include <math.h>
#include <string.h>

enum { MOST_NUMBERS = 6 }; /* of a list; a whole matrix does not fit a cell */

static bool is_list(const Json *json)
{
    return json && json_kind(json) == JSON_ARRAY;
}

static bool is_number(const Json *json)
{
    return json && json_kind(json) == JSON_NUMBER;
}

/* The index-th of a list, or the value itself. */
static const Json *entry(const Json *one_or_list, size_t index)
{
    return is_list(one_or_list) ? json_at(one_or_list, index) : one_or_list;
}

static size_t entries(const Json *one_or_list)
{
    return is_list(one_or_list) ? json_count(one_or_list) : one_or_list ? 1 : 0;
}

/* As many decimals as show what was measured: one more than was published, or four significant digits. */
static int decimals_beside(const Json *published, double measured)
{
    if (!is_number(published) || measured == 0 || measured == floor(measured))
        return DECIMALS_AUTO;
    int decimals = text_decimals(json_number(published));
    if (decimals == DECIMALS_AUTO)
        return DECIMALS_AUTO;
    int four = 3 - (int)floor(log10(fabs(measured)));
    decimals = decimals + 1 > four ? decimals + 1 : four;
    return decimals <= 6 ? decimals : DECIMALS_AUTO;
}

static void put_number(FILE *out, const Json *number, int decimals)
{
    if (!is_number(number)) {
        fputs("–", out);
        return;
    }
    char *text = text_number(json_number(number), decimals);
    fputs(text, out);
    free(text);
}

char *wording_published(const Json *claim)
{
    const Json *published = json_get(claim, "published");
    char *text;
    size_t size, count = entries(published);
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for a cell");
    for (size_t i = 0; i < count && i < MOST_NUMBERS; i++) {
        const Json *number = entry(published, i);
        fputs(i ? ", " : "", out);
        put_number(out, number, is_number(number) ? text_decimals(json_number(number)) : 0);
    }
    if (count > MOST_NUMBERS)
        fprintf(out, ", … (%zu numbers)", count);
    fclose(out);
    return text;
}

/* The interval is [low, high], or a list of such pairs; null is a side without an end. */
static void put_interval(FILE *out, const Json *interval, size_t index, int decimals)
{
    bool many = is_list(interval) && is_list(json_first(interval));
    const Json *pair = many ? json_at(interval, index) : index == 0 ? interval : NULL;
    if (!is_list(pair) || json_count(pair) != 2)
        return;
    const Json *low = json_at(pair, 0), *high = json_at(pair, 1);
    if (!is_number(low) && !is_number(high))
        return;
    if (is_number(low) && is_number(high) && json_number(low) == json_number(high))
        return;
    fputs(" (", out);
    put_number(out, low, decimals);
    fputs(" … ", out);
    put_number(out, high, decimals);
    fputc(')', out);
}

char *wording_measured(const Json *claim, bool all_intervals)
{
    const Json *published = json_get(claim, "published"), *measured = json_get(claim, "measured");
    char *text;
    size_t size, count = entries(measured);
    FILE *out = open_memstream(&text, &size);
    require(out, "out of memory for a cell");
    for (size_t i = 0; i < count && i < MOST_NUMBERS; i++) {
        const Json *number = entry(measured, i);
        int decimals = is_number(number) ? decimals_beside(entry(published, i), json_number(number)) : 0;
        fputs(i ? ", " : "", out);
        put_number(out, number, decimals);
        if (is_number(number) && (count == 1 || all_intervals))
            put_interval(out, json_get(claim, "interval"), i, decimals);
    }
    if (count > MOST_NUMBERS)
        fprintf(out, ", … (%zu numbers)", count);
    fclose(out);
    return text;
}

char *wording_source(const Json *claim)
{
    const char *source = field_text(claim, "source"), *origin = field_text(claim, "origin");
    if (strcmp(origin, "source") == 0)
        return mem_text("%s", source);
    return *source ? mem_text("%s, %s", source, origin) : mem_text("%s", origin);
}

Mark claim_mark(const Json *claim)
{
    const char *outcome = field_text(claim, "outcome");
    return strcmp(outcome, "failed") == 0     ? MARK_FAILED
           : strcmp(outcome, "declared") == 0 ? MARK_DECLARED
                                              : MARK_FINE;
}

void tally_add(Tally *tally, const Json *result)
{
    const Json *claims = result ? json_get(result, "claims") : NULL;
    for (const Json *claim = claims ? json_first(claims) : NULL; claim; claim = json_next(claim)) {
        const char *verdict = field_text(claim, "verdict");
        for (size_t i = 0; i < VERDICTS; i++)
            tally->verdicts[i] += strcmp(verdict, verdict_word((Verdict)i)) == 0;
        tally->claims++;
        tally->failed += claim_mark(claim) == MARK_FAILED;
        tally->declared += claim_mark(claim) == MARK_DECLARED;
        const Json *stochastic = json_get(claim, "stochastic");
        tally->stochastic += stochastic && json_bool(stochastic);
    }
}

double tally_false_alarms(const Tally *tally)
{
    static const double alpha = 0.05; /* see judge.h: the rate of the rules */
    return alpha * (double)tally->stochastic;
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
