/* A client of the bare echo (rpc/echo.h) in a run: it exchanges messages that are as long as those
 * of NFS calls with a process that does nothing but receive and send, so that the time is that of
 * the path alone: of the network, of both kernels, and of waking both processes. */
#pragma once

#include "engine/channel/channel.h"
#include "nfs/call.h"
#include "run/setup/setup.h"

struct echo_run {
    struct self_server process; /* if it was started for the run; pid 0: it was not */
    struct endpoint endpoint;
    struct channel *channel;
    struct channel *proof;    /* over TCP, for an echo over UDP: proves the client's address */
    unsigned retransmissions; /* over UDP */
};

/* Find the echo at ADDRESS. If ADDRESS is NULL or has no host, start one at the address of SETUP's
 * SERVICE, which must be one of this machine's, on processor CPU (negative: any). Returns 0, or a
 * negative errno with ERROR set; call echo_run_close() in either case. */
int echo_run_open(struct echo_run *echo, const struct target *address, const struct setup *setup,
                  enum service_kind service, int cpu, struct error *error);

/* Make MESSAGE, which is as long as CALL's, and requests an answer as long as its reply. Its bytes
 * are from malloc(). Returns 0, or -EMSGSIZE or -ENOMEM with ERROR set. */
int echo_run_message(const struct echo_run *echo, const struct nfs_call *call,
                     struct channel_bytes *message, struct error *error);

/* Connect as SETUP's engine does to the server, for answers of up to LONGEST bytes. Returns 0, or a
 * negative errno with ERROR set. */
int echo_run_connect(struct echo_run *echo, const struct setup *setup, size_t longest,
                     const struct clock *clock, struct error *error);

/* Exchange MESSAGE, which takes *TICKS of CLOCK. Returns 0; 1 where a datagram was lost, so that
 * the ticks mean nothing; or a negative errno with ERROR set. */
int echo_run_exchange(struct echo_run *echo, const struct channel_bytes *message,
                      const struct clock *clock, uint64_t *ticks, struct error *error);

/* Disconnect, and stop the echo if it was started for the run. */
void echo_run_close(struct echo_run *echo);
