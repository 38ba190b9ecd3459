/* The load of a run: the numbers of clients, connections and calls in flight, and, in an open loop,
 * the rate. Also the blocks of calls in which the load is made. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/arrivals.h"

enum { LOAD_CPUS_MAXIMUM = 256 };

struct load {
    unsigned clients;     /* number of clients, 1 or more */
    unsigned connections; /* number of connections of each client, 1 or more */
    unsigned depth;       /* maximum of calls in flight on each connection; 1 or more */
    /* wanted number of replies per wake-up of a connection's thread; 0 or 1: each reply */
    unsigned batch;
    unsigned threads;     /* number of threads that share the clients; 1 or more */
    bool shared_contexts; /* a thread's clients share a security context; false: one per client */
    uint16_t cpus[LOAD_CPUS_MAXIMUM]; /* processors to which threads are bound in turn */
    unsigned cpu_count;
    /* Calls/s of all clients of this process, sent without waiting for replies (open loop). 0: each
     * reply triggers the next call, after any think time (closed loop). */
    double rate;
    enum arrivals_kind arrival;
    const struct arrivals_course *course; /* the rate over time; only for ARRIVALS_COURSE */
    /* think times of a closed loop: client I uses index I modulo THINKS; NULL: none */
    const struct think *think;
    size_t thinks;
    uint64_t seed; /* seed of the arrivals and of the think times */
    /* RANKS: number of processes that make the same load at the same time; 0: only this one. In an
     * open loop these processes share one schedule: process RANK (from 0) makes every RANKS-th
     * call. */
    unsigned ranks, rank;
};

/* Why a call of an open loop is not sent when it is due. */
enum load_hold {
    HOLD_DEPTH,      /* every connection has as many calls in flight as the depth allows */
    HOLD_SOCKET,     /* the socket's buffer is full: the server or the network is too slow */
    HOLD_CONNECTION, /* the connection is lost and not restored yet */
    HOLD_WINDOW,     /* the server's window of RPCSEC_GSS sequence numbers is full */
    LOAD_HOLDS,
};

/* Return the cause with the longest mean time in HELD, which is indexed by cause. */
enum load_hold load_longest_hold(const double held[LOAD_HOLDS]);

/* Texts for people, indexed by enum load_hold: "the connection was lost". */
extern const char *const load_hold_texts[LOAD_HOLDS];

/* A block of calls, made one at a time or, under load, as many at a time as the load requests. */
struct block {
    size_t count;    /* number of calls */
    uint64_t *ticks; /* samples of timed calls that succeeded at the first try (engine_run()) */
    size_t recorded; /* number of samples in TICKS: 0 to COUNT */
    /* Closed loop with load: minimum number of calls sent before the steady part. This part begins
     * when, besides, every connection has had a reply or was lost. Calls before it are not timed.
     * If lead_in is not 0, the last load_in_flight() calls are not timed, either (exceptions:
     * engine_run()). */
    size_t lead_in;
    /* Under load: number of calls in the steady part, and duration of this part; 0: unknown. Closed
     * loop: calls answered while as many as requested were in flight. Open loop: calls sent. */
    uint64_t steady_calls, steady_ticks;
    /* Open loop. Input: skip_ticks, a time after the block's begin. Most calls due in it leave no
     * sample, because calls of another op, or fewer calls than later, are in flight (0: all leave
     * one). Output: left_out, the number of calls without a sample; unanswered, the number of calls
     * not sent or without a reply; began_ticks, when the first call was due; in_flight_ticks, the
     * time over which in_flight is the mean number of calls in flight; cpu_ns, the processor time
     * of the threads that made the calls; paused_ticks, the time before the block in which no call
     * was due because the schedule was interrupted. */
    uint64_t skip_ticks, left_out, unanswered, began_ticks, in_flight_ticks, cpu_ns, paused_ticks;
    double in_flight;
    /* Closed loop. Some engines cut the block when clock_raw_ns() reaches UNTIL_NS (0: never). With
     * one call at a time, they do so only after a call of 1 ms or more. IS_CUT: it was cut. */
    uint64_t until_ns;
    bool is_cut;
    /* Under load: trimmed mean latency of the last third of the timed calls, less that of the first
     * third, ns; 0: unknown. */
    double trend_ns;
};

/* The timed calls of one client of a load. */
struct load_client {
    uint64_t calls; /* number of timed calls */
    uint64_t ticks; /* total duration of these calls */
};

static inline unsigned load_processes(const struct load *load)
{
    return load->ranks ? load->ranks : 1;
}

/* Begin the schedule of LOAD, which has a rate. All threads and processes share the schedule:
 * ARRIVALS has the times of all calls, in units of UNIT_NS. */
void load_begin_schedule(const struct load *load, double unit_ns, struct arrivals *arrivals);

/* Return the time in ns from the begin of LOAD's schedule until the first CALLS calls of one
 * process are due. LOAD must have a rate. For many or evenly spaced calls, it is CALLS / rate. */
double load_schedule_ns(const struct load *load, double calls);

/* Return CALLS / rate in ns plus, unless calls are evenly spaced, two standard deviations of this
 * time for Poisson arrivals. */
double load_schedule_most_ns(const struct load *load, double calls);

/* Return true if LOAD makes one call at a time, each sent as soon as the previous call is answered.
 * Also true for a zeroed LOAD. */
static inline bool load_is_single(const struct load *load)
{
    return load->clients <= 1 && load->connections <= 1 && load->depth <= 1 && load->rate == 0 &&
           load->ranks == 0 && !load->think;
}

static inline uint64_t load_in_flight(const struct load *load)
{
    return (uint64_t)load->clients * load->connections * load->depth;
}

/* Return the mean number of calls of LOAD in flight: the rate times the mean latency (Little's
 * law). In a closed loop, this product is limited to load_in_flight(), because a stall between
 * measuring the rate and the latency can make it too large. */
static inline double load_mean_in_flight(const struct load *load, double rate_per_s, double mean_ns)
{
    const double product = rate_per_s * mean_ns / 1e9, most = (double)load_in_flight(load);

    return load->rate == 0 && product > most ? most : product;
}

/* Return Jain's fairness index of N nonnegative SHARES, such as the clients' throughputs: the
 * squared sum divided by N times the sum of squares. It is 1 if all shares are equal, and k/N if k
 * shares are equal and the rest are 0 (Jain, Chiu and Hawe, "A Quantitative Measure of Fairness and
 * Discrimination for Resource Allocation in Shared Computer Systems", 1984). */
static inline double load_fairness(const double *shares, size_t n)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        sum += shares[i];
        squares += shares[i] * shares[i];
    }
    return squares > 0 ? sum * sum / ((double)n * squares) : 1;
}
