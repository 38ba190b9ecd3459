/* What limits the throughput, from where calls under load spend their time: a pure function. At a
 * resource that is busy calls wait for one another, and the more of them are in flight, the more of
 * each call's time is that wait. See doc/EXPLAIN.md, "What limits the load". */
#pragma once

#include <stddef.h>

#include "experiment/laws/bottleneck.h"
#include "measure/phases.h"

/* The parts of a call's lifetime. "Behind other calls": a thread is busy with these. */
enum call_part {
    PART_SLOT,             /* the call is due, but as many calls as allowed are in flight */
    PART_CLIENT_WAIT,      /* waits for the client, behind other calls */
    PART_CLIENT_PROCESSOR, /* the client's thread waits for a processor */
    PART_CLIENT_WORK,
    PART_SEND_BUFFER,  /* waits in the client's socket until TCP may send it */
    PART_DEVICE_QUEUE, /* waits in the queueing discipline of the client's device */
    PART_NETWORK,      /* travels, in either direction */
    PART_SERVER_WAIT,  /* waits for the server, behind other calls */
    PART_SERVER_PROCESSOR,
    PART_SERVER_READ, /* wakes the server, and is read */
    PART_SERVER_WORK, /* is executed */
    PART_SERVER_SEND, /* the reply is sent, until the server's device takes it */
    PART_BEYOND,      /* network and server, where these can't be told apart */
    CALL_PARTS,
};

/* What is known of calls under load. Shares are between 0 and 1; NAN: unknown. */
struct call_parts {
    double shares[CALL_PARTS]; /* of the mean lifetime */
    double server_cpu; /* how long the server's threads use or wait for a processor per call, over
                          the mean lifetime */
    double server_waited;     /* the part of SERVER_CPU that they wait for it */
    double client_thread_cpu; /* of one processor, by the client's busiest thread */
    double both_cpus;         /* processors that client and server used together */
    double link;              /* use of the link's speed in the busier direction */
    double window_limited;    /* share of the time in which the server's receive window was full */
    double rtt_stretch;       /* TCP's usual round trip over the least */
    double round_trip;        /* TCP's least round trip over the mean lifetime */
    double network_stretch;   /* the time on the network, both ways, over TCP's least round trip */
};

/* A place holds the limit if calls spend so much of their time in flight there. */
#define PARTS_MOST 0.5

/* Calls wait for one another if they spend so much of their time in flight behind other calls. */
#define PARTS_WAITING 0.25

/* Client and server take turns if calls wait so long for each of them. */
#define PARTS_TURNS 0.1

/* A thread works if it uses, or would use, a processor for so much of the time. The server's
 * reading and sending is shared by calls, and a part of each: only its work is not counted twice.
 */
#define PARTS_ON_CPU 0.5

/* Packets wait for the line from this stretch on: half of their time. */
#define PARTS_STRETCH 2

/* The part that a phase of a call under load belongs to. */
enum call_part call_part_of(const struct phase_type *phase);

/* Add to SHARES (zeroed before) those of COUNT ROWS of phases, each times WEIGHT. */
void call_parts_add(double shares[CALL_PARTS], const struct phase_row *rows, size_t count,
                    double weight);

/* The limit; BOTTLENECK_UNKNOWN if the parts do not show it. */
enum bottleneck limit_of_parts(const struct call_parts *parts);

/* The share of a call's lifetime that speaks for LIMIT: at the resource, and waiting for it. NAN:
 * no part belongs to LIMIT. */
double call_parts_share(const struct call_parts *parts, enum bottleneck limit);
