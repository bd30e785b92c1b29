/*
 * checkpoint: a half-trained model on disk, to go on from with the same bits.
 *
 * Holds the steps taken, the parameters, both moments, the losses and the probes; nothing else is needed,
 * since a batch depends on its step alone. It names the work it belongs to by a key, and ends in a checksum.
 * It is written so that a crash at any moment leaves the old one or the new one.
 */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include "trainer.h"

/* key: what determines the whole training, e.g. a digest of its settings. */
bool checkpoint_write(const char *path, const char *key, const Trainer *trainer, Err *err);

/* Puts the trainer, made for the same plan and model, where the checkpoint was. False with a sentence, and
 * the trainer as it was, when the file is missing, truncated, damaged, or belongs to other work. */
bool checkpoint_read(const char *path, const char *key, Trainer *trainer, Err *err);

#endif
