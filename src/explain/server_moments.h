/* The moments of a call that the client does not see by itself, from what the kernel told. Pure. */
#ifndef NFSBENCH_EXPLAIN_SERVER_MOMENTS_H
#define NFSBENCH_EXPLAIN_SERVER_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "explain/kernel_event.h"
#include "measure/moment.h"

/* The events of a block of calls, by time, and whose they are. */
struct server_events {
    const struct kernel_event *list;
    size_t count;
    uint32_t client_thread, server_process;
};

/* Fill in, for each of COUNT CALLS that were made one after the other, REQUEST_ARRIVED to
 * REPLY_SENT and REPLY_ARRIVED to CLIENT_RUNS, as far as they are known. SEND_ENTERED, REPLY_READ
 * and the xid must be. What did not come, or was lost, stays 0. */
void server_moments(const struct server_events *events, struct call_times *calls, size_t count);

#endif
