/* How busy the machine's processors are. */
#pragma once

#include <stdint.h>

#include "common/cpu.h"
#include "common/deadline.h"
#include "common/error.h"

enum { QUIET_CPUS = 1024 }; /* maximum number of processors */

#define QUIET_SHARE 0.1 /* limit for a quiet machine: the busy share of each processor's time */

#define QUIET_CHOICE_NS UINT64_C(300000000) /* 30 ticks of 10 ms, the unit of busy time */

/* Times of each processor since boot, in ticks, by its number, from /proc/stat. */
struct busyness {
    double busy[QUIET_CPUS], all[QUIET_CPUS];
    unsigned count; /* highest number plus 1; 0: can't be read */
};

void busyness_read(struct busyness *busyness);

/* Return the highest busy share of a processor, 0 to 1, between BEFORE and AFTER, and set *CPU to
 * that processor. */
double busyness_between(const struct busyness *before, const struct busyness *after, unsigned *cpu);

/* Return the ALLOWED processor with the least busy share between BEFORE and AFTER; if several are
 * equal, the last one, because interrupts of devices often go to the first. */
struct cpu_choice busyness_least(const struct busyness *before, const struct busyness *after,
                                 const cpu_set_t *allowed);

/* Find the quietest processor that the calling thread may use, by observing them for
 * QUIET_CHOICE_NS. A single processor is the CHOICE at once. Returns 0; or, with ERROR set, -ETIME
 * at the DEADLINE or -EINTR after a signal. */
int quiet_choose(struct cpu_choice *choice, const struct deadline *deadline, struct error *error);

/* Wait until each processor was busy for less than QUIET_SHARE of the last two seconds. Returns 0;
 * -EBUSY (ERROR_FAILED) if that did not happen within LIMIT_NS; -ETIME at the DEADLINE; -EINTR
 * after a signal; -ENOENT if the load is unknown. */
int quiet_await(uint64_t limit_ns, const struct deadline *deadline, struct error *error);
