/* The kernel's timestamps are assigned to the right calls of a log, even if some are lost. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "engine/wire/connection.h"
#include "explain/phases/load_log.h"

enum { CALLS = 64, LENGTH = 100 };

struct pair {
    int near, far; /* NEAR is the end whose timestamps are logged */
    struct load_log log;
};

static const struct clock clock_ = {
    .name = "raw", .start = clock_raw_ns, .stop = clock_raw_ns, .ns_per_tick = 1};

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

    assert_all((fd >= 0), (bind(fd, (void *)&address, sizeof address), 0));
    return fd;
}

/* Open a connection over loopback and a log of one call in SAMPLE. NEAR's receive buffer, which
 * also holds timestamps, has ROOM bytes; 0: the usual size. */
static void open_pair(struct pair *pair, bool tcp, uint32_t sample, int room)
{
    int listener = bound_socket(tcp ? SOCK_STREAM : SOCK_DGRAM);

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
    assert_int_equal(load_log_open(&pair->log, &clock_, tcp, sample, 1), 0);
    load_notes_watch(&pair->log);
    pair->log.single = true;
    pair->log.watches->connected(pair->log.watches->context, 0, pair->near, 0, 0);
    assert_int_equal(load_log_begin(&pair->log, CALLS), 0);
}

static void close_pair(struct pair *pair)
{
    assert_int_equal(pair->log.failure, 0);
    load_log_close(&pair->log);
    close(pair->near);
    close(pair->far);
}

static void send_request(struct pair *pair, size_t number)
{
    const struct load_watch *watch = pair->log.watches;
    const struct call_slot slot = {.number = number};
    char bytes[LENGTH] = {0};
    struct iovec part = {bytes, LENGTH};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    watch->adding(watch->context, 0, &slot, 0);
    assert_int_equal(watch->send(watch->context, 0, pair->near, &message, 0), LENGTH);
    assert_int_equal(recv(pair->far, bytes, sizeof bytes, MSG_WAITALL), LENGTH);
}

static void answer(struct pair *pair, size_t number)
{
    const struct load_watch *watch = pair->log.watches;
    const struct call_slot slot = {.number = number};

    watch->answered(watch->context, 0, &slot, LENGTH, 0, 0);
}

static void make_call(struct pair *pair, size_t number)
{
    const struct load_watch *watch = pair->log.watches;
    char bytes[LENGTH] = {0};

    send_request(pair, number);
    assert_int_equal(send(pair->far, bytes, sizeof bytes, 0), LENGTH);
    assert_int_equal(watch->receive(watch->context, 0, pair->near, bytes, sizeof bytes, 0), LENGTH);
    answer(pair, number);
    load_log_collect(&pair->log, pair->log.connections);
}

static void assert_in_order(const struct call_times *times)
{
    const enum timestamp order[] = {TIMESTAMP_SEND_ENTERED, TIMESTAMP_SCHEDULED,
                                    TIMESTAMP_TRANSMITTED, TIMESTAMP_REPLY_RECEIVED,
                                    TIMESTAMP_REPLY_READ};

    assert_true(times->at[TIMESTAMP_SCHEDULED] != 0);
    for (size_t i = 1; i < sizeof order / sizeof order[0]; i++)
        assert_true(times->at[order[i]] >= times->at[order[i - 1]]);
}

/* Check that CALLS / SAMPLE successive calls are logged, each with its timestamps in order. */
static void check_order(bool tcp, uint32_t sample)
{
    struct pair pair;
    size_t logged = 0;

    open_pair(&pair, tcp, sample, 0);
    for (size_t i = 0; i < CALLS; i++)
        make_call(&pair, i);
    load_log_end(&pair.log);
    for (size_t i = 0; i < CALLS; i++) {
        assert_int_equal(pair.log.calls[i].answered, i >= pair.log.from && i < pair.log.until);
        if (pair.log.calls[i].answered)
            assert_in_order(&pair.log.calls[i].times);
        logged += pair.log.calls[i].answered;
    }
    assert_all((logged, CALLS / sample), (pair.log.lost[STAMP_SCHEDULED], 0),
               (pair.log.unmatched, 0));
    close_pair(&pair);
}

TEST_CASE(stamps_come_in_order)
{
    for (int tcp = 0; tcp < 2; tcp++) {
        check_order(tcp, 1);
        check_order(tcp, 3);
    }
}

static void assert_between_sends(const struct pair *pair, size_t number)
{
    const struct load_call *call = &pair->log.calls[number];
    const uint64_t *at = call->times.at;

    assert_true(at[TIMESTAMP_SCHEDULED] >= at[TIMESTAMP_SEND_ENTERED]);
    assert_true(at[TIMESTAMP_TRANSMITTED] >= at[TIMESTAMP_SCHEDULED]);
    assert_true(number + 1 == CALLS ||
                at[TIMESTAMP_TRANSMITTED] <= call[1].times.at[TIMESTAMP_SEND_ENTERED]);
}

/* A small error queue that nobody reads loses timestamps; the rest belongs to the right calls.
 * There are no replies, because they would not fit either. */
static void check_loss(bool tcp)
{
    struct pair pair;
    size_t complete = 0, without = 0;

    open_pair(&pair, tcp, 1, 8192);
    for (size_t i = 0; i < CALLS; i++) {
        send_request(&pair, i);
        answer(&pair, i);
    }
    load_log_end(&pair.log);
    for (size_t i = 0; i < CALLS; i++) {
        const uint64_t *at = pair.log.calls[i].times.at;
        bool has = at[TIMESTAMP_SCHEDULED] && at[TIMESTAMP_TRANSMITTED];

        complete += has;
        without += !at[TIMESTAMP_SCHEDULED] && !at[TIMESTAMP_TRANSMITTED];
        if (has)
            assert_between_sends(&pair, i);
    }
    assert_all((complete > 0), (without > 0), (pair.log.lost[STAMP_RECEIVED], CALLS),
               (pair.log.unmatched, 0));
    close_pair(&pair);
}

TEST_CASE(lost_stamps_shift_no_other)
{
    check_loss(true);
    check_loss(false);
}

TEST_CASE(stamps_of_no_call_are_counted)
{
    struct pair pair;
    char bytes[LENGTH] = {0};

    open_pair(&pair, false, 1, 0);
    make_call(&pair, 0);
    assert_int_equal(send(pair.near, bytes, sizeof bytes, 0), LENGTH);
    make_call(&pair, 1); /* FAR first receives the extra message, which has the same length */
    load_log_end(&pair.log);
    assert_int_equal(pair.log.unmatched, 2);
    assert_in_order(&pair.log.calls[0].times);
    close_pair(&pair);
}
