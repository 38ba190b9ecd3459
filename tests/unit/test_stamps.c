/* The kernel's timestamps are assigned to their calls, even if some of them are lost. */
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/system_clock.h"
#include "explain/stamps.h"

enum { CALLS = 64, LENGTH = 100 };

struct pair {
    int near, far; /* NEAR takes timestamps */
    struct stamps stamps;
    struct stamps_call sent[CALLS];
    struct call_times times[CALLS];
};

static struct sockaddr_in loopback(void)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void connect_to(int fd, int peer)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;

    assert_int_equal(getsockname(peer, (void *)&address, &length), 0);
    assert_int_equal(connect(fd, (void *)&address, length), 0);
}

static int bound_socket(int type)
{
    struct sockaddr_in address = loopback();
    int fd = socket(AF_INET, type, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (void *)&address, sizeof address), 0);
    return fd;
}

/* The two ends of a connection over loopback; NEAR's receive buffer, which also holds the
 * timestamps, has ROOM bytes, or the usual size if ROOM is 0. */
static void open_pair(struct pair *pair, bool tcp, int room)
{
    int listener = bound_socket(tcp ? SOCK_STREAM : SOCK_DGRAM);

    memset(pair, 0, sizeof *pair);
    pair->near = bound_socket(tcp ? SOCK_STREAM : SOCK_DGRAM);
    if (room)
        assert_int_equal(setsockopt(pair->near, SOL_SOCKET, SO_RCVBUF, &room, sizeof room), 0);
    if (tcp)
        assert_int_equal(listen(listener, 1), 0);
    connect_to(pair->near, listener);
    pair->far = tcp ? accept(listener, NULL, NULL) : listener;
    assert_true(pair->far >= 0);
    if (tcp)
        close(listener);
    else
        connect_to(pair->far, pair->near);
    assert_int_equal(stamps_begin(&pair->stamps, pair->near, tcp), 0);
    stamps_await();
}

static void close_pair(struct pair *pair)
{
    close(pair->near);
    close(pair->far);
}

static void send_request(struct pair *pair, size_t number)
{
    char bytes[LENGTH] = {0};
    ssize_t sent;

    pair->times[number].at[TIMESTAMP_SEND_ENTERED] = monotonic_ns();
    sent = send(pair->near, bytes, sizeof bytes, 0);
    assert_int_equal(sent, LENGTH);
    stamps_note_sent(&pair->stamps, sent, true, &pair->sent[number]);
    assert_int_equal(recv(pair->far, bytes, sizeof bytes, MSG_WAITALL), LENGTH);
}

static void get_reply(struct pair *pair, size_t number)
{
    struct call_times *times = &pair->times[number];
    char bytes[LENGTH] = {0};

    assert_int_equal(send(pair->far, bytes, sizeof bytes, 0), LENGTH);
    assert_int_equal(stamps_receive(&pair->stamps, bytes, sizeof bytes, 0), LENGTH);
    times->at[TIMESTAMP_REPLY_READ] = monotonic_ns();
    times->at[TIMESTAMP_REPLY_RECEIVED] = pair->stamps.received_at;
}

static void make_call(struct pair *pair, size_t number)
{
    send_request(pair, number);
    get_reply(pair, number);
}

static void assert_in_order(const struct call_times *times)
{
    const enum timestamp order[] = {TIMESTAMP_SEND_ENTERED, TIMESTAMP_SCHEDULED,
                                    TIMESTAMP_TRANSMITTED, TIMESTAMP_REPLY_RECEIVED,
                                    TIMESTAMP_REPLY_READ};

    for (size_t i = 1; i < sizeof order / sizeof order[0]; i++)
        assert_true(times->at[order[i]] >= times->at[order[i - 1]]);
}

static void stamps_come_in_order(bool tcp)
{
    struct pair pair;

    open_pair(&pair, tcp, 0);
    for (size_t i = 0; i < CALLS; i++) {
        make_call(&pair, i);
        stamps_collect(&pair.stamps, pair.sent, pair.times, i + 1);
        assert_in_order(&pair.times[i]);
        assert_true(pair.times[i].at[TIMESTAMP_SCHEDULED] != 0);
    }
    assert_int_equal(pair.stamps.unmatched, 0);
    close_pair(&pair);
}

TEST_CASE(udp_stamps_come_in_order)
{
    stamps_come_in_order(false);
}

TEST_CASE(tcp_stamps_come_in_order)
{
    stamps_come_in_order(true);
}

/* Calls without timestamps, among others that have them. */
static void some_are_stamped(bool tcp)
{
    struct pair pair;

    open_pair(&pair, tcp, 0);
    for (size_t i = 0; i < CALLS; i++) {
        stamps_set_sending(&pair.stamps, i % 3 == 1);
        make_call(&pair, i);
        if (i % 3 != 1)
            pair.sent[i] = (struct stamps_call){UINT32_MAX, UINT32_MAX};
    }
    stamps_collect_all(&pair.stamps, pair.sent, pair.times, CALLS);
    for (size_t i = 0; i < CALLS; i++) {
        assert_int_equal(pair.times[i].at[TIMESTAMP_TRANSMITTED] != 0, i % 3 == 1);
        if (i % 3 == 1)
            assert_in_order(&pair.times[i]);
    }
    assert_int_equal(pair.stamps.unmatched, 0);
    close_pair(&pair);
}

TEST_CASE(some_datagrams_are_stamped)
{
    some_are_stamped(false);
}

TEST_CASE(some_of_a_stream_are_stamped)
{
    some_are_stamped(true);
}

static void assert_between_sends(const struct pair *pair, size_t number)
{
    const struct call_times *times = &pair->times[number];

    assert_true(times->at[TIMESTAMP_SCHEDULED] >= times->at[TIMESTAMP_SEND_ENTERED]);
    assert_true(times->at[TIMESTAMP_TRANSMITTED] >= times->at[TIMESTAMP_SCHEDULED]);
    assert_true(number + 1 == CALLS ||
                times->at[TIMESTAMP_TRANSMITTED] <= times[1].at[TIMESTAMP_SEND_ENTERED]);
}

/* A queue that holds few timestamps and that nobody reads: most are lost, and the others belong to
 * the right calls. */
static void lost_stamps_shift_no_other(bool tcp)
{
    struct pair pair;
    size_t complete = 0, without = 0;

    open_pair(&pair, tcp, 8192);
    for (size_t i = 0; i < CALLS; i++)
        send_request(&pair, i); /* otherwise there would be no room for a reply, either */
    stamps_collect_all(&pair.stamps, pair.sent, pair.times, CALLS);
    for (size_t i = 0; i < CALLS; i++) {
        bool has = pair.times[i].at[TIMESTAMP_SCHEDULED] && pair.times[i].at[TIMESTAMP_TRANSMITTED];

        complete += has;
        without +=
            !pair.times[i].at[TIMESTAMP_SCHEDULED] && !pair.times[i].at[TIMESTAMP_TRANSMITTED];
        if (has)
            assert_between_sends(&pair, i);
    }
    assert_true(complete > 0);
    assert_true(without > 0);
    assert_int_equal(pair.stamps.unmatched, 0);
    close_pair(&pair);
}

TEST_CASE(lost_udp_stamps_shift_no_other)
{
    lost_stamps_shift_no_other(false);
}

TEST_CASE(lost_tcp_stamps_shift_no_other)
{
    lost_stamps_shift_no_other(true);
}

/* Timestamps of what another call sent do not belong to these calls. */
TEST_CASE(stamps_of_no_call_are_counted)
{
    struct stamps_call none;
    struct pair pair;
    char bytes[LENGTH] = {0};

    open_pair(&pair, false, 0);
    assert_int_equal(send(pair.near, bytes, sizeof bytes, 0), LENGTH);
    stamps_note_sent(&pair.stamps, LENGTH, true, &none);
    make_call(&pair, 0); /* first receives that message's bytes in FAR: they have the same length */
    stamps_collect_all(&pair.stamps, pair.sent, pair.times, 1);
    assert_int_equal(pair.stamps.unmatched, 2);
    assert_in_order(&pair.times[0]);
    close_pair(&pair);
}
