#include "cli/quiet.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/console.h"
#include "common/system_clock.h"

/* Its lines are "cpu0 user nice system idle iowait irq softirq steal ...". */
void busyness_read(struct busyness *busyness)
{
    FILE *stat = fopen("/proc/stat", "re");
    char line[1024];

    busyness->count = 0;
    while (stat && busyness->count < QUIET_CPUS && fgets(line, sizeof line, stat)) {
        double user, nice, system, idle, waiting, irq, soft, steal;
        const unsigned cpu = busyness->count;

        if (strncmp(line, "cpu", 3) != 0 || !isdigit((unsigned char)line[3]) ||
            sscanf(line, "cpu%*u %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle,
                   &waiting, &irq, &soft, &steal) != 8)
            continue;
        busyness->busy[cpu] = user + nice + system + irq + soft + steal;
        busyness->all[cpu] = busyness->busy[cpu] + idle + waiting;
        busyness->count++;
    }
    if (stat)
        fclose(stat);
}

double busyness_between(const struct busyness *before, const struct busyness *after, unsigned *cpu)
{
    double most = 0;

    *cpu = 0;
    for (unsigned i = 0; i < before->count && i < after->count; i++) {
        const double all = after->all[i] - before->all[i];
        const double share = all > 0 ? (after->busy[i] - before->busy[i]) / all : 0;

        if (share > most) {
            most = share;
            *cpu = i;
        }
    }
    return most;
}

int quiet_await(uint64_t limit_ns, struct error *error)
{
    static struct busyness before, after;
    const struct timespec two_seconds = {.tv_sec = 2};
    const uint64_t end = monotonic_ns() + limit_ns;
    double share;
    unsigned cpu;

    interrupt_catch();
    do {
        busyness_read(&before);
        nanosleep(&two_seconds, NULL);
        busyness_read(&after);
        if (interrupt_flag)
            return error_set(error, ERROR_FAILED, -EINTR, "interrupted while it waited");
        if (after.count == 0)
            return error_set(error, ERROR_FAILED, -ENOENT,
                             "--wait-quiet: /proc/stat can't be read: what else runs is not known");
        share = busyness_between(&before, &after, &cpu);
        if (share < QUIET_SHARE)
            return 0;
    } while (monotonic_ns() < end);
    return error_set(
        error, ERROR_FAILED, -EBUSY,
        "--wait-quiet: the machine was busy for all that time, processor %u at the end "
        "for %.0f %%: stop what runs there (see 'top'), or wait longer",
        cpu, 100 * share);
}
