/* Every wait of a channel ends at the deadline, at the timeout, or on request, whatever the peer
 * does; a wait that does not end makes the test exceed its time limit. Early replies and long
 * calls. */

#include <time.h>

#include "engine/channel/channel.h"
#include "listener.h"
#include "rpc/message.h"
#include "rpc/wire.h"

#define HOUR_NS UINT64_C(3600000000000)

enum { SOON_NS = 50 * 1000 * 1000, MAXIMUM = 4096, HEADER = 24, LONG = 16 << 20 };

enum manner { ANSWERS, IS_SILENT, DRIPS, UNMATCHED, CLOSES, READS_LATE, GUESSES };

/* The peer: a thread that reads calls and answers according to far_manner. */
static struct listener far;
static enum manner far_manner;

static volatile sig_atomic_t stop;
static struct clock ticker;
static struct error error;
static uint8_t bytes[RPC_RECORD_MARK_SIZE + HEADER];
static const struct channel_message message = {.bytes = bytes, .length = HEADER};

/* Send CALL's bytes as its reply, if UNMATCHED with another xid. A channel checks only xids. */
static void send_reply(int fd, const uint8_t *call, bool unmatched)
{
    uint8_t reply[sizeof bytes];

    memcpy(reply, call, sizeof reply);
    reply[RPC_RECORD_MARK_SIZE] ^= unmatched ? 0x5a : 0;
    send(fd, reply, sizeof reply, MSG_NOSIGNAL);
}

/* Send a reply with the xid that the client's next call may have. */
static void guess(int fd, uint8_t *call)
{
    struct wire_reader reader = wire_reader(call + RPC_RECORD_MARK_SIZE, 4);

    wire_store_u32(call + RPC_RECORD_MARK_SIZE, wire_get_u32(&reader) + 1);
    send_reply(fd, call, false);
}

/* Wait until the sender's buffers have been full for long. Then read a long call, and answer it. */
static void read_late(int fd)
{
    static uint8_t call[LONG];
    const struct timespec late = {.tv_nsec = 4 * SOON_NS};
    size_t got = 0;
    ssize_t more = 1;

    nanosleep(&late, NULL);
    for (; got < sizeof call && more > 0; got += (size_t)more)
        more = recv(fd, call + got, sizeof call - got, 0);
    wire_store_u32(call, RPC_LAST_FRAGMENT | HEADER);
    send_reply(fd, call, false);
}

static void serve(int fd)
{
    uint8_t call[sizeof bytes], zero = 0;
    bool called = false;

    if (far_manner == READS_LATE)
        read_late(fd);
    while (!atomic_load(&far.over)) {
        if (far_manner == DRIPS)
            send(fd, &zero, 1, MSG_NOSIGNAL);
        if (far_manner == UNMATCHED && called)
            send_reply(fd, call, true);
        if (!listener_is_readable(fd))
            continue;
        if (recv(fd, call, sizeof call, 0) <= 0 || far_manner == CLOSES)
            break;
        called = true;
        if (far_manner == ANSWERS || far_manner == GUESSES)
            send_reply(fd, call, false);
        if (far_manner == GUESSES)
            guess(fd, call);
    }
}

/* Open the peer. Datagrams are never answered. */
static void far_open(enum transport transport, enum manner manner)
{
    listener_open(&far, transport, 8);
    far_manner = manner;
    if (transport == TRANSPORT_TCP)
        listener_serve(&far, serve);
}

/* Return options with a timeout of an hour, so that no timeout ends a wait. */
static struct channel_options patient(void)
{
    return (struct channel_options){.timeout_ns = HOUR_NS,
                                    .retransmissions = 16,
                                    .reply_maximum = MAXIMUM,
                                    .deadline.stop = &stop};
}

static int exchange(struct channel *channel)
{
    struct channel_reply reply;

    return channel_exchange(channel, &message, &ticker, &reply, &error);
}

static int open_and_exchange(const struct channel_options *options)
{
    struct channel *channel;
    int code = channel_open(&channel, &far.endpoint, options, &error);

    if (code)
        return code;
    code = exchange(channel);
    channel_close(channel);
    return code;
}

/* Exchanges end at the deadline or timeout, which apply to the complete reply, not to each byte. If
 * the peer closes every connection, an exchange may also fail earlier. */
TEST_CASE(exchanges_end)
{
    static const struct {
        enum manner manner;
        enum transport transport;
        bool spin;
        uint64_t deadline_ns, timeout_ns; /* times from now on, ns; 0: none */
    } cases[] = {
        {IS_SILENT, TRANSPORT_TCP, false, SOON_NS, HOUR_NS},
        {IS_SILENT, TRANSPORT_TCP, true, SOON_NS, HOUR_NS},
        {DRIPS, TRANSPORT_TCP, false, SOON_NS, HOUR_NS},
        {UNMATCHED, TRANSPORT_TCP, false, SOON_NS, HOUR_NS},
        {CLOSES, TRANSPORT_TCP, false, SOON_NS, HOUR_NS}, /* the call is sent again */
        {IS_SILENT, TRANSPORT_UDP, false, SOON_NS, HOUR_NS},
        {IS_SILENT, TRANSPORT_UDP, false, SOON_NS, SOON_NS / 4}, /* the call is sent again */
        {DRIPS, TRANSPORT_TCP, false, 0, SOON_NS},
        {UNMATCHED, TRANSPORT_TCP, false, 0, SOON_NS},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct channel_options options = patient();
        int code;

        options.spin = cases[i].spin;
        options.timeout_ns = cases[i].timeout_ns;
        far_open(cases[i].transport, cases[i].manner);
        if (cases[i].deadline_ns)
            options.deadline.at_ns = clock_raw_ns() + cases[i].deadline_ns;
        code = open_and_exchange(&options);
        if (code != -ETIMEDOUT &&
            !(cases[i].manner == CLOSES && (code == -ECONNRESET || code == -EPIPE)))
            fail_msg("case %zu ended with %d", i, code);
        listener_close(&far);
    }
}

TEST_CASE(early_replies_are_counted)
{
    enum { CALLS = 20 };
    struct channel_options options = patient();
    struct channel *channel;

    far_open(TRANSPORT_TCP, GUESSES);
    assert_int_equal(channel_open(&channel, &far.endpoint, &options, &error), 0);
    for (int i = 0; i < CALLS; i++)
        assert_int_equal(exchange(channel), 0);
    assert_all((channel_counts(channel)->unmatched, CALLS - 1),
               (channel_counts(channel)->early, CALLS - 1));
    channel_close(channel);
    listener_close(&far);
}

/* The listener's queue is full, so SYNs are dropped. */
TEST_CASE(the_deadline_ends_connecting)
{
    enum { MORE_THAN_WAIT = 16 };
    struct channel *channels[MORE_THAN_WAIT];
    int made = 0, code = 0;

    listener_open(&far, TRANSPORT_TCP, 0);
    while (made < MORE_THAN_WAIT && code == 0) {
        struct channel_options options = patient();

        options.deadline.at_ns = clock_raw_ns() + SOON_NS;
        code = channel_open(&channels[made], &far.endpoint, &options, &error);
        made += code == 0;
    }
    assert_int_equal(code, -ETIMEDOUT);
    while (made > 0)
        channel_close(channels[--made]);
    listener_close(&far);
}

TEST_CASE(a_deadline_that_has_passed_ends_all_at_once)
{
    struct channel_options options = patient();

    far_open(TRANSPORT_TCP, ANSWERS);
    assert_int_equal(open_and_exchange(&options), 0);
    options.deadline.at_ns = 1;
    assert_int_equal(open_and_exchange(&options), -ETIMEDOUT);
    listener_close(&far);
}

/* Calls that are answered at once never wait, so no signal interrupts a wait. */
TEST_CASE(a_stop_ends_calls_that_are_answered)
{
    struct channel_options options = patient();
    struct channel *channel;

    far_open(TRANSPORT_TCP, ANSWERS);
    assert_int_equal(channel_open(&channel, &far.endpoint, &options, &error), 0);
    assert_int_equal(exchange(channel), 0);
    stop = 1;
    assert_int_equal(exchange(channel), -EINTR);
    channel_close(channel);
    assert_int_equal(open_and_exchange(&options), -EINTR);
    options.deadline.stop = NULL; /* clean-up ignores the stop */
    assert_int_equal(open_and_exchange(&options), 0);
    stop = 0;
    listener_close(&far);
}

TEST_CASE(a_long_call_is_sent_in_parts)
{
    struct channel_options options = patient();
    struct channel_message longer = {.length = LONG - RPC_RECORD_MARK_SIZE};
    struct channel_reply reply;
    struct channel *channel;

    longer.bytes = calloc(1, LONG);
    assert_non_null(longer.bytes);
    far_open(TRANSPORT_TCP, READS_LATE);
    assert_all((channel_open(&channel, &far.endpoint, &options, &error), 0),
               (channel_exchange(channel, &longer, &ticker, &reply, &error), 0),
               (reply.length, HEADER), (channel_counts(channel)->retransmissions, 0),
               (channel_packets(channel, 0), 1), (channel_packets(channel, LONG) > 1));
    channel_close(channel);
    listener_close(&far);
    free(longer.bytes);

    far_open(TRANSPORT_TCP, ANSWERS);
    options.spin = true;
    assert_int_equal(open_and_exchange(&options), 0);
    listener_close(&far);
}

TEST_CASE(a_call_may_be_too_long_for_a_datagram)
{
    struct channel_options options = patient();
    struct channel_message longer = {.length = 70000};
    struct channel_reply reply;
    struct channel *channel;

    longer.bytes = calloc(1, longer.length + RPC_RECORD_MARK_SIZE);
    assert_non_null(longer.bytes);
    far_open(TRANSPORT_UDP, IS_SILENT);
    assert_int_equal(channel_open(&channel, &far.endpoint, &options, &error), 0);
    assert_int_equal(channel_exchange(channel, &longer, &ticker, &reply, &error), -EMSGSIZE);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_non_null(strstr(error.text, "is longer than a datagram can be; see --size"));
    channel_close(channel);
    listener_close(&far);
    free(longer.bytes);
}

static void *stop_soon(void *unused)
{
    struct timespec soon = {.tv_nsec = SOON_NS};

    nanosleep(&soon, NULL);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    return unused;
}

/* A stop also ends a wait if the signal arrives after the flag was checked and before recv() or
 * poll(). */
TEST_CASE(a_stop_without_a_signal_ends_waits)
{
    struct channel_options options = patient();
    pthread_t thread;

    for (enum manner manner = IS_SILENT; manner <= CLOSES; manner++) {
        far_open(TRANSPORT_TCP, manner);
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
        assert_int_equal(open_and_exchange(&options), -EINTR);
        pthread_join(thread, NULL);
        stop = 0;
        listener_close(&far);
    }
}

FIXTURE(open_clock, clock_open(&ticker, "monotonic-raw", &error))

TEST_GROUP(open_clock, NULL)
