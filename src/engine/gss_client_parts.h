/* A client's security context, for gss_establish.c, which makes one, and gss_client.c, which has
 * the calls by it. Only these two files include this one. */
#pragma once

#include "engine/channel.h"
#include "engine/gss_client.h"
#include "rpc/gss.h"

enum { GSS_CLIENT_WORDS_SIZE = 300 }; /* of GSS-API */

struct gss_client {
    struct gss_request request;
    struct gss_transport transport;
    struct rpc_gss gss;
    enum rpc_gss_procedure procedure; /* of the next call */
    struct gss_establishment establishment;
    gss_name_t server; /* GSS_C_NO_NAME: not known to GSS-API yet */
    unsigned contexts; /* established so far */
    uint32_t first;    /* the sequence number of the current call's first transmission */
    /* The server's window, for the latest; which of its numbers are those of calls in flight, by
     * the number modulo the window; and a number below which none is. */
    uint32_t window, oldest;
    bool *in_flight;
    uint8_t *sealed; /* the protected call, with its record mark */
    size_t sealed_room;
    uint8_t *plain; /* the verified reply */
    size_t plain_room;
};

/* Establish a context by as many calls as that takes. Returns 0, or as gss_client_open(). */
int gss_client_establish(struct gss_client *client, struct error *error);

/* Encode a NULL call without protection, into CLIENT's plain bytes; with TOKEN, unless it is NULL,
 * as its argument. Returns 0 or -ENOMEM. */
int gss_client_encode_null(struct gss_client *client, const gss_buffer_desc *token,
                           struct channel_message *message);

/* Protect MESSAGE with the next sequence number, into *BYTES, which has *ROOM and gets more.
 * Returns 0, or a negative errno as gss_client_seal(). */
int gss_client_seal_into(struct gss_client *client, const struct channel_message *message,
                         uint8_t **bytes, size_t *room, struct channel_message *sealed);

/* Make *BYTES, which has *ROOM, hold at least WANTED bytes. Returns 0 or -ENOMEM. */
int gss_client_make_room(uint8_t **bytes, size_t *room, size_t wanted);
