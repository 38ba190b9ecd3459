/* nfsbench doctor: check whether this machine is fit for measuring. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/cpu.h"
#include "common/deadline.h"
#include "common/environment.h"
#include "common/printable.h"
#include "job/command.h"
#include "job/console.h"
#include "job/quiet.h"
#include "measure/clock.h"
#include "measure/counters.h"
#include "measure/validity.h"
#include "output/view/terminal.h"
#include "output/view/text.h"

enum { WATCH_NS = 500 * 1000 * 1000 };

#define INTERRUPTS_PER_CPU 2000 /* most on a fit machine, per second and processor */

struct doctor {
    unsigned unfit;
};

static void print_finding(struct doctor *doctor, bool fit, const char *what, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));

static void print_finding(struct doctor *doctor, bool fit, const char *what, const char *format,
                          ...)
{
    enum { INDENT = 18, SIZE = 512 };
    char found[SIZE], line[2 * SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(found, sizeof found, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "%s%-4s%s %-12s %s",
             terminal_tone(stdout, fit ? TERMINAL_BETTER : TERMINAL_MUCH_WORSE), fit ? "ok" : "FIX",
             terminal_tone(stdout, TERMINAL_PLAIN), what, found);
    terminal_print_wrapped(line, INDENT, stdout);
    doctor->unfit += !fit;
}

/* Wait for WATCH_NS, while the machine is observed. After a signal, the findings are incomplete. */
static void wait_observing(void)
{
    deadline_sleep(&(struct deadline){.stop = &interrupt_flag}, WATCH_NS);
}

/* Clock */

static void print_cost_histogram(const struct clock *clock)
{
    struct text_bins bins = {.name = "windows"};

    memcpy(bins.counts, clock->cost_log2, (CLOCK_COST_LOG2 - 1) * sizeof bins.counts[0]);
    bins.counts[HISTOGRAM_LOG2_BUCKETS - 1] = clock->cost_log2[CLOCK_COST_LOG2 - 1];
    text_print_bins("timer", &bins, 1, stdout);
    putchar('\n');
}

static void examine_clock(struct doctor *doctor)
{
    struct clock_check check;
    struct clock clock;
    struct error error;
    double ppm;

    if (clock_open(&clock, "tsc", &error) != 0) {
        print_finding(doctor, false, "clock",
                      "the TSC can't be trusted, so the slower clock_gettime is used; boot without "
                      "'notsc' on a machine with an invariant TSC");
        return;
    }
    clock_check_edge(&check, &clock, true);
    wait_observing();
    clock_check_edge(&check, &clock, false);
    ppm = clock_check_ppm(&check, &clock);
    print_finding(doctor, fabs(ppm) < VALIDITY_CLOCK_PPM_SUSPECT, "clock",
                  "tsc %.3f GHz, %.2f ppm from CLOCK_MONOTONIC_RAW over %d ms",
                  1 / clock.ns_per_tick, ppm, WATCH_NS / 1000000);
    print_finding(doctor, clock.cost_ns < 100, "timer cost",
                  "%.1f ns per timed window, subtracted from each sample%s", clock.cost_ns,
                  clock.cost_ns < 100 ? "" : "; a hypervisor that traps rdtsc makes it slow");
    print_cost_histogram(&clock);
}

/* Sleep and frequency */

static void examine_sleep(struct doctor *doctor)
{
    int awake = cpu_keep_awake();

    print_finding(doctor, awake >= 0, "sleep",
                  awake >= 0 ? "processors can be kept awake by /dev/cpu_dma_latency"
                             : "processors can't be kept awake (%s): run as root, or "
                               "'chmod o+rw /dev/cpu_dma_latency'",
                  strerror(-awake));
    cpu_let_sleep(awake);
}

static void examine_frequency(struct doctor *doctor)
{
    char governor[32];

    cpu_governor(cpu_allowed_edge(0), governor, sizeof governor);
    if (!governor[0])
        print_finding(doctor, true, "frequency",
                      "no governor: the host or the hardware sets the frequency");
    else if (strcmp(governor, "performance") == 0)
        print_finding(doctor, true, "frequency", "governor performance");
    else
        print_finding(
            doctor, false, "frequency",
            "governor %s; set it to performance by 'cpupower frequency-set -g performance'",
            printable(governor).text);
}

/* Processors */

static void examine_processors(struct doctor *doctor)
{
    unsigned first = cpu_allowed_edge(0), last = cpu_allowed_edge(1);
    char list[CPU_LIST_SIZE];

    cpu_allowed_list(list);
    if (first == last)
        print_finding(doctor, false, "processors",
                      "only one (%s), which the client and a local server share; give the machine "
                      "a second one",
                      list);
    else if (cpu_share_core(first, last))
        print_finding(doctor, false, "processors",
                      "%s; the first and the last, for client and local server, share a core; use "
                      "'taskset' to run on two cores",
                      list);
    else
        print_finding(doctor, true, "processors",
                      "%s; the client runs on %u, the server of self: on %u", list, first, last);
}

static void examine_load(struct doctor *doctor, const struct busyness *before,
                         const struct busyness *after)
{
    unsigned worst;
    const double most = busyness_between(before, after, &worst);

    if (after->count == 0)
        print_finding(doctor, false, "load", "/proc/stat can't be read, so other load is unknown");
    else
        print_finding(doctor, most < QUIET_SHARE, "load",
                      most < QUIET_SHARE ? "the busiest processor is %.0f %% busy"
                                         : "one processor is %.0f %% busy (number %u); stop other "
                                           "programs (see 'top'), or avoid it with 'taskset'",
                      100 * most, worst);
}

static void examine_machine(struct doctor *doctor, const struct counters *before,
                            const struct counters *after, const struct host *host)
{
    double seconds = (double)(after->at_ns - before->at_ns) / 1e9, change[COUNTERS];
    double per_cpu;

    for (size_t i = 0; i < COUNTERS_FIRST_OF_PROCESS; i++)
        change[i] = after->values[i] - before->values[i];
    per_cpu = change[COUNTER_INTERRUPTS] / seconds / host->cpus;
    if (isnan(change[COUNTER_STEAL_NS]))
        print_finding(doctor, !host->virtual, "steal", "not known");
    else
        print_finding(
            doctor, change[COUNTER_STEAL_NS] / 1e9 / seconds / host->cpus < VALIDITY_STEAL_SUSPECT,
            "steal", "the hypervisor took %.1f %%%s",
            100 * change[COUNTER_STEAL_NS] / 1e9 / seconds / host->cpus,
            host->virtual ? "; this is a virtual machine: bind its processors to cores of the host"
                          : "");
    if (isnan(per_cpu))
        print_finding(doctor, false, "interrupts", "not known: /proc/stat can't be read");
    else
        print_finding(doctor, per_cpu < INTERRUPTS_PER_CPU, "interrupts",
                      per_cpu < INTERRUPTS_PER_CPU
                          ? "%.0f per second and processor"
                          : "%.0f per second and processor; move them to other processors "
                            "(/proc/irq/*/smp_affinity, irqbalance)",
                      per_cpu);
}

static void examine_while_idle(struct doctor *doctor, const struct host *host)
{
    static struct busyness before, after;
    struct counters first, last;

    counters_clear(&first);
    counters_clear(&last);
    busyness_read(&before);
    counters_read_machine(&first);
    wait_observing();
    counters_read_machine(&last);
    busyness_read(&after);
    examine_load(doctor, &before, &after);
    examine_machine(doctor, &first, &last, host);
    print_finding(doctor, last.interface_count > 0, "counters",
                  last.interface_count > 0
                      ? "/proc/stat and /proc/net/dev can be read for the ledger"
                      : "/proc/net/dev can't be read, so the ledger will have no packets");
}

static const struct option_entry own_options[] = {
    {"wait-quiet", 0, OPTION_TIME, SECTION_OUTPUT, OPTION_SHARES(wait_quiet_ns), .value = "TIME",
     .help = "wait at most TIME until no processor has been busy for two seconds, else fail"},
    {NULL},
};

static void print_host(const struct host *host)
{
    char line[4 * PRINTABLE_SIZE];

    snprintf(line, sizeof line, "%s, %u CPUs%s, %s, clocksource %s", printable(host->cpu).text,
             host->cpus, host->virtual ? ", virtual" : "", printable(host->kernel).text,
             printable(host->clocksource).text);
    terminal_print_wrapped(line, 4, stdout);
}

static int run_checks(int *status, struct error *error)
{
    struct doctor doctor = {.unfit = 0};
    struct host host;

    host_read(&host);
    print_host(&host);
    interrupt_catch();
    examine_clock(&doctor);
    examine_sleep(&doctor);
    examine_frequency(&doctor);
    examine_processors(&doctor);
    examine_while_idle(&doctor, &host);
    if (interrupt_flag)
        return error_set(error, ERROR_FAILED, -EINTR,
                         "interrupted, so the findings are incomplete");
    printf(doctor.unfit ? "%u to fix\n" : "fit for measuring\n", doctor.unfit);
    *status = doctor.unfit ? ERROR_FAILED : 0;
    return 0;
}

static int run_doctor(const struct options *options, int *status, struct error *error)
{
    int code = options_refuse_words(options, error);

    return code ? code : run_checks(status, error);
}

const struct command command_doctor = {
    .purpose = PURPOSE_SUPPORT,
    .groups = GROUP_WIDTH | GROUP_COLOURS,
    .own = own_options,
    .name = "doctor",
    .usage = "nfsbench doctor [options]",
    .summary = "check whether this machine is fit for measuring",
    .about = "Checks whether this machine is fit for measuring: its clock, its processors and the "
             "load on them. This takes two seconds. Each check prints one line, with what to "
             "change if it fails.",
    .status = "0 the machine is fit, 1 it is not, 2 usage.",
    .run = run_doctor,
};
