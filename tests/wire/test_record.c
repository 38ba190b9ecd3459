/* Record marking: finding messages in a stream, however it is split. */
#include "golden.h"

#include "rpc/record.h"

/* What is found in the bytes of TEXT, with CAPACITY in all. */
static int find(const char *text, size_t capacity, struct rpc_record *record,
                struct golden *message)
{
    *message = golden(text);
    return rpc_record_find(message->bytes, message->length, capacity, record);
}

TEST_CASE(one_fragment)
{
    struct rpc_record record;
    struct golden message;

    assert_all((find("80000004 'abcd' 80000001", 100, &record, &message), 1), (record.length, 4),
               (record.consumed, 8));
    assert_memory_equal(record.message, "abcd", 4);
    assert_all((find("80000000", 100, &record, &message), 1), (record.length, 0));
}

TEST_CASE(fragments_are_joined)
{
    struct rpc_record record;
    struct golden message;

    assert_all((find("00000001 'a' 00000000 00000004 'bcde' 80000002 'fg' 80000001 'x'", 100,
                     &record, &message),
                1),
               (record.length, 7), (record.consumed, 23));
    assert_memory_equal(record.message, "abcdefg", 7);
    assert_memory_equal(message.bytes + record.consumed, "\x80\0\0\1x", 5);
}

/* Every prefix of a record is incomplete. */
TEST_CASE(prefixes)
{
    struct golden whole = golden("00000003 'abc' 80000004 'defg'");

    for (size_t length = 0; length < whole.length; length++) {
        uint8_t *copy = exact_copy(whole.bytes, length);
        struct rpc_record record;

        assert_int_equal(rpc_record_find(copy, length, 100, &record), 0);
        free(copy);
    }
}

TEST_CASE(too_long)
{
    struct rpc_record record;
    struct golden message;

    assert_int_equal(find("80000010", 20, &record, &message), 0);
    assert_int_equal(find("80000011", 20, &record, &message), -EMSGSIZE);
    assert_int_equal(find("ffffffff", 20, &record, &message), -EMSGSIZE);
    assert_int_equal(find("7fffffff", 20, &record, &message), -EMSGSIZE);
    /* Endless empty fragments. */
    assert_int_equal(find("00000000 00000000 00000000 00000000 00000000", 20, &record, &message),
                     -EMSGSIZE);
    assert_int_equal(find("'GET / HTTP/1.0'", 4096, &record, &message), -EMSGSIZE);
}

TEST_CASE(too_many_fragments)
{
    static const uint8_t last[] = {0x80, 0, 0, 0};
    uint8_t bytes[4 * RPC_RECORD_FRAGMENTS + 4] = {0};
    struct rpc_record record;

    memcpy(bytes + 4 * (RPC_RECORD_FRAGMENTS - 1), last, 4);
    assert_int_equal(rpc_record_find(bytes, sizeof bytes, 1 << 20, &record), 1);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes + 4 * RPC_RECORD_FRAGMENTS, last, 4);
    assert_int_equal(rpc_record_find(bytes, sizeof bytes, 1 << 20, &record), -EMSGSIZE);
}

/* Receiving exactly the missing bytes ends with the record. */
TEST_CASE(missing)
{
    struct golden whole = golden("00000003 'abc' 00000000 80000004 'defg' 80000000");
    size_t length = 0, steps = 0;

    for (struct rpc_record record; rpc_record_find(whole.bytes, length, 100, &record) == 0; steps++)
        length += rpc_record_missing(whole.bytes, length);
    assert_int_equal(length, whole.length - 4);
    assert_int_equal(
        steps, 4); /* three marks, each except the first with the bytes before it, and the rest */
    whole = golden("00000003 'abc' 80000004 'defg'");
    assert_all((rpc_record_missing(whole.bytes, 0), 4), (rpc_record_missing(whole.bytes, 3), 1),
               (rpc_record_missing(whole.bytes, 4), 7), (rpc_record_missing(whole.bytes, 10), 1),
               (rpc_record_missing(whole.bytes, 14), 1),
               (rpc_record_missing(whole.bytes, whole.length), 0));
}
