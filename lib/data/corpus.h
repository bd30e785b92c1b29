/*
 * corpus: the text that everything is trained on.
 *
 * The published text, tiny Shakespeare, is not part of the project: data/get_corpus.sh fetches it. Any other
 * UTF-8 text serves as well, but then an absolute perplexity can't be compared with a published one. The
 * bytes are taken as they are: no line end and no byte-order mark is touched.
 */
#ifndef CORPUS_H
#define CORPUS_H

#include "digest.h"
#include "err.h"

#include <stddef.h>

typedef struct Corpus {
    char *text;               /* owned; valid UTF-8, a zero byte behind it that size does not count */
    size_t size;              /* bytes, at least 1 */
    char digest[DIGEST_TEXT]; /* SHA-256 of the bytes */
    char *name;               /* owned; "tiny Shakespeare", or the file's name without its folder */
    bool is_published;        /* whether it is, by its digest, the text that the source used */
} Corpus;

/* Loads `file` when it isn't NULL: the user's own choice, any text. Otherwise, from folder (NULL: data/ in
 * the project's source folder), tinyshakespeare.txt, whose checksum must be right, or else kjv.txt, the
 * fallback. NULL with a sentence in err when there is no file, when it is empty, damaged or not UTF-8. */
Corpus *corpus_load(const char *file, const char *folder, Err *err);
void corpus_free(Corpus *corpus);

/* Whether no file is named and the folder has none either. An experiment that needs a text is skipped then,
 * while a file that is there and can't be used is an error. */
bool corpus_is_missing(const char *file, const char *folder);

#endif
