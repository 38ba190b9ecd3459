/* How busy the machine's processors are with whatever runs. */
#pragma once

#include <stdint.h>

#include "common/cpu.h"
#include "common/deadline.h"
#include "common/error.h"

enum { QUIET_CPUS = 1024 }; /* that are looked at */

#define QUIET_SHARE 0.1 /* of a processor's time: a quiet machine's are busy for less */

#define QUIET_CHOICE_NS UINT64_C(300000000) /* 30 ticks of 10 ms, by which busy time is counted */

/* What each processor did so far, by its number, from /proc/stat. */
struct busyness {
    double busy[QUIET_CPUS], all[QUIET_CPUS];
    unsigned count; /* the last one's number plus 1; 0: it can't be read */
};

void busyness_read(struct busyness *busyness);

/* The largest share of its time that a processor was busy between BEFORE and AFTER; *CPU is it. */
double busyness_between(const struct busyness *before, const struct busyness *after, unsigned *cpu);

/* Of the ALLOWED processors, the one that was busy for the least share of its time between BEFORE
 * and AFTER; of several the last, since devices' interrupts often go to the first. */
struct cpu_choice busyness_least(const struct busyness *before, const struct busyness *after,
                                 const cpu_set_t *allowed);

/* Look for QUIET_CHOICE_NS which of the processors that the calling thread may run on is the
 * quietest. If there is only one, that is the CHOICE at once. 0; or -ETIME at the DEADLINE or
 * -EINTR after a signal, with ERROR set. */
int quiet_choose(struct cpu_choice *choice, const struct deadline *deadline, struct error *error);

/* Wait until no processor was busy for QUIET_SHARE of the last two seconds. 0; -EBUSY
 * (ERROR_FAILED) if there were no such seconds within LIMIT_NS; -ETIME at the DEADLINE; -EINTR
 * after a signal; -ENOENT where it is not known. */
int quiet_await(uint64_t limit_ns, const struct deadline *deadline, struct error *error);
