/* Messages pass through transmit and receive buffers, over a stream or as datagrams: complete, in
 * order, and with their xids, even if the socket accepts few bytes at a time or the bytes are
 * split. Record marks are tested in tests/wire/test_record.c, and too long messages there and in
 * test_connection.c. */
#include "test.h"

#include "common/random.h"
#include "engine/wire/receive_buffer.h"
#include "engine/wire/transmit_buffer.h"
#include "rpc/message.h"
#include "rpc/wire.h"

enum { MAXIMUM = 70000, RECORDS = 1500, MESSAGES = 600, LONGEST = 60000 };

static int ends[2]; /* data written to ends[1] is received from ends[0] */
static struct receive_buffer receive_buffer;
static struct transmit_buffer transmit_buffer;
static struct channel_message messages[MESSAGES];

static void connect_ends(int type, int size)
{
    assert_int_equal(socketpair(AF_UNIX, type, 0, ends), 0);
    setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

static void disconnect(void)
{
    receive_buffer_close(&receive_buffer);
    transmit_buffer_close(&transmit_buffer);
    close(ends[0]);
    close(ends[1]);
}

static void put(const void *bytes, size_t length)
{
    assert_int_equal(send(ends[1], bytes, length, 0), length);
}

/* Return byte AT of message NUMBER. Each message's bytes depend on its number and length. */
static uint8_t byte_of(size_t number, size_t length, size_t at)
{
    return (uint8_t)(number * 31 + length + at * 7 + (at >> 8));
}

static void fill_message(uint8_t *bytes, size_t number, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = byte_of(number, length, i);
}

/* Check MESSAGE's LENGTH, and its bytes from FIRST on. An xid may precede these bytes. */
static void check(const struct receive_buffer_message *message, size_t first, size_t number,
                  size_t length)
{
    assert_int_equal(message->length, length);
    for (size_t i = first; i < length; i++)
        if (message->bytes[i] != byte_of(number, length, i))
            fail_msg("message %zu of %zu bytes is wrong at %zu", number, length, i);
}

/* Write message NUMBER to TO as a record of LENGTH bytes in FRAGMENTS fragments. Returns the
 * record's length with all marks. */
static size_t make_record(uint8_t *to, size_t number, size_t length, size_t fragments)
{
    uint8_t *bytes = malloc(length + 1);
    size_t at = 0, done = 0;

    assert_non_null(bytes);
    fill_message(bytes, number, length);
    for (size_t i = 0; i < fragments; i++) {
        size_t part = i + 1 == fragments ? length - done : length / fragments;

        wire_store_u32(to + at, (uint32_t)part | (i + 1 == fragments ? RPC_LAST_FRAGMENT : 0));
        memcpy(to + at + 4, bytes + done, part);
        at += 4 + part;
        done += part;
    }
    free(bytes);
    return at;
}

/* Receive random messages in random pieces, over a stream, by a buffer for DEPTH messages. Most
 * messages have less than USUAL bytes, all others about MAXIMUM. Some have several fragments. Each
 * receive has room for at least RESERVE bytes; 0: the default. */
static void run_fragments(size_t depth, uint32_t usual, uint64_t seed, size_t reserve)
{
    static uint8_t stream[16 << 20];
    static size_t lengths[RECORDS];
    size_t end = 0, at = 0, count = 0, found_count = 0;
    struct receive_buffer_message message;
    struct random random;

    random_seed(&random, seed);
    while (count < RECORDS && end + 2 * MAXIMUM < sizeof stream) {
        size_t fragments = random_below(&random, 8) ? 1 : 1 + random_below(&random, 5);

        /* A message of MAXIMUM bytes leaves no room for the marks of several fragments. */
        lengths[count] = random_below(&random, 20) ? random_below(&random, usual)
                         : fragments == 1          ? MAXIMUM
                                                   : MAXIMUM - 64;
        end += make_record(stream + end, count, lengths[count], fragments);
        count++;
    }
    connect_ends(SOCK_STREAM, 1 << 20);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_TCP, MAXIMUM, depth), 0);
    if (reserve)
        assert_int_equal(receive_buffer_reserve(&receive_buffer, reserve), 0);
    while (found_count < count) {
        size_t piece = 1 + random_below(&random, random_below(&random, 3) ? 3000 : 60000);
        int code;

        piece = piece < end - at ? piece : end - at;
        if (piece)
            put(stream + at, piece);
        at += piece;
        while ((code = receive_buffer_receive(&receive_buffer, ends[0], 0)) == 0) {
            while (receive_buffer_next(&receive_buffer, &message) == 1) {
                check(&message, 0, found_count, lengths[found_count]);
                found_count++;
            }
        }
        assert_all((code, -EAGAIN), (at < end || found_count == count));
    }
    disconnect();
}

TEST_CASE(fragments)
{
    run_fragments(1, 200, 1, 0);
    run_fragments(1, 60000, 2, 0);
    run_fragments(4, 20000, 3, 0);
    run_fragments(64, 300, 4, 0);
    run_fragments(1000, 20000, 5, 0);
    run_fragments(1, 60000, 6, 16384);
    run_fragments(64, 300, 7, 16384);
}

TEST_CASE(after)
{
    uint8_t stream[256];
    size_t end = make_record(stream, 0, 33, 1);
    struct receive_buffer_message message;

    end += make_record(stream + end, 1, 40, 1);
    connect_ends(SOCK_STREAM, 1 << 20);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_TCP, 64, 2), 0);
    put(stream, end);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 1), 0);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), 1);
    assert_int_equal(receive_buffer_after(&receive_buffer, &message), 4 + 40);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), 1);
    assert_int_equal(receive_buffer_after(&receive_buffer, &message), 0);
    disconnect();

    connect_ends(SOCK_DGRAM, 1 << 20);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_UDP, 64, 8), 0);
    for (size_t i = 0; i < 3; i++)
        put("data", 4 * (i % 2)); /* the first and the last message are empty */
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 1), 0);
    for (size_t i = 0; i < 3; i++)
        assert_all((receive_buffer_next(&receive_buffer, &message), 1),
                   (message.length, 4 * (i % 2)),
                   (receive_buffer_after(&receive_buffer, &message), 2 - i));
    disconnect();
}

TEST_CASE(nothing_and_closed)
{
    struct receive_buffer_message message;

    connect_ends(SOCK_STREAM, 1 << 20);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_TCP, 64, 1), 0);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), 0);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 0), -EAGAIN);
    put("\x80\0\0\x08half", 8);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 0), 0);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), 0);
    assert_int_equal(shutdown(ends[1], SHUT_RDWR), 0);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 1), -ECONNRESET);
    disconnect();
}

static int make_messages(void **state)
{
    struct random random;

    random_seed(&random, 7);
    for (size_t i = 0; i < MESSAGES; i++) {
        /* Short messages, messages of about TRANSMIT_BUFFER_SHORT_MESSAGE bytes (longer ones are
         * not copied completely), and long ones. */
        size_t length = i % 3 == 0   ? 4 + random_below(&random, 200)
                        : i % 3 == 1 ? 1000 + random_below(&random, 50)
                                     : 4 + random_below(&random, LONGEST - 4);

        messages[i].length = length;
        messages[i].bytes = malloc(RPC_RECORD_MARK_SIZE + length);
        if (!messages[i].bytes)
            return -1;
        fill_message(messages[i].bytes + RPC_RECORD_MARK_SIZE, i, length);
    }
    return 0;
}

static int free_messages(void **state)
{
    for (size_t i = 0; i < MESSAGES; i++)
        free(messages[i].bytes);
    return 0;
}

static uint32_t xid_of(size_t number)
{
    return 0xabc00000u + (uint32_t)number;
}

static void check_sent(const struct receive_buffer_message *message, size_t number)
{
    struct wire_reader reader = wire_reader(message->bytes, message->length);

    assert_int_equal(wire_get_u32(&reader), xid_of(number));
    check(message, 4, number, messages[number].length);
}

/* Send all messages through buffers for DEPTH messages, and a socket with SO_SNDBUF set to BUFFER
 * bytes. */
static void run_both(enum transport transport, size_t depth, int buffer)
{
    size_t number = 0, found = 0, waits = 0;
    struct receive_buffer_message message;

    connect_ends(transport == TRANSPORT_TCP ? SOCK_STREAM : SOCK_DGRAM, buffer);
    assert_int_equal(transmit_buffer_open(&transmit_buffer, transport, depth), 0);
    assert_int_equal(receive_buffer_open(&receive_buffer, transport, LONGEST, depth), 0);
    while (found < MESSAGES) {
        int code;

        for (; number < MESSAGES && transmit_buffer_has_room(&transmit_buffer); number++)
            transmit_buffer_put(&transmit_buffer, &messages[number], xid_of(number));
        code = transmit_buffer_send(&transmit_buffer, ends[1]);
        assert_true(code == 0 || code == -EAGAIN);
        assert_int_equal(transmit_buffer_holds(&transmit_buffer), code != 0);
        waits += code != 0;
        while ((code = receive_buffer_receive(&receive_buffer, ends[0], 0)) == 0)
            for (; receive_buffer_next(&receive_buffer, &message) == 1; found++)
                check_sent(&message, found);
        assert_int_equal(code, -EAGAIN);
    }
    assert_all((number, MESSAGES), (found, MESSAGES), (waits > 0));
    disconnect();
}

TEST_CASE(both)
{
    run_both(TRANSPORT_TCP, 1, 1);
    run_both(TRANSPORT_TCP, 16, 4096);
    run_both(TRANSPORT_TCP, 1000, 1);
    run_both(TRANSPORT_TCP, 65536, 200000);
    run_both(TRANSPORT_UDP, 64, 300000);
}

/* An empty buffer has room for a message of any length, and for as many messages as requested (up
 * to 100 here; a buffer is limited to 128). */
TEST_CASE(room)
{
    connect_ends(SOCK_STREAM, 1 << 20);
    for (size_t depth = 1; depth <= 100; depth++) {
        assert_int_equal(transmit_buffer_open(&transmit_buffer, TRANSPORT_TCP, depth), 0);
        assert_true(transmit_buffer_has_room(&transmit_buffer));
        for (size_t i = 0; i < depth; i++) {
            assert_true(transmit_buffer_has_room(&transmit_buffer));
            transmit_buffer_put(&transmit_buffer, &messages[i], xid_of(i));
        }
        assert_true(transmit_buffer_holds(&transmit_buffer));
        transmit_buffer_clear(&transmit_buffer);
        assert_false(transmit_buffer_holds(&transmit_buffer));
        assert_true(transmit_buffer_has_room(&transmit_buffer));
        transmit_buffer_close(&transmit_buffer);
    }
    disconnect();
}

/* If the other end is closed, an error is returned and no signal is raised. */
TEST_CASE(closed)
{
    connect_ends(SOCK_STREAM, 4096);
    assert_int_equal(transmit_buffer_open(&transmit_buffer, TRANSPORT_TCP, 4), 0);
    assert_int_equal(shutdown(ends[0], SHUT_RDWR), 0);
    transmit_buffer_put(&transmit_buffer, &messages[0], xid_of(0));
    assert_int_equal(transmit_buffer_send(&transmit_buffer, ends[1]), -EPIPE);
    disconnect();
}

/* Short messages leave room for more datagrams than requested, but no more than requested are
 * accepted. */
TEST_CASE(short_datagrams)
{
    size_t count = 0;

    connect_ends(SOCK_DGRAM, 300000);
    assert_int_equal(transmit_buffer_open(&transmit_buffer, TRANSPORT_UDP, 16), 0);
    for (; count < 1000 && transmit_buffer_has_room(&transmit_buffer); count++)
        transmit_buffer_put(&transmit_buffer, &messages[0], xid_of(count));
    assert_int_equal(count, 16);
    disconnect();
}

TEST_GROUP(make_messages, free_messages)
