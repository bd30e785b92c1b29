#include "wording.h"

#include "mem.h"
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_NUMBERS = 6,
    MOST_DECIMALS = 6
}; /* of a list, since a whole matrix does not fit a cell; of a number */

static const char none[] = "–";

/* ---- numbers ---- */

static void put_number(FILE *out, double value, int decimals)
{
    char *text = isnan(value) ? mem_text("%s", none) : number_text(value, decimals);
    fputs(text, out);
    free(text);
}

/* As many decimals as show what was measured: one more than was published, or four significant digits. */
static int decimals_beside(double published, double measured)
{
    int decimals = isnan(published) ? DECIMALS_AUTO : number_decimals(published);
    if (decimals == DECIMALS_AUTO || !isfinite(measured) || measured == floor(measured))
        return DECIMALS_AUTO;
    int four = 3 - (int)floor(log10(fabs(measured)));
    decimals = decimals + 1 > four ? decimals + 1 : four;
    return decimals <= MOST_DECIMALS ? decimals : DECIMALS_AUTO;
}

static FILE *begin(char **text, size_t *size)
{
    FILE *out = open_memstream(text, size);
    require(out, "out of memory for a cell");
    return out;
}

static void put_rest(FILE *out, size_t count)
{
    if (count > MOST_NUMBERS)
        fprintf(out, ", … (%zu numbers)", count);
}

char *wording_published(const Claim *claim)
{
    const Rule *rule = &claim->rule;
    char *text;
    size_t size;
    if (isnan(rule->targets[0].printed))
        return mem_text("%s", none);
    FILE *out = begin(&text, &size);
    for (size_t i = 0; i < rule->count && i < MOST_NUMBERS; i++) {
        fputs(i ? ", " : "", out);
        put_number(out, rule->targets[i].printed, number_decimals(rule->targets[i].printed));
    }
    put_rest(out, rule->count);
    fclose(out);
    return text;
}

/* A side without an end is shown as a dash. */
static void put_interval(FILE *out, const Number *number, int decimals)
{
    if ((isnan(number->low) && isnan(number->high)) || number->low == number->high)
        return;
    fputs(" (", out);
    put_number(out, isfinite(number->low) ? number->low : NAN, decimals);
    fputs(" … ", out);
    put_number(out, isfinite(number->high) ? number->high : NAN, decimals);
    fputc(')', out);
}

char *wording_measured(const Judgement *judgement, bool all_intervals)
{
    char *text;
    size_t size;
    FILE *out = begin(&text, &size);
    for (size_t i = 0; i < judgement->count && i < MOST_NUMBERS; i++) {
        const Number *number = &judgement->numbers[i];
        int decimals = decimals_beside(number->published, number->measured);
        fputs(i ? ", " : "", out);
        put_number(out, number->measured, decimals);
        if (!isnan(number->measured) && (judgement->count == 1 || all_intervals))
            put_interval(out, number, decimals);
    }
    put_rest(out, judgement->count);
    fclose(out);
    return text;
}

/* ---- words ---- */

char *wording_source(const Claim *claim)
{
    const char *origin = claim_origin_words[claim->origin];
    if (claim->origin == ORIGIN_SOURCE)
        return mem_text("%s", claim->source);
    return *claim->source ? mem_text("%s, %s", claim->source, origin) : mem_text("%s", origin);
}

const char *wording_outcome(Outcome outcome)
{
    return outcome == OUTCOME_FAILED ? "FAIL" : outcome == OUTCOME_DECLARED ? "declared" : "";
}

/* ---- rules ---- */

static void put_term(FILE *out, const Term *term)
{
    if (term->form == TERM_MINUS || term->form == TERM_LOG_OVER)
        fprintf(out, "\"%s\" %s \"%s\"", term->a, term->form == TERM_MINUS ? "minus" : "over", term->b);
    else
        fprintf(out, "\"%s\"", term->a);
}

/* All of them, as far as a sentence holds them. */
static void put_terms(FILE *out, const Rule *rule)
{
    for (size_t i = 0; i < rule->count && i < MOST_NUMBERS; i++) {
        fputs(i ? ", " : "", out);
        put_term(out, &rule->targets[i].term);
    }
    put_rest(out, rule->count);
}

static void put_margin(FILE *out, const Rule *rule)
{
    const Target *target = &rule->targets[0];
    if (isnan(target->margin))
        return;
    if (term_is_log(&target->term))
        fprintf(out, ", the same within %.3g %%", 100 * expm1(target->margin));
    else
        fprintf(out, ", the same within %.4g", target->margin);
    fprintf(out, " (%s)", rule->why);
}

static void put_bound(FILE *out, const Rule *rule)
{
    const Bound *bound = &rule->bound;
    fputs(" is at most ", out);
    if (!isnan(bound->value))
        fprintf(out, "%.3g", bound->value);
    else if (bound->scale_name)
        fprintf(out, "%g · %g · %.3g · \"%s\"", bound->c, bound->k, bound->eps, bound->scale_name);
    else
        fprintf(out, "%g · %g · %.3g · %g", bound->c, bound->k, bound->eps, bound->scale);
    fprintf(out, " (%s)", rule->why);
}

static void put_value(FILE *out, const Rule *rule)
{
    const Target *target = &rule->targets[0];
    put_terms(out, rule);
    if (target->standard_error)
        fprintf(out, " within 4 standard errors (\"%s\") of the law %g and of the published draw",
                target->standard_error, target->law);
    else if (rule_is_unstated(rule))
        fputs(", reported without judgement", out);
    else
        fprintf(out, " beside the published number%s",
                term_is_log(&target->term) ? ", both as logarithms" : "");
    put_margin(out, rule);
    if (rule->pool_count > 0)
        fprintf(out, "; the spread is pooled over %zu rows", rule->pool_count);
}

static void put_order(FILE *out, const Rule *rule)
{
    for (size_t i = 0; i < rule->count; i++) {
        if (i > 0)
            fputs(rule->targets[i].place == rule->targets[i - 1].place ? ", "
                  : rule->falling                                      ? " > "
                                                                       : " < ",
                  out);
        put_term(out, &rule->targets[i].term);
    }
    fputs(", by seed", out);
}

static void put_contrasts(FILE *out, const Rule *rule)
{
    for (size_t i = 0; i < rule->count; i++) {
        const Target *target = &rule->targets[i];
        fputs(i ? "; " : "", out);
        put_term(out, &target->term);
        if (isfinite(target->above))
            fprintf(out, " above %.4g", term_plain(&target->term, target->above));
        if (isfinite(target->below))
            fprintf(out, "%s below %.4g", isfinite(target->above) ? " and" : "",
                    term_plain(&target->term, target->below));
        fprintf(out, " (%s)", target->why);
    }
}

char *wording_rule(const Claim *claim)
{
    const Rule *rule = &claim->rule;
    char *text;
    size_t size;
    if (claim->not_run)
        return mem_text("it is not run");
    FILE *out = begin(&text, &size);
    switch (rule->kind) {
    case CLAIM_EXACT:
        put_terms(out, rule);
        if (rule->targets[0].decimals >= 0)
            fprintf(out, " equals the published number to %d decimals", rule->targets[0].decimals);
        else
            fputs(" equals the published number", out);
        break;
    case CLAIM_AT_MOST:
        put_terms(out, rule);
        put_bound(out, rule);
        break;
    case CLAIM_VALUE:
    case CLAIM_DIFFERENCE:
    case CLAIM_RATIO:
        put_value(out, rule);
        break;
    case CLAIM_ORDER:
        put_order(out, rule);
        break;
    case CLAIM_SHAPE:
        put_contrasts(out, rule);
        break;
    case CLAIM_FRACTION:
        fprintf(out, "\"%s\" of \"%s\" beside the published share, with the exact interval",
                rule->targets[0].term.a, rule->targets[0].term.b);
        put_margin(out, rule);
        break;
    }
    fclose(out);
    return text;
}
