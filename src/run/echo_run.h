/* A client of the bare echo (rpc/echo.h). The echo is a process that only receives messages and
 * answers them. Messages and answers are as long as NFS calls and replies. The time of an exchange
 * is therefore that of the path alone: the network, both kernels, and waking both processes. */
#pragma once

#include "engine/channel/channel.h"
#include "nfs/call.h"
#include "run/setup/setup.h"

struct echo_run {
    /* echo process that echo_run_open() started; its pid is 0 if it started none */
    struct self_server process;
    struct endpoint endpoint;
    struct channel *channel;
    /* if CHANNEL is over UDP: TCP connection that proves the client's address to the echo */
    struct channel *proof;
    unsigned retransmissions; /* UDP: maximum for one message */
};

/* Resolve ADDRESS, the address of a running echo. If ADDRESS is NULL or has no host, start an echo
 * at the address of SETUP's SERVICE. This address must be local. The echo is bound to processor
 * CPU, or to none if CPU is negative. Returns 0, or a negative errno with ERROR set. Call
 * echo_run_close() in either case. */
int echo_run_open(struct echo_run *echo, const struct target *address, const struct setup *setup,
                  enum service_kind service, int cpu, struct error *error);

/* Make MESSAGE, which has the length of CALL and requests an answer of the length of CALL's reply.
 * The bytes of MESSAGE are from malloc(). Returns 0, or -EMSGSIZE or -ENOMEM with ERROR set. */
int echo_run_message(const struct echo_run *echo, const struct nfs_call *call,
                     struct channel_bytes *message, struct error *error);

/* Connect to ECHO's endpoint with the channel options of SETUP's mount, for answers of up to
 * LONGEST bytes. CLOCK times the exchange that proves the address. Returns 0, or a negative errno
 * with ERROR set. */
int echo_run_connect(struct echo_run *echo, const struct setup *setup, size_t longest,
                     const struct clock *clock, struct error *error);

/* Exchange MESSAGE, and set *TICKS to the duration in ticks of CLOCK. Returns 0; 1 if a datagram
 * was lost, so that *TICKS is meaningless; or a negative errno with ERROR set. */
int echo_run_exchange(struct echo_run *echo, const struct channel_bytes *message,
                      const struct clock *clock, uint64_t *ticks, struct error *error);

/* Disconnect ECHO, and stop the process if it was started for the run. */
void echo_run_close(struct echo_run *echo);
