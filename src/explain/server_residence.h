/* The server's residence times, of calls whose client is on another machine: what happened there,
 * in time from when the request had arrived, and how it is placed in the call as the client saw it.
 * Two hosts' clocks are never compared: durations of each are. Pure.
 *
 * A call's wait, from when its request was transmitted until its reply was received, less the time
 * that the server's machine had it, is the network's, both ways; each way is given a half. */
#ifndef NFSBENCH_EXPLAIN_SERVER_RESIDENCE_H
#define NFSBENCH_EXPLAIN_SERVER_RESIDENCE_H

#include "explain/server_timestamps.h"

enum {
    RESIDENCE_FIRST = TIMESTAMP_SERVER_WOKEN, /* the first moment after the request's arrival */
    RESIDENCE_TIMESTAMPS = TIMESTAMP_REPLY_SENT - RESIDENCE_FIRST + 1,
    RESIDENCES_MAXIMUM = 16384, /* of a block */
};

#define RESIDENCE_NONE       UINT64_MAX          /* that moment did not come, or was lost */
#define RESIDENCE_LONGEST_NS (UINT64_C(1) << 53) /* none takes longer: 104 days */

struct server_residence {
    uint32_t xid;
    uint64_t after_ns[RESIDENCE_TIMESTAMPS]; /* from the request's arrival; by moment, less
                                                RESIDENCE_FIRST */
};

/* The residence times in EVENTS, in which there are none of a client's thread, in order: one for
 * each reply of which the request's arrival and the reply's leaving are known. Writes those that
 * ROOM is for to RESIDENCES, and returns how many there are. */
size_t server_residence_find(const struct server_events *events,
                             struct server_residence *residences, size_t room);

/* How a block's calls and residence times met. */
struct residences_joined {
    size_t calls;   /* that could be joined: sent once, answered, with the client's stamps */
    size_t fitting; /* of these, those that have one residence time, no longer than their wait */
};

/* Fill in REQUEST_ARRIVED to REPLY_SENT of CALLS by the residence times of their xid, COUNT and
 * RESIDENCE_COUNT in number; TRANSMITTED and REPLY_RECEIVED must be. A call that has none, or two
 * (its request came twice), is left without; one whose residence time is longer than its wait gets
 * timestamps that are out of order. RESIDENCES are sorted. */
struct residences_joined server_residence_join(struct server_residence *residences,
                                               size_t residence_count, struct call_times *calls,
                                               size_t count);

#endif
