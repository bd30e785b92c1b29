#include "evaluate.h"

#include "batch.h"
#include "mem.h"

#include <math.h>
#include <omp.h>

enum { SHARD_TOKENS = 256 };

/* −log p of every token of all windows [windows x length]. */
static void take_windows(const Model *model, TokenSpan text, int length, int shard, Activations **activations,
                         int threads, float *nll)
{
    size_t windows = batch_windows(text, length), step = (size_t)shard;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t first = 0; first < windows; first += step) {
        int sequences = (int)(windows - first < step ? windows - first : step);
        const int32_t *tokens = batch_window(text, first, length);
        model_loss(model, activations[omp_get_thread_num()], tokens, tokens + 1, sequences,
                   nll + first * (size_t)length);
    }
}

static double summarise(const float *nll, size_t windows, int length, double *by_position)
{
    double sum = 0;
    for (int t = 0; t < length; t++) {
        double here = 0;
        for (size_t i = 0; i < windows; i++)
            here += nll[i * (size_t)length + (size_t)t];
        if (by_position)
            by_position[t] = here / (double)windows;
        sum += here;
    }
    return exp(sum / ((double)windows * length));
}

bool evaluate_perplexity(const Model *model, TokenSpan text, const char *name, int length, double *perplexity,
                         double *by_position, Err *err)
{
    if (!batch_fits(text, length, name, err))
        return false;
    size_t windows = batch_windows(text, length);
    /* Sentences don't lie as a batch does: their last token is no input. */
    int shard = SHARD_TOKENS < length || text.sentence > 0 ? 1 : SHARD_TOKENS / length;
    int threads = omp_get_max_threads();
    Activations **activations = mem_new((size_t)threads, sizeof *activations);
    float *nll = mem_try(windows * (size_t)length, sizeof *nll, "each token's loss", err);
    bool ready = nll != NULL;
    for (int i = 0; ready && i < threads; i++)
        ready = (activations[i] = activations_new(model, shard, length, err));
    if (ready) {
        take_windows(model, text, length, shard, activations, threads, nll);
        *perplexity = summarise(nll, windows, length, by_position);
    }
    for (int i = 0; i < threads; i++)
        activations_free(activations[i]);
    free(activations);
    free(nll);
    return ready;
}
