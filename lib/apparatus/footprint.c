#include "footprint.h"

#include "file.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

bool footprint_reset(void)
{
    malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    bool written = file && fputs("5", file) >= 0;
    return file && fclose(file) == 0 && written;
}

/* The first number of statm: pages of address space. */
static size_t address_space(Err *err)
{
    Bytes bytes;
    if (!file_read("/proc/self/statm", &bytes, err))
        return 0;
    size_t pages = strtoul(bytes.data, NULL, 10);
    bytes_free(&bytes);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static struct rlimit before;

bool footprint_limit(size_t bytes, Err *err)
{
    size_t held = address_space(err);
    if (held == 0)
        return false;
    if (getrlimit(RLIMIT_AS, &before) != 0)
        return err_set(err, "no limit on the address space can be read: %s", strerror(errno));
    struct rlimit limit = before; /* the hard one stays, so that the soft one can be lifted again */
    if (limit.rlim_cur > held + bytes)
        limit.rlim_cur = held + bytes;
    return setrlimit(RLIMIT_AS, &limit) == 0 ||
           err_set(err, "the address space can't be limited: %s", strerror(errno));
}

void footprint_unlimit(void)
{
    require(setrlimit(RLIMIT_AS, &before) == 0, "a limit on the address space stays: %s", strerror(errno));
}
