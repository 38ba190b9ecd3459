/* The times to start TLS, and to create and destroy a security context. They are measured before
 * the rounds with contexts that are made for this purpose, each over a new connection. */
#pragma once

#include "run/setup/setup.h"

enum { CONTEXTS_RUN_CONTEXTS = 20 };

/* The arrays are of durations, ns, with one element per context or handshake. */
struct contexts_run {
    size_t made; /* number of elements of CREATION and INIT; 0: no contexts */
    double creation[CONTEXTS_RUN_CONTEXTS];  /* creation of a context, with GSS-API's work */
    double init[CONTEXTS_RUN_CONTEXTS];      /* call RPCSEC_GSS_INIT */
    double continued[CONTEXTS_RUN_CONTEXTS]; /* all calls RPCSEC_GSS_CONTINUE_INIT */
    double destroy[CONTEXTS_RUN_CONTEXTS];   /* call RPCSEC_GSS_DESTROY */
    size_t continues, destroyed;             /* numbers of elements of CONTINUED and DESTROY */
    size_t probes;                           /* number of elements of PROBE; 0: calls need no TLS */
    double probe[2 * CONTEXTS_RUN_CONTEXTS]; /* call that asks for TLS */
    /* lengths of the two arrays below; RESUMED is 0 if no TLS session can be resumed */
    size_t full, resumed;
    double full_handshake[2 * CONTEXTS_RUN_CONTEXTS];
    double resumed_handshake[2 * CONTEXTS_RUN_CONTEXTS];
    char tls[RPC_TLS_TEXT_SIZE]; /* version and cipher */
};

/* Make and time the contexts, if SETUP's calls need contexts or TLS. SETUP already has a context,
 * so the Kerberos ticket exists. Returns 0, or a negative errno with ERROR set. */
int contexts_run_make(struct contexts_run *contexts, const struct setup *setup,
                      struct error *error);

/* Return the numbers of TLS sessions that SETUP began and resumed, without those of CONTEXTS. */
struct tls_counts contexts_run_tls_counts(const struct contexts_run *contexts,
                                          const struct setup *setup);
