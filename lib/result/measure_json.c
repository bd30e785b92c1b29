#include "measure_json.h"

#include "mem.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Writing. */

static Json *numbers_to_json(const double *values, size_t count)
{
    Json *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_append(array, isnan(values[i]) ? json_from_null() : json_from_number(values[i]));
    return array;
}

static void add_seed(Json *object, int seed)
{
    if (seed != FIXED)
        json_add(object, "seed", json_from_number(seed));
}

static void add_summary(Json *object, const Measurement *m)
{
    Summary summary = measurement_summary(m);
    json_add(object, "n", json_from_number((double)summary.n));
    if (!isnan(summary.mean))
        json_add(object, "mean", json_from_number(summary.mean));
    if (isnan(summary.sd))
        return;
    json_add(object, "sd", json_from_number(summary.sd));
    json_add(object, "interval", numbers_to_json((double[]){summary.low, summary.high}, 2));
}

static Json *measurement_to_json(const Measurement *m)
{
    Json *object = json_object(), *samples = json_array();
    for (size_t i = 0; i < m->count; i++) {
        const Sample *sample = &m->samples[i];
        Json *entry = json_object();
        add_seed(entry, sample->seed);
        if (sample->missing)
            json_add(entry, "missing", json_from_string(sample->missing));
        else
            json_add(entry, "value", json_from_number(sample->value));
        json_append(samples, entry);
    }
    if (m->timed)
        json_add(object, "timed", json_from_bool(true));
    json_add(object, "samples", samples);
    add_summary(object, m);
    return object;
}

Json *measurements_to_json(const Measurements *all)
{
    Json *object = json_object();
    for (size_t i = 0; i < all->count; i++)
        json_add(object, all->list[i].name, measurement_to_json(&all->list[i]));
    return object;
}

Json *curves_to_json(const Measurements *all)
{
    Json *array = json_array();
    for (size_t i = 0; i < all->curve_count; i++) {
        const Curve *curve = &all->curves[i];
        Json *object = json_object();
        json_add(object, "name", json_from_string(curve->name));
        add_seed(object, curve->seed);
        json_add(object, "x", numbers_to_json(curve->x, curve->points));
        json_add(object, "y", numbers_to_json(curve->y, curve->points));
        json_append(array, object);
    }
    return array;
}

static void add_labels(Json *object, const char *key, char **labels, size_t count)
{
    if (!labels)
        return;
    Json *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_append(array, json_from_string(labels[i]));
    json_add(object, key, array);
}

Json *matrices_to_json(const Measurements *all)
{
    Json *array = json_array();
    for (size_t i = 0; i < all->matrix_count; i++) {
        const Matrix *matrix = &all->matrices[i];
        Json *object = json_object(), *rows = json_array();
        for (size_t row = 0; row < matrix->rows; row++)
            json_append(rows, numbers_to_json(matrix->values + row * matrix->columns, matrix->columns));
        json_add(object, "name", json_from_string(matrix->name));
        add_seed(object, matrix->seed);
        json_add(object, "values", rows);
        add_labels(object, "row_labels", matrix->row_labels, matrix->rows);
        add_labels(object, "column_labels", matrix->column_labels, matrix->columns);
        json_append(array, object);
    }
    return array;
}

/* Reading: each returns false with a sentence about what is wrong in its part. */

static bool is_kind(const Json *json, JsonKind kind)
{
    return json && json_kind(json) == kind;
}

static bool read_seed(const Json *object, int *seed, Err *err)
{
    const Json *json = json_get(object, "seed");
    *seed = FIXED;
    if (!json)
        return true;
    double number = is_kind(json, JSON_NUMBER) ? json_number(json) : -1;
    if (!(number >= 0 && number <= INT_MAX && number == floor(number)))
        return err_set(err, "key \"seed\" is not a whole number from 0 on");
    *seed = (int)number;
    return true;
}

static bool read_sample(const Json *json, const char *name, bool timed, Measurements *all, Err *err)
{
    const Json *value = json_get(json, "value"), *missing = json_get(json, "missing");
    const Measurement *m = measurements_find(all, name);
    int seed;
    if (!read_seed(json, &seed, err))
        return false;
    if (m && measurement_at(m, seed))
        return err_set(err, "there are two samples of one seed");
    if (is_kind(value, JSON_NUMBER) && !missing)
        measurements_add(all, name, seed, json_number(value), timed);
    else if (is_kind(missing, JSON_STRING) && !value)
        measurements_add_missing(all, name, seed, json_string(missing));
    else
        return err_set(err,
                       "a sample has a number as its \"value\", or a text that says why it is \"missing\"");
    return true;
}

static bool read_measurement(const Json *json, Measurements *all, Err *err)
{
    const Json *samples = json_get(json, "samples"), *timed = json_get(json, "timed");
    if (!is_kind(samples, JSON_ARRAY) || !json_first(samples))
        return err_set(err, "key \"samples\" is not a list of samples");
    if (timed && !is_kind(timed, JSON_BOOL))
        return err_set(err, "key \"timed\" is neither true nor false");
    for (const Json *sample = json_first(samples); sample; sample = json_next(sample))
        if (!read_sample(sample, json_key(json), timed && json_bool(timed), all, err))
            return false;
    return true;
}

/* An array of numbers in which null stands for NaN; NULL when it is another thing. Owned by the caller. */
static double *read_numbers(const Json *array, size_t *count)
{
    if (!is_kind(array, JSON_ARRAY))
        return NULL;
    double *values = mem_new(json_count(array), sizeof *values);
    *count = 0;
    for (const Json *item = json_first(array); item; item = json_next(item)) {
        if (json_kind(item) != JSON_NUMBER && json_kind(item) != JSON_NULL) {
            free(values);
            return NULL;
        }
        values[(*count)++] = json_kind(item) == JSON_NUMBER ? json_number(item) : NAN;
    }
    return values;
}

static const char *read_name(const Json *object)
{
    const Json *name = json_get(object, "name");
    return is_kind(name, JSON_STRING) ? json_string(name) : NULL;
}

static bool read_curve(const Json *json, Measurements *all, Err *err)
{
    size_t points = 0, others = 0;
    int seed;
    const char *name = read_name(json);
    if (!name || !read_seed(json, &seed, err))
        return name || err_set(err, "key \"name\" is not a text");
    double *x = read_numbers(json_get(json, "x"), &points), *y = read_numbers(json_get(json, "y"), &others);
    bool good = (x && y && points == others) ||
                err_set(err, "keys \"x\" and \"y\" are not two lists of as many numbers");
    good = good && (!curve_at(all, name, seed) || err_set(err, "there are two of that name and seed"));
    if (good)
        measurements_add_curve(all, name, seed, x, y, points);
    free(x);
    free(y);
    return good;
}

/* Labels are optional; false when they are there and don't fit. *labels is owned by the caller, the strings
 * by the json. */
static bool read_labels(const Json *object, const char *key, size_t count, const char ***labels, Err *err)
{
    const Json *array = json_get(object, key);
    if (!array)
        return true;
    bool good = is_kind(array, JSON_ARRAY) && json_count(array) == count;
    *labels = mem_new(count, sizeof **labels);
    size_t i = 0;
    for (const Json *item = good ? json_first(array) : NULL; item && good; item = json_next(item)) {
        good = json_kind(item) == JSON_STRING;
        if (good)
            (*labels)[i++] = json_string(item);
    }
    return good || err_set(err, "key \"%s\" is not a list of %zu texts", key, count);
}

/* Reads all rows into one array of rows x columns; NULL when they are not numbers of one length. */
static double *read_rows(const Json *json, size_t *rows, size_t *columns)
{
    if (!is_kind(json, JSON_ARRAY))
        return NULL;
    *rows = json_count(json);
    *columns = *rows ? json_count(json_first(json)) : 0;
    double *values = mem_new(*rows * *columns, sizeof *values);
    size_t row = 0;
    for (const Json *item = json_first(json); item; item = json_next(item), row++) {
        size_t count = 0;
        double *numbers = read_numbers(item, &count);
        if (!numbers || count != *columns) {
            free(numbers);
            free(values);
            return NULL;
        }
        memcpy(values + row * *columns, numbers, count * sizeof *values);
        free(numbers);
    }
    return values;
}

static bool read_matrix(const Json *json, Measurements *all, Err *err)
{
    size_t rows = 0, columns = 0;
    int seed;
    const char *name = read_name(json), **row_labels = NULL, **column_labels = NULL;
    if (!name || !read_seed(json, &seed, err))
        return name || err_set(err, "key \"name\" is not a text");
    double *values = read_rows(json_get(json, "values"), &rows, &columns);
    bool good = (values || err_set(err, "key \"values\" does not hold rows of as many numbers")) &&
                read_labels(json, "row_labels", rows, &row_labels, err) &&
                read_labels(json, "column_labels", columns, &column_labels, err) &&
                (!matrix_at(all, name, seed) || err_set(err, "there are two of that name and seed"));
    if (good)
        measurements_add_matrix(all, name, seed, values, rows, columns, row_labels, column_labels);
    free(row_labels);
    free(column_labels);
    free(values);
    return good;
}

/* Reads every member or element of a container; the first that is malformed is named. */
static bool read_each(const Json *container, JsonKind kind, const char *what,
                      bool (*read)(const Json *, Measurements *, Err *), Measurements *all, Err *err)
{
    if (!is_kind(container, kind))
        return err_set(err, "\"%s\" is missing or of the wrong kind", what);
    size_t index = 0;
    for (const Json *item = json_first(container); item; item = json_next(item), index++) {
        if (read(item, all, err))
            continue;
        const char *name = json_key(item) ? json_key(item) : read_name(item);
        return name ? err_within(err, "in \"%s\", \"%s\"", what, name)
                    : err_within(err, "in \"%s\", entry %zu", what, index + 1);
    }
    return true;
}

bool measurements_from_json(const Json *measurements, const Json *curves, const Json *matrices,
                            Measurements *all, Err *err)
{
    *all = (Measurements){0};
    if (read_each(measurements, JSON_OBJECT, "measurements", read_measurement, all, err) &&
        read_each(curves, JSON_ARRAY, "curves", read_curve, all, err) &&
        read_each(matrices, JSON_ARRAY, "matrices", read_matrix, all, err))
        return true;
    measurements_free(all);
    return false;
}
