/*
 * text: the corpus of an experiment, as tokens.
 */
#ifndef TEXT_H
#define TEXT_H

#include "experiment.h"
#include "tokens.h"

/* Skips the experiment when there is no corpus at all, and says whether it did. */
bool text_skips(Experiment *x);

/* Loads the corpus (the file of corpus_option, or what is in data/), learns a vocabulary of that size on it, and
 * tells the experiment which corpus it is. NULL with a sentence when that fails. */
Tokens *text_load(Experiment *x, int vocabulary, Err *err);

#endif
