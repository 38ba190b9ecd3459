/* A process that cleans up when this one is gone, however it ended. */
#ifndef NFSBENCH_LOCAL_GUARD_H
#define NFSBENCH_LOCAL_GUARD_H

#include <sys/types.h>

struct local_guard {
    pid_t pid; /* 0: there is none */
    int alive; /* descriptor that this process has open as long as it lives */
};

/* Start the process, which calls CLEAN_UP with CONTEXT, in a copy of this one's memory, when this
 * process has ended, or has called local_guard_end(); but only after local_guard_arm(). To be
 * called before there are threads. Returns 0 or a negative errno. */
int local_guard_start(struct local_guard *guard, void (*clean_up)(void *context), void *context);

/* From now on there is something to clean up. Returns 0 or a negative errno. */
int local_guard_arm(const struct local_guard *guard);

/* End it, and wait until it has cleaned up. A zeroed one may be ended, too. */
void local_guard_end(struct local_guard *guard);

#endif
