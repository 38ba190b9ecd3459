#include "measure/usage.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "measure/clock.h"

static uint64_t timeval_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

/* The eighth figure of /proc/stat's first line, in clock ticks (proc(5)). */
static bool read_steal(uint64_t *nanoseconds)
{
    FILE *file = fopen("/proc/stat", "re");
    unsigned long long steal = 0;
    long hertz = sysconf(_SC_CLK_TCK);
    int got = 0;

    if (!file)
        return false;
    got = fscanf(file, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &steal);
    fclose(file);
    if (got != 1 || hertz <= 0)
        return false;
    *nanoseconds = steal * (1000000000 / (uint64_t)hertz);
    return true;
}

void usage_read(struct usage *usage)
{
    struct rusage used;

    memset(usage, 0, sizeof *usage);
    getrusage(RUSAGE_SELF, &used);
    usage->user_ns = timeval_ns(used.ru_utime);
    usage->system_ns = timeval_ns(used.ru_stime);
    usage->voluntary_switches = (uint64_t)used.ru_nvcsw;
    usage->involuntary_switches = (uint64_t)used.ru_nivcsw;
    usage->steal_known = read_steal(&usage->steal_ns);
    usage->at_ns = clock_raw_ns();
}

static double per(uint64_t first, uint64_t last, double divisor)
{
    return divisor > 0 ? (double)(last - first) / divisor : 0;
}

void usage_divide(struct usage_per_call *per_call, const struct usage *first,
                  const struct usage *last, uint64_t calls, unsigned cpus)
{
    double n = (double)calls, elapsed = (double)(last->at_ns - first->at_ns);

    per_call->user_ns = per(first->user_ns, last->user_ns, n);
    per_call->system_ns = per(first->system_ns, last->system_ns, n);
    per_call->voluntary_switches = per(first->voluntary_switches, last->voluntary_switches, n);
    per_call->involuntary_switches =
        per(first->involuntary_switches, last->involuntary_switches, n);
    per_call->cpu_share =
        per(first->user_ns + first->system_ns, last->user_ns + last->system_ns, elapsed);
    per_call->steal_share = first->steal_known && last->steal_known
                                ? per(first->steal_ns, last->steal_ns, elapsed * cpus)
                                : 0;
}
