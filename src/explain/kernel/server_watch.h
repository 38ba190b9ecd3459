/* The server's timestamps if the server is on another machine. A command prefix runs `nfsbench
 * agent --events` there.
 * The agent reports residence times: the server's timestamps relative to the request's arrival.
 * Clocks of two hosts are never compared. The network time in both directions is the client's wait,
 * from transmission of the request to receipt of the reply, less the residence time. Each direction
 * gets half of it. */
#pragma once

#include "engine/channel/endpoint.h"
#include "explain/kernel/server_timestamps.h"
#include "run/setup/remote_command.h"

/* Residence times */

enum {
    RESIDENCE_TIMESTAMPS = 9,                  /* number of timestamps in a residence time */
    RESIDENCE_SENT = RESIDENCE_TIMESTAMPS - 1, /* the index of TIMESTAMP_REPLY_SENT */
    RESIDENCES_MAXIMUM = 16384,                /* most residence times of a block */
};

#define RESIDENCE_NONE       UINT64_MAX          /* the timestamp does not exist or was lost */
#define RESIDENCE_LONGEST_NS (UINT64_C(1) << 53) /* upper limit of a residence time, 104 days */

/* Item I is the timestamp whose time is AFTER_NS[I] in struct server_residence. */
extern const enum timestamp residence_timestamps[RESIDENCE_TIMESTAMPS];

struct server_residence {
    /* xid of the call. Under load, the agent can't identify calls by xid, so XID is the call's
     * index in the list that the agent was asked about. */
    uint32_t xid;
    uint64_t after_ns[RESIDENCE_TIMESTAMPS]; /* times since the request's arrival */
};

/* Set RESIDENCE from the server's timestamps of CALL. Returns false if REQUEST_ARRIVED or
 * REPLY_SENT is unknown. */
bool server_residence_of(const struct call_times *call, struct server_residence *residence);

/* Find residence times in EVENTS, in the order of the replies: one for each reply with a known xid,
 * REQUEST_ARRIVED and REPLY_SENT. EVENTS contain no event of a client's thread. Stores at most ROOM
 * residence times in RESIDENCES, and returns how many were found. */
size_t server_residence_find(const struct server_events *events,
                             struct server_residence *residences, size_t room);

/* Result of joining a block's calls with residence times. */
struct residences_joined {
    /* calls that could be joined: answered without error and retransmission, with TRANSMITTED and
     * REPLY_RECEIVED */
    size_t calls;
    /* number of CALLS with exactly one residence time that is not longer than the call's wait */
    size_t fitting;
};

/* Sort RESIDENCES by xid. */
void server_residence_sort(struct server_residence *residences, size_t count);

/* If CALL can be joined, count it in JOINED, and set its timestamps from REQUEST_ARRIVED to
 * REPLY_SENT by the residence time with CALL's xid among the COUNT sorted RESIDENCES. A call
 * without a residence time, or with two because its request arrived twice, remains unchanged. If
 * the residence time exceeds the call's wait, timestamps are out of order. */
void server_residence_join(const struct server_residence *residences, size_t count,
                           struct call_times *call, struct residences_joined *joined);

/* The agent's answer after a block: residence times of its calls. */
struct watch_answer {
    uint64_t events_lost;
    size_t count;
    struct server_residence residences[RESIDENCES_MAXIMUM];
};

json_t *watch_answer_to_json(const struct watch_answer *answer);

/* Parse OBJECT into ANSWER, a struct watch_answer. Returns 0, or -EBADMSG if OBJECT is no answer,
 * has numbers out of range or more than RESIDENCES_MAXIMUM residence times. */
int watch_answer_from_json(void *answer, const json_t *object);

/* A call under load, by its positions in the connection's streams (struct load_call). */
struct watch_call {
    uint16_t port; /* client's port */
    uint32_t request_end, reply_begin, reply_end;
};

/* Parse ARRAY, the numbers in a question, into LIST, which has space for ROOM numbers. Returns
 * their count, or -EBADMSG if ARRAY is too long or contains anything but 32-bit numbers. */
long watch_numbers(const json_t *array, uint32_t *list, size_t room);

/* The watch */

struct server_watch;

struct server_watch_request {
    const char *prefix; /* prefix of the agent's command line, such as "ssh server" */
    const struct endpoint *endpoint;
    uint16_t client_port;     /* 0: under load; server_watch_begin() gets the ports */
    struct deadline deadline; /* the agent must be ready by then; a signal ends every wait */
};

/* Start a watch. This function, server_watch_begin() and server_watch_end() return 0, or a negative
 * errno with ERROR set: -EINTR after an interrupt; else ERROR says why the watch does not work. */
int server_watch_open(struct server_watch **watch, const struct server_watch_request *request,
                      struct error *error);

/* Begin to watch a block of calls from the COUNT client PORTS. */
int server_watch_begin(struct server_watch *watch, const uint16_t *ports, size_t count,
                       struct error *error);
/* End the block, and set *ANSWER, which is valid until WATCH ends another block. Under load, the
 * agent is asked for the COUNT CALLS, at most RESIDENCES_MAXIMUM; otherwise COUNT is 0. */
int server_watch_end(struct server_watch *watch, const struct watch_call *calls, size_t count,
                     struct watch_answer **answer, struct error *error);

/* End the watch; NULL is allowed. */
void server_watch_close(struct server_watch *watch);
