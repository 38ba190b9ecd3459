#include "engine/channel/rpc_client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/stalls.h"

struct rpc_client {
    struct channel *channel;
    struct identity identity;
    struct endpoint endpoint;
    struct channel_trailing *trailing; /* the channel's option TRAILING */
    struct stalls *stalls;
};

int rpc_client_open(struct rpc_client **result, const struct endpoint *endpoint,
                    const struct identity *identity, const struct channel_options *options,
                    struct error *error)
{
    struct rpc_client *client = calloc(1, sizeof *client);
    int code;

    if (!client)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a connection");
    client->identity = *identity;
    client->endpoint = *endpoint;
    client->trailing = options->trailing;
    client->stalls = options->stalls;
    code = channel_open(&client->channel, endpoint, options, error);
    if (code) {
        free(client);
        return code;
    }
    *result = client;
    return 0;
}

void rpc_client_close(struct rpc_client *client)
{
    if (!client)
        return;
    channel_close(client->channel);
    free(client);
}

int rpc_message_encode(uint8_t *bytes, size_t room, const struct rpc_procedure *procedure,
                       const struct identity *identity, void *arguments, size_t *length)
{
    struct wire_writer writer = wire_writer(bytes, room);
    struct rpc_opaque_auth auth;
    bool encoded;
    XDR xdr;

    identity_credential(identity, &auth);
    wire_reserve(&writer, RPC_RECORD_MARK_SIZE);
    rpc_call_encode(&writer, &(struct rpc_call_header){.program = procedure->program,
                                                       .version = procedure->version,
                                                       .procedure = procedure->number,
                                                       .credential_flavor = auth.flavor,
                                                       .credential_length = auth.length,
                                                       .credential = auth.body});
    xdrmem_create(&xdr, (char *)writer.at, (unsigned)(writer.end - writer.at), XDR_ENCODE);
    encoded = !writer.failed && procedure->xdr_arguments(&xdr, arguments, 0);
    *length = (size_t)(writer.at - bytes) - RPC_RECORD_MARK_SIZE + xdr_getpos(&xdr);
    xdr_destroy(&xdr);
    return encoded ? 0 : -EINVAL;
}

int rpc_message_make(struct channel_message *message, const struct rpc_procedure *procedure,
                     const struct identity *identity, void *arguments, struct error *error)
{
    size_t room = RPC_RECORD_MARK_SIZE + RPC_CALL_HEADER_MAXIMUM +
                  xdr_sizeof(procedure->xdr_arguments, arguments);

    message->patch = NULL;
    message->bytes = malloc(room);
    if (!message->bytes)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a message");
    if (rpc_message_encode(message->bytes, room, procedure, identity, arguments,
                           &message->length) == 0)
        return 0;
    free(message->bytes);
    return error_set(error, ERROR_FAILED, -EINVAL, "the arguments of %s can't be encoded",
                     procedure->name);
}

static int describe_refusal(const struct rpc_client *client, const struct rpc_procedure *procedure,
                            const struct rpc_reply_header *header, struct error *error)
{
    char name[ENDPOINT_NAME_SIZE], outcome[96];
    int code = -EPROTO;

    if (header->outcome == RPC_OUTCOME_PROG_UNAVAIL ||
        header->outcome == RPC_OUTCOME_PROG_MISMATCH || header->outcome == RPC_OUTCOME_PROC_UNAVAIL)
        code = -EPROTONOSUPPORT;
    else if (header->outcome == RPC_OUTCOME_AUTH_ERROR)
        code = -EACCES;
    return error_set(error, ERROR_UNREACHABLE, code, "%s to %s was answered by %s%s",
                     procedure->name, endpoint_describe(&client->endpoint, name),
                     rpc_reply_describe(header, outcome, sizeof outcome),
                     code == -EACCES ? "; the server may require a reserved source port (run as "
                                       "root) or another user (--uid, --sec)"
                                     : "");
}

/* Note a call of PROCEDURE that began at BEGAN_NS as a stall if it took a second or more. The limit
 * is fixed, because such single calls have no usual duration. */
static void note_stall(const struct rpc_client *client, const struct rpc_procedure *procedure,
                       uint64_t began_ns)
{
    const uint64_t now = clock_raw_ns();

    if (client->stalls && (double)(now - began_ns) >= STALL_SECOND_NS)
        stalls_note(client->stalls, &(struct stall){began_ns, now, 1, procedure->name});
}

int rpc_client_exchange(struct rpc_client *client, const struct rpc_procedure *procedure,
                        const struct channel_message *message, struct rpc_client_reply *reply,
                        struct error *error)
{
    struct channel_reply received = {.sealed = {.bytes = NULL}};
    const uint64_t began = clock_raw_ns();
    char name[ENDPOINT_NAME_SIZE];
    int code = channel_exchange(client->channel, message, &channel_untimed, &received, error);

    note_stall(client, procedure, began);

    if (code)
        return code;
    reply->results = wire_reader(received.bytes, received.length);
    reply->bytes = received.bytes;
    reply->length = received.length;
    reply->sealed = received.sealed;
    if (rpc_reply_decode(&reply->results, &reply->header) != 0)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "the reply to %s from %s is not an RPC reply; is it an RPC server?",
                         procedure->name, endpoint_describe(&client->endpoint, name));
    if (reply->header.outcome != RPC_OUTCOME_SUCCESS)
        return describe_refusal(client, procedure, &reply->header, error);
    return 0;
}

/* Decode a result as rpc_result_decode() does. *LEFT is the number of bytes after it. */
static int decode_result(const struct rpc_procedure *procedure, const struct wire_reader *reader,
                         void *result, size_t *left)
{
    bool decoded;
    XDR xdr;

    memset(result, 0, procedure->result_size);
    /* The cast is safe: decoding does not write to the stream. */
    xdrmem_create(&xdr, (char *)(uintptr_t)reader->at, (unsigned)wire_left(reader), XDR_DECODE);
    decoded = procedure->xdr_result(&xdr, result, 0);
    *left = wire_left(reader) - xdr_getpos(&xdr);
    xdr_destroy(&xdr);
    if (decoded)
        return 0;
    xdr_free(procedure->xdr_result, result);
    return -EBADMSG;
}

int rpc_result_decode(const struct rpc_procedure *procedure, const struct wire_reader *reader,
                      void *result)
{
    size_t left;

    return decode_result(procedure, reader, result, &left);
}

int rpc_client_refuse_trailing(const struct rpc_procedure *procedure, size_t left,
                               struct error *error)
{
    return error_set(
        error, ERROR_FAILED, -EMSGSIZE,
        "%zu bytes follow the result of %s, which --strict refuses (RPC_CANTDECODERES)", left,
        procedure->name);
}

static int note_trailing(struct rpc_client *client, const struct rpc_procedure *procedure,
                         size_t left, struct error *error)
{
    struct channel_trailing *trailing = client->trailing;

    if (left == 0 || !trailing)
        return 0;
    if (trailing->refused)
        return rpc_client_refuse_trailing(procedure, left, error);
    if (trailing->replies++ == 0)
        trailing->procedure = procedure->name;
    return 0;
}

/* Check REPLY's length against the limit of PROCEDURE. Decoding allocates memory, and the channel's
 * limit may be much higher because of other procedures. */
static int check_length(const struct rpc_client *client, const struct rpc_procedure *procedure,
                        const struct rpc_client_reply *reply, struct error *error)
{
    size_t maximum = procedure->reply_maximum ? procedure->reply_maximum : RPC_REPLY_USUAL;
    char name[ENDPOINT_NAME_SIZE];

    if (reply->length <= maximum)
        return 0;
    return error_set(error, ERROR_FAILED, -EBADMSG,
                     "the reply to %s from %s has %zu bytes, more than an RPC reply can have "
                     "(%zu); is it an RPC server?",
                     procedure->name, endpoint_describe(&client->endpoint, name), reply->length,
                     maximum);
}

int rpc_client_call(struct rpc_client *client, const struct rpc_procedure *procedure,
                    void *arguments, void *result, struct error *error)
{
    struct channel_message message;
    struct rpc_client_reply reply;
    size_t left = 0;
    int code = rpc_message_make(&message, procedure, &client->identity, arguments, error);

    if (code)
        return code;
    memset(result, 0, procedure->result_size);
    code = rpc_client_exchange(client, procedure, &message, &reply, error);
    free(message.bytes);
    if (code == 0)
        code = check_length(client, procedure, &reply, error);
    if (code)
        return code;
    if (decode_result(procedure, &reply.results, result, &left) != 0)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "the result of %s can't be decoded (RPC_CANTDECODERES): it is cut short "
                         "or does not follow RFC 1813",
                         procedure->name);
    code = note_trailing(client, procedure, left, error);
    if (code)
        xdr_free(procedure->xdr_result, result);
    return code;
}

struct channel *rpc_client_channel(const struct rpc_client *client)
{
    return client->channel;
}
