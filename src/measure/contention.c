#include "measure/contention.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/cpu.h"
#include "measure/clock.h"

static void add_thread(pid_t pid, pid_t thread, void *context)
{
    struct process_times *sum = context, times;

    if (!process_thread_times(pid, thread, &times)) /* ended, or no schedstat */
        return;
    sum->ran_ns += times.ran_ns;
    sum->waited_ns += times.waited_ns;
}

static struct process_times read_process(pid_t pid)
{
    struct process_times times = {0, 0};

    return process_each_thread(pid, add_thread, &times) && times.ran_ns > 0
               ? times
               : (struct process_times){NAN, NAN};
}

static bool in_use(const char *const cpus[2], unsigned long cpu)
{
    return cpu_is_listed(cpus[0], cpu) || cpu_is_listed(cpus[1], cpu);
}

/* The lines of STAT are "cpu0 user nice system idle iowait irq softirq steal ...", in ticks. */
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
            line[3] == ' ' || !in_use(cpus, cpu)) /* "cpu ": all processors' sum */
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

void contention_read(struct contention *contention, const struct contention_scope *scope)
{
    FILE *stat = fopen("/proc/stat", "re");

    contention->at_ns = clock_raw_ns();
    contention->client = read_process(scope->client);
    contention->server = (struct process_times){scope->server_remote ? 0 : NAN, NAN};
    if (scope->server)
        contention->server = read_process(scope->server);
    contention->echo_ns = scope->echo ? read_process(scope->echo).ran_ns : 0;
    contention->busy_ns = stat ? contention_parse_busy(stat, scope->cpus) : NAN;
    if (stat)
        fclose(stat);
}

/* Return an upper bound on the standard error of the busy share of CPUS processors over ELAPSED_NS.
 * Each tick samples whether a processor is busy: with N samples the standard deviation is at most
 * 0.5 / sqrt(N). */
static double ticks_error(double elapsed_ns, size_t cpus)
{
    double ticks = elapsed_ns / 1e9 * (double)sysconf(_SC_CLK_TCK) * (double)cpus;

    return 0.5 / sqrt(fmax(ticks, 1));
}

void contention_between(struct contention_shares *shares, const struct contention *before,
                        const struct contention *after, size_t cpus, double beside_ns)
{
    double elapsed = (double)(after->at_ns - before->at_ns);
    double own = after->client.ran_ns - before->client.ran_ns + after->server.ran_ns -
                 before->server.ran_ns + after->echo_ns - before->echo_ns + beside_ns;

    shares->client_waited = (after->client.waited_ns - before->client.waited_ns) / elapsed;
    shares->server_waited = (after->server.waited_ns - before->server.waited_ns) / elapsed;
    shares->others =
        cpus ? (after->busy_ns - before->busy_ns - own) / (elapsed * (double)cpus) : NAN;
    if (shares->others > 1) /* the sum of ticks can exceed the elapsed time */
        shares->others = 1;
    shares->not_own = cpus ? 1 - own / (elapsed * (double)cpus) : NAN;
    shares->others_error = ticks_error(elapsed, cpus);
}
