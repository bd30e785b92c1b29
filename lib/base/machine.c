#include "machine.h"

#include "mem.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The text behind "key : " in the first such line of a /proc file; false when there is none. */
static bool proc_field(const char *path, const char *key, char *value, size_t size)
{
    FILE *file = fopen(path, "r");
    char line[512];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, size, "%s", colon);
        found = true;
    }
    if (file)
        fclose(file);
    return found;
}

const char *machine_cpu(void)
{
    static char name[256];
    if (!name[0] && !proc_field("/proc/cpuinfo", "model name", name, sizeof name)) {
        struct utsname system;
        snprintf(name, sizeof name, "%s", uname(&system) == 0 ? system.machine : "unknown");
    }
    return name;
}

int machine_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

size_t machine_memory(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t machine_memory_available(void)
{
    char kilobytes[64];
    if (!proc_field("/proc/meminfo", "MemAvailable", kilobytes, sizeof kilobytes))
        return machine_memory();
    return strtoull(kilobytes, NULL, 10) * 1024;
}

size_t machine_peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss * 1024 : 0;
}

double machine_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void machine_date(char text[static 32])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

const char *machine_compiler(void)
{
#ifdef __clang__
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

const char *machine_flags(void)
{
    return ATTEST_FLAGS;
}

const char *machine_version(void)
{
    return ATTEST_VERSION;
}

const char *machine_commit(void)
{
    static char commit[64];
    if (!commit[0]) {
        FILE *git =
            popen("git -C '" ATTEST_HOME "' describe --always --abbrev=12 --dirty=+ 2>/dev/null", "re");
        if (!git || !fgets(commit, sizeof commit, git))
            snprintf(commit, sizeof commit, "unknown");
        if (git)
            pclose(git);
        commit[strcspn(commit, "\n")] = '\0';
    }
    return commit;
}

const char *machine_home(void)
{
    return ATTEST_HOME;
}

char *machine_results(void)
{
    const char *named = getenv("ATTEST_RESULTS");
    return named && *named ? mem_text("%s", named) : mem_text("%s/results", machine_home());
}
