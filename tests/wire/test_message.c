/* RPC headers: golden bytes from RFC 5531, and broken ones. */
#include "golden.h"

#include "rpc/message.h"

/* xid, CALL, RPC version 2, NFS version 3, GETATTR */
#define CALL_START "01020304 00000000 00000002 000186a3 00000003 00000001"
#define AUTH_NONE  "00000000 00000000"
#define ACCEPTED   "01020304 00000001 00000000 00000000 00000000"
#define DENIED     "01020304 00000001 00000001"

/* Check that the header of CALL_START with the credential AUTH is encoded to TEXT. */
static void check_call(const struct rpc_opaque_auth *auth, const char *text)
{
    uint8_t bytes[RPC_CALL_HEADER_MAXIMUM];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);

    rpc_call_encode(&writer, &(struct rpc_call_header){.xid = 0x01020304,
                                                       .program = 100003,
                                                       .version = 3,
                                                       .procedure = 1,
                                                       .credential_flavor = auth->flavor,
                                                       .credential_length = auth->length,
                                                       .credential = auth->body});
    assert_false(writer.failed);
    assert_golden(bytes, (size_t)(writer.at - bytes), text);
}

TEST_CASE(call_with_auth_none)
{
    const struct identity identity = {.flavor = RPC_FLAVOR_NONE};
    struct rpc_opaque_auth auth;

    identity_credential(&identity, &auth);
    check_call(&auth, CALL_START AUTH_NONE AUTH_NONE);
}

TEST_CASE(call_with_auth_sys)
{
    const struct identity identity = {RPC_FLAVOR_SYS, "host1", 1000, 100, {27, 1000}, 2};
    struct rpc_opaque_auth auth;

    rpc_auth_sys(&auth, 0x11223344, &identity);
    check_call(&auth, CALL_START "00000001 00000024"                /* AUTH_SYS, 36 bytes */
                                 "11223344 00000005 'host1' 000000" /* stamp, machine name */
                                 "000003e8 00000064"                /* uid, gid */
                                 "00000002 0000001b 000003e8"       /* gids */
               AUTH_NONE);
}

TEST_CASE(longest_auth_sys)
{
    struct identity identity = {.flavor = RPC_FLAVOR_SYS, .gid_count = RPC_AUTH_SYS_GIDS_MAXIMUM};
    struct rpc_opaque_auth auth;

    memset(identity.machine, 'n', sizeof identity.machine - 1);
    identity_credential(&identity, &auth);
    assert_int_equal(auth.length, 4 + 4 + 256 + 4 + 4 + 4 + 16 * 4);
    assert_true(auth.length <= RPC_AUTH_BODY_MAXIMUM);
}

TEST_CASE(call_decoded)
{
    struct golden message = golden(CALL_START "00000001 00000008 0102030405060708"
                                              "00000000 00000000 'arg.'");
    struct wire_reader reader = wire_reader(message.bytes, message.length);
    struct rpc_call_header header;

    assert_all((rpc_call_decode(&reader, &header), 0), (header.xid, 0x01020304),
               (header.program, 100003), (header.version, 3), (header.procedure, 1),
               (header.credential_flavor, 1), (header.credential_length, 8));
    assert_memory_equal(header.credential, "\1\2\3\4\5\6\7\10", 8);
    assert_int_equal(wire_left(&reader), 4);
}

static int decode_call(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = exact_copy(bytes, length);
    struct wire_reader reader = wire_reader(copy, length);
    struct rpc_call_header header;
    int code = rpc_call_decode(&reader, &header);

    free(copy);
    return code;
}

TEST_CASE(broken_calls)
{
    struct golden message = golden(CALL_START "00000001 00000004 01020304" AUTH_NONE);
    struct golden bad;

    for (size_t length = 0; length < message.length; length++)
        assert_int_equal(decode_call(message.bytes, length), -EBADMSG);
    assert_int_equal(decode_call(message.bytes, message.length), 0);
    bad = golden("01020304 00000001 00000002"); /* a reply */
    assert_int_equal(decode_call(bad.bytes, bad.length), -EBADMSG);
    bad = golden("01020304 00000000 00000003 'whatever follows'"); /* RPC version 3 */
    assert_int_equal(decode_call(bad.bytes, bad.length), -EPROTO);
    bad = golden(CALL_START "00000001 00000191"); /* a credential of 401 bytes */
    bad.length += 404;
    assert_int_equal(decode_call(bad.bytes, bad.length), -EBADMSG);
    bad = golden(CALL_START "00000001 ffffffff 01020304" AUTH_NONE);
    assert_int_equal(decode_call(bad.bytes, bad.length), -EBADMSG);
}

struct reply {
    const char *bytes, *text;
    struct rpc_reply_header header;
};

static const struct reply replies[] = {
    {ACCEPTED "00000000", "RPC_SUCCESS", {.outcome = RPC_OUTCOME_SUCCESS}},
    {ACCEPTED "00000001", "RPC_PROGUNAVAIL", {.outcome = RPC_OUTCOME_PROG_UNAVAIL}},
    {ACCEPTED "00000002 00000002 00000004",
     "RPC_PROGVERSMISMATCH (it offers versions 2 to 4)",
     {.outcome = RPC_OUTCOME_PROG_MISMATCH, .versions_known = true, .low = 2, .high = 4}},
    {ACCEPTED "00000003", "RPC_PROCUNAVAIL", {.outcome = RPC_OUTCOME_PROC_UNAVAIL}},
    {ACCEPTED "00000004", "RPC_CANTDECODEARGS", {.outcome = RPC_OUTCOME_GARBAGE_ARGS}},
    {ACCEPTED "00000005", "RPC_SYSTEMERROR", {.outcome = RPC_OUTCOME_SYSTEM_ERR}},
    {DENIED "00000000 00000002 00000002",
     "RPC_VERSMISMATCH (it offers versions 2 to 2)",
     {.outcome = RPC_OUTCOME_RPC_MISMATCH, .versions_known = true, .low = 2, .high = 2}},
    {DENIED "00000001 00000005",
     "RPC_AUTHERROR AUTH_TOOWEAK",
     {.outcome = RPC_OUTCOME_AUTH_ERROR, .auth_status = 5}},
};

TEST_CASE(replies_both_ways)
{
    for (size_t i = 0; i < COUNT_OF(replies); i++) {
        struct rpc_reply_header header = replies[i].header, decoded;
        uint8_t bytes[64];
        struct wire_writer writer = wire_writer(bytes, sizeof bytes);
        struct wire_reader reader;
        char text[96];

        header.xid = 0x01020304;
        rpc_reply_encode(&writer, &header);
        assert_golden(bytes, (size_t)(writer.at - bytes), replies[i].bytes);
        reader = wire_reader(bytes, (size_t)(writer.at - bytes));
        assert_all((rpc_reply_decode(&reader, &decoded), 0), (wire_left(&reader), 0),
                   (decoded.xid, header.xid), (decoded.outcome, header.outcome),
                   (decoded.versions_known, header.versions_known),
                   (rpc_reply_describe(&decoded, text, sizeof text), replies[i].text));
    }
}

static int decode_reply(const uint8_t *bytes, size_t length, struct rpc_reply_header *header)
{
    uint8_t *copy = exact_copy(bytes, length);
    struct wire_reader reader = wire_reader(copy, length);
    int code = rpc_reply_decode(&reader, header);

    free(copy);
    return code;
}

/* A truncated reply is refused. Exception: a mismatch without its bounds, which some servers
 * send. */
TEST_CASE(truncated_replies)
{
    for (size_t i = 0; i < COUNT_OF(replies); i++) {
        struct golden message = golden(replies[i].bytes);
        struct rpc_reply_header header;
        size_t whole = message.length - (replies[i].header.versions_known ? 8 : 0);

        for (size_t length = 0; length <= message.length; length++)
            assert_int_equal(decode_reply(message.bytes, length, &header),
                             length < whole ? -EBADMSG : 0);
        if (whole == message.length)
            continue;
        decode_reply(message.bytes, whole, &header);
        assert_all((!header.versions_known), (header.outcome, replies[i].header.outcome));
    }
}

TEST_CASE(broken_replies)
{
    static const char *const broken[] = {
        "01020304 00000000 00000000 00000000 00000000 00000000", /* a call */
        "01020304 00000002 00000000 00000000 00000000 00000000", /* neither call nor reply */
        "01020304 00000001 00000002 00000000 00000000 00000000", /* reply_stat 2 */
        ACCEPTED "00000006",                                     /* accept_stat 6 */
        ACCEPTED "ffffffff",
        DENIED "00000002 00000000 00000000",                     /* reject_stat 2 */
        "01020304 00000001 00000000 00000000 00000191 00000000", /* verifier too long */
        "01020304 00000001 00000000 00000000 ffffffff 00000000", /* longer than the message */
        "01020304 00000001 00000000 00000000 fffffffd 00000000", /* padded past 2^32 */
        "01020304 00000001 00000000 00000000 00000008 00000000 00000000", /* no status */
    };

    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        struct golden message = golden(broken[i]);
        struct rpc_reply_header header;

        if (decode_reply(message.bytes, message.length, &header) != -EBADMSG)
            fail_msg("accepted: %s", broken[i]);
    }
}

TEST_CASE(reply_with_a_verifier)
{
    struct golden message = golden("01020304 00000001 00000000 00000006 00000005 'abcde' 000000"
                                   "00000000 'rest'");
    struct wire_reader reader = wire_reader(message.bytes, message.length);
    struct rpc_reply_header header;

    assert_all((rpc_reply_decode(&reader, &header), 0), (wire_left(&reader), 4));
}

TEST_CASE(writer_stops_at_its_end)
{
    uint8_t bytes[10];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);

    wire_put_u64(&writer, 1);
    assert_false(writer.failed);
    wire_put_u32(&writer, 2);
    assert_all((writer.failed), (writer.at - bytes, 8));
    writer = wire_writer(bytes, sizeof bytes);
    wire_put_opaque(&writer, "abcdefg", 7);
    assert_true(writer.failed);
}
