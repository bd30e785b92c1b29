#include "batch.h"

#include <string.h>

bool batch_fits(TokenSpan part, int length, const char *name, Err *err)
{
    require(length >= 1, "a window of %d positions", length);
    return part.count > (size_t)length ||
           err_set(err, "%s has %zu tokens, but a window of %d positions needs %d: take a longer text", name,
                   part.count, length, length + 1);
}

void batch_random(TokenSpan part, Rng *rng, int sequences, int length, int32_t *tokens, int32_t *targets)
{
    require(length >= 1 && part.count > (size_t)length, "no window of %d positions fits into %zu tokens",
            length, part.count);
    uint32_t places = (uint32_t)(part.count - (size_t)length);
    size_t row = (size_t)length;
    for (int i = 0; i < sequences; i++) {
        const int32_t *window = part.ids + rng_below(rng, places);
        memcpy(tokens + (size_t)i * row, window, row * sizeof *tokens);
        memcpy(targets + (size_t)i * row, window + 1, row * sizeof *targets);
    }
}

size_t batch_windows(TokenSpan part, int length)
{
    require(length >= 1, "a window of %d positions", length);
    return part.count == 0 ? 0 : (part.count - 1) / (size_t)length;
}

const int32_t *batch_window(TokenSpan part, size_t index, int length)
{
    require(index < batch_windows(part, length), "window %zu of %zu", index, batch_windows(part, length));
    return part.ids + index * (size_t)length;
}
