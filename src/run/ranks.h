/* A run by several processes ("ranks", as in MPI) at once, on one or several machines. Each rank
 * has its own session, but all sessions have the same blocks in the same order, and end together.
 * In a closed loop the ranks synchronise before and after each block, so that their loads coincide.
 * In an open loop the ranks share one schedule, which does not wait for any rank. The caller
 * provides the communication. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/deadline.h"
#include "common/error.h"

struct ranks {
    unsigned rank, count;     /* number of this rank, from 0, and number of ranks */
    uint64_t timeout_ns;      /* timeout for a late rank; before DEADLINE, meet() may wait longer */
    struct deadline deadline; /* end of the run */
    bool broken; /* a rank did not respond in time, so that no more messages are sent */
    /* Wait for all ranks. CODE is the state of this rank: 0, or a negative errno with ERROR set.
     * *LEAST (LEAST may be NULL) is this rank's value, and is replaced by the minimum of all ranks'
     * values. Returns 0 if all ranks arrive with a CODE of 0. Otherwise meet() returns in every
     * rank the code of one failed rank, with ERROR set to that rank's message and name; then every
     * later call returns the same error at once, except if the code was -ECANCELED, by which a rank
     * gives up a series. */
    int (*meet)(struct ranks *ranks, int code, uint64_t *least, struct error *error);
    /* Function that meet() calls repeatedly with WAITING as CONTEXT while it waits; NULL: none. */
    void (*while_waiting)(void *context);
    void *waiting;
};

/* Call meet(). If RANKS is NULL (a single process), return CODE and leave *LEAST unchanged. */
static inline int ranks_meet(struct ranks *ranks, int code, uint64_t *least, struct error *error)
{
    return ranks ? ranks->meet(ranks, code, least, error) : code;
}
