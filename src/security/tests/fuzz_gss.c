/* RPCSEC_GSS in the server: calls that establish, use and end contexts, unchanged or changed, with
 * sequence numbers in any order; and credentials of any bytes. The mechanism below GSS-API is
 * replaced: a MIC is a hash with a key, and a context is only its key. A call must be carried out
 * only if it is unchanged, and only once. */
#include <gssapi/gssapi_ext.h>
#include <string.h>

#include "embedded.h"
#include "nfs3.h"
#include "script.h"
#include "security/gss.h"
#include "security/sequence_window.h"

enum { ROOM = 4096, CLIENTS = 4, NUMBERS = 1 << 16, MIC_SIZE = 8 };

/* The replaced mechanism */

static uint64_t hash(gss_ctx_id_t context, const gss_buffer_desc *data)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325) ^ (uintptr_t)context;

    for (size_t i = 0; i < data->length; i++)
        sum = (sum ^ ((const uint8_t *)data->value)[i]) * UINT64_C(0x100000001b3);
    return sum ^ sum >> 29;
}

static void set_buffer(gss_buffer_t buffer, const void *bytes, size_t length)
{
    buffer->value = malloc(length ? length : 1);
    FUZZ_CHECK(buffer->value);
    memcpy(buffer->value, bytes, length);
    buffer->length = length;
}

OM_uint32 __wrap_gss_acquire_cred_from(OM_uint32 *minor, gss_name_t name, OM_uint32 time,
                                       gss_OID_set mechanisms, gss_cred_usage_t usage,
                                       gss_const_key_value_set_t store, gss_cred_id_t *credential,
                                       gss_OID_set *actual, OM_uint32 *rest)
{
    *minor = 0;
    *credential = GSS_C_NO_CREDENTIAL;
    return GSS_S_COMPLETE;
}

/* A token is the context's key, and a byte that says whether another token must follow. */
OM_uint32 __wrap_gss_accept_sec_context(OM_uint32 *minor, gss_ctx_id_t *context,
                                        gss_cred_id_t credential, gss_buffer_t token,
                                        gss_channel_bindings_t bindings, gss_name_t *name,
                                        gss_OID *mechanism, gss_buffer_t answer, OM_uint32 *flags,
                                        OM_uint32 *rest, gss_cred_id_t *delegated)
{
    const uint8_t *bytes = token->value;

    *minor = 7;
    if (token->length != 2 || bytes[0] == 0)
        return GSS_S_DEFECTIVE_TOKEN;
    *minor = 0;
    *context = (gss_ctx_id_t)(uintptr_t)bytes[0];
    *rest = GSS_C_INDEFINITE;
    set_buffer(answer, "answer", 6);
    return bytes[1] ? GSS_S_CONTINUE_NEEDED : GSS_S_COMPLETE;
}

OM_uint32 __wrap_gss_delete_sec_context(OM_uint32 *minor, gss_ctx_id_t *context, gss_buffer_t token)
{
    *context = GSS_C_NO_CONTEXT;
    return GSS_S_COMPLETE;
}

OM_uint32 __wrap_gss_get_mic(OM_uint32 *minor, gss_ctx_id_t context, gss_qop_t quality,
                             gss_buffer_t data, gss_buffer_t mic)
{
    uint64_t sum = hash(context, data);

    *minor = 0;
    set_buffer(mic, &sum, MIC_SIZE);
    return GSS_S_COMPLETE;
}

OM_uint32 __wrap_gss_verify_mic(OM_uint32 *minor, gss_ctx_id_t context, gss_buffer_t data,
                                gss_buffer_t mic, gss_qop_t *quality)
{
    uint64_t sum = hash(context, data);

    *minor = 0;
    return mic->length == MIC_SIZE && memcmp(mic->value, &sum, MIC_SIZE) == 0 ? GSS_S_COMPLETE
                                                                              : GSS_S_BAD_SIG;
}

/* A wrapped message is the hash, and the data with inverted bits. */
OM_uint32 __wrap_gss_wrap(OM_uint32 *minor, gss_ctx_id_t context, int encrypt, gss_qop_t quality,
                          gss_buffer_t data, int *encrypted, gss_buffer_t token)
{
    uint64_t sum = hash(context, data);
    uint8_t bytes[ROOM];

    FUZZ_CHECK(data->length + MIC_SIZE <= sizeof bytes);
    memcpy(bytes, &sum, MIC_SIZE);
    for (size_t i = 0; i < data->length; i++)
        bytes[MIC_SIZE + i] = (uint8_t) ~((const uint8_t *)data->value)[i];
    *minor = 0;
    set_buffer(token, bytes, MIC_SIZE + data->length);
    return GSS_S_COMPLETE;
}

OM_uint32 __wrap_gss_unwrap(OM_uint32 *minor, gss_ctx_id_t context, gss_buffer_t token,
                            gss_buffer_t data, int *encrypted, gss_qop_t *quality)
{
    gss_buffer_desc mic = {.length = MIC_SIZE, .value = token->value};
    uint8_t *bytes = token->value;

    *minor = 0;
    *encrypted = 1;
    if (token->length < MIC_SIZE)
        return GSS_S_DEFECTIVE_TOKEN;
    for (size_t i = MIC_SIZE; i < token->length; i++)
        bytes[i] = (uint8_t)~bytes[i];
    set_buffer(data, bytes + MIC_SIZE, token->length - MIC_SIZE);
    if (__wrap_gss_verify_mic(minor, context, data, &mic, quality) == GSS_S_COMPLETE)
        return GSS_S_COMPLETE;
    free(data->value);
    *data = (gss_buffer_desc)GSS_C_EMPTY_BUFFER;
    return GSS_S_BAD_SIG;
}

OM_uint32 __wrap_gss_localname(OM_uint32 *minor, gss_name_t name, gss_const_OID mechanism,
                               gss_buffer_t local)
{
    return GSS_S_UNAVAILABLE;
}

/* The clients */

struct client {
    struct rpc_gss gss;
    bool established;
    uint32_t highest;
    bool taken[NUMBERS];
};

static struct client clients[CLIENTS];
static struct client *last; /* client whose unchanged call is in SEALED; NULL: none */
static uint8_t message[ROOM], sealed[ROOM], opened[ROOM];
static size_t message_length, sealed_length, reply_length;

static void send_bytes(const uint8_t *bytes, size_t length)
{
    reply_length = embedded_answer(bytes, length, true);
}

static enum rpc_outcome outcome_of(struct wire_reader *reader)
{
    struct rpc_reply_header header;

    *reader = wire_reader(embedded_reply, reply_length);
    FUZZ_CHECK(rpc_reply_decode(reader, &header) == 0);
    return header.outcome;
}

static void encode(uint32_t procedure, const void *arguments, size_t length)
{
    struct wire_writer writer = wire_writer(message, sizeof message);

    rpc_call_encode(&writer, &(struct rpc_call_header){.xid = embedded_new_xid(),
                                                       .program = NFS_PROGRAM,
                                                       .version = NFS_V3,
                                                       .procedure = procedure});
    wire_put_opaque(&writer, arguments, length);
    message_length = (size_t)(writer.at - message);
}

static void seal(struct client *client, enum rpc_gss_procedure procedure)
{
    struct wire_writer writer = wire_writer(sealed, sizeof sealed);

    FUZZ_CHECK(rpc_gss_seal(&client->gss, procedure, message, message_length, &writer) == 0);
    sealed_length = (size_t)(writer.at - sealed);
}

/* Begin CLIENT's context if FIRST, else continue to establish it. */
static void send_token(struct script *script, struct client *client, bool first)
{
    uint8_t token[2] = {script_byte(script), script_byte(script)};
    struct wire_reader reader;
    const uint8_t *name;
    uint32_t length, major;

    last = NULL;
    if (first) {
        memset(client, 0, sizeof *client);
        client->gss.service = (enum rpc_gss_service)(1 + script_byte(script) % 3);
    }
    encode(0, token, sizeof token);
    seal(client, first ? RPC_GSS_INIT : RPC_GSS_CONTINUE_INIT);
    send_bytes(sealed, sealed_length);
    if (reply_length == 0 || outcome_of(&reader) != RPC_OUTCOME_SUCCESS) {
        FUZZ_CHECK(!first);
        return;
    }
    name = wire_get_opaque(&reader, RPC_GSS_HANDLE_MAXIMUM, &length);
    major = wire_get_u32(&reader);
    FUZZ_CHECK(!reader.failed && GSS_ERROR(major) == (token[0] == 0 ? GSS_S_DEFECTIVE_TOKEN : 0));
    memcpy(client->gss.handle, name, length);
    client->gss.handle_length = length;
    client->gss.context.handle = (gss_ctx_id_t)(uintptr_t)token[0];
    client->established = major == GSS_S_COMPLETE;
}

/* Return whether the server must answer CLIENT's call number SEQUENCE. If so, record SEQUENCE. */
static bool is_taken(struct client *client, uint32_t sequence)
{
    bool taken = client->established && sequence > 0 && !client->taken[sequence] &&
                 sequence + SEQUENCE_WINDOW_MAXIMUM > client->highest;

    if (taken) {
        client->taken[sequence] = true;
        client->highest = sequence > client->highest ? sequence : client->highest;
    }
    return taken;
}

static void send_call(struct client *client)
{
    bool expected = is_taken(client, client->gss.sequence);
    struct wire_writer writer = wire_writer(opened, sizeof opened);
    struct wire_reader reader;

    send_bytes(sealed, sealed_length);
    if (!client->established) {
        FUZZ_CHECK(outcome_of(&reader) == RPC_OUTCOME_AUTH_ERROR);
        return;
    }
    FUZZ_CHECK((reply_length > 0) == expected);
    if (expected)
        FUZZ_CHECK(rpc_gss_open(&client->gss, client->gss.sequence, client->gss.sequence,
                                embedded_reply, reply_length, &writer) == 0);
}

/* Send the sealed call with one byte changed, except by krb5, which does not protect arguments. The
 * server may accept the call's sequence number, but not its arguments. */
static void send_changed(struct script *script, struct client *client)
{
    size_t at = script_u16(script) % sealed_length;
    uint8_t change = script_byte(script);
    struct wire_reader reader;

    if (client->gss.service == RPC_GSS_NONE || change == 0)
        return;
    sealed[at] ^= change;
    send_bytes(sealed, sealed_length);
    FUZZ_CHECK(reply_length == 0 || outcome_of(&reader) != RPC_OUTCOME_SUCCESS);
    if (reply_length > 0 && outcome_of(&reader) == RPC_OUTCOME_GARBAGE_ARGS)
        is_taken(client, client->gss.sequence);
}

static void call(struct script *script, struct client *client, bool changed)
{
    struct nfs_handle root = embedded_handle(tree_root(embedded_exported.tree));
    uint32_t number = script_u16(script);

    client->gss.sequence = number ? number - 1 : client->highest % (NUMBERS - 2);
    encode(NFSPROC3_GETATTR, root.bytes, root.length);
    seal(client, RPC_GSS_DATA);
    last = changed ? NULL : client;
    if (changed)
        send_changed(script, client);
    else
        send_call(client);
}

static void end(struct client *client)
{
    client->gss.sequence = client->highest % (NUMBERS - 2);
    encode(0, NULL, 0);
    seal(client, RPC_GSS_DESTROY);
    last = NULL;
    if (is_taken(client, client->gss.sequence))
        client->established = false;
    send_bytes(sealed, sealed_length);
}

/* Send a credential of any bytes, in a call of NULL or GETATTR. */
static void send_credential(struct script *script)
{
    struct wire_writer writer = wire_writer(message, sizeof message);
    size_t length = script_byte(script);
    uint32_t procedure = script_byte(script) % 2;
    const uint8_t *bytes = script_bytes(script, &length);
    struct wire_reader reader;

    rpc_call_encode(&writer, &(struct rpc_call_header){.xid = embedded_new_xid(),
                                                       .program = NFS_PROGRAM,
                                                       .version = NFS_V3,
                                                       .procedure = procedure,
                                                       .credential_flavor = RPC_FLAVOR_GSS,
                                                       .credential_length = (uint32_t)length,
                                                       .credential = bytes});
    length = 64;
    bytes = script_bytes(script, &length);
    wire_put_fixed(&writer, bytes, length);
    send_bytes(message, (size_t)(writer.at - message));
    if (reply_length > 0 && procedure > 0)
        FUZZ_CHECK(outcome_of(&reader) != RPC_OUTCOME_SUCCESS);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    if (embedded_open() != 0)
        return 1;
    embedded_exported.flavors[RPC_FLAVOR_NONE] = embedded_exported.flavors[RPC_FLAVOR_SYS] = false;
    return 0;
}

static void renew_server(void)
{
    static const struct policy policy = {
        .flavors = {RPC_FLAVOR_KRB5, RPC_FLAVOR_KRB5I, RPC_FLAVOR_KRB5P}, .flavor_count = 3};
    struct error error;

    if (embedded_exported.gss)
        embedded_exported.gss->type->close(embedded_exported.gss);
    FUZZ_CHECK(gss_server_open(&embedded_exported.gss, NULL, &policy, &error) == 0);
    memset(clients, 0, sizeof clients);
    last = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct script script = script_of(data, size);

    embedded_renew(1 << 20);
    renew_server();
    while (!script_ended(&script)) {
        uint8_t step = script_byte(&script);
        struct client *client = &clients[step / 8 % CLIENTS];

        switch (step % 8) {
        case 0:
        case 1:
            call(&script, client, false);
            break;
        case 2:
            call(&script, client, true);
            break;
        case 3:
            send_token(&script, client, true);
            break;
        case 4:
            send_token(&script, client, false);
            break;
        case 5:
            end(client);
            break;
        case 6:
            if (last)
                send_call(last);
            break;
        default:
            send_credential(&script);
            break;
        }
    }
    return 0;
}
