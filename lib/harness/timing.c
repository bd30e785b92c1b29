#include "timing.h"

#include "err.h"
#include "machine.h"
#include "mem.h"
#include "stats.h"

#include <time.h>

static double run_once(void (*work)(void *context), void *context)
{
    double start = machine_seconds();
    work(context);
    return machine_seconds() - start;
}

double timing_median(double seconds, int most, void (*work)(void *context), void *context)
{
    require(most >= 1, "a median of %d times", most);
    double first = run_once(work, context);
    if (first > seconds)
        return first;
    double *times = mem_new((size_t)most, sizeof *times), spent = 0;
    size_t count = 0;
    while (count == 0 || (count < (size_t)most && spent < seconds))
        spent += times[count++] = run_once(work, context);
    double median = stats_median(times, count);
    free(times);
    return median;
}

static double thread_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

double timing_share(int threads)
{
    const double span = 0.1;
    double *shares = mem_new((size_t)threads, sizeof *shares);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < threads; i++) {
        double start = machine_seconds(), used = thread_seconds(), now = start;
        while (now < start + span)
            now = machine_seconds();
        shares[i] = (thread_seconds() - used) / (now - start);
    }
    double mean = stats_mean(shares, (size_t)threads);
    free(shares);
    return mean;
}
