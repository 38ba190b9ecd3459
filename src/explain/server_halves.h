/* The server's half of calls whose client is on another machine: what happened there, in time from
 * when the request had arrived, and how it is placed in the call as the client saw it. Two hosts'
 * clocks are never compared: durations of each are. Pure.
 *
 * A call's wait, from when its request was transmitted until its reply was received, less the time
 * that the server's machine had it, is the network's, both ways; each way is given a half. */
#ifndef NFSBENCH_EXPLAIN_SERVER_HALVES_H
#define NFSBENCH_EXPLAIN_SERVER_HALVES_H

#include "explain/server_moments.h"

enum {
    HALF_FIRST = MOMENT_SERVER_WOKEN, /* the first moment after the request's arrival */
    HALF_MOMENTS = MOMENT_REPLY_SENT - HALF_FIRST + 1,
    HALVES_MAXIMUM = 16384, /* of a block */
};

#define HALF_NONE       UINT64_MAX          /* that moment did not come, or was lost */
#define HALF_LONGEST_NS (UINT64_C(1) << 53) /* no half takes longer: 104 days */

struct server_half {
    uint32_t xid;
    uint64_t after_ns[HALF_MOMENTS]; /* from the request's arrival; by moment, less HALF_FIRST */
};

/* The halves in EVENTS, in which there are none of a client's thread, in order: one for each reply
 * of which the request's arrival and the reply's leaving are known. Writes those that ROOM is for
 * to HALVES, and returns how many there are. */
size_t server_halves_find(const struct server_events *events, struct server_half *halves,
                          size_t room);

/* How a block's calls and halves met. */
struct halves_joined {
    size_t calls;   /* that could be joined: sent once, answered, with the client's stamps */
    size_t fitting; /* of these, those that have one half, which is no longer than their wait */
};

/* Fill in REQUEST_ARRIVED to REPLY_SENT of CALLS by the halves of their xid, COUNT and HALF_COUNT
 * in number; TRANSMITTED and REPLY_RECEIVED must be. A call that has no half, or two (its request
 * came twice), is left without; one whose half is longer than its wait gets moments that are out of
 * order. HALVES are sorted. */
struct halves_joined server_halves_join(struct server_half *halves, size_t half_count,
                                        struct call_times *calls, size_t count);

#endif
