/* The witness of a run: a bare echo on the processor of a server that is on this machine. In each
 * round it exchanges messages as long as those of NULL and of each op. What an exchange takes is
 * the path's time, whatever the server does; so it shows whether the machine or the server has
 * changed. */
#pragma once

#include "measure/process.h"
#include "run/echo_run.h"
#include "run/series/series.h"

struct witness {
    struct echo_run echo;
    struct busy *server; /* whose busiest thread the echo follows from processor to processor; NULL:
                            server and echo are bound to one, or to none */
    int cpu;             /* to which the echo is bound; -1: to none */
    uint64_t looked_ns;  /* when SERVER was last looked at, on clock_raw_ns() */
    bool failed;         /* an exchange failed: the values mean nothing */
};

/* If SET's plan has a cost model, and its server is a process of this machine: start an echo, and
 * add a series of exchanges for NULL and each op. Where that fails there is no witness, and a
 * notice says why. Returns 0, -EINTR or -ENOMEM with ERROR set. */
int witness_open(struct series_set *set, struct error *error);

/* Make BLOCK of SERIES. If an exchange fails, the witness has failed, and the run goes on. Returns
 * 0, or -EINTR with ERROR set. */
int witness_run(struct witness *witness, const struct run_series *series, const struct clock *clock,
                struct block *block, struct error *error);

/* A round is over: have the echo run where the server's busiest thread does. Looks once a second.
 * WITNESS may be NULL. */
void witness_follow(struct witness *witness);

/* The echo's process; 0: there is none. */
pid_t witness_pid(const struct witness *witness);

/* Stop the echo, and release WITNESS; may be NULL. */
void witness_close(struct witness *witness);
