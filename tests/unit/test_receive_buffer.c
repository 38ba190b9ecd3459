/* Extracting messages from a stream or from datagrams, however the bytes are split. */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/random.h"
#include "engine/receive_buffer.h"
#include "rpc/message.h"
#include "rpc/wire.h"

enum { MAXIMUM = 70000, ROUNDS = 1500 };

static int ends[2]; /* data written to the second are received from the first */
static struct receive_buffer receive_buffer;

static void connect_ends(int type)
{
    int size = 1 << 20;

    assert_int_equal(socketpair(AF_UNIX, type, 0, ends), 0);
    setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

static void disconnect(void)
{
    receive_buffer_close(&receive_buffer);
    close(ends[0]);
    if (ends[1] >= 0)
        close(ends[1]);
}

static void put(const void *bytes, size_t length)
{
    assert_int_equal(write(ends[1], bytes, length), length);
}

/* A message's bytes contain its number and length. */
static uint8_t byte_of(size_t number, size_t length, size_t at)
{
    return (uint8_t)(number * 31 + length + at * 7);
}

static void fill(uint8_t *bytes, size_t number, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = byte_of(number, length, i);
}

static void check(const struct receive_buffer_message *message, size_t number, size_t length)
{
    assert_int_equal(message->length, length);
    for (size_t i = 0; i < length; i++)
        if (message->bytes[i] != byte_of(number, length, i))
            fail_msg("message %zu of %zu bytes is wrong at %zu", number, length, i);
}

/* Write a record in several fragments; returns its length with all marks. */
static size_t make_record(uint8_t *to, size_t number, size_t length, size_t fragments)
{
    uint8_t *bytes = malloc(length + 1);
    size_t at = 0, done = 0;

    assert_non_null(bytes);
    fill(bytes, number, length);
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

/* Random messages in random pieces: many small ones at a time, long ones, fragments. */
static void run_stream(size_t messages, uint32_t usual, uint64_t seed, size_t reserve)
{
    static uint8_t stream[16 << 20];
    static size_t lengths[ROUNDS];
    size_t end = 0, at = 0, count = 0, found_count = 0;
    struct receive_buffer_message message;
    struct random random;

    random_seed(&random, seed);
    while (count < ROUNDS && end + 2 * MAXIMUM < sizeof stream) {
        size_t fragments = random_below(&random, 8) ? 1 : 1 + random_below(&random, 5);

        /* Occasionally as long as allowed: marks of more fragments would then not fit. */
        lengths[count] = random_below(&random, 20) ? random_below(&random, usual)
                         : fragments == 1          ? MAXIMUM
                                                   : MAXIMUM - 64;
        end += make_record(stream + end, count, lengths[count], fragments);
        count++;
    }
    connect_ends(SOCK_STREAM);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_TCP, MAXIMUM, messages), 0);
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
                check(&message, found_count, lengths[found_count]);
                found_count++;
            }
        }
        assert_int_equal(code, -EAGAIN);
        assert_true(at < end || found_count == count);
    }
    disconnect();
}

TEST_CASE(stream)
{
    run_stream(1, 200, 1, 0);
    run_stream(1, 60000, 2, 0);
    run_stream(4, 20000, 3, 0);
    run_stream(64, 300, 4, 0);
    run_stream(1000, 20000, 5, 0);
    run_stream(1, 60000, 6, 16384);
    run_stream(64, 300, 7, 16384);
}

/* What came after a message is counted: bytes of a stream, or datagrams. */
TEST_CASE(after)
{
    uint8_t stream[256];
    size_t end = make_record(stream, 0, 33, 1);
    struct receive_buffer_message message;

    end += make_record(stream + end, 1, 40, 1);
    connect_ends(SOCK_STREAM);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_TCP, 64, 2), 0);
    put(stream, end);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 1), 0);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), 1);
    assert_int_equal(receive_buffer_after(&receive_buffer, &message), 4 + 40);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), 1);
    assert_int_equal(receive_buffer_after(&receive_buffer, &message), 0);
    disconnect();

    connect_ends(SOCK_DGRAM);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_UDP, 64, 8), 0);
    for (int i = 0; i < 3; i++)
        put("data", 4);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 1), 0);
    for (size_t after = 3; after-- > 0;) {
        assert_int_equal(receive_buffer_next(&receive_buffer, &message), 1);
        assert_int_equal(receive_buffer_after(&receive_buffer, &message), after);
    }
    disconnect();
}

TEST_CASE(too_long)
{
    const uint8_t huge[] = {0x80 | 0x7f, 0xff, 0xff, 0xff, 1, 2}, just[] = {0x80, 0, 0, 65};
    struct receive_buffer_message message;

    connect_ends(SOCK_STREAM);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_TCP, 64, 1), 0);
    put(huge, sizeof huge);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 1), 0);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), -EMSGSIZE);
    receive_buffer_clear(&receive_buffer);
    put(just, sizeof just);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 1), 0);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), -EMSGSIZE);
    disconnect();
}

/* Endless fragments. */
TEST_CASE(endless)
{
    const uint8_t fragment[8] = {0, 0, 0, 4, 1, 2, 3, 4};
    struct receive_buffer_message message;
    int found = 0;

    connect_ends(SOCK_STREAM);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_TCP, 64, 1), 0);
    for (int i = 0; i < 100 && found == 0; i++) {
        put(fragment, sizeof fragment);
        assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 1), 0);
        found = receive_buffer_next(&receive_buffer, &message);
    }
    assert_int_equal(found, -EMSGSIZE);
    disconnect();
}

TEST_CASE(nothing_and_closed)
{
    struct receive_buffer_message message;

    connect_ends(SOCK_STREAM);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_TCP, 64, 1), 0);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), 0);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 0), -EAGAIN);
    put("\x80\0\0\x08half", 8);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 0), 0);
    assert_int_equal(receive_buffer_next(&receive_buffer, &message), 0);
    close(ends[1]);
    ends[1] = -1;
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 1), -ECONNRESET);
    disconnect();
}

/* More datagrams than one receive takes, and an empty one. */
TEST_CASE(datagrams)
{
    enum { COUNT = 150, LONG = 9000 };
    uint8_t bytes[LONG];
    struct receive_buffer_message message;
    size_t found = 0;

    connect_ends(SOCK_DGRAM);
    assert_int_equal(receive_buffer_open(&receive_buffer, TRANSPORT_UDP, LONG, 1000), 0);
    assert_int_equal(receive_buffer_receive(&receive_buffer, ends[0], 0), -EAGAIN);
    for (size_t sent = 0; sent < COUNT;) {
        for (int i = 0; i < 5; i++, sent++) {
            size_t length = sent * 67 % LONG;

            fill(bytes, sent, length);
            assert_int_equal(send(ends[1], bytes, length, 0), length);
        }
        while (receive_buffer_receive(&receive_buffer, ends[0], 0) == 0)
            for (; receive_buffer_next(&receive_buffer, &message) == 1; found++)
                check(&message, found, found * 67 % LONG);
    }
    assert_int_equal(found, COUNT);
    disconnect();
}
