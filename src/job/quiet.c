#include "job/quiet.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The lines of /proc/stat are "cpu0 user nice system idle iowait irq softirq steal ...". */
void busyness_read(struct busyness *busyness)
{
    FILE *stat = fopen("/proc/stat", "re");
    char line[1024];

    memset(busyness, 0, sizeof *busyness);
    while (stat && fgets(line, sizeof line, stat)) {
        double user, nice, system, idle, waiting, irq, soft, steal;
        unsigned cpu;

        if (strncmp(line, "cpu", 3) != 0 || !isdigit((unsigned char)line[3]) ||
            sscanf(line, "cpu%u %lf %lf %lf %lf %lf %lf %lf %lf", &cpu, &user, &nice, &system,
                   &idle, &waiting, &irq, &soft, &steal) != 9 ||
            cpu >= QUIET_CPUS)
            continue;
        busyness->busy[cpu] = user + nice + system + irq + soft + steal;
        busyness->all[cpu] = busyness->busy[cpu] + idle + waiting;
        busyness->count = cpu + 1;
    }
    if (stat)
        fclose(stat);
}

static double busy_share(const struct busyness *before, const struct busyness *after, unsigned cpu)
{
    const double all = after->all[cpu] - before->all[cpu];

    return all > 0 ? (after->busy[cpu] - before->busy[cpu]) / all : 0;
}

double busyness_between(const struct busyness *before, const struct busyness *after, unsigned *cpu)
{
    double most = 0;

    *cpu = 0;
    for (unsigned i = 0; i < before->count && i < after->count; i++) {
        const double share = busy_share(before, after, i);

        if (share > most) {
            most = share;
            *cpu = i;
        }
    }
    return most;
}

struct cpu_choice busyness_least(const struct busyness *before, const struct busyness *after,
                                 const cpu_set_t *allowed)
{
    struct cpu_choice choice = {.of = (unsigned)CPU_COUNT(allowed), .busy_share = INFINITY};

    for (unsigned cpu = 0; cpu < QUIET_CPUS && cpu < CPU_SETSIZE; cpu++) {
        const double share = busy_share(before, after, cpu);

        if (!CPU_ISSET(cpu, allowed) || share > choice.busy_share)
            continue;
        choice.cpu = cpu;
        choice.busy_share = share;
    }
    return choice;
}

int quiet_choose(struct cpu_choice *choice, const struct deadline *deadline, struct error *error)
{
    static struct busyness before, after;
    const cpu_set_t allowed = cpu_allowed_set();
    int code;

    *choice = (struct cpu_choice){.cpu = cpu_allowed_edge(0), .of = 1, .busy_share = NAN};
    if (CPU_COUNT(&allowed) == 1)
        return 0;
    busyness_read(&before);
    code = deadline_sleep(deadline, QUIET_CHOICE_NS);
    busyness_read(&after);
    *choice = busyness_least(&before, &after, &allowed);
    if (code == 0)
        return 0;
    return error_set(error, ERROR_FAILED, code,
                     "--one-processor: %s while looking for the least busy processor",
                     code == -EINTR ? "interrupted" : "--max-time was over");
}

int quiet_await(uint64_t limit_ns, const struct deadline *deadline, struct error *error)
{
    enum { LOOK_NS = 2000000000 };
    const struct deadline until = deadline_within(deadline, limit_ns);
    static struct busyness before, after;
    double share;
    unsigned cpu;
    int code;

    do {
        busyness_read(&before);
        code = deadline_sleep(deadline, LOOK_NS);
        busyness_read(&after);
        if (code == -EINTR)
            return error_set(error, ERROR_FAILED, -EINTR,
                             "interrupted while waiting for a quiet machine (--wait-quiet)");
        if (code)
            return error_set(error, ERROR_FAILED, code,
                             "--wait-quiet: the machine was not idle for two seconds before "
                             "--max-time was over; stop other programs, or raise --max-time");
        if (after.count == 0)
            return error_set(error, ERROR_FAILED, -ENOENT,
                             "--wait-quiet: /proc/stat can't be read, so other load is unknown");
        share = busyness_between(&before, &after, &cpu);
        if (share < QUIET_SHARE)
            return 0;
    } while (!deadline_is_over(&until));
    return error_set(error, ERROR_FAILED, -EBUSY,
                     "--wait-quiet: the machine was busy all the time (at the end processor %u, "
                     "%.0f %%); stop other programs (see 'top'), or give a longer TIME",
                     cpu, 100 * share);
}
