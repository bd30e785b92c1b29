#include "declared.h"

#include "display.h"
#include "mem.h"
#include "results.h"
#include "text.h"
#include "wording.h"

#include <math.h>
#include <string.h>

/* "diverged at step 120" of the only sample, "2 of 3 missing: diverged at step 120" of several; NULL when none
 * is missing. */
static char *missing_words(const Json *samples)
{
    size_t missing = 0, count = json_count(samples);
    const char *why = "";
    for (const Json *sample = json_first(samples); sample; sample = json_next(sample))
        if (*field_text(sample, "missing")) {
            missing++;
            why = field_text(sample, "missing");
        }
    if (missing == 0)
        return NULL;
    return count == 1 ? mem_text("%s", why) : mem_text("%zu of %zu missing: %s", missing, count, why);
}

static char *mean_words(const Json *measurement, int decimals)
{
    double mean = json_number(json_get(measurement, "mean"));
    const Json *interval = json_get(measurement, "interval");
    char *text = text_number(mean, decimals);
    if (field_number(measurement, "n", 0) < SEEDS_FOR_AN_INTERVAL || !interval || json_count(interval) != 2)
        return text;
    double half = json_number(json_at(interval, 1)) - mean;
    if (!(half > 0))
        return text;
    free(text);
    int two_digits = 1 - (int)floor(log10(half)); /* of the interval: more say nothing about the mean */
    if (decimals == DECIMALS_AUTO && two_digits <= 6)
        decimals = two_digits > 0 ? two_digits : 0;
    char *middle = text_number(mean, decimals), *around = text_number(half, decimals);
    char *both = mem_text("%s ± %s", middle, around);
    free(middle);
    free(around);
    return both;
}

static char *measure_cell(const Json *result, const char *name, int decimals)
{
    const Json *measurement = json_get(json_get(result, "measurements"), name);
    if (!measurement)
        return mem_text("–");
    char *missing = missing_words(json_get(measurement, "samples"));
    if (!json_get(measurement, "mean"))
        return missing ? missing : mem_text("–");
    char *mean = mean_words(measurement, decimals);
    if (!missing)
        return mean;
    char *both = mem_text("%s (%s)", mean, missing);
    free(mean);
    free(missing);
    return both;
}

static char *claim_cell(const Json *result, const char *id)
{
    const Json *claims = json_get(result, "claims");
    for (const Json *claim = json_first(claims); claim; claim = json_next(claim))
        if (strcmp(field_text(claim, "id"), id) == 0)
            return wording_published(claim);
    return mem_text("–");
}

static char *given_cell(const Json *number, int decimals)
{
    if (json_kind(number) != JSON_NUMBER)
        return mem_text("–");
    double value = json_number(number);
    return text_number(value, decimals == DECIMALS_AUTO ? text_decimals(value) : decimals);
}

static char *cell(const Json *column, size_t row, const char *key, const Json *result)
{
    int decimals = (int)field_number(column, "decimals", DECIMALS_AUTO);
    const Json *given = json_get(column, "given");
    if (given)
        return given_cell(json_at(given, row), decimals);
    const char *measure = field_text(column, "measure");
    char *name = display_name(*measure ? measure : field_text(column, "claim"), key);
    char *text = *measure ? measure_cell(result, name, decimals) : claim_cell(result, name);
    free(name);
    return text;
}

Table *declared_table(const Json *declaration, const Json *result)
{
    Table *table = table_new(field_text(declaration, "title"));
    const char *note = field_text(declaration, "note");
    table->note = *note ? mem_text("%s", note) : NULL;
    const Json *rows = json_get(declaration, "rows"), *columns = json_get(declaration, "columns");
    table_add_column(table, field_text(declaration, "row_label"), false);
    for (const Json *column = json_first(columns); column; column = json_next(column))
        table_add_column(table, field_text(column, "label"), true);
    size_t index = 0;
    for (const Json *row = json_first(rows); row; row = json_next(row), index++) {
        table_add(table, mem_text("%s", json_string(json_at(row, 0))));
        for (const Json *column = json_first(columns); column; column = json_next(column))
            table_add(table, cell(column, index, json_string(json_at(row, 1)), result));
    }
    return table;
}
