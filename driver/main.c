#include "commands.h"

#include "machine.h"
#include "mem.h"
#include "nearest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const Command commands[] = {
    {"run", "--quick --only --seeds --threads --corpus --out --explain", "", 0, 0,
     "run experiments, judge their claims, write the report",
     "  attest run                       first everything at reduced budgets, then at the published ones\n"
     "  attest run --quick               the first part alone, minutes\n"
     "  attest run --only ladder,depth   these experiments\n"
     "\n"
     "  --quick         reduced budgets; a result with the full budget is never replaced by a quick one\n"
     "  --only NAME,…   only these experiments\n"
     "  --seeds N       repetitions to work towards, seed by seed (3; at --quick the experiment's own)\n"
     "  --threads N     threads of each experiment (all processors); no digit depends on it\n"
     "  --corpus FILE   the text to work on (ATTEST_CORPUS, else data/)\n"
     "  --out DIR       where results, report and figures go (results/latest)\n"
     "  --explain       say of each experiment why it is run, with the command\n"
     "\n"
     "Ctrl-C leaves a valid report, and the next call goes on from there; a second one kills.\n"
     "An experiment may take half an hour at --quick and a day otherwise, or ATTEST_TIME_LIMIT seconds.\n"
     "Exit code: 0 all well; 1 a claim fails: it is not reproduced and nobody declared so, it is an own\n"
     "control, or it was declared not to hold and does; 2 usage, bad input, or an experiment without a\n"
     "measurement; 130 interrupted.\n",
     command_run},
    {"list", "", "", 0, 0, "the experiments, with the question each asks", "  attest list\n", command_list},
    {"show", "--out", "ID", 1, 1, "all that is known of a claim or an experiment",
     "  attest show ladder.order\n"
     "  attest show ladder\n"
     "\n"
     "  --out DIR   the results to look at (results/latest)\n",
     command_show},
    {"report", "--out", "DIR", 0, 1, "write the report of a folder of results again",
     "  attest report\n"
     "  attest report results/reference\n"
     "\n"
     "  --out DIR   the same as the word DIR (results/latest)\n"
     "\n"
     "Exit code: as for run, from the results that are there.\n",
     command_report},
    {"compare", "", "OLD NEW", 2, 2, "did our own numbers move between two folders of results?",
     "  attest compare results/reference results/latest\n"
     "\n"
     "On the same machine and binary every number must be equal; elsewhere the new mean must lie in the\n"
     "interval in which the old seeds expect the next one. Times are shown as ratios.\n"
     "Exit code: 0 nothing moved, 1 something did, or a number or claim is gone, 2 the folders can't be\n"
     "compared. An experiment that NEW lacks is shown and changes nothing.\n",
     command_compare},
    {"accept", "--only --out", "", 0, 0, "make the last results the reference",
     "  attest accept                 shows what moves, then copies results/latest over results/reference\n"
     "\n"
     "  --only NAME,…   only these experiments\n"
     "  --out DIR       the results to accept (results/latest)\n"
     "\n"
     "Refused are quick results, failed runs, another corpus, settings other than the published ones and\n"
     "claims that have changed since. What the sources published is never touched.\n",
     command_accept},
};

static void print_help(void)
{
    printf("attest: what teaching documents claim about attention, re-run and judged\n\n"
           "  attest run --quick      every table at reduced budgets, within minutes\n"
           "  attest run              then the published budgets, cheapest first\n"
           "  attest show ladder      what is claimed, measured and judged\n\n");
    for (size_t i = 0; i < COUNT(commands); i++)
        printf("  %-9s%-9s%s\n", commands[i].name, commands[i].words, commands[i].summary);
    printf("\n  attest COMMAND --help   more about one of them\n"
           "  attest --version\n\n"
           "ATTEST_RESULTS=DIR names another folder for results than that of the source.\n");
}

static const Command *find_command(const char *name, Err *err)
{
    const char *names[COUNT(commands)];
    for (size_t i = 0; i < COUNT(commands); i++) {
        names[i] = commands[i].name;
        if (strcmp(names[i], name) == 0)
            return &commands[i];
    }
    const char *meant = nearest(name, names, COUNT(commands));
    if (meant)
        err_set(err, "there is no command \"%s\"; did you mean \"%s\"?", name, meant);
    else
        err_set(err, "there is no command \"%s\"; attest --help lists them", name);
    return NULL;
}

static int run_command(const Command *command, int argc, char **argv, Err *err)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0) {
            printf("attest %s: %s\n\n%s", command->name, command->summary, command->help);
            return EXIT_WELL;
        }
    CommandLine line;
    int code = EXIT_UNUSABLE;
    if (command_line_parse(command, argc, argv, &line, err))
        code = command->run(&line, err);
    command_line_free(&line);
    return code;
}

int main(int argc, char **argv)
{
    Err err = {""};
    int code = EXIT_WELL;
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        print_help();
        code = argc < 2 ? EXIT_UNUSABLE : EXIT_WELL;
    } else if (strcmp(argv[1], "--version") == 0) {
        printf("attest %s (%s)\n", machine_version(), machine_commit());
    } else {
        const Command *command = find_command(argv[1], &err);
        code = command ? run_command(command, argc - 2, argv + 2, &err) : EXIT_UNUSABLE;
    }
    if (!err.text[0] && (fflush(stdout) != 0 || ferror(stdout))) {
        err_set(&err, "cannot write to the standard output: %s", strerror(errno));
        code = EXIT_UNUSABLE;
    }
    if (err.text[0])
        fprintf(stderr, "attest: %s\n", err.text);
    return code;
}
