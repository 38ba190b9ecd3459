/* The server's residence times, for a client on another machine: the server's timestamps relative
 * to the request's arrival, and their placement among the client's timestamps of the call. The
 * clocks of two hosts are never compared, only durations measured by each. Pure.
 *
 * The client's wait, from the transmission of the request to the receipt of the reply, less the
 * server's residence time, is the network time in both directions; each direction gets half of it.
 */
#pragma once

#include "explain/server_timestamps.h"

enum {
    RESIDENCE_TIMESTAMPS = 9, /* of the server's timestamps, after the request's arrival */
    RESIDENCE_SENT = RESIDENCE_TIMESTAMPS - 1, /* the index of TIMESTAMP_REPLY_SENT */
    RESIDENCES_MAXIMUM = 16384,                /* in a block */
};

#define RESIDENCE_NONE       UINT64_MAX          /* the timestamp does not exist, or was lost */
#define RESIDENCE_LONGEST_NS (UINT64_C(1) << 53) /* no residence time is longer: 104 days */

/* Which they are. */
extern const enum timestamp residence_timestamps[RESIDENCE_TIMESTAMPS];

struct server_residence {
    uint32_t xid; /* under load: the number of the call among those that were asked for */
    uint64_t after_ns[RESIDENCE_TIMESTAMPS]; /* since the request's arrival, in the order of
                                                residence_timestamps */
};

/* Convert the server's timestamps of CALL. Returns false if its arrival or departure is unknown. */
bool server_residence_of(const struct call_times *call, struct server_residence *residence);

/* Find the residence times in EVENTS, which have no events of a client's thread: one, in order, for
 * each reply whose request's arrival and whose departure are known. Stores at most ROOM of them in
 * RESIDENCES, and returns their total number. */
size_t server_residence_find(const struct server_events *events,
                             struct server_residence *residences, size_t room);

/* The result of joining a block's calls with residence times. */
struct residences_joined {
    /* Calls that could be joined: sent once, answered, with the client's timestamps. */
    size_t calls;
    size_t fitting; /* of these, calls with one residence time that is not longer than their wait */
};

/* Fill in REQUEST_ARRIVED to REPLY_SENT of the COUNT CALLS from the RESIDENCE_COUNT residence
 * times, by xid; TRANSMITTED and REPLY_RECEIVED must be set. A call without a residence time, or
 * with two (its request arrived twice), is not filled in; one whose residence time is longer than
 * its wait gets timestamps out of order. RESIDENCES is sorted. */
struct residences_joined server_residence_join(struct server_residence *residences,
                                               size_t residence_count, struct call_times *calls,
                                               size_t count);

/* The same for one CALL and its RESIDENCE. Returns whether it fits. */
bool server_residence_place(const struct server_residence *residence, struct call_times *call);
