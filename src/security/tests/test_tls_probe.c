/* The probe for TLS and the answers to it (RFC 9289 section 4.1), as golden bytes. */
#include "golden.h"

#include "security/tls_probe.h"

TEST_CASE(probe_for_tls)
{
    uint8_t bytes[64];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);
    struct wire_reader reader;
    struct rpc_reply_header header;

    rpc_tls_probe_encode(&writer, 0x01020304, 100003, 3);
    assert_golden(bytes, (size_t)(writer.at - bytes),
                  "01020304 00000000 00000002 000186a3 00000003 00000000" /* NULL */
                  "00000007 00000000 00000000 00000000");
    writer = wire_writer(bytes, sizeof bytes);
    rpc_tls_reply_encode(&writer, 0x01020304);
    assert_golden(bytes, (size_t)(writer.at - bytes),
                  "01020304 00000001 00000000 00000000 00000008 'STARTTLS' 00000000");
    reader = wire_reader(bytes, (size_t)(writer.at - bytes));
    assert_all((rpc_reply_decode(&reader, &header), 0), (rpc_tls_reply_starts(&header)));
}

TEST_CASE(answers_without_tls)
{
    static const char *const answers[] = {
        "01020304 00000001 00000000 00000000 00000000 00000000",              /* no verifier */
        "01020304 00000001 00000000 00000006 00000008 'STARTTLS' 00000000",   /* not AUTH_NONE */
        "01020304 00000001 00000000 00000000 00000007 'STARTTL' 00 00000000", /* too short */
        "01020304 00000001 00000000 00000000 00000009 'STARTTLSX' 000000 00000000",
        "01020304 00000001 00000000 00000000 00000008 'starttls' 00000000",
        "01020304 00000001 00000000 00000000 00000008 'STARTTLS' 00000005", /* SYSTEM_ERR */
        "01020304 00000001 00000001 00000001 00000001",                     /* AUTH_BADCRED */
    };

    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        struct golden message = golden(answers[i]);
        struct wire_reader reader = wire_reader(message.bytes, message.length);
        struct rpc_reply_header header;

        assert_all((rpc_reply_decode(&reader, &header), 0), (!rpc_tls_reply_starts(&header)));
    }
}
