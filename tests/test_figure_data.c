#include "figure_data.h"

#include "claim_text.h"

/* What was written for the figure; both texts are the caller's. */
typedef struct Written {
    char *words, *numbers;
} Written;

static Written written(const FigureSpec *figure, const Result *result)
{
    Err err;
    Bytes words, numbers;
    char *folder = new_folder();
    if (!figure_data_write(figure, result, folder, &err))
        fail_msg("%s", err.text);
    char *gp = mem_text("%s/figure.gp", folder), *dat = mem_text("%s/figure.dat", folder);
    assert_true(file_read(gp, &words, &err) && file_read(dat, &numbers, &err));
    free(gp);
    free(dat);
    remove_folder(folder);
    return (Written){words.data, numbers.data};
}

static void release(Written *w)
{
    free(w->words);
    free(w->numbers);
}

static Result example(void)
{
    Result result = {.measurements = measured("loss/a", "1.9 2 2.1", "loss/b", "= 5", NULL)};
    const double x[] = {1, 2, 4}, low[] = {9, NAN, 1}, high[] = {8, 7, 6};
    measurements_add_curve(&result.measurements, "curve", 0, x, low, 3);
    measurements_add_curve(&result.measurements, "curve", 1, x, high, 3);
    const char *const labels[] = {"the", "␣cat"};
    const double weights[] = {1, NAN, 0.25, 0.75};
    measurements_add_matrix(&result.measurements, "map", 3, weights, 2, 2, labels, NULL);
    return result;
}

static void all_seeds_of_a_curve_are_drawn_and_the_range_holds_them(void **state)
{
    (void)state;
    Result result = example();
    SeriesSpec series = {.label = "it's", .curve = "curve", .style = "line"};
    FigureSpec figure = {.title = "A curve",
                         .kind = FIGURE_LINES,
                         .x = {"steps", true},
                         .y = {"loss", false},
                         .series = &series,
                         .series_count = 1};
    Written w = written(&figure, &result);
    assert_string_equal(w.numbers, "1 9\n2 nan\n4 1\n\n1 8\n2 7\n4 6\n");
    assert_says(w.words, "title = 'A curve'");
    assert_says(w.words, "'it''s'"); /* gnuplot's own quoting */
    assert_says(w.words, "x_log = 1\ny_log = 0");
    assert_says(w.words, "x_tics = '(1, 2, 4)'");
    assert_says(w.words, "x_low = 1\nx_high = 4\ny_low = 1\ny_high = 9");
    release(&w);
    measurements_free(&result.measurements);
}

static void bars_have_intervals_from_three_seeds_on_and_gaps_where_nothing_is(void **state)
{
    (void)state;
    Result result = example();
    DisplayRow rows[] = {{"row a", "a"}, {"row b", "b"}, {"lost", "c"}};
    double given[] = {2.5, NAN, 7};
    SeriesSpec series[] = {{.label = "ours", .pattern = "loss/{row}"}, {.label = "theirs", .given = given}};
    FigureSpec figure = {.title = "Bars",
                         .kind = FIGURE_BARS,
                         .x = {"", false},
                         .y = {"loss", false},
                         .rows = rows,
                         .row_count = 3,
                         .series = series,
                         .series_count = 2};
    Written w = written(&figure, &result);
    double value, low, high;
    assert_int_equal(sscanf(w.numbers, "1 %lf %lf %lf", &value, &low, &high), 3);
    assert_near(low, 2 - 0.4968, 0.0001);
    assert_near(high, 2 + 0.4968, 0.0001);
    assert_says(w.numbers, "\n2 5 5 5\n3 nan nan nan\n\n\n1 2.5 2.5 2.5\n2 nan nan nan\n3 7 7 7\n");
    assert_says(w.words, "array tick[categories] = ['row a', 'row b', 'lost']");
    release(&w);
    measurements_free(&result.measurements);
}

static void a_map_has_its_labels_and_says_which_seed_it_is_only_among_several(void **state)
{
    (void)state;
    Result result = example();
    FigureSpec figure = {
        .title = "A map", .kind = FIGURE_HEATMAP, .x = {"", false}, .y = {"", false}, .matrix = "map"};
    Written w = written(&figure, &result);
    assert_string_equal(w.numbers, "1 nan \n0.25 0.75 \n");
    assert_says(w.words, "title = 'A map'\n");
    assert_says(w.words, "array row_tick[2] = ['the', '␣cat']\narray column_tick[2] = ['0', '1']");
    release(&w);
    const double weight = 1;
    measurements_add_matrix(&result.measurements, "map", 4, &weight, 1, 1, NULL, NULL);
    w = written(&figure, &result);
    assert_says(w.words, "title = 'A map (seed 3)'");
    release(&w);
    measurements_free(&result.measurements);
}

static void what_can_not_be_drawn_is_said(void **state)
{
    (void)state;
    Err err;
    Result result = example();
    SeriesSpec series = {.label = "l", .curve = "nowhere", .style = "line"};
    FigureSpec figure = {.title = "t",
                         .kind = FIGURE_LINES,
                         .x = {"x", false},
                         .y = {"y", true},
                         .series = &series,
                         .series_count = 1};
    assert_false(figure_data_write(&figure, &result, NULL, &err));
    assert_says(err.text, "the result has no curve \"nowhere\"");
    const double zero[] = {0};
    measurements_add_curve(&result.measurements, "nowhere", 0, zero, zero, 1);
    assert_false(figure_data_write(&figure, &result, NULL, &err));
    assert_says(err.text, "no number that can be drawn on a logarithmic axis");
    measurements_free(&result.measurements);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_seeds_of_a_curve_are_drawn_and_the_range_holds_them),
        cmocka_unit_test(bars_have_intervals_from_three_seeds_on_and_gaps_where_nothing_is),
        cmocka_unit_test(a_map_has_its_labels_and_says_which_seed_it_is_only_among_several),
        cmocka_unit_test(what_can_not_be_drawn_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
