/* A run by several processes ("ranks", as in MPI) at once, on one or several machines. Each rank
 * has its own session with the same blocks in the same order, and the ranks decide together when to
 * end. In a closed loop the ranks synchronise before and after each block, so that their loads
 * coincide. In an open loop they share one schedule, which does not wait for any rank. The caller
 * provides the communication. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/deadline.h"
#include "common/error.h"

struct ranks {
    unsigned rank, count;     /* number of this rank, from 0, and number of ranks */
    uint64_t timeout_ns;      /* minimum time to wait for a late rank */
    struct deadline deadline; /* end of the run; after it, a rank waits no longer than TIMEOUT_NS */
    bool broken;              /* a rank did not respond in time: no more messages can be sent */
    /* Wait for all ranks. CODE is the state of this rank: 0, or a negative errno with ERROR set.
     * *LEAST (may be NULL) becomes the minimum over all ranks. Returns 0 if the codes of all ranks
     * are 0; otherwise every rank returns the code of a failed rank, with ERROR set to its message
     * and name. After an error every later call returns the same error at once, except after
     * -ECANCELED, by which a rank gives up a series. */
    int (*meet)(struct ranks *ranks, int code, uint64_t *least, struct error *error);
    /* Called again and again while meet() waits, with WAITING as context; NULL: not called. */
    void (*while_waiting)(void *context);
    void *waiting;
};

/* Call meet(). If RANKS is NULL (a single process), return CODE and leave *LEAST unchanged. */
static inline int ranks_meet(struct ranks *ranks, int code, uint64_t *least, struct error *error)
{
    return ranks ? ranks->meet(ranks, code, least, error) : code;
}
