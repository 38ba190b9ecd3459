/* Record marking: finding messages in a stream, however it is split. */
#include "golden.h"

#include "rpc/message.h"
#include "rpc/record.h"
#include "rpc/wire.h"

/* Find RECORD in the bytes of TEXT, which are stored in MESSAGE, with a buffer for records of
 * CAPACITY bytes. Returns what rpc_record_find() returns. */
static int find(const char *text, size_t capacity, struct rpc_record *record,
                struct golden *message)
{
    *message = golden(text);
    *record = (struct rpc_record){0};
    return rpc_record_find(message->bytes, &message->length, capacity, record);
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
               (record.length, 7), (record.consumed, 11), (message.length, 16));
    assert_memory_equal(record.message, "abcdefg", 7);
    assert_memory_equal(message.bytes + record.consumed, "\x80\0\0\1x", 5);
}

/* Receive LENGTH bytes of STREAM, STEP at a time, into a buffer for records of CAPACITY bytes.
 * Store the record, if found, in MESSAGE and its length in *MESSAGE_LENGTH. Returns what
 * rpc_record_find() returns. */
static int receive(const uint8_t *stream, size_t length, size_t step, size_t capacity,
                   uint8_t *message, size_t *message_length)
{
    uint8_t *buffer = calloc(1, capacity + RPC_RECORD_MARK_SIZE);
    struct rpc_record record = {0};
    size_t filled = 0;
    int found = 0;

    while (found == 0 && length > 0) {
        size_t room = capacity + RPC_RECORD_MARK_SIZE - filled, got = step < room ? step : room;

        assert_true(room > 0);
        got = got < length ? got : length;
        memcpy(buffer + filled, stream, got);
        stream += got;
        length -= got;
        filled += got;
        found = rpc_record_find(buffer, &filled, capacity, &record);
    }
    *message_length = record.length;
    if (found == 1)
        memcpy(message, record.message, record.length);
    free(buffer);
    return found;
}

enum { LONG = 70000 };

/* Write a record of LENGTH bytes in fragments of SIZE bytes, each followed by EMPTY empty ones, and
 * an empty last fragment. Returns the record's length with all marks. */
static size_t put_fragments(uint8_t *stream, size_t length, size_t size, size_t empty)
{
    uint8_t *at = stream;

    for (size_t i = 0; i < length; i += size) {
        size_t some = length - i < size ? length - i : size;

        wire_store_u32(at, (uint32_t)some);
        for (size_t j = 0; j < some; j++)
            at[4 + j] = (uint8_t)((i + j) * 7);
        at += 4 + some;
        memset(at, 0, 4 * empty);
        at += 4 * empty;
    }
    wire_store_u32(at, RPC_LAST_FRAGMENT);
    return (size_t)(at + 4 - stream);
}

/* RFC 5531 section 11 limits neither the number of fragments nor their shortness. */
TEST_CASE(many_fragments)
{
    static uint8_t stream[LONG * 9 + 4], message[LONG];
    static const size_t sizes[] = {1, 2, 3, 5, 60, 4096, LONG}, steps[] = {1, 7, 4096, 1 << 20};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
            size_t length = put_fragments(stream, LONG, sizes[i], 0), got;

            assert_int_equal(receive(stream, length, steps[j], LONG + 4, message, &got), 1);
            assert_int_equal(got, LONG);
            for (size_t at = 0; at < LONG; at++)
                assert_int_equal(message[at], (uint8_t)(at * 7));
            assert_int_equal(receive(stream, length, steps[j], LONG + 3, message, &got), -EMSGSIZE);
        }
    assert_int_equal(
        receive(stream, put_fragments(stream, 1000, 2, 1), 100, 4000, message, &(size_t){0}), 1);
}

TEST_CASE(prefixes)
{
    struct golden whole = golden("00000003 'abc' 80000004 'defg'");

    for (size_t length = 0; length < whole.length; length++) {
        uint8_t *copy = exact_copy(whole.bytes, length);
        struct rpc_record record = {0};
        size_t left = length;

        assert_int_equal(rpc_record_find(copy, &left, 100, &record), 0);
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
    assert_int_equal(find("'GET / HTTP/1.0'", 4096, &record, &message), -EMSGSIZE);
}

/* Empty fragments take no room, but their number is limited. */
TEST_CASE(endless_fragments)
{
    static uint8_t stream[8192];
    uint8_t message[1];
    size_t length;

    assert_int_equal(receive(stream, 4 * 1000, 4, 1000, message, &length), 0);
    assert_int_equal(receive(stream, sizeof stream, 4, 1000, message, &length), -EMSGSIZE);
    assert_int_equal(receive(stream, sizeof stream, 500, 1000, message, &length), -EMSGSIZE);
}

/* A receiver that reads exactly the missing bytes stops at the record's end. */
TEST_CASE(missing)
{
    struct golden whole = golden("00000003 'abc' 00000000 80000004 'defg' 80000000");
    struct rpc_record record = {0};
    size_t length = 0, filled = 0, steps = 0;
    uint8_t buffer[64];

    for (; rpc_record_find(buffer, &filled, 100, &record) == 0; steps++) {
        size_t missing = rpc_record_missing(buffer, filled);

        memcpy(buffer + filled, whole.bytes + length, missing);
        filled += missing;
        length += missing;
    }
    assert_int_equal(length, whole.length - 4);
    /* Four steps: the first mark; "abc" and the second mark; the third mark; "defg". */
    assert_int_equal(steps, 4);
    whole = golden("00000003 'abc' 80000004 'defg'");
    assert_all((rpc_record_missing(whole.bytes, 0), 4), (rpc_record_missing(whole.bytes, 3), 1),
               (rpc_record_missing(whole.bytes, 4), 7), (rpc_record_missing(whole.bytes, 10), 1),
               (rpc_record_missing(whole.bytes, 14), 1),
               (rpc_record_missing(whole.bytes, whole.length), 0));
}
