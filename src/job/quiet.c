#include "job/quiet.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

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
            return error_set(error, ERROR_FAILED, -EINTR, "interrupted while it waited");
        if (code)
            return error_set(error, ERROR_FAILED, code,
                             "--wait-quiet: --max-time was over before the machine had been quiet "
                             "for two seconds: give it more time, or stop what runs there");
        if (after.count == 0)
            return error_set(error, ERROR_FAILED, -ENOENT,
                             "--wait-quiet: /proc/stat can't be read: what else runs is not known");
        share = busyness_between(&before, &after, &cpu);
        if (share < QUIET_SHARE)
            return 0;
    } while (!deadline_is_over(&until));
    return error_set(
        error, ERROR_FAILED, -EBUSY,
        "--wait-quiet: the machine was busy for all that time, processor %u at the end "
        "for %.0f %%: stop what runs there (see 'top'), or wait longer",
        cpu, 100 * share);
}
