#include "verdicts.h"

#include <math.h>
#include <string.h>

enum { MOST_SHOWN = 6 }; /* of a list's entries; all are in the result */

static void print_number(FILE *out, const Json *number)
{
    if (!number || json_kind(number) != JSON_NUMBER) {
        fputs("none", out);
        return;
    }
    double value = json_number(number);
    bool whole = value == floor(value) && fabs(value) < 1e15;
    fprintf(out, whole ? "%.0f" : "%.6g", value); /* a count of parameters is shown to its last digit */
}

static bool is_list(const Json *json)
{
    return json && json_kind(json) == JSON_ARRAY;
}

/* A number, or each of a list. */
static void print_numbers(FILE *out, const Json *numbers)
{
    if (!is_list(numbers)) {
        print_number(out, numbers);
        return;
    }
    size_t shown = 0;
    for (const Json *n = json_first(numbers); n && shown < MOST_SHOWN; n = json_next(n), shown++) {
        fputs(shown ? ", " : "", out);
        print_number(out, n);
    }
    if (shown < json_count(numbers))
        fprintf(out, ", … (%zu in all)", json_count(numbers));
}

static void print_pair(FILE *out, const Json *pair)
{
    fputc('[', out);
    print_numbers(out, pair);
    fputc(']', out);
}

/* [low, high], or each of a list of such pairs, null where there is none. */
static void print_interval(FILE *out, const Json *interval)
{
    if (!is_list(interval))
        return;
    const Json *first = json_first(interval);
    if (first && json_kind(first) == JSON_NUMBER) {
        fputs(" in ", out);
        print_pair(out, interval);
        return;
    }
    size_t shown = 0;
    for (const Json *pair = first; pair && shown < MOST_SHOWN; pair = json_next(pair)) {
        if (!is_list(pair))
            continue;
        fputs(shown ? ", " : " in ", out);
        print_pair(out, pair);
        shown++;
    }
    if (shown == MOST_SHOWN && shown < json_count(interval))
        fputs(", …", out);
}

static const char *text_of(const Json *object, const char *key)
{
    const Json *text = json_get(object, key);
    return text && json_kind(text) == JSON_STRING ? json_string(text) : "";
}

static void print_claim(FILE *out, const Json *claim)
{
    fprintf(out, "%s: %s%s\n", text_of(claim, "id"), text_of(claim, "verdict"),
            strcmp(text_of(claim, "outcome"), "failed") == 0     ? "  <- FAILED"
            : strcmp(text_of(claim, "outcome"), "declared") == 0 ? " (declared)"
                                                                 : "");
    fprintf(out, "    %s\n    published ", text_of(claim, "says"));
    print_numbers(out, json_get(claim, "published"));
    fputs(", measured ", out);
    print_numbers(out, json_get(claim, "measured"));
    print_interval(out, json_get(claim, "interval"));
    fprintf(out, "\n    %s\n", text_of(claim, "reason"));
}

void verdicts_print(FILE *out, const Json *result)
{
    const Json *claims = json_get(result, "claims");
    for (const Json *claim = json_first(claims); claim; claim = json_next(claim))
        print_claim(out, claim);
}
