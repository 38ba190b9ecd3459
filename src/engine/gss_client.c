#include "engine/gss_client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gss_client_parts.h"

/* The context */

const struct gss_establishment *gss_client_establishment(const struct gss_client *client)
{
    return &client->establishment;
}

int gss_client_open(struct gss_client **result, const struct gss_request *request,
                    const struct gss_transport *transport, struct error *error)
{
    struct gss_client *client = calloc(1, sizeof *client);
    int code;

    if (!client)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a security context");
    client->request = *request;
    client->transport = *transport;
    client->gss.service = rpc_gss_service_of(request->flavor);
    client->oldest = client->first = 1;
    code = gss_client_establish(client, error);
    if (code) {
        gss_client_close(client);
        return code;
    }
    *result = client;
    return 0;
}

static void forget_context(struct gss_client *client)
{
    rpc_gss_delete(&client->gss.context);
    client->gss.handle_length = 0;
    client->gss.sequence = 0;
    client->oldest = 1;
    client->first = 1; /* of the call that is sent again by a new context, too */
}

int gss_client_renew(struct gss_client *client, struct error *error)
{
    int code;

    forget_context(client);
    code = gss_client_establish(client, error);
    if (code)
        forget_context(client); /* what there is of it */
    return code;
}

int gss_client_encode_end(struct gss_client *client, struct channel_message *message)
{
    client->procedure = RPC_GSS_DESTROY;
    client->gss.service = RPC_GSS_NONE; /* the answer has no results to protect */
    return gss_client_encode_null(client, NULL, message);
}

void gss_client_close(struct gss_client *client)
{
    OM_uint32 minor;

    if (!client)
        return;
    forget_context(client);
    gss_release_name(&minor, &client->server);
    free(client->in_flight);
    free(client->sealed);
    free(client->plain);
    free(client);
}

/* Calls */

int gss_client_seal(struct gss_client *client, const struct channel_message *message, bool first,
                    struct channel_message *sealed)
{
    if (first)
        client->first = client->gss.sequence + 1;
    return gss_client_seal_into(client, message, &client->sealed, &client->sealed_room, sealed);
}

/* Verify the LENGTH bytes at REPLY, and make CLIENT's plain bytes of them. */
static int open_reply(struct gss_client *client, uint32_t first, uint32_t last,
                      const uint8_t *reply, size_t length, size_t *plain_length)
{
    struct wire_writer writer;
    int code = gss_client_make_room(&client->plain, &client->plain_room, length + RPC_GSS_OVERHEAD);

    if (code)
        return code;
    writer = wire_writer(client->plain, client->plain_room);
    code = rpc_gss_open(&client->gss, first, last, reply, length, &writer);
    *plain_length = (size_t)(writer.at - client->plain);
    return code;
}

int gss_client_open_reply(struct gss_client *client, struct channel_reply *reply)
{
    size_t length;
    int code = open_reply(client, client->first, client->gss.sequence, reply->bytes, reply->length,
                          &length);

    if (code)
        return code;
    reply->sealed = (struct gss_reply){reply->bytes, reply->length, client->gss.sequence};
    reply->bytes = client->plain;
    reply->length = length;
    return 0;
}

/* Single parts */

bool gss_client_has_part(const struct gss_client *client, enum gss_part part)
{
    return client->gss.service != RPC_GSS_NONE || part == GSS_PART_MIC || part == GSS_PART_VERIFY;
}

int gss_client_do_part(struct gss_client *client, enum gss_part part,
                       const struct channel_message *message, const struct gss_reply *reply)
{
    const uint8_t *call = message->bytes + RPC_RECORD_MARK_SIZE;
    size_t longest = message->length > reply->length ? message->length : reply->length;
    struct wire_writer writer;
    int code =
        gss_client_make_room(&client->plain, &client->plain_room, longest + RPC_GSS_OVERHEAD);

    if (code)
        return code;
    writer = wire_writer(client->plain, client->plain_room);
    switch (part) {
    case GSS_PART_MIC:
        return rpc_gss_sign_call(&client->gss, call, message->length, &writer);
    case GSS_PART_WRAP:
        return rpc_gss_wrap_call(&client->gss, call, message->length, &writer);
    case GSS_PART_VERIFY:
        return rpc_gss_verify_reply(&client->gss, reply->sequence, reply->bytes, reply->length);
    default:
        return rpc_gss_unwrap_reply(&client->gss, reply->sequence, reply->bytes, reply->length,
                                    &writer);
    }
}

/* Calls in flight */

bool gss_client_has_number(const struct gss_client *client)
{
    return client->gss.sequence + 1 - client->oldest < client->window;
}

void gss_client_release(struct gss_client *client, struct gss_sealed *call)
{
    if (call->sequence == 0)
        return;
    if (call->context == client->contexts)
        client->in_flight[call->sequence % client->window] = false;
    call->sequence = 0;
    while (client->oldest <= client->gss.sequence &&
           !client->in_flight[client->oldest % client->window])
        client->oldest++;
}

int gss_client_seal_call(struct gss_client *client, const struct channel_message *message,
                         struct gss_sealed *call, struct channel_message *sealed,
                         struct error *error)
{
    int code = client->gss.handle_length == 0 ? gss_client_renew(client, error) : 0;

    if (code)
        return code;
    gss_client_release(client, call);
    code = gss_client_seal_into(client, message, &call->bytes, &call->room, sealed);
    if (code)
        return gss_client_explain(client, code, error);
    call->sequence = client->gss.sequence;
    call->context = client->contexts;
    client->in_flight[call->sequence % client->window] = true;
    return 0;
}

/* A plain reply is shorter than a protected one. A reply by an earlier context can't be verified
 * any more. */
int gss_client_open_call(struct gss_client *client, struct gss_sealed *call, uint8_t *reply,
                         size_t *length, uint64_t *renewals, struct error *error)
{
    size_t plain;
    int code = -EKEYEXPIRED;

    if (call->context != client->contexts || client->gss.handle_length == 0)
        return code;
    code = open_reply(client, call->sequence, call->sequence, reply, *length, &plain);
    if (code == 0 && plain <= *length) {
        memcpy(reply, client->plain, plain);
        *length = plain;
        gss_client_release(client, call);
        return 0;
    }
    if (code != -EKEYEXPIRED)
        return gss_client_explain(client, code ? code : -EBADMSG, error);
    ++*renewals;
    forget_context(client);
    return code;
}

uint32_t gss_client_window(const struct gss_client *client)
{
    return client->window;
}

int gss_client_explain(const struct gss_client *client, int code, struct error *error)
{
    char words[GSS_CLIENT_WORDS_SIZE], name[24];

    rpc_flavor_name(client->request.flavor, name);
    if (code == -EKEYREJECTED)
        return error_set(error, ERROR_FAILED, code, "a message by %s is not valid: %s",
                         rpc_flavor_name(client->request.flavor, name),
                         rpc_gss_describe(client->gss.context.major, client->gss.context.minor,
                                          words, sizeof words));
    if (code == -EKEYEXPIRED)
        return error_set(error, ERROR_UNREACHABLE, code,
                         "the server refuses each new security context of %s as expired "
                         "(RPCSEC_GSS_CTXPROBLEM)",
                         rpc_flavor_name(client->request.flavor, name));
    if (code == -ENOMEM)
        return error_set(error, ERROR_FAILED, code, "out of memory for a protected message");
    return error_set(error, ERROR_FAILED, -EBADMSG, "a reply is not one that %s allows (RFC 2203)",
                     rpc_flavor_name(client->request.flavor, name));
}
