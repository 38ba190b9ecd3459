/* RPCSEC_GSS (RFC 2203): a call is protected as the server's GSS-API expects, and a reply is
 * accepted only if it is complete and answers this call. test_serve_gss.c tests replies that were
 * changed. scripts/with-kerberos provides a realm. */
#include "test.h"

#include <gssapi/gssapi_krb5.h>

#include "security/gss.h"

enum { ROOM = 2048, XID = 0x12345678, PROGRAM = 100003 };

static const char arguments[] = "what the call asks for!";   /* 24 bytes */
static const char results[] = "what the server says it is."; /* 28 bytes */

static struct rpc_gss client;
static gss_ctx_id_t server;
static uint8_t message[ROOM], sealed[ROOM], reply[ROOM], opened[ROOM];
static size_t message_length, sealed_length, reply_length, opened_length;

/* Establish both sides of the context, without a network. */
static void establish(enum rpc_gss_service service)
{
    gss_buffer_desc name = {.length = 13, .value = (char[]){"nfs@localhost"}};
    gss_buffer_desc to_server = GSS_C_EMPTY_BUFFER, to_client = GSS_C_EMPTY_BUFFER;
    OM_uint32 major, minor;
    gss_name_t target;

    client = (struct rpc_gss){.service = service, .handle = "name", .handle_length = 4};
    server = GSS_C_NO_CONTEXT;
    assert_int_equal(gss_import_name(&minor, &name, GSS_C_NT_HOSTBASED_SERVICE, &target), 0);
    for (bool accepted = false;; accepted = true) {
        major = gss_init_sec_context(&minor, GSS_C_NO_CREDENTIAL, &client.context.handle, target,
                                     (gss_OID)gss_mech_krb5, GSS_C_MUTUAL_FLAG | GSS_C_CONF_FLAG, 0,
                                     GSS_C_NO_CHANNEL_BINDINGS, &to_client, NULL, &to_server, NULL,
                                     NULL);
        assert_int_equal(major, accepted ? GSS_S_COMPLETE : GSS_S_CONTINUE_NEEDED);
        if (accepted)
            break;
        major = gss_accept_sec_context(&minor, &server, GSS_C_NO_CREDENTIAL, &to_server,
                                       GSS_C_NO_CHANNEL_BINDINGS, NULL, NULL, &to_client, NULL,
                                       NULL, NULL);
        assert_int_equal(major, GSS_S_COMPLETE);
        gss_release_buffer(&minor, &to_server);
    }
    gss_release_buffer(&minor, &to_client);
    gss_release_buffer(&minor, &to_server);
    gss_release_name(&minor, &target);
}

static void forget(void)
{
    OM_uint32 minor;

    gss_delete_sec_context(&minor, &client.context.handle, GSS_C_NO_BUFFER);
    gss_delete_sec_context(&minor, &server, GSS_C_NO_BUFFER);
}

static gss_buffer_desc buffer(const void *bytes, size_t length)
{
    return (gss_buffer_desc){.length = length, .value = (void *)(uintptr_t)bytes};
}

static void seal(void)
{
    struct wire_writer writer = wire_writer(message, ROOM);

    rpc_call_encode(&writer, &(struct rpc_call_header){.xid = XID,
                                                       .program = PROGRAM,
                                                       .version = 3,
                                                       .procedure = 6,
                                                       .credential_flavor = RPC_FLAVOR_SYS});
    wire_put_fixed(&writer, arguments, sizeof arguments);
    message_length = (size_t)(writer.at - message);
    writer = wire_writer(sealed, ROOM);
    assert_int_equal(rpc_gss_seal(&client, RPC_GSS_DATA, message, message_length, &writer), 0);
    sealed_length = (size_t)(writer.at - sealed);
}

/* Together, rpc_gss_sign_call() and rpc_gss_wrap_call() write as many bytes as rpc_gss_seal(). The
 * bytes before the credential are the same. The two functions use no new sequence number. */
static void check_call_parts(void)
{
    uint8_t parts[ROOM];
    struct wire_writer writer = wire_writer(parts, ROOM);
    uint32_t sequence = client.sequence;

    assert_int_equal(rpc_gss_sign_call(&client, message, message_length, &writer), 0);
    assert_memory_equal(parts, sealed, RPC_CALL_CREDENTIAL_AT);
    assert_all((rpc_gss_wrap_call(&client, message, message_length, &writer), 0), (!writer.failed),
               (writer.at - parts, sealed_length), (client.sequence, sequence),
               (rpc_gss_sign_call(&client, message, 8, &writer), -EBADMSG));
}

/* Verify the header of the sealed call, as a server does. Returns a reader of the arguments. */
static struct wire_reader check_call_header(void)
{
    struct wire_reader reader = wire_reader(sealed, sealed_length), credential, whole = reader;
    struct rpc_call_header header;
    uint32_t mic_length;
    const uint8_t *mic;
    gss_buffer_desc signed_part, token;
    OM_uint32 minor;
    char name[24];

    assert_all((rpc_call_decode(&reader, &header), 0), (header.xid, XID), (header.procedure, 6),
               (header.credential_flavor, RPC_FLAVOR_GSS));
    assert_string_equal(rpc_flavor_name(header.credential_flavor, name), "RPCSEC_GSS");
    credential = wire_reader(header.credential, header.credential_length);
    assert_all((wire_get_u32(&credential), RPC_GSS_VERSION),
               (wire_get_u32(&credential), RPC_GSS_DATA),
               (wire_get_u32(&credential), client.sequence),
               (wire_get_u32(&credential), client.service), (wire_get_u32(&credential), 4));
    assert_memory_equal(wire_skip(&credential, 4), "name", 4);
    assert_int_equal(wire_left(&credential), 0);

    /* The verifier signs all bytes before it. */
    wire_skip(&whole, (size_t)(header.credential + header.credential_length - sealed));
    signed_part = buffer(sealed, (size_t)(whole.at - sealed));
    assert_int_equal(wire_get_u32(&whole), RPC_FLAVOR_GSS);
    mic = wire_get_opaque(&whole, RPC_AUTH_BODY_MAXIMUM, &mic_length);
    token = buffer(mic, mic_length);
    assert_int_equal(gss_verify_mic(&minor, server, &signed_part, &token, NULL), GSS_S_COMPLETE);
    return reader;
}

static void check_body(const uint8_t *body, size_t length)
{
    struct wire_reader reader = wire_reader(body, length);

    assert_all((length, 4 + sizeof arguments), (wire_get_u32(&reader), client.sequence));
    assert_memory_equal(reader.at, arguments, sizeof arguments);
}

static void check_arguments(struct wire_reader *reader)
{
    uint32_t length, mic_length;
    const uint8_t *bytes, *mic;
    gss_buffer_desc data, token = GSS_C_EMPTY_BUFFER, plain = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor;
    int encrypted = 0;

    if (client.service == RPC_GSS_NONE) {
        assert_int_equal(wire_left(reader), sizeof arguments);
        assert_memory_equal(reader->at, arguments, sizeof arguments);
        return;
    }
    bytes = wire_get_opaque(reader, ROOM, &length);
    data = buffer(bytes, length);
    if (client.service == RPC_GSS_INTEGRITY) {
        check_body(bytes, length);
        mic = wire_get_opaque(reader, ROOM, &mic_length);
        token = buffer(mic, mic_length);
        assert_int_equal(gss_verify_mic(&minor, server, &data, &token, NULL), GSS_S_COMPLETE);
    } else {
        assert_all((memmem(sealed, sealed_length, "call asks", 9), NULL),
                   (gss_unwrap(&minor, server, &data, &plain, &encrypted, NULL), GSS_S_COMPLETE),
                   (encrypted));
        check_body(plain.value, plain.length);
        gss_release_buffer(&minor, &plain);
    }
    assert_all((!reader->failed), (wire_left(reader), 0));
}

/* Functions that write the server's reply. */

static void put_mic(const void *bytes, size_t length, struct wire_writer *writer)
{
    gss_buffer_desc data = buffer(bytes, length), mic = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor;

    assert_int_equal(gss_get_mic(&minor, server, GSS_C_QOP_DEFAULT, &data, &mic), GSS_S_COMPLETE);
    wire_put_opaque(writer, mic.value, mic.length);
    gss_release_buffer(&minor, &mic);
}

static void put_results(uint32_t sequence, struct wire_writer *writer)
{
    uint8_t body[4 + sizeof results];
    gss_buffer_desc data = buffer(body, sizeof body), token = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor;

    wire_store_u32(body, sequence);
    memcpy(body + 4, results, sizeof results);
    if (client.service == RPC_GSS_NONE) {
        wire_put_fixed(writer, results, sizeof results);
    } else if (client.service == RPC_GSS_INTEGRITY) {
        wire_put_opaque(writer, body, sizeof body);
        put_mic(body, sizeof body, writer);
    } else {
        assert_int_equal(gss_wrap(&minor, server, true, GSS_C_QOP_DEFAULT, &data, NULL, &token), 0);
        wire_put_opaque(writer, token.value, token.length);
        gss_release_buffer(&minor, &token);
    }
}

/* Make a reply with two sequence numbers: VERIFIED in the verifier and, except by krb5, INSIDE
 * before the results. */
static void make_reply(uint32_t verified, uint32_t inside)
{
    struct wire_writer writer = wire_writer(reply, ROOM);
    uint8_t number[4];

    wire_store_u32(number, verified);
    wire_put_u32(&writer, XID);
    wire_put_u32(&writer, 1); /* REPLY */
    wire_put_u32(&writer, 0); /* MSG_ACCEPTED */
    wire_put_u32(&writer, RPC_FLAVOR_GSS);
    put_mic(number, sizeof number, &writer);
    wire_put_u32(&writer, 0); /* SUCCESS */
    put_results(inside, &writer);
    reply_length = (size_t)(writer.at - reply);
}

static int open_reply(uint32_t first)
{
    struct wire_writer writer = wire_writer(opened, ROOM);
    int code = rpc_gss_open(&client, first, client.sequence, reply, reply_length, &writer);

    opened_length = (size_t)(writer.at - opened);
    return code;
}

/* Did open_reply() write a successful reply with RESULTS? */
static bool has_results(void)
{
    struct wire_reader reader = wire_reader(opened, opened_length);
    struct rpc_reply_header header;

    return rpc_reply_decode(&reader, &header) == 0 && header.outcome == RPC_OUTCOME_SUCCESS &&
           header.xid == XID && wire_left(&reader) == sizeof results &&
           memcmp(reader.at, results, sizeof results) == 0;
}

static void check_reply_parts(void)
{
    uint8_t plain[ROOM];
    struct wire_writer writer = wire_writer(plain, ROOM);
    uint32_t number = client.sequence;

    for (unsigned i = 0; i < 2; i++)
        assert_all((rpc_gss_verify_reply(&client, number, reply, reply_length), 0),
                   (rpc_gss_unwrap_reply(&client, number, reply, reply_length, &writer), 0));
    assert_int_equal(writer.at - plain, 2 * sizeof results);
    assert_memory_equal(plain, results, sizeof results);
    assert_int_equal(rpc_gss_verify_reply(&client, number + 1, reply, reply_length), -EKEYREJECTED);
    assert_int_equal(rpc_gss_unwrap_reply(&client, number, reply, 8, &writer), -EBADMSG);
}

static void exchange(enum rpc_gss_service service)
{
    establish(service);
    for (unsigned i = 1; i <= 3; i++) {
        struct wire_reader reader;

        seal();
        assert_int_equal(client.sequence, i);
        reader = check_call_header();
        check_arguments(&reader);
        check_call_parts();
        make_reply(i, i);
        assert_all((open_reply(i), 0), (has_results()));
        check_reply_parts();
    }
    forget();
}

/* In a call, krb5 signs the header; krb5i signs the arguments, too; krb5p encrypts them. The client
 * opens the server's replies. */
TEST_CASE(the_other_side_expects_this)
{
    exchange(RPC_GSS_NONE);
    exchange(RPC_GSS_INTEGRITY);
    exchange(RPC_GSS_PRIVACY);
}

TEST_CASE(no_part_of_a_reply_is_taken)
{
    establish(RPC_GSS_PRIVACY);
    seal();
    make_reply(1, 1);
    for (size_t whole = reply_length; reply_length > 0; reply_length--)
        assert_true(reply_length == whole || open_reply(1) != 0 || !has_results());
    forget();
}

TEST_CASE(a_reply_to_another_call_is_refused)
{
    for (unsigned service = RPC_GSS_INTEGRITY; service <= RPC_GSS_PRIVACY; service++) {
        establish((enum rpc_gss_service)service);
        seal();
        seal();
        make_reply(1, 1);
        assert_int_equal(open_reply(2), -EKEYREJECTED);
        make_reply(2, 1);
        assert_int_equal(open_reply(2), -EBADMSG);
        make_reply(3, 3);
        assert_int_equal(open_reply(1), -EKEYREJECTED);
        forget();
    }
}

/* A call that is sent again has a new number. The server may answer either number. */
TEST_CASE(a_reply_to_an_earlier_transmission_is_taken)
{
    establish(RPC_GSS_INTEGRITY);
    seal();
    seal();
    make_reply(1, 1);
    assert_all((open_reply(1), 0), (has_results()));
    make_reply(2, 2);
    assert_int_equal(open_reply(1), 0);
    forget();
}

static void make_refusal(uint32_t auth_status)
{
    struct wire_writer writer = wire_writer(reply, ROOM);

    rpc_reply_encode(&writer, &(struct rpc_reply_header){.xid = XID,
                                                         .outcome = RPC_OUTCOME_AUTH_ERROR,
                                                         .auth_status = auth_status});
    reply_length = (size_t)(writer.at - reply);
}

TEST_CASE(a_lost_context_is_told_from_a_refusal)
{
    struct wire_reader reader;
    struct rpc_reply_header header;

    establish(RPC_GSS_INTEGRITY);
    seal();
    make_refusal(13); /* RPCSEC_GSS_CREDPROBLEM */
    assert_int_equal(open_reply(1), -EKEYEXPIRED);
    make_refusal(14); /* RPCSEC_GSS_CTXPROBLEM */
    assert_int_equal(open_reply(1), -EKEYEXPIRED);
    make_refusal(5); /* AUTH_TOOWEAK */
    assert_int_equal(open_reply(1), 0);
    reader = wire_reader(opened, opened_length);
    assert_all((rpc_reply_decode(&reader, &header), 0), (header.auth_status, 5));
    forget();
}

TEST_CASE(a_message_that_does_not_fit_is_refused)
{
    for (unsigned service = RPC_GSS_NONE; service <= RPC_GSS_PRIVACY; service++) {
        establish((enum rpc_gss_service)service);
        seal();
        for (size_t room = 0; room < sealed_length; room++) {
            uint8_t small[ROOM];
            struct wire_writer writer = wire_writer(small, room);

            assert_int_equal(rpc_gss_seal(&client, RPC_GSS_DATA, message, message_length, &writer),
                             -EMSGSIZE);
        }
        forget();
    }
}
