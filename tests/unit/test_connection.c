/* Many calls in flight on a connection: replies in any order, twice, or to no call; messages that
 * the socket does not accept at once; connections that break; replies that do not arrive. The peer
 * is a socket of this test, and every wait ends. */

#include "common/address.h"
#include "common/random.h"
#include "engine/wire/connection.h"
#include "listener.h"
#include "rpc/message.h"
#include "rpc/wire.h"

enum { DEPTH_MAXIMUM = 1000, LONGEST = 64 * 1024, PATIENCE_MS = 20000, MAXIMUM = 4096 };

#define LONG_NS UINT64_C(10000000000) /* a timeout that is never reached */

static struct clock ticker;
static struct error error;
static struct connection connection;
static struct channel_message message;

static struct {
    struct listener listener;
    int fd;
    struct sockaddr_storage peer; /* UDP: the address to reply to */
    uint8_t bytes[LONGEST + 4];
    size_t filled;
} far;

static void far_open(enum transport transport)
{
    memset(&far, 0, sizeof far);
    far.fd = -1;
    listener_open(&far.listener, transport, 8);
}

static void far_accept(void)
{
    struct pollfd poller = {.fd = far.listener.fd, .events = POLLIN};

    assert_int_equal(poll(&poller, 1, PATIENCE_MS), 1);
    if (far.fd >= 0)
        close(far.fd);
    far.filled = 0;
    far.fd = accept(far.listener.fd, NULL, NULL);
    assert_true(far.fd >= 0);
}

static void far_close(void)
{
    if (far.fd >= 0)
        close(far.fd);
    if (far.listener.fd >= 0)
        close(far.listener.fd);
}

/* Make all calls LENGTH bytes long until close_both(), instead of the default of 120 bytes. */
static void make_message(size_t length)
{
    free(message.bytes);
    message.length = length;
    message.bytes = calloc(1, RPC_RECORD_MARK_SIZE + length);
    assert_non_null(message.bytes);
    for (size_t i = 0; i < length; i++)
        message.bytes[RPC_RECORD_MARK_SIZE + i] = (uint8_t)(i * 3 + 1);
}

static void open_with(const struct channel_options *options, enum transport transport,
                      unsigned depth)
{
    if (!message.bytes)
        make_message(120);
    far_open(transport);
    assert_int_equal(
        connection_open(&connection, &far.listener.endpoint, options, 0, depth, &ticker, &error),
        0);
    if (transport == TRANSPORT_TCP)
        far_accept();
}

static void open_both(enum transport transport, unsigned depth, uint64_t timeout_ns)
{
    const struct channel_options options = {
        .timeout_ns = timeout_ns, .retransmissions = 2, .reply_maximum = MAXIMUM};

    open_with(&options, transport, depth);
}

static void close_both(void)
{
    connection_close(&connection);
    far_close();
    free(message.bytes);
    message.bytes = NULL;
}

static void check_call(const uint8_t *bytes, size_t length)
{
    assert_int_equal(length, message.length);
    assert_memory_equal(bytes + 4, message.bytes + RPC_RECORD_MARK_SIZE + 4, length - 4);
}

static uint32_t xid_in(const uint8_t *bytes)
{
    struct wire_reader reader = wire_reader(bytes, 4);

    return wire_get_u32(&reader);
}

/* Take the next call from the stream, and set *XID to its xid. Returns true, or false if the call
 * has not arrived completely. */
static bool take_call(uint32_t *xid)
{
    ssize_t got =
        recv(far.fd, far.bytes + far.filled, 4 + message.length - far.filled, MSG_DONTWAIT);

    far.filled += got > 0 ? (size_t)got : 0;
    if (far.filled < 4 + message.length)
        return false;
    assert_int_equal(xid_in(far.bytes), RPC_LAST_FRAGMENT | (uint32_t)message.length);
    check_call(far.bytes + 4, message.length);
    *xid = xid_in(far.bytes + 4);
    far.filled = 0;
    return true;
}

static bool take_datagram(uint32_t *xid)
{
    socklen_t length = sizeof far.peer;
    ssize_t got = recvfrom(far.listener.fd, far.bytes, sizeof far.bytes, MSG_DONTWAIT,
                           (struct sockaddr *)&far.peer, &length);

    if (got < 0)
        return false;
    check_call(far.bytes, (size_t)got);
    *xid = xid_in(far.bytes);
    return true;
}

/* Put as many calls as possible in flight, receive all of them at the peer, and set XIDS to their
 * xids. */
static void fill_connection(uint32_t *xids)
{
    bool datagrams = far.listener.endpoint.transport == TRANSPORT_UDP;
    unsigned depth = connection.depth, put = 0, taken = 0, waits = 0;

    while (taken < depth) {
        for (; put < depth && connection_has_room(&connection); put++)
            connection_put(&connection, &message, NULL, put, NULL);
        connection_send(&connection);
        while (taken < depth && (datagrams ? take_datagram(&xids[taken]) : take_call(&xids[taken])))
            taken++;
        assert_true(waits++ < 10 * 1000 * 1000);
    }
    assert_all((put, depth), (connection_in_flight(&connection), depth),
               (!connection_has_room(&connection)));
}

static void answer(uint32_t xid)
{
    uint8_t reply[12] = {0x80, 0, 0, 8};

    wire_store_u32(reply + 4, xid);
    if (far.listener.endpoint.transport == TRANSPORT_TCP)
        assert_int_equal(send(far.fd, reply, sizeof reply, 0), sizeof reply);
    else
        assert_int_equal(sendto(far.listener.fd, reply + 4, 8, 0, (struct sockaddr *)&far.peer,
                                address_length(&far.peer)),
                         8);
}

/* Take COUNT replies, each to a different call. */
static void take_replies(unsigned count)
{
    static bool seen[DEPTH_MAXIMUM];
    static struct connection_reply replies[DEPTH_MAXIMUM];
    unsigned taken = 0;

    memset(seen, 0, sizeof seen);
    for (unsigned tries = 0; taken < count && tries < 400; tries++) {
        int code = connection_receive(&connection, true);
        size_t found = 0;

        assert_true(code == 0 || code == -EAGAIN);
        if (code == 0)
            assert_int_equal(connection_take(&connection, ticker.stop(), replies, &found), 0);
        for (const struct connection_reply *reply = replies; reply < replies + found; reply++) {
            assert_all((reply->call.number < connection.depth), (!seen[reply->call.number]),
                       (xid_in(reply->message.bytes), reply->call.xid),
                       (reply->call.submitted > 0));
            seen[reply->call.number] = true;
            taken++;
        }
    }
    assert_int_equal(taken, count);
}

static void shuffle(uint32_t *xids, unsigned count)
{
    struct random random;

    random_seed(&random, count);
    for (unsigned i = count; i > 1; i--) {
        unsigned other = random_below(&random, i);
        uint32_t xid = xids[i - 1];

        xids[i - 1] = xids[other];
        xids[other] = xid;
    }
}

static void run_any_order(enum transport transport, unsigned depth, size_t length)
{
    static uint32_t xids[DEPTH_MAXIMUM];

    make_message(length);
    open_both(transport, depth, LONG_NS);
    for (int round = 0; round < 3; round++) {
        fill_connection(xids);
        for (unsigned i = 0; i < depth; i++)
            for (unsigned j = 0; j < i && depth <= 64; j++)
                assert_int_not_equal(xids[i], xids[j]);
        shuffle(xids, depth);
        for (unsigned i = 0; i < depth; i++)
            answer(xids[i]);
        take_replies(depth);
        assert_int_equal(connection_in_flight(&connection), 0);
    }
    assert_int_equal(connection.counts.unmatched, 0);
    close_both();
}

TEST_CASE(any_order)
{
    static const unsigned depths[] = {1, 2, 3, 64, 100, DEPTH_MAXIMUM};

    for (size_t i = 0; i < COUNT_OF(depths); i++)
        run_any_order(TRANSPORT_TCP, depths[i], 120);
    for (size_t i = 0; i < 5; i++) /* few enough datagrams for a socket's buffer */
        run_any_order(TRANSPORT_UDP, depths[i], 120);
    run_any_order(TRANSPORT_TCP, 64, LONGEST); /* more bytes than the socket accepts */
}

static void answer_all(uint32_t *xids)
{
    fill_connection(xids);
    for (unsigned i = 0; i < connection.depth; i++)
        answer(xids[i]);
    take_replies(connection.depth);
}

/* Each call except the first in a slot has a turn-around: the time from the previous reply in that
 * slot to the call. No turn-around extends over the beginning of a block. */
TEST_CASE(turn_around)
{
    uint64_t began = ticker.start(), turns;
    uint32_t xids[5];

    open_both(TRANSPORT_TCP, 5, LONG_NS);
    answer_all(xids);
    assert_int_equal(connection.turn_calls, 0);
    answer_all(xids);
    answer_all(xids);
    assert_all((connection.turn_calls, 10), (connection.turn_ticks > 0),
               (connection.turn_ticks < 10 * (ticker.stop() - began)));
    turns = connection.turn_ticks;
    connection.turns_since = ticker.stop();
    answer_all(xids);
    assert_all((connection.turn_calls, 10), (connection.turn_ticks, turns));
    answer_all(xids);
    assert_int_equal(connection.turn_calls, 15);
    close_both();
}

TEST_CASE(unmatched_replies)
{
    const uint8_t stub[] = {0x80, 0, 0, 2, 1, 2}, empty[] = {0x80, 0, 0, 0};
    uint32_t xids[5];

    open_both(TRANSPORT_TCP, 5, LONG_NS);
    fill_connection(xids);
    answer(xids[3]);
    answer(xids[3]);
    answer(xids[3] + 8); /* an xid of the same slot, but of another call */
    answer(xids[3] ^ 7); /* an xid of no slot, or of another slot */
    answer(0);
    assert_int_equal(send(far.fd, stub, sizeof stub, 0), sizeof stub);
    assert_int_equal(send(far.fd, empty, sizeof empty, 0), sizeof empty);
    answer(xids[1]);
    take_replies(2);
    assert_all((connection.counts.unmatched, 6), (connection.counts.early, 3),
               (connection_in_flight(&connection), 3));
    close_both();
}

/* A server that guesses the next xid gains nothing: its replies belong to no call. */
TEST_CASE(early_replies)
{
    enum { DEPTH = 4, GUESSES = 64 };
    uint32_t xids[DEPTH];

    open_both(TRANSPORT_TCP, DEPTH, LONG_NS);
    answer_all(xids);
    for (uint32_t guess = 1; guess <= GUESSES; guess++)
        answer(xids[DEPTH - 1] + guess);
    fill_connection(xids);
    for (unsigned i = 0; i < DEPTH; i++)
        answer(xids[i]);
    take_replies(DEPTH);
    assert_all((connection.counts.unmatched, GUESSES), (connection.counts.early > GUESSES / 2));
    close_both();
}

static void restore(void)
{
    for (int tries = 0; connection.fd < 0; tries++) {
        assert_all((connection_restore(&connection, &error), 0), (tries < 10000));
        poll(NULL, 0, 1);
    }
}

static int compare_xids(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

    return (first > second) - (first < second);
}

/* Answer ANSWERED of DEPTH calls, and close the connection. Every call without an answer must be
 * sent once over the next connection, with its old xid. */
static void run_loss(unsigned depth, size_t length, unsigned answered)
{
    static uint32_t xids[DEPTH_MAXIMUM], again[DEPTH_MAXIMUM];
    unsigned left = depth - answered, taken = 0, waits = 0;

    make_message(length);
    open_both(TRANSPORT_TCP, depth, LONG_NS);
    fill_connection(xids);
    for (unsigned i = 0; i < answered; i++)
        answer(xids[i]);
    take_replies(answered);
    connection_lose(&connection);
    assert_int_equal(connection.fd, -1);
    restore();
    far_accept();
    while (taken < left) {
        int code = connection_send(&connection);

        assert_true(code == 0 || code == -EAGAIN);
        while (taken < left && take_call(&again[taken]))
            taken++;
        assert_true(waits++ < 10 * 1000 * 1000);
    }
    assert_all((connection_send(&connection), 0), (!take_call(&again[0])));
    qsort(xids + answered, left, sizeof *xids, compare_xids);
    qsort(again, left, sizeof *again, compare_xids);
    assert_memory_equal(xids + answered, again, left * sizeof *xids);
    assert_all((connection.counts.reconnections, 1), (connection.counts.retransmissions, left));
    for (unsigned i = 0; i < left; i++)
        answer(again[i]);
    take_replies(left);
    close_both();
}

TEST_CASE(loss)
{
    run_loss(1, 120, 0);
    run_loss(5, 120, 3);
    run_loss(64, LONGEST, 10);
    run_loss(DEPTH_MAXIMUM, 120, 0);
    run_loss(DEPTH_MAXIMUM, 8192, 100);
}

TEST_CASE(gone)
{
    uint32_t xids[4];
    int code = 0;

    open_both(TRANSPORT_TCP, 4, 300000000);
    fill_connection(xids);
    close(far.listener.fd);
    close(far.fd);
    far.listener.fd = far.fd = -1;
    connection_lose(&connection);
    for (int tries = 0; code == 0 && tries < 20000; tries++) {
        code = connection_restore(&connection, &error);
        assert_true(code != 0 || connection.fd < 0);
        poll(NULL, 0, 1);
    }
    assert_all((code, -ECONNRESET), (error.kind, ERROR_UNREACHABLE));
    close_both();
}

TEST_CASE(timeout_of_a_stream)
{
    uint32_t xids[4];

    open_both(TRANSPORT_TCP, 4, 200000000);
    fill_connection(xids);
    poll(NULL, 0, 250);
    assert_all((connection_check_timeouts(&connection, &error), -ETIMEDOUT),
               (error.kind, ERROR_UNREACHABLE), (strstr(error.text, "RPC_TIMEDOUT")));
    close_both();
}

/* Over UDP, a call without a reply is sent again twice, unchanged, before it is given up. A reply
 * after a retransmission is accepted. */
TEST_CASE(timeout_of_datagrams)
{
    uint32_t xids[3], again[3];
    int code = 0;

    open_both(TRANSPORT_UDP, 3, 50000000);
    fill_connection(xids);
    answer(xids[1]);
    take_replies(1);
    poll(NULL, 0, 60);
    assert_all((connection_check_timeouts(&connection, &error), 0),
               (connection_send(&connection), 0), (connection.counts.retransmissions, 2));
    for (int i = 0; i < 2; i++)
        assert_true(take_datagram(&again[i]));
    assert_all((!take_datagram(&again[2])), (again[0], xids[0]), (again[1], xids[2]));
    answer(xids[0]);
    take_replies(1);
    for (int tries = 0; code == 0 && tries < 2000; tries++) {
        code = connection_check_timeouts(&connection, &error);
        if (code == 0)
            connection_send(&connection);
        poll(NULL, 0, 1);
    }
    assert_all((code, -ETIMEDOUT), (connection.counts.retransmissions, 3));
    close_both();
}

TEST_CASE(no_timeout_before_sending)
{
    open_both(TRANSPORT_UDP, 3, 1);
    connection_put(&connection, &message, NULL, 0, NULL);
    poll(NULL, 0, 1);
    assert_int_equal(connection_check_timeouts(&connection, &error), 0);
    assert_int_equal(connection.counts.retransmissions, 0);
    close_both();
}

TEST_CASE(abandon)
{
    static const enum transport transports[] = {TRANSPORT_TCP, TRANSPORT_UDP};
    uint32_t xids[16], fresh[16];

    for (size_t i = 0; i < 2; i++) {
        open_both(transports[i], 16, LONG_NS);
        fill_connection(xids);
        connection_abandon(&connection);
        assert_int_equal(connection_in_flight(&connection), 0);
        if (transports[i] == TRANSPORT_TCP) {
            restore();
            far_accept();
        }
        fill_connection(fresh);
        answer(xids[0]);
        answer(fresh[5]);
        take_replies(1);
        assert_int_equal(connection.counts.unmatched, 1);
        close_both();
    }
}

/* No xid is used twice, because servers answer a repeated xid with the old reply. One call is never
 * answered here. */
TEST_CASE(xids_do_not_repeat)
{
    enum { CALLS = 2 * CONNECTION_DEPTH_MAXIMUM + 100 };
    uint32_t *xids = calloc(CALLS, sizeof *xids);

    assert_non_null(xids);
    open_both(TRANSPORT_TCP, CONNECTION_DEPTH_MAXIMUM, 10 * LONG_NS);
    make_message(40);
    for (unsigned i = 0; i < CALLS; i++) {
        struct pollfd poller = {.fd = far.fd, .events = POLLIN};

        connection_put(&connection, &message, NULL, 0, NULL);
        assert_int_equal(connection_send(&connection), 0);
        while (!take_call(&xids[i]))
            assert_int_equal(poll(&poller, 1, PATIENCE_MS), 1);
        if (i == 0)
            continue;
        answer(xids[i]);
        take_replies(1);
    }
    qsort(xids, CALLS, sizeof *xids, compare_xids);
    for (unsigned i = 1; i < CALLS; i++)
        assert_true(xids[i - 1] != xids[i]);
    free(xids);
    close_both();
}

FIXTURE(open_clock, clock_open(&ticker, "monotonic", &error))

TEST_CASE(too_long)
{
    const uint8_t marks[][4] = {{0xff, 0xff, 0xff, 0xff}, {0x7f, 0xff, 0xff, 0xff}};
    struct connection_reply replies[5];
    uint32_t xids[5];
    size_t found;

    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        open_both(TRANSPORT_TCP, 5, LONG_NS);
        fill_connection(xids);
        assert_int_equal(send(far.fd, marks[i], sizeof marks[i], 0), sizeof marks[i]);
        assert_int_equal(connection_receive(&connection, true), 0);
        assert_int_equal(connection_take(&connection, ticker.stop(), replies, &found), -EMSGSIZE);
        assert_int_equal(connection_describe(&connection, -EMSGSIZE, &error), -EMSGSIZE);
        assert_int_equal(error.kind, ERROR_FAILED);
        assert_non_null(strstr(error.text, "(over 4096 bytes); is it an RPC server?"));
        close_both();
    }
    make_message(70000);
    open_both(TRANSPORT_UDP, 1, LONG_NS);
    connection_put(&connection, &message, NULL, 0, NULL);
    assert_int_equal(connection_send(&connection), -EMSGSIZE);
    connection_describe(&connection, -EMSGSIZE, &error);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_non_null(strstr(error.text, "is longer than a datagram can be; see --size"));
    close_both();
}

/* The kernel has the low-water mark that was set. A mark that no int can hold does not become
 * negative. */
TEST_CASE(low_water)
{
    uint32_t xids[2];
    int bytes = 0;
    socklen_t length = sizeof bytes;

    open_both(TRANSPORT_TCP, 2, LONG_NS);
    connection_set_low_water(&connection, 2 * 12);
    connection_set_low_water(&connection, 2 * 12);
    assert_int_equal(getsockopt(connection.fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, &length), 0);
    assert_int_equal(bytes, 2 * 12);
    answer_all(xids);
    connection_set_low_water(&connection, SIZE_MAX);
    assert_true(connection.low_water > 0);
    close_both();
}

/* Connect again by a non-blocking connect(), as the probe for outages does. */
static void adopt(void)
{
    struct pollfd poller = {.events = POLLOUT};

    assert_int_equal(endpoint_begin(&connection.endpoint, &poller.fd), 0);
    assert_int_equal(poll(&poller, 1, PATIENCE_MS), 1);
    assert_int_equal(endpoint_complete(&connection.endpoint, poller.fd), 0);
    assert_int_equal(connection_adopt(&connection, poller.fd), 0);
}

/* If a reply does not come, a connection with the option `unending` is marked as lost, and no call
 * is given up. */
TEST_CASE(without_end)
{
    const struct channel_options options = {
        .timeout_ns = 1000000, .reply_maximum = MAXIMUM, .unending = true};
    uint32_t xids[3];

    open_with(&options, TRANSPORT_TCP, 3);
    fill_connection(xids);
    for (int tries = 0; connection.fd >= 0 && tries < PATIENCE_MS; tries++) {
        assert_int_equal(connection_check_timeouts(&connection, &error), 0);
        poll(NULL, 0, 1);
    }
    assert_all((connection.fd, -1), (connection_in_flight(&connection), 3));
    adopt();
    assert_all((connection.counts.reconnections, 1), (connection_must_resend(&connection), true));
    close_both();
}

TEST_CASE(repeated_when_asked)
{
    uint32_t xids[2];

    open_both(TRANSPORT_UDP, 2, LONG_NS);
    fill_connection(xids);
    connection_repeat(&connection, 1);
    connection_repeat(&connection, 7);
    assert_all((connection_send(&connection), 0), (connection.counts.retransmissions, 1));
    close_both();
}

TEST_GROUP(open_clock, NULL)
