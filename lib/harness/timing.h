/*
 * timing: how long a piece of work takes on this machine.
 */
#ifndef TIMING_H
#define TIMING_H

/* The median time of one run of work(context), in seconds, from at most `most` runs. A first run only warms
 * caches and does not count, unless it takes longer than `seconds`: then it is the result. Otherwise runs go on
 * until `seconds` have passed, one at least. */
double timing_median(double seconds, int most, void (*work)(void *context), void *context);

/* The share of the processors' time that `threads` busy threads get within a tenth of a second: 1 on a quiet
 * machine, less when other programs take some. The load average would count what this program or the one
 * before it did, too. */
double timing_share(int threads);

#endif
