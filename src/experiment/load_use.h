/* Use of the client, the server and the link during the blocks of a load: processors, links, and
 * the state of TCP connections. The time between blocks is excluded. */
#pragma once

#include "engine/channel/tcp_state.h"
#include "experiment/experiment.h"
#include "measure/process.h"
#include "run/ledger_run.h"

struct engine;

struct load_use {
    struct server_counters *server;
    /* number of processors that a server on this machine may use; NAN: unknown */
    double server_cpus;
    struct busy client_threads, server_threads;
    struct counters client_before, server_before;
    /* Processor time of a server on another machine (--server-cmd) in all watched blocks, ns; NAN:
     * unknown. */
    double server_ns;
    struct load_link {
        char name[16];         /* name of the interface; empty: unused entry */
        double carried;        /* bytes in the busier direction of each block, added up */
        double packets, bytes; /* packets and bytes received */
    } links[COUNTERS_INTERFACES_MAXIMUM];
    double interrupts, net_rx; /* hardware and NET_RX interrupts on the client's machine */
    double machine_ns;         /* busy time of the client machine's processors, added up, ns */
    double machine_cpus;       /* number of processors of the client's machine */
    struct tcp_watch tcp;      /* state of at most TCP_WATCHED_MAXIMUM connections of the load */
    /* Times of CLOCK_MONOTONIC_RAW. BEGAN_NS: when the first block began; 0: none yet.
     * BLOCK_BEGAN_NS: when the current block began; 0: the block is not watched. */
    uint64_t began_ns, block_began_ns;
    /* READING_NS: total time of reading counters. ELAPSED_NS: total time of watched blocks. */
    uint64_t reading_ns, elapsed_ns;
    uint64_t calls; /* number of calls in the watched blocks */
    size_t loads;   /* number of loads that are watched in the same rounds */
};

/* Set up USE for blocks of ENGINE's calls. SERVER has the server's counters. LOADS is the number of
 * loads that are watched in the same rounds, including this load. */
void load_use_open(struct load_use *use, const struct engine *engine,
                   struct server_counters *server, size_t loads);

/* Begin and end the watch of a block of CALLS calls. Call these functions immediately before and
 * after the block. The block is not watched if the readings of all loads, estimated from those of
 * this load, took over a tenth of the time since the first block. */
void load_use_begin(struct load_use *use);
void load_use_end(struct load_use *use, uint64_t calls);

/* Set the members of FIGURES that USE knows: processors, interrupts, links and TCP; NAN: unknown.
 * THREADS is the number of the client's threads. SPIN: these threads are always busy, so
 * CELL_CLIENT_CPU, CELL_CLIENT_THREAD, CELL_CLIENT_CALL and CELL_BOTH_CPUS are NAN. CELL_MACHINE
 * includes their time. */
void load_use_set_figures(const struct load_use *use, bool spin, unsigned threads,
                          double figures[CELL_FIGURES]);

/* Return how long the threads of a server on this machine waited for processors, ns per call; NAN:
 * unknown, or the server is on another machine. */
double load_use_server_waited_ns(const struct load_use *use);

/* Return the evidence in FIGURES for the limit of a load. All other members are left unknown for
 * the caller to set, such as the load, RESPONSE_NS, BYTES_PER_S, the op, the gain and the trials.
 */
struct bottleneck_evidence load_evidence(const double figures[CELL_FIGURES]);
