/* The witness of a run: a bare echo on the processor of a server that runs on this machine. In each
 * round, the client and the echo exchange messages as long as those of NULL and of each NFS op,
 * except ops of several calls and ops too long for an echo. An exchange's duration is that of the
 * path alone, and shows whether the machine or the server has changed. */
#pragma once

#include "measure/process.h"
#include "run/echo_run.h"
#include "run/series/series.h"

struct witness {
    struct echo_run echo;
    /* The server, whose busiest thread the echo follows from processor to processor. NULL for
     * self:, or without memory. */
    struct busy *server;
    int cpu;            /* processor that the echo is bound to; negative: none */
    uint64_t looked_ns; /* time of the last look at SERVER, on clock_raw_ns() */
    bool failed;        /* an exchange failed, or a block lost every datagram: no sample is valid */
};

/* Start an echo and add series of exchanges for NULL and the ops, if SET has a baseline and no mix,
 * its plan has a cost model and a control, and the server is a process of this machine; not in a
 * build without self:. If the echo can't be used, the run has no witness, and a notice says why.
 * Returns 0, or -EINTR or -ENOMEM with ERROR set. */
int witness_open(struct series_set *set, struct error *error);

/* Make BLOCK, of exchanges of SERIES. If an exchange fails, or every datagram is lost, mark WITNESS
 * as failed, so that the run continues without it. Returns 0, or -EINTR with ERROR set. */
int witness_run(struct witness *witness, const struct run_series *series, const struct clock *clock,
                struct block *block, struct error *error);

/* Move the echo to the processor of the server's busiest thread, at most once a second. Call this
 * after each round. WITNESS may be NULL. */
void witness_follow(struct witness *witness);

/* Return the process of the echo; 0: none. */
pid_t witness_pid(const struct witness *witness);

/* Stop the echo, and release WITNESS, which may be NULL. */
void witness_close(struct witness *witness);
