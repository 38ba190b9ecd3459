/* The bare echo of a ladder, and the exchanges with it. The echo is the one that the plan names, or
 * one started beside a server on this machine. */
#pragma once

#include "engine/channel.h"
#include "explain/explain_run.h"

/* The lengths of the exchanges. */
enum ladder_echo_kind { LADDER_ECHO_OF_NULL, LADDER_ECHO_OF_OP, LADDER_ECHOES };

struct ladder_echo {
    struct self_server process; /* the process, if it was started */
    struct endpoint endpoint;
    struct channel *channel;
    struct channel *proof; /* over TCP, for an echo over UDP: proves the client's address */
    /* As long as the calls and replies of the two series. */
    struct channel_bytes messages[LADDER_ECHOES];
    unsigned retransmissions; /* over UDP */
};

/* Find the echo at ADDRESS or, if that is unknown, start one at the address of SESSION's server, on
 * the processor to which an embedded server is bound. Then connect as the engine does to the
 * server, and check that it is an echo. OF are the series whose lengths the exchanges have. ECHO
 * must be zeroed. Returns 0, or a negative errno with ERROR set; call ladder_echo_close() in either
 * case. */
int ladder_echo_open(struct ladder_echo *echo, const struct echo_address *address,
                     const struct session *session,
                     const struct run_series *const of[LADDER_ECHOES], struct error *error);

/* Exchange message NUMBER and set *TICKS to its time by CLOCK. Returns 0; 1 when a datagram was
 * lost and sent again, so that the ticks mean nothing; or a negative errno with ERROR set. */
int ladder_echo_exchange(struct ladder_echo *echo, size_t number, const struct clock *clock,
                         uint64_t *ticks, struct error *error);

void ladder_echo_close(struct ladder_echo *echo);
