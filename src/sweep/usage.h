/* The use of processors and links by client and server during the blocks of one series, and the
 * state of its TCP connections, without the time between them and the blocks of other series. */
#pragma once

#include "engine/channel/tcp_state.h"
#include "experiment/experiment.h"
#include "measure/process.h"
#include "run/session.h"

struct usage {
    struct block_watch watch; /* for a session */
    struct server_counters *server;
    double server_cpus; /* number of processors that it may use; NAN: unknown */
    struct busy client_threads, server_threads;
    struct counters client_before, server_before;
    double server_ns; /* of a server on another machine */
    struct usage_link {
        char name[16];         /* "": there is none */
        double carried;        /* bytes in the busier direction */
        double packets, bytes; /* received */
    } links[COUNTERS_INTERFACES_MAXIMUM];
    double interrupts, net_rx; /* of the machine */
    struct tcp_watch tcp;      /* of at most TCP_WATCHED_MAXIMUM connections of the series */
    uint64_t began_ns,
        block_began_ns;              /* CLOCK_MONOTONIC_RAW; 0: not begun, and outside of a block */
    uint64_t reading_ns, elapsed_ns; /* duration of the readings, and of the watched blocks */
    uint64_t calls;                  /* in the watched blocks */
    size_t beside;                   /* as many series are watched in the same rounds */
};

/* Have the blocks of SERIES of SESSION watched, with the counters of its SERVER. BESIDE series are
 * watched in the same rounds, which have not begun. */
void usage_open(struct usage *usage, struct session *session, const struct run_series *series,
                struct server_counters *server, size_t beside);

/* Set those of FIGURES (enum cell_figure) that say what was used, and those of TCP; NAN: unknown.
 * The client has THREADS; one that spins (SPIN) is always busy, so its processor time is unknown.
 */
void usage_fill_figures(const struct usage *usage, bool spin, unsigned threads, double *figures);
