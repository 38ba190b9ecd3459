/* What client, server and links were busy with while the blocks of one series ran; what lies
 * between blocks, and the blocks of other series, are in no account. */
#ifndef NFSBENCH_RUN_USAGE_H
#define NFSBENCH_RUN_USAGE_H

#include "measure/busy.h"
#include "run/session.h"

struct usage {
    struct block_watch watch; /* to be given to a session */
    struct server_counters server;
    double server_cpus; /* that it may use; NAN: unknown */
    struct busy client_threads, server_threads;
    struct counters client_before, server_before;
    double server_ns;                               /* of one on another machine */
    double link_bytes[COUNTERS_INTERFACES_MAXIMUM]; /* in the busier direction */
    char link_names[COUNTERS_INTERFACES_MAXIMUM][16];
    uint64_t began_ns, block_began_ns; /* CLOCK_MONOTONIC_RAW; 0: not yet, and not within one */
    uint64_t reading_ns, elapsed_ns;   /* spent in readings, and in the blocks that were watched */
    uint64_t calls;                    /* in those blocks */
};

/* Watch the blocks of SESSION's last series. usage_close() is due. */
void usage_open(struct usage *usage, struct session *session);
void usage_close(struct usage *usage);

/* All NAN where nothing is known. Processors' worth: of the client, of its busiest thread, of the
 * server, of its busiest thread. */
double usage_client_cpus(const struct usage *usage);
double usage_client_thread(const struct usage *usage);
double usage_server_cpus(const struct usage *usage);
double usage_server_thread(const struct usage *usage);

/* Of the link that is used most, the share of its speed. */
double usage_link(const struct usage *usage);

/* The client's processor time of a call, ns. */
double usage_client_call_ns(const struct usage *usage);

#endif
