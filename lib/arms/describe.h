/*
 * describe: settings of a model, its training and its text as JSON, for the identity of a unit of work
 * (result/unit.h) and for reading. Every field that can change a digit is in it.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "config.h"
#include "json.h"
#include "tokens.h"
#include "trainer.h"

Json *describe_model(const ModelConfig *config);

/* The plan without its seed. */
Json *describe_training(const TrainPlan *plan);

/* The digest of the token ids stands for corpus, tokenizer and split. */
Json *describe_tokens(const Tokens *tokens);

#endif
