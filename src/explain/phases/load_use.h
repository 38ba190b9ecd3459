/* What client, server and line did during the blocks of calls that are explained: the use of
 * processors and of the line, as evidence of what limits the throughput. */
#pragma once

#include "experiment/laws/bottleneck.h"
#include "measure/counters.h"
#include "measure/process.h"

struct load_use {
    struct busy client, server;
    pid_t server_pid;   /* 0: unknown, or on another machine */
    double server_cpus; /* number of processors that the server may use; NAN: unknown */
    struct counters before;
    double link_ns; /* how long the busiest link needs at full speed */
    /* TCP's round trip, the least, and the share of its sending in which the server's receive
     * window was full; NAN: unknown. */
    double rtt_ns, rtt_least_ns, window_limited;
    uint64_t opened_ns, block_began_ns; /* CLOCK_MONOTONIC_RAW; BLOCK_BEGAN_NS 0: not watched */
    uint64_t reading_ns, elapsed_ns;    /* duration of the readings, and of the watched blocks */
    uint64_t calls;                     /* in the watched blocks */
};

/* Begin without blocks. SERVER is its process on this machine; 0: unknown. */
void load_use_open(struct load_use *use, pid_t server);

/* Immediately before and after a block of CALLS calls over the socket FD (negative: unknown). A
 * block is not watched if readings took more than a tenth of the time so far. */
void load_use_begin(struct load_use *use);
void load_use_end(struct load_use *use, size_t calls, int fd);

/* What the server's threads did for a call, ns: used a processor, and waited for one. NAN: unknown.
 */
struct process_times load_use_server_call(const struct load_use *use);

/* What is known of a load by its use of resources; all else is NAN. The client has THREADS; one
 * that spins (SPIN) is always busy, so its processor time is unknown. */
struct bottleneck_evidence load_use_evidence(const struct load_use *use, bool spin,
                                             unsigned threads);
