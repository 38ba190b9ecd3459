/* The limit of the throughput, from where calls under load spend their time: a pure function. Calls
 * wait for one another at a busy resource. The more calls are in flight, the larger is the wait's
 * share of each call's time. See doc/EXPLAIN.md, "What limits the load". */
#pragma once

#include <stddef.h>

#include "experiment/laws/bottleneck.h"
#include "measure/phases.h"

/* The parts of a call's lifetime, each a sum of phases. "Behind other calls" means that a thread is
 * busy with other calls. */
enum call_part {
    PART_SLOT,             /* the call is due, but the maximum number of calls is in flight */
    PART_CLIENT_WAIT,      /* the call waits for the client, behind other calls */
    PART_CLIENT_PROCESSOR, /* the client's thread waits for a processor */
    PART_CLIENT_WORK,
    PART_SEND_BUFFER,  /* the call waits in the client's socket until TCP may send it */
    PART_DEVICE_QUEUE, /* the call waits in the queueing discipline of the client's device */
    PART_NETWORK,      /* call or reply is on the network */
    PART_SERVER_WAIT,  /* the call waits for the server, behind other calls */
    PART_SERVER_PROCESSOR,
    PART_SERVER_READ, /* from waking the server until the request is read */
    PART_SERVER_WORK, /* the server executes the call */
    PART_SERVER_SEND, /* from sending the reply until the server's device has it */
    PART_BEYOND,      /* network and server, if these can't be distinguished */
    CALL_PARTS,
};

/* Measurements of calls under load. Shares are 0 to 1; NAN: unknown. */
struct call_parts {
    double shares[CALL_PARTS]; /* share of the mean lifetime for each part */
    /* Server threads' time on or awaiting a processor, per call, divided by the mean lifetime. */
    double server_cpu;
    double server_waited;     /* like SERVER_CPU, but only the time awaiting a processor */
    double client_thread_cpu; /* share of a processor that the client's busiest thread used */
    double both_cpus;         /* number of processors that client and server used in sum */
    double link;              /* share of the link's speed that the busier direction used */
    double window_limited;    /* share of time in which the server's receive window was full */
    double rtt_stretch;       /* TCP's smoothed round-trip time divided by TCP's minimum */
    double round_trip;        /* TCP's minimum round-trip time divided by the mean lifetime */
    double network_stretch;   /* time on the network, both ways, divided by TCP's minimum round-trip
                                 time */
};

/* A resource can be the limit if calls spend at least this share of their time in flight there; for
 * slots, it is a share of their lifetime. The receive window must also be full for at least this
 * share of the time. If network and server can't be distinguished, ROUND_TRIP must be at least this
 * share. */
#define PARTS_MOST 0.5

/* Calls wait for one another if at least this share of their time in flight is behind other calls;
 * the server's threads wait for processors if SERVER_WAITED is at least this share. */
#define PARTS_WAITING 0.25

/* Client and server take turns if calls spend at least this share of their time in flight waiting
 * for the client, and also for the server, and both sides use about one processor in sum. */
#define PARTS_TURNS 0.1

/* The client's thread is busy if it uses a processor for at least this share of the time. The
 * server's threads are busy in a part of a call (enum call_part) if SERVER_CPU is at least this
 * share of the part's time. */
#define PARTS_ON_CPU 0.5

/* Packets wait for the link if RTT_STRETCH or NETWORK_STRETCH is at least this factor. */
#define PARTS_STRETCH 2

/* Return the part of a call under load that PHASE belongs to. */
enum call_part call_part_of(const struct phase_type *phase);

/* Add the shares of COUNT ROWS of phases, multiplied by WEIGHT, to SHARES (zeroed before the first
 * call). */
void call_parts_add(double shares[CALL_PARTS], const struct phase_row *rows, size_t count,
                    double weight);

/* Return the limit that PARTS shows; BOTTLENECK_UNKNOWN if it shows none. */
enum bottleneck limit_of_parts(const struct call_parts *parts);

/* Return the share of a call's lifetime that is spent at LIMIT or waiting for it; NAN if LIMIT has
 * no part. BOTTLENECK_LOCKSTEP: the share spent waiting for other calls. BOTTLENECK_ROUND_TRIP: all
 * but the shares spent waiting for other calls or for a slot. */
double call_parts_share(const struct call_parts *parts, enum bottleneck limit);
