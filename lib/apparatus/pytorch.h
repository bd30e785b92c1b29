/*
 * pytorch: runs one of the project's scripts in PyTorch, where that is installed. Nothing needs it: an experiment that
 * compares itself with PyTorch goes without where it is not.
 */
#ifndef PYTORCH_H
#define PYTORCH_H

#include "err.h"

typedef enum PytorchEnd { PYTORCH_RAN, PYTORCH_MISSING, PYTORCH_FAILED } PytorchEnd;

/* Runs Debian's own Python, which python3-torch belongs to, on arguments[0], the path of a script that leaves with code
 * 77 when it cannot import torch; NULL behind the last argument. line, unless NULL, gets each line that it prints,
 * without its end. Unless it ran, why says why not. A script may take ten minutes. */
PytorchEnd pytorch_run(char *const *arguments, void (*line)(void *context, const char *text), void *context,
                       Err *why);

#endif
