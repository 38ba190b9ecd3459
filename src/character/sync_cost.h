/* Can a sync cost so little? */
#ifndef NFSBENCH_CHARACTER_SYNC_COST_H
#define NFSBENCH_CHARACTER_SYNC_COST_H

#include "measure/estimate.h"

enum sync_cost {
    SYNC_COST_PLAUSIBLE, /* data may have reached a medium that keeps them without power */
    SYNC_COST_TOO_SMALL, /* they can't have, unless the server's memory is backed up */
    SYNC_COST_UNCLEAR,   /* the interval allows both */
};

/* US is how much more a stable WRITE takes than an unstable one, us. No medium takes less than
 * SYNC_LEAST_US: flash whose write cache is backed up takes some 10 us over NVMe, a disk
 * milliseconds. */
enum { SYNC_LEAST_US = 5 };
enum sync_cost sync_cost_classify(const struct interval *us);

#endif
