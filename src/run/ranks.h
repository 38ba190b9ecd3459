/* A run by several processes ("ranks", as in MPI) at once, on one or several machines. Each rank
 * has its own session with the same blocks in the same order, and they decide together when to end.
 * In a closed loop they synchronise before and after each block, so that their loads coincide. In
 * an open loop they share one schedule, which no rank's waiting holds up. The caller provides the
 * communication; this module knows nothing of MPI. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/deadline.h"
#include "common/error.h"

struct ranks {
    unsigned rank, count;     /* this rank's number, from 0, and the number of ranks */
    uint64_t timeout_ns;      /* how long to wait for a late rank, at least */
    struct deadline deadline; /* of the run; after it, no rank is waited for any longer than that */
    bool broken;              /* one has not responded in time: nothing more can be sent */
    /* A barrier: wait for all ranks. CODE is this rank's state: 0, or a negative errno with ERROR
     * set. *LEAST (NULL: 0) becomes the minimum over all ranks. Returns 0 if all ranks' codes are
     * 0; otherwise, in all ranks, the code of a failed one, with ERROR set to its message and its
     * name. From then on every call returns that error immediately, except after -ECANCELED, by
     * which a rank gives up a series. */
    int (*meet)(struct ranks *ranks, int code, uint64_t *least, struct error *error);
    /* While meet() waits, it calls this function again and again. NULL: it only waits. */
    void (*while_waiting)(void *context);
    void *waiting;
};

/* Call meet(). With RANKS NULL, for a single process, it returns CODE and leaves *LEAST unchanged.
 */
static inline int ranks_meet(struct ranks *ranks, int code, uint64_t *least, struct error *error)
{
    return ranks ? ranks->meet(ranks, code, least, error) : code;
}
