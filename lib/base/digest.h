/*
 * digest: SHA-256 (by nettle), as lower-case hexadecimal.
 *
 * Names contents: the corpus is recognised by its digest, and a finished piece of training is found
 * again by the digest of everything that determines it.
 */
#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>

enum { DIGEST_TEXT = 65 }; /* 64 digits and the zero byte */

void digest_hex(const void *data, size_t size, char text[static DIGEST_TEXT]);

#endif
