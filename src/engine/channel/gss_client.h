/* A client's RPCSEC_GSS security context with a server (RFC 2203). A few calls establish the
 * context, which then protects all calls of a channel. A table (protection.c) has each flavor's
 * implementation; src/security provides the entries. AUTH_NONE and AUTH_SYS need none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Maximum number of bytes that protection adds to a reply. */
enum { GSS_REPLY_OVERHEAD = 1024 };

/* Largest window of sequence numbers that the client uses. */
enum { GSS_WINDOW_MAXIMUM = 65536 };

/* How a channel's calls are protected. */
struct gss_request {
    uint32_t flavor;           /* RPC_FLAVOR_KRB5, KRB5I or KRB5P; 0: no protection */
    uint32_t program, version; /* program and version of the calls */
    const char *host;          /* name of the server; its principal is nfs/HOST */
};

/* Durations of establishing a context. */
struct gss_establishment {
    uint64_t whole_ns;    /* total, with GSS-API's work such as getting a ticket from the KDC */
    uint64_t init_ns;     /* duration of the call RPCSEC_GSS_INIT */
    uint64_t continue_ns; /* total duration of the calls RPCSEC_GSS_CONTINUE_INIT; 0: none */
    unsigned continues;   /* number of calls RPCSEC_GSS_CONTINUE_INIT */
};

struct channel_message;
struct channel_reply;

/* Protection of one of several calls in flight that share a context. */
struct gss_sealed {
    uint8_t *bytes; /* protected message */
    size_t room;
    uint32_t sequence; /* sequence number; 0: none, or the call is no longer in flight */
    unsigned context;  /* number of the context that protects the call */
};

/* A protected reply as it was received. */
struct gss_reply {
    const uint8_t *bytes; /* received bytes; NULL: the reply was not protected */
    size_t length;
    uint32_t sequence;  /* sequence number of the call */
    size_t call_length; /* length of the protected call, without the record mark */
};

/* Steps of protecting a call and of opening its reply. */
enum gss_part {
    GSS_PART_MIC,    /* make the header, with the credential and its MIC */
    GSS_PART_WRAP,   /* krb5i, krb5p: wrap the arguments */
    GSS_PART_VERIFY, /* verify the reply's verifier */
    GSS_PART_UNWRAP, /* krb5i, krb5p: unwrap the results */
    GSS_PARTS,
};

/* Makes one unprotected call, by channel_exchange() on the channel that uses the context. */
struct gss_transport {
    int (*exchange)(void *context, const struct channel_message *message,
                    struct channel_reply *reply, struct error *error);
    void *context;
};

/* First member of each implementation's own structure. */
struct gss_client {
    const struct gss_client_type *type;
};

/* Functions of one implementation. They return 0 or a negative errno unless stated otherwise; if a
 * function has no ERROR, describe() explains the errno. */
struct gss_client_type {
    /* Establish a context. Returns -EACCES if there is no ticket or one side refuses the other,
     * -EBADMSG if an answer is malformed, or the error of TRANSPORT. */
    int (*open)(struct gss_client **client, const struct gss_request *request,
                const struct gss_transport *transport, struct error *error);
    void (*close)(struct gss_client *client); /* NULL is allowed */

    /* Replace a context that the server no longer knows by a new one. Returns as open() does. */
    int (*renew)(struct gss_client *client, struct error *error);

    /* Return how long the latest context took to establish. */
    const struct gss_establishment *(*establishment)(const struct gss_client *client);

    /* Encode the call that destroys the context (RPCSEC_GSS_DESTROY). MESSAGE is valid until seal()
     * protects it, and must be CLIENT's last call. */
    int (*encode_end)(struct gss_client *client, struct channel_message *message);

    /* Protect MESSAGE. *SEALED is valid until the next call of seal(). FIRST is true for the first
     * transmission of a call, false for a retransmission. */
    int (*seal)(struct gss_client *client, const struct channel_message *message, bool first,
                struct channel_message *sealed);

    /* Verify REPLY and replace it by a plain one, which is valid until the next reply, renew(),
     * encode_end() or do_part(). REPLY's sealed then has the received bytes. Returns -EKEYEXPIRED
     * if the context must be renewed. */
    int (*open_reply)(struct gss_client *client, struct channel_reply *reply);

    bool (*has_part)(const struct gss_client *client, enum gss_part part);

    /* Execute only the step PART, so that it can be timed, on MESSAGE or REPLY of this context.
     * Neither may be NULL. */
    int (*do_part)(struct gss_client *client, enum gss_part part,
                   const struct channel_message *message, const struct gss_reply *reply);

    /* Return whether one more call may be in flight. The server drops a call whose sequence number
     * is too far below the latest one (RFC 2203 section 5.3.3.1), so the numbers of all calls in
     * flight must lie within the server's window. */
    bool (*has_number)(const struct gss_client *client);

    /* Protect a call that will be in flight. CALL receives the data that open_call() needs, and
     * CALL's earlier sequence number is released. has_number() must be true. If the server no
     * longer knows the context, a new one is established first. */
    int (*seal_call)(struct gss_client *client, const struct channel_message *message,
                     struct gss_sealed *call, struct channel_message *sealed, struct error *error);

    /* Release the sequence number of CALL, which the caller has given up or sends again. */
    void (*release)(struct gss_client *client, struct gss_sealed *call);

    /* Replace the *LENGTH bytes of the protected REPLY to CALL by the plain reply, and release
     * CALL's number. Returns -EKEYEXPIRED if CALL must be sent again, because CALL's context is
     * not the latest, or the server no longer knows that context. The first reply that shows that
     * the server no longer knows the latest context increases *RENEWALS; the next seal_call() then
     * establishes a new context. */
    int (*open_call)(struct gss_client *client, struct gss_sealed *call, uint8_t *reply,
                     size_t *length, uint64_t *renewals, struct error *error);

    /* Return how many calls may be in flight: the server's window, at most GSS_WINDOW_MAXIMUM; 31
     * if the window is 32, because some servers would drop calls. */
    uint32_t (*window)(const struct gss_client *client);

    /* Set ERROR for CODE, which another of these functions returned. Returns CODE or -EBADMSG. */
    int (*describe)(const struct gss_client *client, int code, struct error *error);

    /* For engine tirpc: establish a context for libtirpc's CLIENT. Returns an AUTH; NULL: error. */
    void *(*tirpc_auth)(void *client, const struct gss_request *request);
};

/* Establish a context for REQUEST's flavor, which must not be 0. Returns as open() does, or
 * -ENOTSUP if this program was built without the flavor. */
int gss_client_open(struct gss_client **client, const struct gss_request *request,
                    const struct gss_transport *transport, struct error *error);

/* Return the implementation of FLAVOR; NULL: this program has none, or FLAVOR needs none. */
const struct gss_client_type *gss_client_type(uint32_t flavor);
