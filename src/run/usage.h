/* The use of processors and links by client and server during the blocks of one series, without the
 * time between them and the blocks of other series. */
#pragma once

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
    uint64_t began_ns,
        block_began_ns;              /* CLOCK_MONOTONIC_RAW; 0: not begun, and outside of a block */
    uint64_t reading_ns, elapsed_ns; /* duration of the readings, and of the watched blocks */
    uint64_t calls;                  /* in the watched blocks */
    size_t beside;                   /* as many series are watched in the same rounds */
};

/* Watch the blocks of SESSION's series INDEX, with the counters of its SERVER. BESIDE series are
 * watched in the same rounds. */
void usage_open(struct usage *usage, struct session *session, struct server_counters *server,
                size_t index, size_t beside);

/* What was used; NAN where it is not known. */
struct usage_figures {
    /* Processors (busy time / elapsed time), of the client, its busiest thread, the server and its
     * busiest thread; processor time per call, ns. */
    double client_cpus, client_thread, server_cpus, server_thread;
    double client_call_ns, server_call_ns;
    double link; /* the utilisation of the busiest link, as a share of its speed */
    /* What the client's machine counted per call, with whatever else it did: packets and bytes
     * received by the interface that received most packets (of loopback: in both directions),
     * hardware interrupts, and NET_RX soft interrupts. */
    double call_packets, call_bytes, call_interrupts, call_net_rx;
};

struct usage_figures usage_figures(const struct usage *usage);
