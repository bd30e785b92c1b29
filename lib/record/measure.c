#include "measure.h"

#include "mem.h"
#include "stats.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adding. */

static Measurement *find(const Measurements *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].name, name) == 0)
            return &all->list[i];
    return NULL;
}

const Measurement *measurements_find(const Measurements *all, const char *name)
{
    return find(all, name);
}

static Sample *find_sample(const Measurement *m, int seed)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->samples[i].seed == seed)
            return &m->samples[i];
    return NULL;
}

static Measurement *find_or_begin(Measurements *all, const char *name)
{
    Measurement *m = find(all, name);
    if (!m) {
        m = mem_grow(&all->list, &all->count, sizeof *m);
        m->name = mem_text("%s", name);
    }
    return m;
}

static Sample *begin_sample(Measurements *all, const char *name, int seed)
{
    require(seed >= FIXED, "seed %d of \"%s\"", seed, name);
    Measurement *m = find_or_begin(all, name);
    require(!find_sample(m, seed), "\"%s\" is measured twice at seed %d", name, seed);
    Sample *sample = mem_grow(&m->samples, &m->count, sizeof *sample);
    sample->seed = seed;
    return sample;
}

void measurements_add(Measurements *all, const char *name, int seed, double value, bool timed)
{
    require(isfinite(value), "\"%s\" is %g at seed %d: what has no value is missing", name, value, seed);
    begin_sample(all, name, seed)->value = value;
    find(all, name)->timed |= timed;
}

void measurements_add_missing(Measurements *all, const char *name, int seed, const char *reason)
{
    Sample *sample = begin_sample(all, name, seed);
    sample->value = NAN;
    sample->missing = mem_text("%s", reason);
}

static double *copy_numbers(const double *values, size_t count)
{
    double *copy = mem_new(count, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = isfinite(values[i]) ? values[i] : NAN;
    return copy;
}

static char **copy_labels(const char *const *labels, size_t count)
{
    if (!labels)
        return NULL;
    char **copy = mem_new(count, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = mem_text("%s", labels[i]);
    return copy;
}

void measurements_add_curve(Measurements *all, const char *name, int seed, const double *x, const double *y,
                            size_t points)
{
    for (size_t i = 0; i < all->curve_count; i++)
        require(all->curves[i].seed != seed || strcmp(all->curves[i].name, name) != 0,
                "the curve \"%s\" is recorded twice at seed %d", name, seed);
    Curve *curve = mem_grow(&all->curves, &all->curve_count, sizeof *curve);
    *curve = (Curve){mem_text("%s", name), seed, copy_numbers(x, points), copy_numbers(y, points), points};
}

void measurements_add_matrix(Measurements *all, const char *name, int seed, const double *values, size_t rows,
                             size_t columns, const char *const *row_labels, const char *const *column_labels)
{
    for (size_t i = 0; i < all->matrix_count; i++)
        require(all->matrices[i].seed != seed || strcmp(all->matrices[i].name, name) != 0,
                "the matrix \"%s\" is recorded twice at seed %d", name, seed);
    Matrix *matrix = mem_grow(&all->matrices, &all->matrix_count, sizeof *matrix);
    *matrix = (Matrix){.name = mem_text("%s", name),
                       .seed = seed,
                       .values = copy_numbers(values, rows * columns),
                       .rows = rows,
                       .columns = columns,
                       .row_labels = copy_labels(row_labels, rows),
                       .column_labels = copy_labels(column_labels, columns)};
}

static void free_labels(char **labels, size_t count)
{
    for (size_t i = 0; labels && i < count; i++)
        free(labels[i]);
    free(labels);
}

void measurements_free(Measurements *all)
{
    for (size_t i = 0; i < all->count; i++) {
        for (size_t s = 0; s < all->list[i].count; s++)
            free(all->list[i].samples[s].missing);
        free(all->list[i].samples);
        free(all->list[i].name);
    }
    for (size_t i = 0; i < all->curve_count; i++) {
        free(all->curves[i].x);
        free(all->curves[i].y);
        free(all->curves[i].name);
    }
    for (size_t i = 0; i < all->matrix_count; i++) {
        free_labels(all->matrices[i].row_labels, all->matrices[i].rows);
        free_labels(all->matrices[i].column_labels, all->matrices[i].columns);
        free(all->matrices[i].values);
        free(all->matrices[i].name);
    }
    free(all->list);
    free(all->curves);
    free(all->matrices);
    *all = (Measurements){0};
}

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
    double *values = mem_new(m->count, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < m->count; i++)
        if (!m->samples[i].missing)
            values[n++] = m->samples[i].value;
    json_add(object, "n", json_from_number((double)n));
    double mean = n >= 1 ? stats_mean(values, n) : NAN, sd = n >= 2 ? stats_sd(values, n) : NAN;
    if (isfinite(mean))
        json_add(object, "mean", json_from_number(mean));
    double half = n >= 2 ? stats_prediction_half_width(sd, n, (double)(n - 1), ALPHA) : NAN;
    if (isfinite(half)) { /* the squares of values beyond 1e154 are not */
        double interval[] = {mean - half, mean + half};
        json_add(object, "sd", json_from_number(sd));
        json_add(object, "interval", numbers_to_json(interval, 2));
    }
    free(values);
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

/* Reading. What a result file says is not trusted: each shape is checked before it is used. */

static bool is_kind(const Json *json, JsonKind kind)
{
    return json && json_kind(json) == kind;
}

static bool read_seed(const Json *object, int *seed)
{
    const Json *json = json_get(object, "seed");
    *seed = FIXED;
    if (!json)
        return true;
    if (!is_kind(json, JSON_NUMBER) || json_number(json) < 0 || json_number(json) > INT_MAX)
        return false;
    *seed = (int)json_number(json);
    return *seed == json_number(json);
}

static bool read_sample(const Json *json, const char *name, bool timed, Measurements *all)
{
    const Json *value = json_get(json, "value"), *missing = json_get(json, "missing");
    const Measurement *m = find(all, name);
    int seed;
    if (!read_seed(json, &seed) || (m && find_sample(m, seed)))
        return false;
    if (is_kind(value, JSON_NUMBER) && !missing)
        measurements_add(all, name, seed, json_number(value), timed);
    else if (is_kind(missing, JSON_STRING) && !value)
        measurements_add_missing(all, name, seed, json_string(missing));
    else
        return false;
    return true;
}

static bool is_interval(const Json *json)
{
    return is_kind(json, JSON_ARRAY) && json_count(json) == 2 && is_kind(json_at(json, 0), JSON_NUMBER) &&
           is_kind(json_at(json, 1), JSON_NUMBER);
}

/* Tables and figures take the summary as it stands: what is written for such samples is there, and numbers. */
static bool check_summary(const Json *json, const Measurement *m, Err *err)
{
    static const char *const keys[] = {"n", "mean", "sd", "interval"};
    const char *wrong = NULL;
    Json *due = json_object();
    add_summary(due, m);
    for (size_t i = 0; i < COUNT(keys) && !wrong; i++) {
        const Json *found = json_get(json, keys[i]);
        bool is_list = strcmp(keys[i], "interval") == 0;
        if (found ? !(is_list ? is_interval(found) : is_kind(found, JSON_NUMBER))
                  : json_get(due, keys[i]) != NULL)
            wrong = keys[i];
    }
    if (!wrong && json_number(json_get(json, "n")) != json_number(json_get(due, "n")))
        wrong = "n";
    json_free(due);
    return !wrong || err_set(err, "key \"%s\" is not what is written for such samples", wrong);
}

static bool read_measurement(const Json *json, Measurements *all, Err *err)
{
    const Json *samples = json_get(json, "samples"), *timed = json_get(json, "timed");
    if (!is_kind(samples, JSON_ARRAY) || !json_first(samples) || (timed && !is_kind(timed, JSON_BOOL)))
        return false;
    bool is_timed = timed && json_bool(timed);
    find_or_begin(all, json_key(json))->timed = is_timed;
    for (const Json *sample = json_first(samples); sample; sample = json_next(sample))
        if (!read_sample(sample, json_key(json), is_timed, all))
            return false;
    return check_summary(json, find(all, json_key(json)), err);
}

/* An array of numbers, null standing for NaN; NULL when it is another thing. Owned by the caller. */
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
    (void)err;
    size_t points = 0, others = 0;
    int seed;
    const char *name = read_name(json);
    double *x = read_numbers(json_get(json, "x"), &points);
    double *y = read_numbers(json_get(json, "y"), &others);
    bool good = name && x && y && points == others && read_seed(json, &seed);
    for (size_t i = 0; good && i < all->curve_count; i++)
        good = all->curves[i].seed != seed || strcmp(all->curves[i].name, name) != 0;
    if (good)
        measurements_add_curve(all, name, seed, x, y, points);
    free(x);
    free(y);
    return good;
}

/* Labels are optional; false when they are there and don't fit. *labels is owned by the caller, the strings
 * by the json. */
static bool read_labels(const Json *array, size_t count, const char ***labels)
{
    *labels = NULL;
    if (!array)
        return true;
    if (!is_kind(array, JSON_ARRAY) || json_count(array) != count)
        return false;
    *labels = mem_new(count, sizeof **labels);
    size_t i = 0;
    for (const Json *item = json_first(array); item; item = json_next(item)) {
        if (json_kind(item) != JSON_STRING)
            return false;
        (*labels)[i++] = json_string(item);
    }
    return true;
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
    (void)err;
    size_t rows, columns;
    int seed;
    const char *name = read_name(json), **row_labels = NULL, **column_labels = NULL;
    double *values = read_rows(json_get(json, "values"), &rows, &columns);
    bool good = name && values && read_seed(json, &seed) &&
                read_labels(json_get(json, "row_labels"), rows, &row_labels) &&
                read_labels(json_get(json, "column_labels"), columns, &column_labels);
    for (size_t i = 0; good && i < all->matrix_count; i++)
        good = all->matrices[i].seed != seed || strcmp(all->matrices[i].name, name) != 0;
    if (good)
        measurements_add_matrix(all, name, seed, values, rows, columns, row_labels, column_labels);
    free(row_labels);
    free(column_labels);
    free(values);
    return good;
}

/* Reads every member or element of a container by `read`, which may say what is malformed; the first that is, is
 * named. */
static bool read_each(const Json *container, JsonKind kind, const char *what,
                      bool (*read)(const Json *, Measurements *, Err *), const char *name, Measurements *all,
                      Err *err)
{
    if (!is_kind(container, kind))
        return err_set(err, "%s: \"%s\" is missing or of the wrong kind", name, what);
    size_t index = 0;
    for (const Json *item = json_first(container); item; item = json_next(item), index++) {
        *err->text = '\0';
        if (read(item, all, err))
            continue;
        const char *item_name = json_key(item) ? json_key(item) : read_name(item);
        char *place = item_name ? mem_text("\"%s\"", item_name) : mem_text("entry %zu", index + 1);
        if (*err->text)
            err_within(err, "%s: in \"%s\", %s", name, what, place);
        else
            err_set(err, "%s: in \"%s\", %s is malformed", name, what, place);
        free(place);
        return false;
    }
    return true;
}

bool measurements_from_json(const Json *measurements, const Json *curves, const Json *matrices,
                            const char *name, Measurements *all, Err *err)
{
    *all = (Measurements){0};
    if (read_each(measurements, JSON_OBJECT, "measurements", read_measurement, name, all, err) &&
        read_each(curves, JSON_ARRAY, "curves", read_curve, name, all, err) &&
        read_each(matrices, JSON_ARRAY, "matrices", read_matrix, name, all, err))
        return true;
    measurements_free(all);
    return false;
}
