#include "digest.h"

#include <nettle/sha2.h>
#include <stdint.h>

void digest_hex(const void *data, size_t size, char text[static DIGEST_TEXT])
{
    struct sha256_ctx context;
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, size, data);
    sha256_digest(&context, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    text[DIGEST_TEXT - 1] = '\0';
}
