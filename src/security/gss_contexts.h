/* The server's security contexts, which all threads use. The number and the lifetime of contexts
 * are limited. A client whose context was forgotten makes a new one. */
#pragma once

#include <pthread.h>

#include "security/gss.h"
#include "security/sequence_window.h"
#include "serve/programs/call.h"

enum {
    /* maximum number of contexts; one more replaces the least recently used context */
    GSS_CONTEXTS_MAXIMUM = 1024,
    GSS_CONTEXT_HANDLE_SIZE = 8, /* bytes of a context's name on the wire */
};

struct gss_context {
    uint64_t name;
    /* number of references that threads and the table have; protected by the table's lock */
    unsigned users;
    uint64_t used_ns; /* last use, by monotonic_coarse_ns(); protected by the table's lock */

    pthread_mutex_t lock; /* protects the members below */
    struct rpc_gss_context security;
    uint64_t expires_ns;
    uint64_t calls; /* number of calls by the context; 0 if the policy does not limit it */
    bool established;
    struct sequence_window window;
    struct caller caller; /* local user of the client's principal; constant once ESTABLISHED */
};

struct gss_contexts {
    pthread_mutex_t lock;
    struct gss_context *places[GSS_CONTEXTS_MAXIMUM];
    uint64_t made; /* number of names given, plus a random number */
};

void gss_contexts_open(struct gss_contexts *contexts);
void gss_contexts_close(struct gss_contexts *contexts);

/* Add an empty context that expires in LIFETIME_NS. Returns a reference; NULL: out of memory. */
struct gss_context *gss_contexts_add(struct gss_contexts *contexts, uint64_t lifetime_ns);

/* Find the context whose name on the wire is NAME (LENGTH bytes), and note that it is used now.
 * Returns a reference, or NULL if no context has this name. The context may have expired. */
struct gss_context *gss_contexts_find(struct gss_contexts *contexts, const uint8_t *name,
                                      size_t length);

/* Give up a reference to CONTEXT, which may be NULL. */
void gss_contexts_release(struct gss_contexts *contexts, struct gss_context *context);

/* Remove CONTEXT from the table. References to it stay valid. */
void gss_contexts_forget(struct gss_contexts *contexts, struct gss_context *context);
