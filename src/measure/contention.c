#include "measure/contention.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/clock.h"

/* Processes */

void contention_parse_schedstat(struct process_times *times, FILE *schedstat)
{
    double ran = NAN, waited = NAN;

    if (fscanf(schedstat, "%lf %lf", &ran, &waited) != 2)
        ran = waited = NAN;
    times->ran_ns += ran;
    times->waited_ns += waited;
}

static void read_thread(struct process_times *times, const char *tasks, const char *thread)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%.60s/%.20s/schedstat", tasks, thread);
    file = fopen(path, "re");
    if (!file) /* the thread has just ended */
        return;
    contention_parse_schedstat(times, file);
    fclose(file);
}

static struct process_times read_process(pid_t pid)
{
    struct process_times times = {0, 0};
    struct dirent *entry;
    char tasks[64];
    DIR *threads;

    snprintf(tasks, sizeof tasks, "/proc/%d/task", (int)pid);
    threads = opendir(tasks);
    if (!threads)
        return (struct process_times){NAN, NAN};
    while ((entry = readdir(threads)))
        if (isdigit((unsigned char)entry->d_name[0]))
            read_thread(&times, tasks, entry->d_name);
    closedir(threads);
    return times;
}

/* Processors */

/* Is CPU in LIST, such as "0-3,6"? */
static bool is_listed(const char *list, unsigned long cpu)
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

static bool in_use(const char *const cpus[2], unsigned long cpu)
{
    return is_listed(cpus[0], cpu) || is_listed(cpus[1], cpu);
}

/* "cpu0 user nice system idle iowait irq softirq steal ...", in ticks. */
double contention_parse_busy(FILE *stat, const char *const cpus[2])
{
    double ticks = 0;
    bool found = false;
    char *line = NULL;
    size_t size = 0;

    while (getline(&line, &size, stat) > 0) {
        double user, nice, system, irq, softirq;
        unsigned long cpu;

        if (sscanf(line, "cpu%lu %lf %lf %lf %*f %*f %lf %lf", &cpu, &user, &nice, &system, &irq,
                   &softirq) != 6 ||
            !in_use(cpus, cpu))
            continue;
        ticks += user + nice + system + irq + softirq;
        found = true;
    }
    free(line);
    return found ? ticks * 1e9 / (double)sysconf(_SC_CLK_TCK) : NAN;
}

size_t contention_cpus(const struct contention_scope *scope)
{
    size_t count = 0;
    long all = sysconf(_SC_NPROCESSORS_CONF);

    if (!*scope->cpus[0])
        return 0;
    for (unsigned long cpu = 0; all > 0 && cpu < (unsigned long)all; cpu++)
        count += in_use(scope->cpus, cpu);
    return count;
}

/* Both */

void contention_read(struct contention *contention, const struct contention_scope *scope)
{
    FILE *stat = fopen("/proc/stat", "re");

    contention->at_ns = clock_raw_ns();
    contention->client = read_process(scope->client ? scope->client : getpid());
    contention->server = (struct process_times){scope->server_remote ? 0 : NAN, NAN};
    if (scope->server)
        contention->server = read_process(scope->server);
    contention->busy_ns = stat ? contention_parse_busy(stat, scope->cpus) : NAN;
    if (stat)
        fclose(stat);
}

/* Each tick samples whether a processor is busy: with N samples the busy share has a standard
 * deviation of at most 0.5 / sqrt(N). */
static double ticks_error(double elapsed_ns, size_t cpus)
{
    double ticks = elapsed_ns / 1e9 * (double)sysconf(_SC_CLK_TCK) * (double)cpus;

    return 0.5 / sqrt(fmax(ticks, 1));
}

void contention_between(struct contention_shares *shares, const struct contention *before,
                        const struct contention *after, size_t cpus)
{
    double elapsed = (double)(after->at_ns - before->at_ns);
    double own =
        after->client.ran_ns - before->client.ran_ns + after->server.ran_ns - before->server.ran_ns;

    shares->client_waited = (after->client.waited_ns - before->client.waited_ns) / elapsed;
    shares->server_waited = (after->server.waited_ns - before->server.waited_ns) / elapsed;
    shares->others =
        cpus ? (after->busy_ns - before->busy_ns - own) / (elapsed * (double)cpus) : NAN;
    shares->others_error = ticks_error(elapsed, cpus);
}
