#include "mem.h"
#include "settings.h"
#include "test.h"

static const Setting settings[] = {
    {"pairs", INTEGER, 20000, 200, 2, 1e8, "random pairs"},
    {"scale", REAL, 1.5, 1.5, 0, 10, "factor on the scores"},
    SETTINGS_END,
};

typedef struct Parsed {
    Settings set;
    Err err;
    bool accepted;
} Parsed;

/* Reads a command line given as one string of words. */
static Parsed parse(const char *line)
{
    static char text[256];
    char *words[16] = {"experiment"};
    int count = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    Parsed parsed = {.err = {""}};
    parsed.accepted = settings_parse(count, words, settings, 3, 1, &parsed.set, &parsed.err);
    return parsed;
}

static void the_profile_decides_what_is_not_set(void **state)
{
    (void)state;
    Parsed full = parse(""), quick = parse("--quick");
    assert_true(full.accepted && quick.accepted);
    assert_true(full.set.values[0] == 20000 && full.set.end_seed == 3);
    assert_true(quick.set.values[0] == 200 && quick.set.end_seed == 1);
    assert_false(full.set.reduced);
    assert_true(quick.set.reduced);
    assert_true(quick.set.threads >= 1);
    settings_free(&full.set);
    settings_free(&quick.set);
}

static void a_set_value_counts_whatever_the_order_of_words(void **state)
{
    (void)state;
    const char *lines[] = {"--set pairs=500 --quick", "--quick --set pairs=500"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        Parsed parsed = parse(lines[i]);
        assert_true(parsed.accepted);
        assert_true(parsed.set.values[0] == 500);
        assert_true(parsed.set.reduced);
        settings_free(&parsed.set);
    }
}

static void whoever_sets_the_full_values_has_the_published_budget(void **state)
{
    (void)state;
    Parsed parsed = parse("--quick --set pairs=20000");
    assert_true(parsed.accepted);
    assert_false(parsed.set.reduced);
    settings_free(&parsed.set);
}

static void one_seed_or_the_first_n_are_run(void **state)
{
    (void)state;
    Parsed first = parse("--seeds 5"), one = parse("--seed 7");
    assert_true(first.set.first_seed == 0 && first.set.end_seed == 5);
    assert_true(one.set.first_seed == 7 && one.set.end_seed == 8);
    settings_free(&first.set);
    settings_free(&one.set);
}

static void the_flag_wins_over_the_environment_for_the_corpus(void **state)
{
    (void)state;
    setenv("ATTEST_CORPUS", "/from/environment.txt", 1);
    Parsed environment = parse(""), flag = parse("--corpus /from/flag.txt");
    assert_string_equal(environment.set.corpus, "/from/environment.txt");
    assert_string_equal(flag.set.corpus, "/from/flag.txt");
    setenv("ATTEST_CORPUS", "", 1);
    Parsed empty = parse("");
    assert_null(empty.set.corpus);
    unsetenv("ATTEST_CORPUS");
    settings_free(&environment.set);
    settings_free(&flag.set);
    settings_free(&empty.set);
}

static void what_can_not_be_meant_is_refused_in_one_sentence(void **state)
{
    (void)state;
    const struct {
        const char *line, *says;
    } cases[] = {
        {"--seeds 0", "--seeds takes a whole number from 1"},
        {"--seeds -3", "--seeds"},
        {"--seeds 2x", "\"2x\""},
        {"--seeds 99999999999999999999", "--seeds"},
        {"--seed -1", "--seed takes a whole number from 0"},
        {"--seeds 2 --seed 1", "give one of them"},
        {"--seed 1 --seed 2", "give one of them"},
        {"--threads 0", "--threads"},
        {"--set pairs=-1", "--set pairs takes a whole number from 2"},
        {"--set pairs=2.5", "whole number"},
        {"--set pairs=nan", "--set pairs"},
        {"--set scale=nan", "--set scale"},
        {"--set scale=inf", "--set scale"},
        {"--set pairs=", "--set pairs"},
        {"--set pairs", "NAME=VALUE"},
        {"--set =3", "NAME=VALUE"},
        {"--set pars=3", "did you mean \"pairs\""},
        {"--set zzzzzz=3", "no setting \"zzzzzz\""},
        {"--seeeds 3", "did you mean \"--seeds\""},
        {"--qiuck", "did you mean \"--quick\""},
        {"something", "no option \"something\""},
        {"--corpus", "needs a value"},
        {"--out", "needs a value"},
        {"--out --quick", "--out needs a value"},
        {"--set --seeds 3", "--set needs a value"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Parsed parsed = parse(cases[i].line);
        if (parsed.accepted)
            fail_msg("\"%s\" was accepted", cases[i].line);
        assert_says(parsed.err.text, cases[i].says);
        settings_free(&parsed.set);
    }
}

static void help_shows_every_setting_with_both_values(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    settings_help(out, "dot", "Does it?", settings, 3, 1);
    fclose(out);
    assert_says(text, "dot: Does it?");
    assert_says(text, "20000          200   random pairs");
    assert_says(text, "scale");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_profile_decides_what_is_not_set),
        cmocka_unit_test(a_set_value_counts_whatever_the_order_of_words),
        cmocka_unit_test(whoever_sets_the_full_values_has_the_published_budget),
        cmocka_unit_test(one_seed_or_the_first_n_are_run),
        cmocka_unit_test(the_flag_wins_over_the_environment_for_the_corpus),
        cmocka_unit_test(what_can_not_be_meant_is_refused_in_one_sentence),
        cmocka_unit_test(help_shows_every_setting_with_both_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
