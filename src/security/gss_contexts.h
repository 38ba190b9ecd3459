/* The security contexts that the server knows, which all its threads use. Their number and their
 * age have limits: a client whose context is no longer there makes another. */
#pragma once

#include <pthread.h>

#include "security/gss.h"
#include "security/sequence_window.h"
#include "serve/programs/call.h"

enum {
    GSS_CONTEXTS_MAXIMUM = 1024, /* beyond it, the one that was unused for longest is forgotten */
    GSS_CONTEXT_HANDLE_SIZE = 8, /* bytes of a context's name on the wire */
};

struct gss_context {
    uint64_t name;
    unsigned users;   /* threads, and 1 as long as it is among the contexts; by their lock */
    uint64_t used_ns; /* on the clock of monotonic_coarse_ns(); by the same lock */

    pthread_mutex_t lock; /* of what follows */
    struct rpc_gss_context security;
    uint64_t expires_ns;
    uint64_t calls; /* by it */
    bool established;
    struct sequence_window window;
    struct caller caller; /* whom the client's principal stands for; fixed once established */
};

struct gss_contexts {
    pthread_mutex_t lock;
    struct gss_context *places[GSS_CONTEXTS_MAXIMUM];
    uint64_t made; /* so far, from a random number on */
};

void gss_contexts_open(struct gss_contexts *contexts);
void gss_contexts_close(struct gss_contexts *contexts);

/* Add an empty context that expires in LIFETIME_NS. The caller is its user. NULL without memory. */
struct gss_context *gss_contexts_add(struct gss_contexts *contexts, uint64_t lifetime_ns);

/* Find the context with that NAME on the wire, and become its user; NULL if there is none. It may
 * have expired. */
struct gss_context *gss_contexts_find(struct gss_contexts *contexts, const uint8_t *name,
                                      size_t length);

/* End the use of CONTEXT; NULL is allowed. */
void gss_contexts_release(struct gss_contexts *contexts, struct gss_context *context);

/* Forget CONTEXT; its users can go on using it. */
void gss_contexts_forget(struct gss_contexts *contexts, struct gss_context *context);
