/* Positions of calls in TLS records, and times of encryption and decryption. */
#include "test.h"

#include "explain/phases/load_tls.h"
#include "measure/timestamp.h"

enum { SENT = 44, RECEIVED = 36 }; /* bytes of the TLS probe, before the session */

static struct load_tls tls;

FIXTURE(set_up, load_tls_begin_session(&tls, SENT, RECEIVED), 0)

FIXTURE(clear, load_tls_free(&tls), memset(&tls, 0, sizeof tls), 0)

/* Note a record of BYTES bytes (22 more encrypted), encrypted from FROM to AT, sent until UNTIL. */
static void sends(uint64_t from, uint64_t at, uint64_t until, size_t bytes)
{
    tls.encrypting_since = from;
    load_tls_note_send(&tls, at, until);
    assert_all((tls.encrypting_since, until),
               (load_tls_note_sent(&tls, bytes, tls.wire_sent + (uint32_t)bytes + 22, true), 0));
}

static struct load_record span;

static void assert_span(const struct load_records *records, uint32_t begin, uint32_t end,
                        uint32_t wire_begin, uint32_t wire_end)
{
    assert_all((load_records_find(records, begin, end, &span)), (span.wire_begin, wire_begin),
               (span.wire_end, wire_end));
}

TEST_CASE_WITH(calls_are_in_records, set_up, clear)
{
    sends(1000, 1010, 1015, 300);
    sends(1100, 1107, 1120, 100);
    sends(1120, 1150, 1151, 50);
    /* A record may contain several calls, and a call may extend over several records. */
    assert_span(&tls.records_sent, 0, 100, SENT, SENT + 322);
    assert_span(&tls.records_sent, 200, 300, SENT, SENT + 322);
    assert_span(&tls.records_sent, 290, 301, SENT, SENT + 322 + 122);
    assert_span(&tls.records_sent, 400, 450, SENT + 322 + 122, SENT + 322 + 122 + 72);
    assert_false(load_records_find(&tls.records_sent, 449, 451, &span));
    assert_true(load_records_find(&tls.records_sent, 0, 100, &span));
    assert_int_equal(span.encrypt_ns, 10); /* the span has only the time of the call's records */
    assert_all((span.send_ns, 5), (load_records_find(&tls.records_sent, 310, 420, &span)),
               (span.encrypt_ns, 7 + 30), (span.send_ns, 13 + 1));
}

/* Positions continue from block to block, and wrap around. */
TEST_CASE_WITH(blocks_have_their_own_records, set_up, clear)
{
    load_tls_begin_session(&tls, UINT32_MAX - 10, 0);
    tls.sent = UINT32_MAX - 49;
    sends(1000, 1010, 1015, 30);
    load_tls_begin_block(&tls);
    assert_false(load_records_find(&tls.records_sent, UINT32_MAX - 49, UINT32_MAX - 19, &span));
    sends(2000, 2003, 2007, 100);
    assert_span(&tls.records_sent, UINT32_MAX - 10, 79, 41, 163);
    assert_all((load_records_find(&tls.records_sent, UINT32_MAX - 10, 79, &span)),
               (span.encrypt_ns, 3), (load_tls_note_sent(&tls, 5, 190, false), 0),
               (!load_records_find(&tls.records_sent, 80, 85, &span)));
}

/* Session tickets use bytes of the encrypted stream, but none of the decrypted stream. */
TEST_CASE_WITH(replies_are_in_records, set_up, clear)
{
    assert_int_equal(load_tls_note_opened(&tls, 100, 122, 500, true), 0);
    assert_int_equal(load_tls_note_opened(&tls, 60, 82, 0, true), 0);
    assert_span(&tls.records_opened, 0, 100, RECEIVED + 500, RECEIVED + 622);
    assert_span(&tls.records_opened, 100, 130, RECEIVED + 622, RECEIVED + 704);
    assert_span(&tls.records_opened, 50, 160, RECEIVED + 500, RECEIVED + 704);
}

/* Gathering keeps the sum of phases. Timestamps before the first decryption and the end of the last
 * one are unchanged. Timestamps between these become earlier. */
TEST_CASE_WITH(decryption_is_gathered, set_up, clear)
{
    static const struct decryption decryptions[] = {
        {16, 2100, 2200}, {32, 2400, 2500}, {40, 2600, 2700}};
    static const uint64_t expected[TIMESTAMPS] = {
        [TIMESTAMP_BEGUN] = 1000,
        [TIMESTAMP_REPLY_ENTERED] = 2000,
        [TIMESTAMP_REPLY_SENT] = 2150 - 50,
        [TIMESTAMP_REPLY_RECEIVED] = 2300 - 100,
        [TIMESTAMP_REPLY_ARRIVED] = 2450 - 100 - 50,
        [TIMESTAMP_REPLY_READ] = 2600 - 100 - 100,
        [TIMESTAMP_DECRYPTED] = 2700,
    };
    uint64_t at[TIMESTAMPS] = {
        [TIMESTAMP_BEGUN] = 1000,         [TIMESTAMP_REPLY_ENTERED] = 2000,
        [TIMESTAMP_REPLY_SENT] = 2150,    [TIMESTAMP_REPLY_RECEIVED] = 2300,
        [TIMESTAMP_REPLY_ARRIVED] = 2450, [TIMESTAMP_REPLY_READ] = 2600,
        [TIMESTAMP_DECRYPTED] = 2700,
    };

    for (size_t i = 0; i < COUNT_OF(decryptions); i++)
        assert_int_equal(decryptions_add(&tls.decryptions, decryptions[i]), 0);
    decryption_gather(at, tls.decryptions.list, tls.decryptions.count);
    assert_memory_equal(at, expected, sizeof at);
}
