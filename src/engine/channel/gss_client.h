/* A client's security context with a server (RFC 2203): established by calls of the program that it
 * is for, and then used for all calls of a channel. What does this for a flavor is an entry in a
 * table (protection.c), which the part security fills in; AUTH_NONE and AUTH_SYS need none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Bytes by which protection lengthens a reply at most. */
enum { GSS_REPLY_OVERHEAD = 1024 };

/* The largest window of sequence numbers that is made use of. */
enum { GSS_WINDOW_MAXIMUM = 65536 };

/* What a channel's calls are protected with. */
struct gss_request {
    uint32_t flavor;           /* RPC_FLAVOR_KRB5, KRB5I or KRB5P; 0: no protection */
    uint32_t program, version; /* that the calls are of */
    const char *host;          /* the server's name: its principal is nfs/HOST */
};

/* How long it took to establish a context, and its parts. */
struct gss_establishment {
    uint64_t whole_ns;    /* with what GSS-API did, such as getting a ticket of the KDC */
    uint64_t init_ns;     /* the call RPCSEC_GSS_INIT */
    uint64_t continue_ns; /* the calls RPCSEC_GSS_CONTINUE_INIT, if there were any */
    unsigned continues;   /* how many there were */
};

struct channel_message;
struct channel_reply;

/* A call in flight, of several by the same context. */
struct gss_sealed {
    uint8_t *bytes; /* as it was sent */
    size_t room;
    uint32_t sequence; /* 0: none, or it is not in flight any more */
    unsigned context;  /* the number of the context */
};

/* A reply as it came. */
struct gss_reply {
    const uint8_t *bytes; /* NULL: it was not protected */
    size_t length;
    uint32_t sequence;  /* of the call that it answers, */
    size_t call_length; /* and the bytes of that as it was sent, without the record mark */
};

/* What protects a call, and what opens its reply. */
enum gss_part {
    GSS_PART_MIC,    /* the header, with the credential and its MIC */
    GSS_PART_WRAP,   /* krb5i, krb5p: the arguments */
    GSS_PART_VERIFY, /* the reply's verifier */
    GSS_PART_UNWRAP, /* krb5i, krb5p: the results */
    GSS_PARTS,
};

/* Makes one call without protection: channel_exchange() of the channel that the context is for. */
struct gss_transport {
    int (*exchange)(void *context, const struct channel_message *message,
                    struct channel_reply *reply, struct error *error);
    void *context;
};

/* A context, as the first member of what its type makes of it. */
struct gss_client {
    const struct gss_client_type *type;
};

/* What does it. Functions return 0 or a negative errno; describe() says what it means where there
 * is no ERROR. */
struct gss_client_type {
    /* Establish a context. -EACCES with GSS-API's own words if there is no ticket, or one side
     * refuses the other; or what EXCHANGE returned. */
    int (*open)(struct gss_client **client, const struct gss_request *request,
                const struct gss_transport *transport, struct error *error);
    void (*close)(struct gss_client *client); /* NULL is allowed */

    /* Establish a new context in place of one that the server no longer knows. As open(). */
    int (*renew)(struct gss_client *client, struct error *error);

    /* Of the latest context. */
    const struct gss_establishment *(*establishment)(const struct gss_client *client);

    /* Encode the call that asks the server to forget the context (RPCSEC_GSS_DESTROY); valid until
     * it is protected, as the last call of CLIENT. */
    int (*encode_end)(struct gss_client *client, struct channel_message *message);

    /* Protect a call; *SEALED is valid until the next. FIRST: it is not a retransmission. */
    int (*seal)(struct gss_client *client, const struct channel_message *message, bool first,
                struct channel_message *sealed);

    /* Verify REPLY, and make it a plain one, valid until the next; SEALED is then what came.
     * -EKEYEXPIRED if the context must be renewed. */
    int (*open_reply)(struct gss_client *client, struct channel_reply *reply);

    /* Does the flavor of CLIENT have this part? */
    bool (*has_part)(const struct gss_client *client, enum gss_part part);

    /* Do one PART only, of MESSAGE or of REPLY, which came by the same context: for those who time
     * it. What it brings is thrown away. */
    int (*do_part)(struct gss_client *client, enum gss_part part,
                   const struct channel_message *message, const struct gss_reply *reply);

    /* Calls in flight, of which the server's window of sequence numbers must have all: it drops a
     * call whose number is too far below the latest (RFC 2203 section 5.3.3.1). Is there a number
     * for one more? */
    bool (*has_number)(const struct gss_client *client);

    /* Protect a call in flight: CALL keeps what it needs for its reply, and gives up the number
     * that it had. There must be a number for it. A context that the server no longer knows is
     * replaced by a new one first. */
    int (*seal_call)(struct gss_client *client, const struct channel_message *message,
                     struct gss_sealed *call, struct channel_message *sealed, struct error *error);

    /* CALL is no longer in flight: it was given up, or is going to be sent again. */
    void (*release)(struct gss_client *client, struct gss_sealed *call);

    /* As open_reply(), for the reply to CALL in the *LENGTH bytes at REPLY, which become the plain
     * one. -EKEYEXPIRED: the server no longer knows its context, and the call must be sent again;
     * where that was the latest one, the next call makes another, which is counted in *RENEWALS. */
    int (*open_call)(struct gss_client *client, struct gss_sealed *call, uint8_t *reply,
                     size_t *length, uint64_t *renewals, struct error *error);

    /* How many calls may be in flight: the server's window, up to GSS_WINDOW_MAXIMUM numbers, and
     * 31 of 32. */
    uint32_t (*window)(const struct gss_client *client);

    /* Set ERROR for CODE, which one of these functions returned. Returns CODE. */
    int (*describe)(const struct gss_client *client, int code, struct error *error);

    /* For the engine tirpc: a context that libtirpc's CLIENT establishes and its calls use, as
     * REQUEST has it: its AUTH, or NULL. */
    void *(*tirpc_auth)(void *client, const struct gss_request *request);
};

/* Establish a context by what is in the table for the flavor of REQUEST. As open(), or -ENOTSUP if
 * there is nothing. */
int gss_client_open(struct gss_client **client, const struct gss_request *request,
                    const struct gss_transport *transport, struct error *error);

/* What is in the table for FLAVOR; NULL: nothing. */
const struct gss_client_type *gss_client_type(uint32_t flavor);
