/* RPCSEC_GSS (RFC 2203) in the server, by Kerberos version 5: one step before a call is carried
 * out, and one after it. The step before verifies the call and makes it a plain one, or answers it,
 * if it establishes or ends a context; the step after protects the reply. For several threads. */
#pragma once

#include <errno.h>

#include "common/error.h"
#include "server/call.h"

/* What is served. */
struct gss_plan {
    const char *keytab;      /* the file with the key of nfs/HOST; NULL: the system's */
    const uint32_t *flavors; /* that calls may have; those of Kerberos count here */
    size_t flavor_count;
    uint64_t lifetime_ns;  /* of a context, at most; 0: as long as the client's ticket is valid */
    uint64_t forget_after; /* calls by a context, which is then forgotten; 0: never */
    uint32_t window;       /* sequence numbers, SEQUENCE_WINDOW_MAXIMUM at most; 0: that many */
};

struct gss_server;

/* Read the keytab. 0; -ENOTSUP if this program was built without GSS-API; or -EACCES with
 * GSS-API's own words in ERROR. */
#ifdef NFSBENCH_GSSAPI
int gss_server_open(struct gss_server **server, const struct gss_plan *plan, struct error *error);
#endif
void gss_server_close(struct gss_server *server);

/* Memory for protected calls; each thread has its own. */
struct gss_scratch {
    uint8_t *bytes;
    size_t room;
};

void gss_scratch_free(struct gss_scratch *scratch);

/* A call with a credential of RPCSEC_GSS, as it was received. */
struct gss_received {
    const uint8_t *bytes;
    size_t length;
    const struct rpc_call_header *header;
    struct wire_reader arguments; /* what follows it */
};

struct gss_context;

/* A protected call, between the two steps. */
struct gss_call {
    struct gss_context *context; /* whose user the thread is until the second step */
    uint32_t service;            /* 1, 2, 3: krb5, krb5i, krb5p */
    uint32_t sequence;
    const struct caller *caller;
    bool garbled;        /* the arguments were changed on the way: the answer is GARBAGE_ARGS */
    size_t plain_length; /* of its plain form, which is in the scratch memory */
};

enum gss_step {
    GSS_TAKEN,    /* carry out its plain form */
    GSS_ANSWERED, /* it was for this layer; the reply is complete */
    GSS_REFUSED,  /* the answer is an AUTH_ERROR */
    GSS_DROPPED,  /* a replay: there is no answer */
};

/* The step before. GSS_ANSWERED: the reply was written to REPLY. GSS_REFUSED: *AUTH_STATUS says
 * why. */
enum gss_step gss_server_take(struct gss_server *server, const struct gss_received *received,
                              struct gss_scratch *scratch, struct gss_call *call,
                              struct wire_writer *reply, uint32_t *auth_status);

/* The step after: protect the LENGTH bytes in REPLY, where ROOM bytes are. Returns the protected
 * reply's length, or 0 if it can't be protected. */
size_t gss_server_protect(struct gss_server *server, struct gss_call *call,
                          struct gss_scratch *scratch, uint8_t *reply, size_t length, size_t room);

/* Without GSS-API no server is opened, and what needs one is never called. */
#ifndef NFSBENCH_GSSAPI
static inline int gss_server_open(struct gss_server **server, const struct gss_plan *plan,
                                  struct error *error)
{
    (void)plan;
    *server = NULL;
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "this program was built without Kerberos, which krb5, krb5i and krb5p need; "
                     "install libkrb5-dev and build it again");
}

#pragma weak gss_server_close
#pragma weak gss_scratch_free
#pragma weak gss_server_take
#pragma weak gss_server_protect
#endif
