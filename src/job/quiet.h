/* Finds out how busy the machine's processors are, chooses the least busy one, and waits until all
 * are quiet. */
#pragma once

#include <stdint.h>

#include "common/cpu.h"
#include "common/deadline.h"
#include "common/error.h"

enum { QUIET_CPUS = 1024 }; /* maximum number of processors */

#define QUIET_SHARE 0.1 /* a processor is quiet if its busy share of the time is less than this */

#define QUIET_CHOICE_NS UINT64_C(300000000) /* observation time: 30 ticks of 10 ms */

/* Busy and total time of each processor since boot, in ticks, indexed by processor number. */
struct busyness {
    double busy[QUIET_CPUS], all[QUIET_CPUS];
    unsigned count; /* highest processor number plus 1; 0: /proc/stat can't be read */
};

void busyness_read(struct busyness *busyness);

/* Return the highest busy share of a processor, 0 to 1, between BEFORE and AFTER, and set *CPU to
 * this processor. */
double busyness_between(const struct busyness *before, const struct busyness *after, unsigned *cpu);

/* Return the ALLOWED processor with the least busy share between BEFORE and AFTER; if several are
 * equal, the last one, because interrupts of devices often go to the first. */
struct cpu_choice busyness_least(const struct busyness *before, const struct busyness *after,
                                 const cpu_set_t *allowed);

/* For QUIET_CHOICE_NS, observe the processors that the calling thread may use, and set CHOICE to
 * the least busy one. If the thread may use only one, choose it at once. Returns 0; or, with ERROR
 * set, -ETIME at the DEADLINE or -EINTR after a signal. */
int quiet_choose(struct cpu_choice *choice, const struct deadline *deadline, struct error *error);

/* Wait for an interval of two seconds in which every processor is quiet (QUIET_SHARE). Returns 0
 * or, with ERROR set: -EBUSY if there was none within LIMIT_NS, rounded up to whole intervals;
 * -ETIME at the DEADLINE; -EINTR after a signal; -ENOENT if the load is unknown. */
int quiet_await(uint64_t limit_ns, const struct deadline *deadline, struct error *error);
