/* How much load a run makes: how many clients, over how many connections, with how many calls
 * in flight, and, in an open loop, how often. */
#ifndef NFSBENCH_MEASURE_LOAD_H
#define NFSBENCH_MEASURE_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/arrivals.h"

enum { LOAD_CPUS_MAXIMUM = 256 };

struct load {
    unsigned clients;     /* 1 or more */
    unsigned connections; /* of each client; 1 or more */
    unsigned depth;       /* calls in flight on each connection, at most; 1 or more */
    unsigned batch; /* replies on a connection that its thread sleeps for; 0 and 1: each wakes it */
    unsigned threads;                 /* that the clients are shared out to; 1 or more */
    uint16_t cpus[LOAD_CPUS_MAXIMUM]; /* threads are bound to these in turn; none: not bound */
    unsigned cpu_count;
    double rate; /* calls/s in all that are to be sent, whatever becomes of them (an open loop); 0:
                    each is sent when another is answered (a closed loop) */
    enum arrivals_kind arrival;
    uint64_t seed;  /* of the arrivals */
    unsigned ranks; /* processes that make one each at the same time; 0: this one is alone */
};

/* A client's part in a load. */
struct load_client {
    uint64_t calls; /* that were timed */
    uint64_t ticks; /* in them, in total */
};

/* One call at a time, as soon as the one before is answered; also where nothing is set. */
static inline bool load_is_single(const struct load *load)
{
    return load->clients <= 1 && load->connections <= 1 && load->depth <= 1 && load->rate == 0 &&
           load->ranks == 0;
}

/* Calls in flight, at most. */
static inline uint64_t load_in_flight(const struct load *load)
{
    return (uint64_t)load->clients * load->connections * load->depth;
}

#endif
