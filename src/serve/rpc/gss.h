/* RPCSEC_GSS (RFC 2203) in the server, for several threads. TAKE verifies a call before it is
 * carried out, and converts it to a plain call; a call that makes or destroys a context is answered
 * by TAKE. PROTECT signs or encrypts the reply afterwards. The implementation is an entry in a
 * table (serve/protection.c), which src/security provides if it is built. */
#pragma once

#include "common/error.h"
#include "serve/programs/call.h"

/* The server's state of RPCSEC_GSS, with which an implementation's own structure begins. */
struct gss_server {
    const struct gss_server_type *type;
};

/* Memory of one thread for protected calls. The thread must free BYTES at its end. */
struct gss_scratch {
    uint8_t *bytes;
    size_t room;
};

struct gss_context;

struct gss_call {
    struct gss_server *server;
    struct gss_scratch *scratch;

    /* The call as it was received. */
    const uint8_t *bytes;
    size_t length;
    const struct rpc_call_header *header;
    struct wire_reader arguments; /* the arguments, after HEADER */

    /* The contents of the credential (RFC 2203 section 5). */
    uint32_t procedure, sequence;
    uint32_t service; /* 1: krb5, 2: krb5i, 3: krb5p */
    const uint8_t *handle;
    uint32_t handle_length;

    /* the call's context; a verified call holds a reference to the context until PROTECT returns */
    struct gss_context *context;
    const struct caller *caller;
    bool garbled;        /* the arguments can't be opened, so the answer is GARBAGE_ARGS */
    size_t plain_length; /* length of the plain call in SCRATCH, in bytes */

    struct wire_writer reply; /* complete reply, if TAKE returned GSS_ANSWERED */
    uint32_t auth_status;     /* reason, if TAKE returned GSS_REFUSED */
};

enum gss_step {
    GSS_VERIFIED, /* carry out the plain call */
    GSS_ANSWERED, /* a call of RPCSEC_GSS itself; the reply is complete */
    GSS_REFUSED,  /* the answer is an AUTH_ERROR */
    GSS_DROPPED,  /* a replayed or old sequence number: there is no answer */
};

struct gss_server_type {
    /* See gss_server_open(). */
    int (*open)(struct gss_server **server, const char *keytab, const struct policy *policy,
                struct error *error);
    void (*close)(struct gss_server *server);

    /* Verify CALL, and convert it to a plain call. The caller has set REPLY, and the members from
     * SERVER to ARGUMENTS. */
    enum gss_step (*take)(struct gss_call *call);

    /* Protect the LENGTH bytes in REPLY, which has ROOM bytes; 0: there is no reply. Returns the
     * protected reply's length; 0 if there is no reply, or if it can't be protected. Releases
     * CONTEXT in any case. */
    size_t (*protect)(struct gss_call *call, uint8_t *reply, size_t length, size_t room);
};

/* Make *SERVER, which uses the keys of nfs/HOST, for every HOST, in the file named KEYTAB (NULL:
 * the default keytab). The file must stay readable, because each new context reads it. POLICY's
 * Kerberos flavors and limits of contexts are used, and nothing else of POLICY. Returns 0; or, with
 * ERROR set, -ENOTSUP if this build has no Kerberos, -EACCES (no key) or -ENOMEM. */
int gss_server_open(struct gss_server **server, const char *keytab, const struct policy *policy,
                    struct error *error);
