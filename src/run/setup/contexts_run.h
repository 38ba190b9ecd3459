/* What it takes to begin TLS with the server, and to establish a security context and to end it:
 * some of them are made for this alone, each over a connection of its own, before the rounds. */
#pragma once

#include "run/setup/setup.h"

enum { CONTEXTS_RUN_CONTEXTS = 20 };

/* In ns, by context. */
struct contexts_run {
    size_t made;                             /* 0: calls need none */
    double creation[CONTEXTS_RUN_CONTEXTS];  /* with what GSS-API does on the client */
    double init[CONTEXTS_RUN_CONTEXTS];      /* the round trip of RPCSEC_GSS_INIT */
    double continued[CONTEXTS_RUN_CONTEXTS]; /* those of RPCSEC_GSS_CONTINUE_INIT */
    double destroy[CONTEXTS_RUN_CONTEXTS];   /* that of RPCSEC_GSS_DESTROY */
    size_t continues, destroyed;             /* how many there are of the last two */
    size_t probes;                           /* of TLS; 0: calls need none */
    double probe[2 * CONTEXTS_RUN_CONTEXTS]; /* the call that asks for TLS */
    /* Handshakes of TLS. Where none can be resumed, all are full ones. */
    size_t full, resumed;
    double full_handshake[2 * CONTEXTS_RUN_CONTEXTS];
    double resumed_handshake[2 * CONTEXTS_RUN_CONTEXTS];
    char tls[RPC_TLS_TEXT_SIZE]; /* version and cipher */
};

/* Make them, if SETUP's calls are protected by contexts or TLS. SETUP has one already, so that the
 * client has its ticket of Kerberos for the server, and the server's tickets of TLS. 0, or a
 * negative errno with ERROR set. */
int contexts_run_make(struct contexts_run *contexts, const struct setup *setup,
                      struct error *error);

/* How many sessions of TLS the run itself has begun so far, without those that were made for this
 * alone. */
struct tls_counts contexts_run_tls_counts(const struct contexts_run *contexts,
                                          const struct setup *setup);
