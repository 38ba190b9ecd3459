#include "common/cpu.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/append.h"

cpu_set_t cpu_allowed_set(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        CPU_SET(0, &set);
    return set;
}

const char *cpu_allowed_list(char buffer[CPU_LIST_SIZE])
{
    const cpu_set_t set = cpu_allowed_set();

    buffer[0] = '\0';
    for (unsigned first = 0; first < CPU_SETSIZE && strlen(buffer) < CPU_LIST_SIZE - 24; first++) {
        unsigned last = first;

        if (!CPU_ISSET(first, &set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
            last++;
        append(buffer, CPU_LIST_SIZE, "%s%u", *buffer ? "," : "", first);
        if (last > first)
            append(buffer, CPU_LIST_SIZE, "-%u", last);
        first = last;
    }
    return buffer;
}

bool cpu_is_allowed(unsigned cpu)
{
    const cpu_set_t set = cpu_allowed_set();

    return cpu < CPU_SETSIZE && CPU_ISSET(cpu, &set);
}

unsigned cpu_allowed_count(void)
{
    const cpu_set_t set = cpu_allowed_set();

    return (unsigned)CPU_COUNT(&set);
}

unsigned cpu_allowed_edge(int from_end)
{
    const cpu_set_t set = cpu_allowed_set();
    unsigned edge = 0;

    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &set))
            continue;
        edge = cpu;
        if (!from_end)
            break;
    }
    return edge;
}

int cpu_pin(unsigned cpu)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : -errno;
}

void cpu_allow_set(const cpu_set_t *set)
{
    sched_setaffinity(0, sizeof *set, set);
}

unsigned cpu_current(void)
{
    int cpu = sched_getcpu();

    return cpu > 0 ? (unsigned)cpu : 0;
}

/* Copy line 1 of /sys/devices/system/cpu/cpuCPU/FILE to BUFFER ("": no file). Returns BUFFER. */
static const char *read_cpu_file(unsigned cpu, const char *file, char *buffer, size_t size)
{
    char path[128];
    FILE *about;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/%s", cpu, file);
    about = fopen(path, "re");
    if (!about || !fgets(buffer, (int)size, about))
        buffer[0] = '\0';
    buffer[strcspn(buffer, "\n")] = '\0';
    if (about)
        fclose(about);
    return buffer;
}

bool cpu_is_listed(const char *list, unsigned long cpu)
{
    while (isdigit((unsigned char)*list)) {
        char *end;
        unsigned long first = strtoul(list, &end, 10), last = first;

        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        if (first <= cpu && cpu <= last)
            return true;
        list = end + (*end == ',');
    }
    return false;
}

bool cpu_share_core(unsigned a, unsigned b)
{
    char list[CPU_LIST_SIZE];

    return a == b ||
           cpu_is_listed(read_cpu_file(a, "topology/thread_siblings_list", list, sizeof list), b);
}

double cpu_frequency(unsigned cpu)
{
    char kilohertz[32];

    return strtod(read_cpu_file(cpu, "cpufreq/scaling_cur_freq", kilohertz, sizeof kilohertz),
                  NULL) *
           1000;
}

const char *cpu_governor(unsigned cpu, char *buffer, size_t size)
{
    return read_cpu_file(cpu, "cpufreq/scaling_governor", buffer, size);
}

int cpu_keep_awake(void)
{
    const int32_t microseconds = 0;
    int descriptor = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);

    if (descriptor < 0)
        return -errno;
    if (write(descriptor, &microseconds, sizeof microseconds) != sizeof microseconds) {
        close(descriptor);
        return -EIO;
    }
    return descriptor;
}

void cpu_let_sleep(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}
