/* Sending messages: complete, in order, with their own marks and xids, however little the socket
 * accepts at a time. */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/random.h"
#include "engine/transmit_buffer.h"
#include "rpc/message.h"
#include "rpc/wire.h"

enum { MESSAGES = 600, LONGEST = 100000 };

static int ends[2];
static struct transmit_buffer transmit_buffer;
static struct channel_message messages[MESSAGES];

static void connect_ends(int type, int size)
{
    assert_int_equal(socketpair(AF_UNIX, type, 0, ends), 0);
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

static void disconnect(void)
{
    transmit_buffer_close(&transmit_buffer);
    close(ends[0]);
    close(ends[1]);
}

static uint8_t byte_of(size_t number, size_t at)
{
    return (uint8_t)(number * 13 + at * 5 + (at >> 8));
}

static int make_messages(void **state)
{
    struct random random;

    random_seed(&random, 7);
    for (size_t i = 0; i < MESSAGES; i++) {
        /* Short messages, some of about the length from which messages are no longer copied, long
         * ones. */
        size_t length = i % 3 == 0   ? 4 + random_below(&random, 200)
                        : i % 3 == 1 ? 1000 + random_below(&random, 50)
                                     : 4 + random_below(&random, LONGEST - 4);

        messages[i].length = length;
        messages[i].bytes = malloc(RPC_RECORD_MARK_SIZE + length);
        if (!messages[i].bytes)
            return -1;
        for (size_t at = 0; at < length; at++)
            messages[i].bytes[RPC_RECORD_MARK_SIZE + at] = byte_of(i, at);
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

static void check_message(const uint8_t *bytes, size_t number)
{
    struct wire_reader reader = wire_reader(bytes, 4);

    assert_int_equal(wire_get_u32(&reader), xid_of(number));
    for (size_t at = 4; at < messages[number].length; at++)
        if (bytes[at] != byte_of(number, at))
            fail_msg("message %zu is wrong at %zu", number, at);
}

/* The other end of the stream. */
static struct {
    uint8_t bytes[1 << 20];
    size_t filled, count;
} far;

static void take_stream(size_t most)
{
    size_t at = 0;
    ssize_t got = recv(ends[1], far.bytes + far.filled, most, MSG_DONTWAIT);

    far.filled += got > 0 ? (size_t)got : 0;
    while (far.filled - at >= 4) {
        struct wire_reader reader = wire_reader(far.bytes + at, 4);
        uint32_t mark = wire_get_u32(&reader);
        size_t length = mark & ~RPC_LAST_FRAGMENT;

        assert_true(mark & RPC_LAST_FRAGMENT);
        assert_true(far.count < MESSAGES);
        assert_int_equal(length, messages[far.count].length);
        if (far.filled - at - 4 < length)
            break;
        check_message(far.bytes + at + 4, far.count++);
        at += 4 + length;
    }
    memmove(far.bytes, far.bytes + at, far.filled - at);
    far.filled -= at;
}

static void run_stream(size_t depth, int buffer, size_t sip)
{
    size_t number = 0, waits = 0;

    connect_ends(SOCK_STREAM, buffer);
    assert_int_equal(transmit_buffer_open(&transmit_buffer, TRANSPORT_TCP, depth), 0);
    memset(&far, 0, sizeof far);
    while (far.count < MESSAGES) {
        int code;

        for (; number < MESSAGES && transmit_buffer_has_room(&transmit_buffer); number++)
            transmit_buffer_put(&transmit_buffer, &messages[number], xid_of(number));
        code = transmit_buffer_send(&transmit_buffer, ends[0]);
        assert_true(code == 0 || code == -EAGAIN);
        assert_int_equal(transmit_buffer_holds(&transmit_buffer), code != 0);
        waits += code != 0;
        take_stream(sip);
    }
    assert_int_equal(number, MESSAGES);
    assert_int_equal(far.filled, 0);
    assert_true(waits > 0);
    disconnect();
}

TEST_CASE(stream)
{
    run_stream(1, 1, 777);
    run_stream(2, 1, 100000);
    run_stream(16, 4096, 3001);
    run_stream(1000, 1, 50000);
    run_stream(65536, 200000, 65536);
}

/* An empty buffer always has room for a message of any length, and for as many messages as were
 * asked for, within reason. */
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

/* The other end is closed: that is an error to report, not a signal. */
TEST_CASE(closed)
{
    connect_ends(SOCK_STREAM, 4096);
    assert_int_equal(transmit_buffer_open(&transmit_buffer, TRANSPORT_TCP, 4), 0);
    close(ends[1]);
    transmit_buffer_put(&transmit_buffer, &messages[0], xid_of(0));
    assert_int_equal(transmit_buffer_send(&transmit_buffer, ends[0]), -EPIPE);
    ends[1] = dup(ends[0]);
    disconnect();
}

/* One datagram a message, without marks. */
TEST_CASE(datagrams)
{
    static uint8_t bytes[LONGEST];
    size_t number = 0, found = 0, waits = 0;

    connect_ends(SOCK_DGRAM, 300000);
    assert_int_equal(transmit_buffer_open(&transmit_buffer, TRANSPORT_UDP, 64), 0);
    while (found < MESSAGES) {
        ssize_t got;
        int code;

        for (; number < MESSAGES && transmit_buffer_has_room(&transmit_buffer); number++)
            transmit_buffer_put(&transmit_buffer, &messages[number], xid_of(number));
        code = transmit_buffer_send(&transmit_buffer, ends[0]);
        assert_true(code == 0 || code == -EAGAIN);
        waits += code != 0;
        for (int i = 0; i < 3 && found < MESSAGES; i++) {
            got = recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT);
            if (got < 0)
                break;
            assert_int_equal(got, messages[found].length);
            check_message(bytes, found++);
        }
    }
    assert_true(waits > 0);
    assert_true(recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT) < 0);
    disconnect();
}

/* Short messages leave room for many more than were asked for, but not more datagrams are sent at
 * once. */
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
