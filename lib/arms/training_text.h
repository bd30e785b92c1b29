/*
 * training_text: the corpus of an experiment, as tokens.
 */
#ifndef TRAINING_TEXT_H
#define TRAINING_TEXT_H

#include "experiment.h"
#include "tokens.h"

/* Skips the experiment when there is no corpus at all, and says whether it did. */
bool training_text_skips(Experiment *x);

/* Loads the corpus (the file of corpus_option, or what is in data/), learns a vocabulary of that size on it, and
 * tells the experiment which corpus it is. NULL with a sentence when that fails. */
Tokens *training_text_load(Experiment *x, int vocabulary, Err *err);

#endif
