/* A reply is known only if its bytes except the xid equal the last good reply to any call, and that
 * was to the same call. */
#include "test.h"

#include "engine/known_reply.h"
#include "rpc/message.h"

enum { RESULT = 28, MAGIC = 0x4e465321, REPEATS = 5 };

static struct known_reply known;
static struct engine_tally tally;
static unsigned checks;
static uint8_t reply[KNOWN_REPLY_MAXIMUM + 64];
static size_t length;

static int check_result(const void *context, struct wire_reader *reader)
{
    uint32_t status = wire_get_u32(reader), magic, size;

    checks++;
    if (reader->failed)
        return -EBADMSG;
    if (status != 0)
        return (int)(status & INT32_MAX);
    magic = wire_get_u32(reader);
    wire_get_opaque(reader, UINT32_MAX, &size);
    return reader->failed || magic != MAGIC ? -EBADMSG : 0;
}

static const struct engine_call call = {.variants = 1, .check = check_result};
static const struct engine_call other_call = {.variants = 1, .check = check_result};

static void make_reply(uint32_t xid, size_t size)
{
    struct wire_writer writer = wire_writer(reply, sizeof reply);
    static const uint8_t bytes[sizeof reply];

    rpc_reply_encode(&writer, &(struct rpc_reply_header){.xid = xid});
    wire_put_u32(&writer, 0);
    wire_put_u32(&writer, MAGIC);
    wire_put_opaque(&writer, bytes, size);
    assert_false(writer.failed);
    length = (size_t)(writer.at - reply);
}

static int check_it(const struct engine_call *of)
{
    return known_reply_check(&known, of, reply, length, &tally);
}

/* Check that the reply to OF is not taken as known: it is checked completely, with the same
 * status. */
static void assert_checked(const struct engine_call *of)
{
    struct engine_tally ignored = {.failed = 0};
    int status = engine_check_reply(of, reply, length, &ignored);
    unsigned whole = checks, again;

    assert_int_equal(check_it(of), status);
    again = checks - whole;
    checks = 0; /* stays 0 if RPC refuses the reply, before the procedure's check */
    engine_check_reply(of, reply, length, &ignored);
    assert_int_equal(again, checks);
}

static void assert_known(const struct engine_call *of)
{
    unsigned before = checks;

    assert_all((check_it(of), 0), (checks, before));
}

static int set_up(void **state)
{
    known_reply_forget(&known);
    tally = (struct engine_tally){.failed = 0};
    checks = 0;
    make_reply(1, RESULT);
    return 0;
}

TEST_CASE_WITH(equal, set_up, NULL)
{
    assert_checked(&call);
    for (uint32_t xid = 2; xid < 2 + REPEATS; xid++) {
        make_reply(xid * 0x01010101, RESULT);
        assert_known(&call);
    }
    known_reply_forget(&known);
    assert_checked(&call);
    assert_checked(&other_call); /* replies to another call are not known */
    assert_known(&other_call);
    assert_checked(&call);
}

TEST_CASE_WITH(each_bit, set_up, NULL)
{
    for (size_t at = 4; at < length; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            assert_int_equal(check_it(&call), 0);
            assert_known(&call);
            reply[at] ^= (uint8_t)(1 << bit);
            assert_checked(&call);
            reply[at] ^= (uint8_t)(1 << bit);
        }
}

TEST_CASE_WITH(other_lengths, set_up, NULL)
{
    size_t whole = length;

    for (size_t i = 0; i < REPEATS; i++)
        assert_int_equal(check_it(&call), 0);
    for (length = 4; length < whole; length++) {
        assert_checked(&call);
        assert_true(engine_check_reply(&call, reply, length, &tally) != 0);
    }
    assert_known(&call);
}

/* If the value that the check compares with replies (engine_call.compared) changes, a reply that
 * was good before is checked again. */
TEST_CASE_WITH(compared, set_up, NULL)
{
    static _Atomic uint64_t verifier = 1;
    static const struct engine_call comparing = {
        .variants = 1, .check = check_result, .compared = &verifier};

    assert_checked(&comparing);
    assert_known(&comparing);
    atomic_store(&verifier, 2);
    assert_checked(&comparing);
    assert_known(&comparing);
    atomic_store(&verifier, 1);
    assert_checked(&comparing);
}

TEST_CASE_WITH(not_good, set_up, NULL)
{
    wire_store_u32(reply + 24, 70);
    assert_checked(&call);
    assert_checked(&call);
    assert_int_equal(check_it(&call), 70);
    make_reply(1, RESULT);
    length += 4;
    for (unsigned i = 1; i <= REPEATS; i++)
        assert_all((check_it(&call), 0), (tally.trailing, i));
}

TEST_CASE_WITH(long, set_up, NULL)
{
    make_reply(1, KNOWN_REPLY_MAXIMUM - 36);
    assert_int_equal(length, KNOWN_REPLY_MAXIMUM);
    assert_checked(&call);
    assert_known(&call);
    make_reply(1, KNOWN_REPLY_MAXIMUM - 32);
    assert_checked(&call);
    assert_checked(&call);
}
