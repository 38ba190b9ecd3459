/* The bare echo that a ladder stands on, and the exchanges with it: the one that the plan names, or
 * one that is started beside a server of this machine. */
#ifndef NFSBENCH_EXPLAIN_LADDER_ECHO_H
#define NFSBENCH_EXPLAIN_LADDER_ECHO_H

#include "engine/bare.h"
#include "explain/explain_run.h"

/* Whose bytes the exchanges have. */
enum ladder_echo_kind { LADDER_ECHO_OF_NULL, LADDER_ECHO_OF_OP, LADDER_ECHOES };

struct ladder_echo {
    struct self_server process; /* that was started */
    struct endpoint endpoint;
    struct bare *bare;
    struct bare *proof; /* over TCP, for an echo over UDP: that our address is ours */
    struct bare_message messages[LADDER_ECHOES]; /* as long as those calls and replies */
};

/* Find the echo at ADDRESS; where that is nowhere, start one where the server of SESSION is that
 * has the series OF[...]: on a processor that SESSION's own server is bound to. Then connect as the
 * engine does to the server, and see whether it is an echo. 0, or a negative errno with ERROR set;
 * close it in any case. ECHO must be zeroed. */
int ladder_echo_open(struct ladder_echo *echo, const struct echo_address *address,
                     const struct session *session,
                     const struct run_series *const of[LADDER_ECHOES], struct error *error);

void ladder_echo_close(struct ladder_echo *echo);

#endif
