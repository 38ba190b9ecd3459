/* A client's security context by Kerberos version 5 (RFC 2203, RFC 4121). The table in
 * engine/channel/protection.c lists this implementation for krb5, krb5i and krb5p. */
#include "security/gss_client.h"

#include <errno.h>
#include <gssapi/gssapi_krb5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "engine/channel/channel.h"
#include "security/gss.h"

enum {
    WORDS_SIZE = 300, /* size of a text for GSS-API's message, bytes */
    CONTEXT_ROUNDS_MAXIMUM = 8,
};

struct kerberos_client {
    struct gss_client base;
    struct gss_request request;
    struct gss_transport transport;
    struct rpc_gss gss;
    enum rpc_gss_procedure procedure; /* RPCSEC_GSS procedure of the next call */
    struct gss_establishment establishment;
    gss_name_t server; /* the server's name; GSS_C_NO_NAME: not imported yet */
    unsigned contexts; /* number of contexts established so far */
    uint32_t first;    /* sequence number of the current call's first transmission */
    /* Calls in flight by the latest context. WINDOW: see begin_numbers(). No call with a sequence
     * number below OLDEST is in flight. IN_FLIGHT[N modulo WINDOW]: call N is in flight. */
    uint32_t window, oldest;
    bool *in_flight;
    uint8_t *sealed; /* the protected call, with its record mark */
    size_t sealed_room, sealed_length;
    uint8_t *plain; /* the plain call or the verified reply */
    size_t plain_room;
};

static struct kerberos_client *client_of(struct gss_client *base)
{
    return (struct kerberos_client *)base;
}

static const struct kerberos_client *const_client_of(const struct gss_client *base)
{
    return (const struct kerberos_client *)base;
}

/* Messages */

/* Encode an unprotected NULL call into CLIENT's plain bytes, with TOKEN (or NULL) as its argument.
 * Returns 0 or -ENOMEM. */
static int encode_null(struct kerberos_client *client, const gss_buffer_desc *token,
                       struct channel_message *message)
{
    const struct gss_request *request = &client->request;
    size_t room = RPC_RECORD_MARK_SIZE + RPC_CALL_HEADER_MAXIMUM +
                  (token ? 4 + wire_padded(token->length) : 0);
    struct wire_writer writer;
    int code = array_reserve(&client->plain, &client->plain_room, room, 1);

    if (code)
        return code;
    writer = wire_writer(client->plain, room);
    wire_reserve(&writer, RPC_RECORD_MARK_SIZE);
    rpc_call_encode(&writer, &(struct rpc_call_header){.program = request->program,
                                                       .version = request->version});
    if (token)
        wire_put_opaque(&writer, token->value, token->length);
    *message = (struct channel_message){.bytes = client->plain,
                                        .length = (size_t)(writer.at - client->plain) -
                                                  RPC_RECORD_MARK_SIZE};
    return 0;
}

/* Store MESSAGE, protected as CLIENT's procedure requires, in *BYTES, whose size *ROOM grows as
 * needed. SEALED becomes this protected message. Returns 0 or a negative errno, like seal(). */
static int seal_into(struct kerberos_client *client, const struct channel_message *message,
                     uint8_t **bytes, size_t *room, struct channel_message *sealed)
{
    struct wire_writer writer;
    uint8_t *start;
    int code =
        array_reserve(bytes, room, RPC_RECORD_MARK_SIZE + message->length + RPC_GSS_OVERHEAD, 1);

    if (code)
        return code;
    writer = wire_writer(*bytes, *room);
    wire_reserve(&writer, RPC_RECORD_MARK_SIZE);
    start = writer.at;
    code = rpc_gss_seal(&client->gss, client->procedure, message->bytes + RPC_RECORD_MARK_SIZE,
                        message->length, &writer);
    *sealed = (struct channel_message){.bytes = *bytes, .length = (size_t)(writer.at - start)};
    wire_store_u32(sealed->bytes, RPC_LAST_FRAGMENT | (uint32_t)sealed->length);
    return code;
}

/* Establishing a context */

static int refuse_status(const struct kerberos_client *client, const char *what, OM_uint32 major,
                         OM_uint32 minor, struct error *error)
{
    char words[WORDS_SIZE], name[24];

    return error_set(error, ERROR_UNREACHABLE, -EACCES, "%s for nfs/%s: %s: %s",
                     rpc_flavor_name(client->request.flavor, name), client->request.host, what,
                     rpc_gss_describe(major, minor, words, sizeof words));
}

/* The server's answer to a call that establishes a context (RFC 2203 section 5.2.3.1). */
struct init_result {
    struct rpc_reply_header header;
    uint32_t major, minor, window;
    const uint8_t *handle, *token;
    uint32_t handle_length, token_length;
};

static int read_init_result(const struct channel_reply *reply, struct init_result *result)
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);
    int code = rpc_reply_decode(&reader, &result->header);

    if (code || result->header.outcome != RPC_OUTCOME_SUCCESS)
        return code;
    result->handle = wire_get_opaque(&reader, RPC_GSS_HANDLE_MAXIMUM, &result->handle_length);
    result->major = wire_get_u32(&reader);
    result->minor = wire_get_u32(&reader);
    result->window = wire_get_u32(&reader);
    result->token = wire_get_opaque(&reader, reply->length, &result->token_length);
    return reader.failed ? -EBADMSG : 0;
}

static int refuse_reply(const struct kerberos_client *client, const struct rpc_reply_header *header,
                        struct error *error)
{
    char outcome[96], name[24];

    return error_set(error, ERROR_UNREACHABLE, -EACCES,
                     "%s for nfs/%s: the server answered the security context by %s; does it "
                     "support this flavor, and have a key for this name?",
                     rpc_flavor_name(client->request.flavor, name), client->request.host,
                     rpc_reply_describe(header, outcome, sizeof outcome));
}

static int exchange_timed(struct kerberos_client *client, const struct channel_message *message,
                          struct channel_reply *reply, struct error *error)
{
    struct gss_establishment *establishment = &client->establishment;
    uint64_t began = clock_raw_ns(), ns;
    int code = client->transport.exchange(client->transport.context, message, reply, error);

    ns = clock_raw_ns() - began;
    if (client->procedure == RPC_GSS_INIT) {
        establishment->init_ns = ns;
    } else {
        establishment->continue_ns += ns;
        establishment->continues++;
    }
    return code;
}

/* Process token FROM of the server, and make token TO for the server. Returns the major status. */
static OM_uint32 take_token(struct kerberos_client *client, gss_buffer_desc *from,
                            gss_buffer_desc *to, OM_uint32 *minor)
{
    return gss_init_sec_context(minor, GSS_C_NO_CREDENTIAL, &client->gss.context.handle,
                                client->server, (gss_OID)gss_mech_krb5,
                                GSS_C_MUTUAL_FLAG | GSS_C_INTEG_FLAG | GSS_C_CONF_FLAG, 0,
                                GSS_C_NO_CHANNEL_BINDINGS, from, NULL, to, NULL, NULL);
}

static gss_buffer_desc token_of(const struct init_result *result)
{
    return (gss_buffer_desc){.length = result->token_length,
                             .value = (void *)(uintptr_t)result->token};
}

/* Report that the server refused the context. The server's minor status has a meaning only in the
 * server's library, so the reason is taken from RESULT's token, if there is one. */
static int refuse_context(struct kerberos_client *client, const struct init_result *result,
                          struct error *error)
{
    gss_buffer_desc from = token_of(result), to = GSS_C_EMPTY_BUFFER;
    OM_uint32 major = result->major, minor = result->minor, unused, own = GSS_S_COMPLETE;

    if (from.length > 0)
        own = take_token(client, &from, &to, &unused);
    if (GSS_ERROR(own)) {
        major = own;
        minor = unused;
    }
    gss_release_buffer(&unused, &to);
    return refuse_status(client, "the server refused the security context", major, minor, error);
}

static int exchange_token(struct kerberos_client *client, const gss_buffer_desc *token,
                          struct channel_reply *reply, struct init_result *result,
                          struct error *error)
{
    struct channel_message message;
    int code = encode_null(client, token, &message);

    client->procedure = client->gss.handle_length == 0 ? RPC_GSS_INIT : RPC_GSS_CONTINUE_INIT;
    if (code == 0)
        code = seal_into(client, &message, &client->sealed, &client->sealed_room, &message);
    if (code)
        return error_set(error, ERROR_FAILED, code, "out of memory for a security context");
    code = exchange_timed(client, &message, reply, error);
    if (code)
        return code;
    if (read_init_result(reply, result) != 0)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "the server's answer to RPCSEC_GSS_INIT is malformed");
    if (result->header.outcome != RPC_OUTCOME_SUCCESS)
        return refuse_reply(client, &result->header, error);
    if (GSS_ERROR(result->major))
        return refuse_context(client, result, error);
    memcpy(client->gss.handle, result->handle, result->handle_length);
    client->gss.handle_length = result->handle_length;
    return 0;
}

/* Process the server's token in RESULT (empty at first), and set *MAJOR to GSS-API's status. If
 * GSS-API makes a token for the server, send it, and store the server's answer in RESULT. */
static int exchange_step(struct kerberos_client *client, struct init_result *result,
                         OM_uint32 *major, struct channel_reply *reply, struct error *error)
{
    gss_buffer_desc from = token_of(result), to = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor, unused;
    int code = 0;

    *major = take_token(client, &from, &to, &minor);
    if (GSS_ERROR(*major))
        code = refuse_status(client, "no security context; see klist", *major, minor, error);
    else if (to.length > 0)
        code = exchange_token(client, &to, reply, result, error);
    gss_release_buffer(&unused, &to);
    return code;
}

/* Set up an empty window of at most WINDOW sequence numbers. A window of 32 becomes 31, because
 * nfs-ganesha and other servers keep the window as bits of a word and shift it by the distance of
 * two numbers. A shift by 32 is undefined in C, and makes these servers drop calls. */
static int begin_numbers(struct kerberos_client *client, uint32_t window, struct error *error)
{
    enum { BITS = 32 };

    free(client->in_flight);
    client->window = window < GSS_WINDOW_MAXIMUM ? window : GSS_WINDOW_MAXIMUM;
    if (client->window == BITS)
        client->window--;
    client->in_flight = calloc(client->window + 1, sizeof *client->in_flight);
    if (client->in_flight)
        return 0;
    client->window = 0;
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a security context");
}

/* Verify the window's MIC, which proves that the server has the context; set up the window. */
static int finish_context(struct kerberos_client *client, const struct init_result *result,
                          struct error *error)
{
    client->procedure = RPC_GSS_DATA;
    if (rpc_gss_verify_number(&client->gss.context, result->window, result->header.verifier,
                              result->header.verifier_length) == 0) {
        client->contexts++;
        return begin_numbers(client, result->window, error);
    }
    return refuse_status(client, "the server's verifier of the security context is wrong",
                         client->gss.context.major, client->gss.context.minor, error);
}

static int exchange_tokens(struct kerberos_client *client, struct error *error)
{
    struct init_result result = {.major = GSS_S_CONTINUE_NEEDED};
    struct channel_reply reply;
    OM_uint32 major = GSS_S_CONTINUE_NEEDED;

    for (unsigned i = 0; i < CONTEXT_ROUNDS_MAXIMUM; i++) {
        int code = exchange_step(client, &result, &major, &reply, error);

        if (code)
            return code;
        if (major == GSS_S_COMPLETE && result.major == GSS_S_COMPLETE)
            return finish_context(client, &result, error);
    }
    return error_set(error, ERROR_FAILED, -EBADMSG,
                     "the security context with nfs/%s is not complete after %d messages",
                     client->request.host, CONTEXT_ROUNDS_MAXIMUM);
}

static int import_name(struct kerberos_client *client, struct error *error)
{
    char text[300];
    int length = snprintf(text, sizeof text, "nfs@%s", client->request.host);
    gss_buffer_desc name = {.length = (size_t)length, .value = text};
    OM_uint32 minor,
        major = gss_import_name(&minor, &name, GSS_C_NT_HOSTBASED_SERVICE, &client->server);

    return GSS_ERROR(major) ? refuse_status(client, "not a name", major, minor, error) : 0;
}

/* Establish a context. Returns 0, or a negative errno with ERROR set. */
static int establish(struct kerberos_client *client, struct error *error)
{
    uint64_t began = clock_raw_ns();
    int code;

    client->establishment = (struct gss_establishment){.continues = 0};
    code = client->server == GSS_C_NO_NAME ? import_name(client, error) : 0;
    if (code == 0)
        code = exchange_tokens(client, error);
    client->establishment.whole_ns = clock_raw_ns() - began;
    return code;
}

static void forget_context(struct kerberos_client *client)
{
    rpc_gss_delete(&client->gss.context);
    client->gss.handle_length = 0;
    client->gss.sequence = 0;
    client->oldest = 1;
    client->first = 1; /* number of the current call if it is sent again in a new context */
}

static int renew(struct gss_client *base, struct error *error)
{
    struct kerberos_client *client = client_of(base);
    int code;

    forget_context(client);
    code = establish(client, error);
    if (code)
        forget_context(client); /* discard the incomplete context */
    return code;
}

static int encode_end(struct gss_client *base, struct channel_message *message)
{
    struct kerberos_client *client = client_of(base);

    client->procedure = RPC_GSS_DESTROY;
    client->gss.service = RPC_GSS_NONE; /* the reply has no results to protect */
    return encode_null(client, NULL, message);
}

static void close_client(struct gss_client *base)
{
    struct kerberos_client *client = client_of(base);
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

static const struct gss_establishment *establishment(const struct gss_client *base)
{
    const struct kerberos_client *client = const_client_of(base);

    return &client->establishment;
}

static int open_client(struct gss_client **result, const struct gss_request *request,
                       const struct gss_transport *transport, struct error *error)
{
    struct kerberos_client *client = calloc(1, sizeof *client);
    int code;

    if (!client)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a security context");
    client->base.type = &gss_client_kerberos;
    client->request = *request;
    client->transport = *transport;
    client->gss.service = rpc_gss_service_of(request->flavor);
    client->oldest = client->first = 1;
    code = establish(client, error);
    if (code) {
        close_client(&client->base);
        return code;
    }
    *result = &client->base;
    return 0;
}

/* Calls */

static int seal(struct gss_client *base, const struct channel_message *message, bool first,
                struct channel_message *sealed)
{
    struct kerberos_client *client = client_of(base);
    int code;

    if (first)
        client->first = client->gss.sequence + 1;
    code = seal_into(client, message, &client->sealed, &client->sealed_room, sealed);
    client->sealed_length = sealed->length;
    return code;
}

/* Verify the LENGTH bytes at REPLY, which must answer a call with a sequence number from FIRST to
 * LAST. Store the reply, decrypted if necessary, in CLIENT's PLAIN, and its length in
 * *PLAIN_LENGTH. */
static int open_plain(struct kerberos_client *client, uint32_t first, uint32_t last,
                      const uint8_t *reply, size_t length, size_t *plain_length)
{
    struct wire_writer writer;
    int code = array_reserve(&client->plain, &client->plain_room, length + RPC_GSS_OVERHEAD, 1);

    if (code)
        return code;
    writer = wire_writer(client->plain, client->plain_room);
    code = rpc_gss_open(&client->gss, first, last, reply, length, &writer);
    *plain_length = (size_t)(writer.at - client->plain);
    return code;
}

static int open_reply(struct gss_client *base, struct channel_reply *reply)
{
    struct kerberos_client *client = client_of(base);
    size_t length;
    int code = open_plain(client, client->first, client->gss.sequence, reply->bytes, reply->length,
                          &length);

    if (code)
        return code;
    reply->sealed = (struct gss_reply){reply->bytes, reply->length, client->gss.sequence,
                                       client->sealed_length};
    reply->bytes = client->plain;
    reply->length = length;
    return 0;
}

/* Single steps */

static bool has_part(const struct gss_client *base, enum gss_part part)
{
    const struct kerberos_client *client = const_client_of(base);

    return client->gss.service != RPC_GSS_NONE || part == GSS_PART_MIC || part == GSS_PART_VERIFY;
}

static int do_part(struct gss_client *base, enum gss_part part,
                   const struct channel_message *message, const struct gss_reply *reply)
{
    struct kerberos_client *client = client_of(base);
    const uint8_t *call = message->bytes + RPC_RECORD_MARK_SIZE;
    size_t longest = message->length > reply->length ? message->length : reply->length;
    struct wire_writer writer;
    int code = array_reserve(&client->plain, &client->plain_room, longest + RPC_GSS_OVERHEAD, 1);

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

static int describe(const struct gss_client *base, int code, struct error *error)
{
    const struct kerberos_client *client = const_client_of(base);
    char words[WORDS_SIZE], name[24];

    rpc_flavor_name(client->request.flavor, name);
    if (code == -EKEYREJECTED)
        return error_set(error, ERROR_FAILED, code, "a message protected by %s is not valid: %s",
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
    return error_set(error, ERROR_FAILED, -EBADMSG,
                     "a reply has a form that %s does not allow (RFC 2203)",
                     rpc_flavor_name(client->request.flavor, name));
}

/* Calls in flight */

static bool has_number(const struct gss_client *base)
{
    const struct kerberos_client *client = const_client_of(base);

    return client->gss.sequence + 1 - client->oldest < client->window;
}

static void release(struct gss_client *base, struct gss_sealed *call)
{
    struct kerberos_client *client = client_of(base);

    if (call->sequence == 0)
        return;
    if (call->context == client->contexts)
        client->in_flight[call->sequence % client->window] = false;
    call->sequence = 0;
    while (client->oldest <= client->gss.sequence &&
           !client->in_flight[client->oldest % client->window])
        client->oldest++;
}

static int seal_call(struct gss_client *base, const struct channel_message *message,
                     struct gss_sealed *call, struct channel_message *sealed, struct error *error)
{
    struct kerberos_client *client = client_of(base);
    int code = client->gss.handle_length == 0 ? renew(base, error) : 0;

    if (code)
        return code;
    release(base, call);
    code = seal_into(client, message, &call->bytes, &call->room, sealed);
    if (code)
        return describe(base, code, error);
    call->sequence = client->gss.sequence;
    call->context = client->contexts;
    client->in_flight[call->sequence % client->window] = true;
    return 0;
}

/* Open the reply to CALL, copy the plain reply, which is not longer, over the protected one, and
 * release CALL's number. Returns -EKEYEXPIRED if CALL was sent by an earlier context, because the
 * reply can't be verified. If the server has lost the present context, forgets it, increments
 * *RENEWALS, and returns -EKEYEXPIRED, too. */
static int open_call(struct gss_client *base, struct gss_sealed *call, uint8_t *reply,
                     size_t *length, uint64_t *renewals, struct error *error)
{
    struct kerberos_client *client = client_of(base);
    size_t plain;
    int code = -EKEYEXPIRED;

    if (call->context != client->contexts || client->gss.handle_length == 0)
        return code;
    code = open_plain(client, call->sequence, call->sequence, reply, *length, &plain);
    if (code == 0 && plain <= *length) {
        memcpy(reply, client->plain, plain);
        *length = plain;
        release(base, call);
        return 0;
    }
    if (code != -EKEYEXPIRED)
        return describe(base, code ? code : -EBADMSG, error);
    ++*renewals;
    forget_context(client);
    return code;
}

static uint32_t window(const struct gss_client *base)
{
    const struct kerberos_client *client = const_client_of(base);

    return client->window;
}

const struct gss_client_type gss_client_kerberos = {
    .open = open_client,
    .close = close_client,
    .renew = renew,
    .establishment = establishment,
    .encode_end = encode_end,
    .seal = seal,
    .open_reply = open_reply,
    .has_part = has_part,
    .do_part = do_part,
    .has_number = has_number,
    .seal_call = seal_call,
    .release = release,
    .open_call = open_call,
    .window = window,
    .describe = describe,
    .tirpc_auth = gss_tirpc_auth,
};
