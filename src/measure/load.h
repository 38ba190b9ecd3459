/* The load of a run: the numbers of clients, connections and calls in flight and, in an open loop,
 * the rate; and the blocks of calls in which it is made. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/arrivals.h"

enum { LOAD_CPUS_MAXIMUM = 256 };

struct load {
    unsigned clients;     /* 1 or more */
    unsigned connections; /* of each client; 1 or more */
    unsigned depth;       /* most calls in flight on each connection; 1 or more */
    unsigned batch;   /* replies on a connection that its thread waits for before it wakes; 0 and 1:
                         every reply wakes it */
    unsigned threads; /* among which the clients are divided; 1 or more */
    bool shared_contexts; /* the clients of a thread have one security context; else each has one */
    uint16_t cpus[LOAD_CPUS_MAXIMUM]; /* processors to which threads are bound in turn; none: not
                                         bound */
    unsigned cpu_count;
    double rate; /* calls/s of all clients together, sent whether or not earlier ones were answered
                    (open loop); 0: each reply triggers the next call (closed loop) */
    enum arrivals_kind arrival;
    const struct arrivals_course *course; /* of ARRIVALS_COURSE */
    const struct think *think; /* in a closed loop: how long the connections of client I wait,
                                  number I modulo THINKS; NULL: not at all */
    size_t thinks;
    uint64_t seed; /* of the arrivals, or of these times */
    /* Number of processes that make such a load at the same time; 0: only this one. In an open loop
     * they share one schedule: process RANK, from 0, makes every RANKS-th call of it. */
    unsigned ranks, rank;
};

/* What keeps a call of an open loop from being sent when it is due. */
enum load_hold {
    HOLD_DEPTH,      /* as many calls as the depth allows are in flight on each connection */
    HOLD_SOCKET,     /* the socket's buffer is full: the server reads too slowly, or the path is */
    HOLD_CONNECTION, /* the connection is lost, and not restored yet */
    HOLD_WINDOW,     /* the server's window of RPCSEC_GSS sequence numbers is full */
    LOAD_HOLDS,
};

/* Of the mean times in HELD: which is the longest? */
enum load_hold load_longest_hold(const double held[LOAD_HOLDS]);

/* What each of them means, for people: "as many as --depth allows were in flight". */
extern const char *const load_hold_texts[LOAD_HOLDS];

/* A block of calls, to be made one after the other, or as many at a time as the load says. */
struct block {
    size_t count;    /* number of calls */
    uint64_t *ticks; /* of each call that succeeded without retransmission; room for COUNT */
    size_t recorded; /* number of these: 0 to COUNT */
    /* Under a closed-loop load: so many calls are sent before the steady part begins; and as many
     * as are in flight are not timed at the end, when fewer and fewer are. 0: the steady part
     * begins when all connections have had a reply, and has no end. */
    size_t lead_in;
    /* Under load: the calls that were answered while as many as asked for were in flight, and how
     * long that was. 0: not known. */
    uint64_t steady_calls, steady_ticks;
    /* In an open loop. Given: for how many ticks after the block's begin calls leave no sample,
     * because another op's calls were in flight until shortly before; 0: the block continues the
     * op of the one before. Set: the number of such calls; the number without a reply;
     * ticks, when the block's first call was due; the mean number of calls in flight, and over how
     * many ticks; the processor time of the threads that made the calls; and for how many ticks
     * nothing was due before the block, because the schedule was interrupted. */
    uint64_t settle_ticks, left_out, unanswered, began_ticks, in_flight_ticks, cpu_ns, paused_ticks;
    double in_flight;
    /* In a closed loop: when no more calls are begun, on clock_raw_ns() (0: never), and whether
     * calls of the block were left then. */
    uint64_t until_ns;
    bool is_cut;
    /* Under load: by how much the typical call of the last third took longer than that of the
     * first, ns. */
    double trend_ns;
};

/* What one client contributed to a load. */
struct load_client {
    uint64_t calls; /* timed calls */
    uint64_t ticks; /* their total duration */
};

/* Processes that make such a load together; each makes every so many-th call. */
static inline unsigned load_processes(const struct load *load)
{
    return load->ranks ? load->ranks : 1;
}

/* Begin the schedule of a load with a rate, which all its threads and processes share: ARRIVALS has
 * the times of all their calls, in units of UNIT_NS. */
void load_begin_schedule(const struct load *load, double unit_ns, struct arrivals *arrivals);

/* How long the first CALLS calls of one process take in the schedule of LOAD, which has a rate: ns
 * from the schedule's begin until the last of them is due. Of a great number it is the mean. */
double load_schedule_ns(const struct load *load, double calls);

/* The same for an unlucky schedule: two standard deviations above the mean. */
double load_schedule_most_ns(const struct load *load, double calls);

/* Is it one call at a time, each sent as soon as the one before is answered? Also true if nothing
 * is set.
 */
static inline bool load_is_single(const struct load *load)
{
    return load->clients <= 1 && load->connections <= 1 && load->depth <= 1 && load->rate == 0 &&
           load->ranks == 0 && !load->think;
}

/* The most calls in flight. */
static inline uint64_t load_in_flight(const struct load *load)
{
    return (uint64_t)load->clients * load->connections * load->depth;
}

/* How many calls of LOAD were in flight on average, by Little's law. Rate and latency are not of
 * quite the same calls, and a stall between the two makes their product too large: more than all
 * that may be in flight can't be. */
static inline double load_mean_in_flight(const struct load *load, double rate_per_s, double mean_ns)
{
    const double product = rate_per_s * mean_ns / 1e9, most = (double)load_in_flight(load);

    return load->rate == 0 && product > most ? most : product;
}

/* Jain's fairness index of N nonnegative shares, such as the clients' throughputs: the squared sum
 * divided by N times the sum of squares. 1 if all are equal, 1/N if one has everything, k/N if k
 * are equal and the others have nothing (Jain, Chiu and Hawe, "A Quantitative Measure of Fairness
 * and Discrimination for Resource Allocation in Shared Computer Systems", 1984). 1 if all shares
 * are 0. */
static inline double load_fairness(const double *shares, size_t n)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        sum += shares[i];
        squares += shares[i] * shares[i];
    }
    return squares > 0 ? sum * sum / ((double)n * squares) : 1;
}
