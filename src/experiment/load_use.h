/* What client, server and line do during the blocks of a load: the use of processors and links, and
 * the state of TCP connections, without the time between the blocks. */
#pragma once

#include "engine/channel/tcp_state.h"
#include "experiment/experiment.h"
#include "measure/process.h"
#include "run/ledger_run.h"

struct engine;

struct load_use {
    struct server_counters *server;
    double server_cpus; /* number of processors that the server may use; NAN: unknown */
    struct busy client_threads, server_threads;
    struct counters client_before, server_before;
    double server_ns; /* processor time of a server on another machine */
    struct load_link {
        char name[16];         /* "": there is none */
        double carried;        /* bytes in the busier direction */
        double packets, bytes; /* received */
    } links[COUNTERS_INTERFACES_MAXIMUM];
    double interrupts, net_rx; /* of the client's machine */
    double machine_ns;         /* processor time of all processes on the client's machine, ns */
    double machine_cpus;       /* number of its processors */
    struct tcp_watch tcp;      /* of at most TCP_WATCHED_MAXIMUM connections of the load */
    /* CLOCK_MONOTONIC_RAW: the beginning of the first block, and of this one. 0: there was none;
     * the block is not watched. */
    uint64_t began_ns, block_began_ns;
    uint64_t reading_ns, elapsed_ns; /* duration of the readings, and of the watched blocks */
    uint64_t calls;                  /* in the watched blocks */
    size_t loads;                    /* number of loads that are watched in the same rounds */
};

/* Begin without blocks of ENGINE's calls, whose server has the counters SERVER. LOADS loads are
 * watched in the same rounds, this one included. */
void load_use_open(struct load_use *use, const struct engine *engine,
                   struct server_counters *server, size_t loads);

/* Call these immediately before and after a block, which had CALLS calls. A block is not watched if
 * the readings of all loads took more than a tenth of the time so far. */
void load_use_begin(struct load_use *use);
void load_use_end(struct load_use *use, uint64_t calls);

/* Set those of FIGURES that say what was used, and those of TCP; NAN: unknown. The client has
 * THREADS; one that spins (SPIN) is always busy, so its processor time is unknown. */
void load_use_fill(const struct load_use *use, bool spin, unsigned threads,
                   double figures[CELL_FIGURES]);

/* How long the server's threads waited for a processor per call, ns; NAN: unknown. */
double load_use_server_waited_ns(const struct load_use *use);

/* What FIGURES say about the limit of a load. Only what is no figure of a single load is left
 * unknown, such as its gain over a smaller load. */
struct bottleneck_evidence load_evidence(const double figures[CELL_FIGURES]);
