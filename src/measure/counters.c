#include "measure/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/memory.h"
#include "measure/clock.h"
#include "measure/process.h"

#define COUNTER_COARSE(id, name, coarse) coarse,

bool counter_is_coarse(enum counter counter)
{
    static const bool coarse[COUNTERS] = {COUNTERS_OF_MACHINE(COUNTER_COARSE)
                                              COUNTERS_OF_PROCESS(COUNTER_COARSE)};

    return coarse[counter];
}

void counters_clear(struct counters *counters)
{
    *counters = (struct counters){.busy_ns = NAN};
    for (size_t i = 0; i < COUNTERS; i++)
        counters->values[i] = NAN;
}

static double ticks_to_ns(double ticks)
{
    return ticks * 1e9 / (double)sysconf(_SC_CLK_TCK);
}

/* Return the number in word INDEX (from 0) after LINE's name; NAN if there is none. */
static double word_of(const char *line, size_t index)
{
    char *end;
    double value = NAN;

    line += strcspn(line, " ");
    for (size_t i = 0; i <= index; i++) {
        value = strtod(line, &end);
        if (end == line)
            return NAN;
        line = end;
    }
    return value;
}

/* Return the busy ticks in LINE of /proc/stat: user, nice, system, irq and softirq. */
static double busy_ticks_of(const char *line)
{
    static const size_t busy[] = {0, 1, 2, 5, 6};
    double ticks = 0;

    for (size_t i = 0; i < sizeof busy / sizeof busy[0]; i++)
        ticks += word_of(line, busy[i]);
    return ticks;
}

void counters_parse_stat(struct counters *counters, FILE *stat)
{
    static const struct {
        const char *start;
        size_t word;
        enum counter counter;
    } wanted[] = {{"cpu ", 7, COUNTER_STEAL_NS},
                  {"intr ", 0, COUNTER_INTERRUPTS},
                  {"ctxt ", 0, COUNTER_MACHINE_SWITCHES},
                  {"softirq ", 3, COUNTER_NET_TX},
                  {"softirq ", 4, COUNTER_NET_RX}};
    char *line = NULL;
    size_t size = 0;

    while (getline(&line, &size, stat) > 0) {
        if (strncmp(line, "cpu ", 4) == 0)
            counters->busy_ns = ticks_to_ns(busy_ticks_of(line));
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
            if (strncmp(line, wanted[i].start, strlen(wanted[i].start)) == 0)
                counters->values[wanted[i].counter] = word_of(line, wanted[i].word);
    }
    free(line);
    counters->values[COUNTER_STEAL_NS] = ticks_to_ns(counters->values[COUNTER_STEAL_NS]);
}

/* The file has two heading lines, then "name: bytes packets errs drop fifo frame compressed
 * multicast" for received packets, followed by "bytes packets ..." for sent packets. */
void counters_parse_interfaces(struct counters *counters, FILE *devices)
{
    char line[512];

    while (counters->interface_count < COUNTERS_INTERFACES_MAXIMUM &&
           fgets(line, sizeof line, devices)) {
        struct interface_counters *interface = &counters->interfaces[counters->interface_count];
        double *values = interface->values;
        const char *colon = strchr(line, ':');

        if (!colon || sscanf(line, " %15[^:]", interface->name) != 1)
            continue;
        if (sscanf(colon + 1, "%lf %lf %*s %*s %*s %*s %*s %*s %lf %lf",
                   &values[INTERFACE_RX_BYTES], &values[INTERFACE_RX_PACKETS],
                   &values[INTERFACE_TX_BYTES], &values[INTERFACE_TX_PACKETS]) == 4)
            counters->interface_count++;
    }
}

const struct interface_counters *
counters_find_interface(const struct interface_counters *interfaces, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(interfaces[i].name, name) == 0)
            return &interfaces[i];
    return NULL;
}

void counters_read_machine(struct counters *counters)
{
    FILE *stat = fopen("/proc/stat", "re");
    FILE *devices = fopen("/proc/net/dev", "re");

    if (stat) {
        counters_parse_stat(counters, stat);
        fclose(stat);
    }
    if (devices) {
        counters->interface_count = 0;
        counters_parse_interfaces(counters, devices);
        fclose(devices);
    }
    counters->at_ns = clock_raw_ns();
}

static double timeval_ns(struct timeval time)
{
    return (double)time.tv_sec * 1e9 + (double)time.tv_usec * 1e3;
}

static void read_own(struct counters *counters)
{
    struct rusage used;
    double *values = counters->values;

    if (getrusage(RUSAGE_SELF, &used) != 0)
        return;
    values[COUNTER_USER_NS] = timeval_ns(used.ru_utime);
    values[COUNTER_SYSTEM_NS] = timeval_ns(used.ru_stime);
    values[COUNTER_CPU_NS] = values[COUNTER_USER_NS] + values[COUNTER_SYSTEM_NS];
    values[COUNTER_VOLUNTARY] = (double)used.ru_nvcsw;
    values[COUNTER_INVOLUNTARY] = (double)used.ru_nivcsw;
}

double counters_interface_speed(const char *name)
{
    char path[64];
    FILE *file;
    double megabits;

    snprintf(path, sizeof path, "/sys/class/net/%.15s/speed", name);
    file = fopen(path, "re");
    if (!file || fscanf(file, "%lf", &megabits) != 1 || megabits <= 0)
        megabits = NAN;
    if (file)
        fclose(file);
    return megabits * 1e6;
}

uint64_t counters_own_preemptions(void)
{
    struct rusage used;

    return getrusage(RUSAGE_THREAD, &used) == 0 ? (uint64_t)used.ru_nivcsw : 0;
}

void counters_parse_switches(FILE *status, double *voluntary, double *involuntary)
{
    char line[256];

    *voluntary = *involuntary = NAN;
    while (fgets(line, sizeof line, status)) {
        sscanf(line, "voluntary_ctxt_switches: %lf", voluntary);
        sscanf(line, "nonvoluntary_ctxt_switches: %lf", involuntary);
    }
}

/* Add the counters of THREAD to CONTEXT, a struct counters. Unknown counters make the sums NAN. */
static void add_thread(pid_t pid, pid_t thread, void *context)
{
    struct counters *counters = context;
    FILE *status = process_open(pid, thread, "status");
    double voluntary = NAN, involuntary = NAN;
    struct process_times times = {NAN, NAN};

    process_thread_times(pid, thread, &times);
    if (status) {
        counters_parse_switches(status, &voluntary, &involuntary);
        fclose(status);
    }
    counters->values[COUNTER_CPU_NS] += times.ran_ns;
    counters->values[COUNTER_VOLUNTARY] += voluntary;
    counters->values[COUNTER_INVOLUNTARY] += involuntary;
}

void counters_read_process(struct counters *counters, pid_t pid)
{
    struct counters sums;

    if (pid == 0) {
        read_own(counters);
        return;
    }
    for (size_t i = COUNTERS_FIRST_OF_PROCESS; i < COUNTERS; i++)
        counters->values[i] = NAN;
    sums = *counters;
    sums.values[COUNTER_CPU_NS] = 0;
    sums.values[COUNTER_VOLUNTARY] = sums.values[COUNTER_INVOLUNTARY] = 0;
    if (process_each_thread(pid, add_thread, &sums))
        *counters = sums;
}

enum { INTERVAL_NS = 100 * 1000 * 1000, OVERHEAD = 1000 };

static struct machine_sample *next_sample(struct machine_log *log)
{
    int code = array_reserve(&log->samples, &log->capacity, log->count + 1, sizeof *log->samples);

    return code ? NULL : &log->samples[log->count++];
}

void machine_log_update(struct machine_log *log, bool now)
{
    struct machine_sample *sample;
    uint64_t began = clock_raw_ns(), pause;
    struct counters counters;

    if (began < log->next_ns && !now)
        return;
    sample = next_sample(log);
    counters_clear(&counters);
    counters_read_machine(&counters);
    if (sample) {
        sample->at_ns = counters.at_ns;
        memcpy(sample->values, counters.values, sizeof sample->values);
    }
    pause = OVERHEAD * (counters.at_ns - began);
    log->next_ns = counters.at_ns + (pause > INTERVAL_NS ? pause : INTERVAL_NS);
}

bool machine_log_around(const struct machine_log *log, uint64_t at_ns,
                        struct machine_change *change)
{
    size_t after = 0;

    while (after < log->count && log->samples[after].at_ns <= at_ns)
        after++;
    if (after == 0 || after == log->count)
        return false;
    change->span_ns = log->samples[after].at_ns - log->samples[after - 1].at_ns;
    for (size_t i = 0; i < COUNTERS_FIRST_OF_PROCESS; i++)
        change->values[i] = log->samples[after].values[i] - log->samples[after - 1].values[i];
    return true;
}

void machine_log_close(struct machine_log *log)
{
    free(log->samples);
    *log = (struct machine_log){.samples = NULL};
}
