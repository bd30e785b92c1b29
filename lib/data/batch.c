#include "batch.h"

#include <string.h>

bool batch_fits(TokenSpan part, int length, const char *name, Err *err)
{
    require(length >= 1, "a window of %d positions", length);
    if (part.sentence > 0 && part.sentence <= length)
        return err_set(err, "%s has sentences of %d tokens, but a window of %d positions needs %d", name,
                       part.sentence, length, length + 1);
    return part.count > (size_t)length ||
           err_set(err, "%s has %zu tokens, but a window of %d positions needs %d: take a longer text", name,
                   part.count, length, length + 1);
}

void batch_random(TokenSpan part, Rng *rng, int sequences, int length, int32_t *tokens, int32_t *targets)
{
    require(length >= 1 && part.count > (size_t)length, "no window of %d positions fits into %zu tokens",
            length, part.count);
    size_t row = (size_t)length, sentence = (size_t)part.sentence;
    size_t places = sentence > 0 ? part.count / sentence : part.count - row;
    for (int i = 0; i < sequences; i++) {
        size_t place = rng_below(rng, (uint32_t)places);
        const int32_t *window = part.ids + (sentence > 0 ? place * sentence : place);
        memcpy(tokens + (size_t)i * row, window, row * sizeof *tokens);
        memcpy(targets + (size_t)i * row, window + 1, row * sizeof *targets);
    }
}

size_t batch_windows(TokenSpan part, int length)
{
    require(length >= 1, "a window of %d positions", length);
    if (part.sentence > 0)
        return part.count / (size_t)part.sentence;
    return part.count == 0 ? 0 : (part.count - 1) / (size_t)length;
}

const int32_t *batch_window(TokenSpan part, size_t index, int length)
{
    require(index < batch_windows(part, length), "window %zu of %zu", index, batch_windows(part, length));
    return part.ids + index * (size_t)(part.sentence > 0 ? part.sentence : length);
}
