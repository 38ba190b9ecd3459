/* RPCSEC_GSS (RFC 2203) in the server: one step before a call is carried out, and one after it. The
 * step before verifies the call and makes it a plain one, or answers it, if it establishes or ends
 * a context; the step after protects the reply. For several threads. What does this is an entry in
 * a table (server/protection.c), which the part security fills in. */
#pragma once

#include "common/error.h"
#include "serve/programs/call.h"

/* Who takes such calls, as the first member of what its type makes of it. */
struct gss_server {
    const struct gss_server_type *type;
};

/* Memory for protected calls; each thread has its own. Free its bytes. */
struct gss_scratch {
    uint8_t *bytes;
    size_t room;
};

struct gss_context;

/* A call with a credential of RPCSEC_GSS. */
struct gss_call {
    struct gss_server *server;
    struct gss_scratch *scratch;

    /* As it was received. */
    const uint8_t *bytes;
    size_t length;
    const struct rpc_call_header *header;
    struct wire_reader arguments; /* what follows it */

    /* What is found in its credential (RFC 2203 section 5). */
    uint32_t procedure, sequence;
    uint32_t service; /* 1, 2, 3: krb5, krb5i, krb5p */
    const uint8_t *handle;
    uint32_t handle_length;

    struct gss_context *context; /* whose user the thread is until the second step */
    const struct caller *caller;
    bool garbled;        /* the arguments were changed on the way: the answer is GARBAGE_ARGS */
    size_t plain_length; /* of its plain form, which is in the scratch memory */

    struct wire_writer reply; /* the answer where it is complete */
    uint32_t auth_status;     /* why it is refused */
};

enum gss_step {
    GSS_TAKEN,    /* carry out its plain form */
    GSS_ANSWERED, /* it was for this layer; the reply is complete */
    GSS_REFUSED,  /* the answer is an AUTH_ERROR */
    GSS_DROPPED,  /* a replay: there is no answer */
};

struct gss_server_type {
    /* As gss_server_open(). */
    int (*open)(struct gss_server **server, const char *keytab, const struct policy *policy,
                struct error *error);
    void (*close)(struct gss_server *server);

    /* The step before, for a CALL with what was received, and where to write a reply. */
    enum gss_step (*take)(struct gss_call *call);

    /* The step after: protect the LENGTH bytes in REPLY, where ROOM bytes are. Returns the
     * protected reply's length, or 0 if it can't be protected. */
    size_t (*protect)(struct gss_call *call, uint8_t *reply, size_t length, size_t room);
};

/* Read the keytab, the file with the key of nfs/HOST (NULL: the system's); POLICY says which
 * flavors calls may have, of which those of Kerberos count here, and how long contexts last. 0;
 * -ENOTSUP if the table is empty; or -EACCES with GSS-API's own words in ERROR. */
int gss_server_open(struct gss_server **server, const char *keytab, const struct policy *policy,
                    struct error *error);
