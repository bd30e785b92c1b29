#include "mem.h"

#include "machine.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, PAGE = 4096, LARGE = 4 << 20 };

/* Asks for large pages: a training step touches tens of megabytes in turn, and would otherwise spend one per cent
 * of its time on looking up where they are. A kernel that has none is no loss. */
static void use_large_pages(char *memory, size_t bytes)
{
    size_t before = -(uintptr_t)memory % PAGE;
    madvise(memory + before, bytes - before, MADV_HUGEPAGE);
}

void *mem_try(size_t count, size_t size, const char *what, Err *err)
{
    size_t bytes;
    void *memory = NULL;
    if (!__builtin_mul_overflow(count, size, &bytes) && bytes <= PTRDIFF_MAX - CACHE_LINE) {
        size_t rounded = (bytes + CACHE_LINE) / CACHE_LINE * CACHE_LINE; /* never 0 */
        memory = aligned_alloc(CACHE_LINE, rounded);
    }
    if (!memory) {
        err_set(err, "not enough memory for %s: %zu x %zu bytes", what, count, size);
        return NULL;
    }
    if (bytes >= LARGE && bytes > machine_memory_available()) {
        /* The system promises more than it has, and kills who believes it. */
        err_set(err, "not enough memory for %s: %zu MiB are needed and %zu MiB free", what, bytes >> 20,
                machine_memory_available() >> 20);
        free(memory);
        return NULL;
    }
    if (bytes >= LARGE)
        use_large_pages(memory, bytes);
    return memset(memory, 0, bytes);
}

void *mem_new(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    require(memory, "out of memory for %zu x %zu bytes of bookkeeping", count, size);
    return memory;
}

void *mem_grow(void *array, size_t *count, size_t size)
{
    char *old;
    memcpy(&old, array, sizeof old);
    if ((*count & (*count - 1)) == 0) { /* 0, 1, 2, 4, 8 …: full */
        old = reallocarray(old, *count ? 2 * *count : 1, size);
        require(old, "out of memory for %zu x %zu bytes of bookkeeping", *count, size);
        memcpy(array, &old, sizeof old);
    }
    return memset(old + size * (*count)++, 0, size);
}

char *mem_text(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    require(length >= 0, "out of memory for a string");
    return text;
}
