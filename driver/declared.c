#include "declared.h"

#include "judge.h"
#include "mem.h"
#include "number.h"
#include "wording.h"

#include <math.h>

/* "diverged at step 120" of the only sample, "2 of 3 missing: diverged at step 120" of several; NULL when none
 * is missing. */
static char *missing_words(const Measurement *m)
{
    size_t missing = 0;
    const char *why = "";
    for (size_t i = 0; i < m->count; i++)
        if (m->samples[i].missing) {
            missing++;
            why = m->samples[i].missing;
        }
    if (missing == 0)
        return NULL;
    return m->count == 1 ? mem_text("%s", why) : mem_text("%zu of %zu missing: %s", missing, m->count, why);
}

static char *mean_words(const Summary *summary, int decimals)
{
    double half = summary->high - summary->mean;
    if (summary->n < FEW_SEEDS || !(half > 0))
        return number_text(summary->mean, decimals);
    int two_digits = 1 - (int)floor(log10(half)); /* of the interval: more say nothing about the mean */
    if (decimals == DECIMALS_AUTO && two_digits <= 6)
        decimals = two_digits > 0 ? two_digits : 0;
    char *middle = number_text(summary->mean, decimals), *around = number_text(half, decimals);
    char *both = mem_text("%s ± %s", middle, around);
    free(middle);
    free(around);
    return both;
}

static char *measure_cell(const Result *result, const char *name, int decimals)
{
    const Measurement *measurement = measurements_find(&result->measurements, name);
    if (!measurement)
        return mem_text("–");
    Summary summary = measurement_summary(measurement);
    char *missing = missing_words(measurement);
    if (summary.n == 0)
        return missing;
    char *mean = mean_words(&summary, decimals);
    if (!missing)
        return mean;
    char *both = mem_text("%s (%s)", mean, missing);
    free(mean);
    free(missing);
    return both;
}

static char *claim_cell(const Claims *claims, const char *id)
{
    const Claim *claim = claims_find(claims, id);
    return claim ? wording_published(claim) : mem_text("–");
}

static char *given_cell(double value, int decimals)
{
    if (isnan(value))
        return mem_text("–");
    return number_text(value, decimals == DECIMALS_AUTO ? number_decimals(value) : decimals);
}

static char *cell(const ColumnSpec *column, size_t row, const char *key, const Claims *claims,
                  const Result *result)
{
    if (column->kind == COLUMN_GIVEN)
        return given_cell(column->given[row], column->decimals);
    char *name = display_name(column->pattern, key);
    char *text = column->kind == COLUMN_CLAIM ? claim_cell(claims, name)
                                              : measure_cell(result, name, column->decimals);
    free(name);
    return text;
}

Table *declared_table(const TableSpec *spec, const Claims *claims, const Result *result)
{
    Table *table = table_new(spec->title);
    table->note = spec->note ? mem_text("%s", spec->note) : NULL;
    table_add_column(table, spec->row_label ? spec->row_label : "", false);
    for (size_t c = 0; c < spec->column_count; c++)
        table_add_column(table, spec->columns[c].label, true);
    for (size_t r = 0; r < spec->row_count; r++) {
        table_add(table, mem_text("%s", spec->rows[r].label));
        for (size_t c = 0; c < spec->column_count; c++)
            table_add(table, cell(&spec->columns[c], r, spec->rows[r].key, claims, result));
    }
    return table;
}
