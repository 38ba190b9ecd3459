/* How busy the machine's processors are with whatever runs. */
#pragma once

#include <stdint.h>

#include "common/deadline.h"
#include "common/error.h"

enum { QUIET_CPUS = 1024 }; /* that are looked at */

#define QUIET_SHARE 0.1 /* of a processor's time: a quiet machine's are busy for less */

/* What each processor did so far, from /proc/stat. */
struct busyness {
    double busy[QUIET_CPUS], all[QUIET_CPUS];
    unsigned count; /* 0: it can't be read */
};

void busyness_read(struct busyness *busyness);

/* The largest share of its time that a processor was busy between BEFORE and AFTER; *CPU is it. */
double busyness_between(const struct busyness *before, const struct busyness *after, unsigned *cpu);

/* Wait until no processor was busy for QUIET_SHARE of the last two seconds. 0; -EBUSY
 * (ERROR_FAILED) if there were no such seconds within LIMIT_NS; -ETIME at the DEADLINE; -EINTR
 * after a signal; -ENOENT where it is not known. */
int quiet_await(uint64_t limit_ns, const struct deadline *deadline, struct error *error);
