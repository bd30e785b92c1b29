/* The linker takes this main for a program that has none of its own: an experiment. */
#include "experiment.h"

int main(int argc, char **argv)
{
    return experiment_main(argc, argv, &experiment);
}
