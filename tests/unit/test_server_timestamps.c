/* Converting the kernel's events into timestamps of calls, for all ways in which threads sleep,
 * wake each other, and lose their processor. Times are in ns from the call's send(). */
#include "test.h"

#include <string.h>

#include "explain/server_timestamps.h"

enum {
    CLIENT = 10,
    CLIENT_THREAD = 11,
    SERVER = 20,
    WAITER = 21, /* of the server's threads, the one that waits for events */
    READER = 22,
    WORKER = 23,
    STRANGER = 30, /* a process that is not involved */
    XID = 77,
    START = 1000000,
    END = 10000
};

static struct kernel_event list[64];
static size_t count;
static struct call_times call;

static int set_up(void **state)
{
    count = 0;
    memset(&call, 0, sizeof call);
    call.xid = XID;
    call.at[TIMESTAMP_SEND_ENTERED] = START;
    call.at[TIMESTAMP_REPLY_READ] = START + END;
    return 0;
}

static struct kernel_event *add(uint64_t at, enum kernel_event_type type, uint32_t thread)
{
    struct kernel_event *event = &list[count++];

    *event = (struct kernel_event){.at_ns = START + at, .type = type, .thread = thread};
    if (thread)
        event->process = thread / 10 * 10;
    return event;
}

static void add_other(uint64_t at, enum kernel_event_type type, uint32_t thread, uint32_t other)
{
    struct kernel_event *event = add(at, type, thread);

    event->other = other;
    event->other_process = other / 10 * 10;
}

static void arrives(uint64_t at)
{
    add(at, KERNEL_REQUEST_ARRIVED, 0);
}

static void wakes(uint64_t at, uint32_t waker, uint32_t thread)
{
    add_other(at, KERNEL_WOKEN, thread, waker);
}

static void runs(uint64_t at, uint32_t thread)
{
    add_other(at, KERNEL_SWITCHED_IN, thread, 0);
}

static void sleeps(uint64_t at, uint32_t thread)
{
    add_other(at, KERNEL_SWITCHED_OUT, thread, 0);
}

static void preempted(uint64_t at, uint32_t thread)
{
    add_other(at, KERNEL_SWITCHED_OUT, thread, STRANGER);
    list[count - 1].preempted = 1;
}

static void receives(uint64_t at, uint32_t thread, int length)
{
    add(at, KERNEL_RECEIVED, thread)->length = length;
}

static void sends(uint64_t at, uint32_t thread, uint32_t xid)
{
    add(at, KERNEL_SEND_ENTERED, thread)->xid = xid;
}

static void sent(uint64_t at)
{
    add(at, KERNEL_SENT, 0)->length = 100;
}

static void reply_arrives(uint64_t at)
{
    add(at, KERNEL_REPLY_ARRIVED, 0);
}

static void fill_in(void)
{
    const struct server_events events = {
        .list = list, .count = count, .client_thread = CLIENT_THREAD, .server_process = SERVER};

    for (size_t i = 1; i < count; i++)
        assert_true(list[i - 1].at_ns <= list[i].at_ns); /* otherwise the test is wrong */
    server_timestamps(&events, &call, 1);
}

/* From the call's send(); -1: not known. */
static int64_t at(enum timestamp timestamp)
{
    return call.at[timestamp] ? (int64_t)(call.at[timestamp] - START) : -1;
}

#define assert_at(timestamp, ns) assert_int_equal(at(TIMESTAMP_##timestamp), ns)

/* The client's part, and the reply's, of a call whose reply the server's THREAD sends at 5000. */
static void add_reply(uint32_t thread)
{
    sends(5000, thread, XID);
    sent(6000);
    reply_arrives(6500);
    wakes(6600, thread, CLIENT_THREAD);
    runs(7000, CLIENT_THREAD);
}

/* The timestamps of a request in the server; 0: the timestamp is unknown. */
struct request_times {
    int64_t arrived, woken, server_runs, reader_runs, read, worker_runs;
};

#define TIMES(...) (&(const struct request_times){__VA_ARGS__})

static int64_t known(int64_t time)
{
    return time ? time : -1;
}

/* Fill in the call, whose request must have these timestamps. */
static void check_request(const struct request_times *times)
{
    fill_in();
    assert_at(REQUEST_ARRIVED, known(times->arrived));
    assert_at(SERVER_WOKEN, known(times->woken));
    assert_at(SERVER_RUNS, known(times->server_runs));
    assert_at(READER_RUNS, known(times->reader_runs));
    assert_at(REQUEST_READ, known(times->read));
    assert_at(WORKER_RUNS, known(times->worker_runs));
}

/* The same, where THREAD answers it by add_reply(). */
static void check_answered(uint32_t thread, const struct request_times *times)
{
    add_reply(thread);
    check_request(times);
    assert_at(REPLY_ENTERED, 5000);
    assert_at(REPLY_SENT, 6000);
    assert_at(REPLY_ARRIVED, 6500);
    assert_at(CLIENT_WOKEN, 6600);
    assert_at(CLIENT_RUNS, 7000);
}

/* A thread that sleeps in recv(), or in epoll_wait() and then calls recv(). */
static void test_one_thread(void **state)
{
    arrives(1000);
    wakes(1100, CLIENT_THREAD, READER);
    sleeps(1500, CLIENT_THREAD);
    runs(2000, READER);
    receives(3000, READER, 100);
    check_answered(READER,
                   TIMES(.arrived = 1000, .woken = 1100, .server_runs = 2000, .read = 3000));
    /* The client's own timestamps are unchanged. */
    assert_at(SEND_ENTERED, 0);
    assert_at(REPLY_READ, END);
    assert_at(TRANSMITTED, -1);
    assert_at(REPLY_RECEIVED, -1);
}

static void test_polling_server(void **state)
{
    arrives(1000);
    receives(3000, READER, 100);
    check_answered(READER, TIMES(.arrived = 1000, .read = 3000));
}

/* The kernel reports a datagram when it is in the socket, but the server has already taken it. */
static void test_reported_late(void **state)
{
    receives(3000, READER, 100);
    arrives(3100);
    check_answered(READER, TIMES(.arrived = 3000, .read = 3000));
}

static void test_spinning_client(void **state)
{
    arrives(1000);
    receives(3000, READER, 100);
    sends(5000, READER, XID);
    sent(6000);
    reply_arrives(6500);
    check_request(TIMES(.arrived = 1000, .read = 3000));
    assert_at(REPLY_ARRIVED, 6500);
    assert_at(CLIENT_WOKEN, -1);
    assert_at(CLIENT_RUNS, -1);
}

/* The thread gets the processor while it is still going to sleep. */
static void test_woken_before_asleep(void **state)
{
    arrives(1000);
    wakes(1100, CLIENT_THREAD, READER);
    sleeps(1200, READER);
    runs(2000, READER);
    receives(3000, READER, 100);
    check_answered(READER,
                   TIMES(.arrived = 1000, .woken = 1100, .server_runs = 2000, .read = 3000));
}

/* Waking a thread that has a processor changes nothing. */
static void test_woken_while_awake(void **state)
{
    arrives(1000);
    wakes(1100, CLIENT_THREAD, READER);
    receives(3000, READER, 100);
    check_answered(READER, TIMES(.arrived = 1000, .read = 3000));
}

/* It had been woken for another reason, and waited for a processor, when the request arrived. */
static void test_waits_for_processor(void **state)
{
    wakes(900, STRANGER, READER);
    arrives(1000);
    runs(2000, READER);
    receives(3000, READER, 100);
    check_answered(READER, TIMES(.arrived = 1000, .server_runs = 2000, .read = 3000));
}

/* As Ganesha sometimes does: the thread that is woken wakes another, which reads; a third answers.
 */
static void test_handed_over(void **state)
{
    arrives(1000);
    wakes(1100, CLIENT_THREAD, WAITER);
    runs(1500, WAITER);
    wakes(1700, WAITER, READER);
    sleeps(1800, WAITER);
    runs(2000, READER);
    receives(2990, READER, 4);
    receives(3000, READER, 100);
    wakes(3100, READER, WORKER);
    runs(3500, WORKER);
    check_answered(WORKER, TIMES(.arrived = 1000, .woken = 1100, .server_runs = 1500,
                                 .reader_runs = 2000, .read = 3000, .worker_runs = 3500));
}

/* As Ganesha mostly does: the thread that is woken lets another one wait in its place, and reads
 * itself. */
static void test_other_threads_wake(void **state)
{
    arrives(1000);
    wakes(1100, CLIENT_THREAD, READER);
    runs(1500, READER);
    wakes(1700, READER, WAITER);
    runs(1800, WAITER);
    receives(3000, READER, 100);
    sleeps(3500, WAITER);
    check_answered(READER,
                   TIMES(.arrived = 1000, .woken = 1100, .server_runs = 1500, .read = 3000));
}

/* The thread that would be woken is already awake. */
static void test_waiter_awake(void **state)
{
    arrives(1000);
    wakes(1700, WAITER, READER);
    runs(2000, READER);
    receives(3000, READER, 100);
    check_answered(READER, TIMES(.arrived = 1000, .reader_runs = 2000, .read = 3000));
}

/* Threads may wake each other in a circle; the search must end. */
static void test_circle(void **state)
{
    arrives(1000);
    for (int i = 0; i < 4; i++) {
        wakes(1100 + 100 * (uint64_t)i, i % 2 ? WAITER : READER, i % 2 ? READER : WAITER);
        runs(1150 + 100 * (uint64_t)i, i % 2 ? READER : WAITER);
    }
    receives(3000, READER, 100);
    check_answered(READER, TIMES(.arrived = 1000, .reader_runs = 1250, .read = 3000));
}

/* A request in segments: the first one wakes the server; the last one is the arrival. */
static void test_segments(void **state)
{
    arrives(500);
    wakes(600, STRANGER, READER);
    arrives(1000);
    runs(1200, READER);
    receives(1300, READER, 60000);
    sleeps(1400, READER);
    arrives(2000);
    wakes(2100, STRANGER, READER);
    runs(2400, READER);
    receives(3000, READER, 40000);
    check_answered(READER,
                   TIMES(.arrived = 2000, .woken = 2100, .server_runs = 2400, .read = 3000));
}

/* The last segment arrives while the server is reading. */
static void test_segment_while_reading(void **state)
{
    arrives(500);
    wakes(600, STRANGER, READER);
    runs(1200, READER);
    receives(1300, READER, 60000);
    arrives(2000);
    receives(3000, READER, 40000);
    check_answered(READER, TIMES(.arrived = 2000, .read = 3000));
}

/* A reply in packets, sent by several calls of send(): later ones have data instead of an xid. */
static void test_reply_in_packets(void **state)
{
    arrives(1000);
    receives(3000, READER, 100);
    sends(5000, READER, XID);
    sent(5200);
    sends(5300, READER, 0x61616161);
    sent(5400);
    reply_arrives(5500);
    wakes(5600, STRANGER, CLIENT_THREAD);
    runs(5700, CLIENT_THREAD);
    sleeps(5800, CLIENT_THREAD);
    sent(5900);
    reply_arrives(6000);
    wakes(6100, STRANGER, CLIENT_THREAD);
    runs(6200, CLIENT_THREAD);
    check_request(TIMES(.arrived = 1000, .read = 3000));
    assert_at(REPLY_ENTERED, 5000);
    assert_at(REPLY_SENT, 5900);
    assert_at(REPLY_ARRIVED, 6000);
    assert_at(CLIENT_WOKEN, 6100);
    assert_at(CLIENT_RUNS, 6200);
}

/* A thread that loses the processor and gets it back was not woken by the request. */
static void test_preempted(void **state)
{
    arrives(1000);
    wakes(1100, CLIENT_THREAD, READER);
    runs(1500, READER);
    preempted(1600, READER);
    runs(2000, READER);
    receives(3000, READER, 100);
    preempted(3100, READER);
    runs(4000, READER);
    check_answered(READER,
                   TIMES(.arrived = 1000, .woken = 1100, .server_runs = 1500, .read = 3000));
}

static void test_polling_preempted(void **state)
{
    arrives(1000);
    preempted(1600, READER);
    runs(2000, READER);
    receives(3000, READER, 100);
    check_answered(READER, TIMES(.arrived = 1000, .read = 3000));
}

/* The server sleeps between request and reply, until a timer wakes it: that is part of its work. */
static void test_delayed(void **state)
{
    arrives(1000);
    wakes(1100, CLIENT_THREAD, READER);
    runs(1500, READER);
    receives(2000, READER, 100);
    sleeps(2100, READER);
    wakes(4500, 0, READER);
    runs(4600, READER);
    check_answered(READER,
                   TIMES(.arrived = 1000, .woken = 1100, .server_runs = 1500, .read = 2000));
}

/* The same if another thread answers when the time has come. */
static void test_delayed_by_worker(void **state)
{
    arrives(1000);
    receives(2000, READER, 100);
    wakes(4500, 0, WORKER);
    runs(4600, WORKER);
    check_answered(WORKER, TIMES(.arrived = 1000, .read = 2000));
}

/* A UDP call is retransmitted: the server answers both; the first reply counts. */
static void test_retransmitted(void **state)
{
    arrives(1000);
    receives(2000, READER, 100);
    arrives(3000);
    sends(4000, READER, XID);
    sent(4100);
    receives(4500, READER, 100);
    sends(5000, READER, XID);
    reply_arrives(6500);
    check_request(TIMES(.arrived = 1000, .read = 2000));
    assert_at(REPLY_ENTERED, 4000);
    assert_at(REPLY_SENT, 4100);
}

/* Each event in turn is lost: no timestamp is invented, and the known ones stay in order. */
static void test_lost(void **state)
{
    for (size_t missing = 0; missing < 9; missing++) {
        uint64_t before = START;

        set_up(state);
        arrives(1000);
        wakes(1100, CLIENT_THREAD, READER);
        runs(1500, READER);
        receives(2000, READER, 100);
        add_reply(READER);
        assert_int_equal(count, 9);
        memmove(&list[missing], &list[missing + 1], (count - missing - 1) * sizeof *list);
        count--;
        fill_in();
        for (int i = TIMESTAMP_REQUEST_ARRIVED; i < TIMESTAMPS; i++) {
            assert_true(call.at[i] == 0 || call.at[i] >= before);
            before = call.at[i] ? call.at[i] : before;
        }
        assert_int_equal(at(TIMESTAMP_REQUEST_ARRIVED) == -1, missing == 0 || missing == 4);
        assert_int_equal(at(TIMESTAMP_REQUEST_READ) == -1, missing == 3 || missing == 4);
        assert_int_equal(at(TIMESTAMP_REPLY_ENTERED) == -1, missing == 4);
        assert_int_equal(at(TIMESTAMP_REPLY_ARRIVED) == -1, missing == 4 || missing == 6);
    }
}

static void test_nothing(void **state)
{
    fill_in();
    for (int i = TIMESTAMP_REQUEST_ARRIVED; i <= TIMESTAMP_CLIENT_RUNS; i++)
        assert_int_equal(call.at[i], 0);
}

/* Each call has its own events, even if one call ends when the next begins, and threads go to sleep
 * late. */
static void test_block(void **state)
{
    struct call_times calls[3] = {0};
    const struct server_events events = {
        .list = list, .count = 21, .client_thread = CLIENT_THREAD, .server_process = SERVER};

    for (uint32_t i = 0; i < 3; i++) {
        uint64_t begin = i * (END + 1);

        arrives(begin + 1000);
        wakes(begin + 1100, CLIENT_THREAD, READER);
        runs(begin + 2000, READER);
        receives(begin + 3000, READER, 100);
        sends(begin + 4000, READER, XID + i);
        sent(begin + 5000);
        reply_arrives(begin + 6000);
        calls[i].xid = XID + i;
        calls[i].at[TIMESTAMP_SEND_ENTERED] = START + begin;
        calls[i].at[TIMESTAMP_REPLY_READ] = START + begin + END;
    }
    server_timestamps(&events, calls, 3);
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t begin = START + i * (END + 1);

        assert_int_equal(calls[i].at[TIMESTAMP_REQUEST_ARRIVED], begin + 1000);
        assert_int_equal(calls[i].at[TIMESTAMP_SERVER_RUNS], begin + 2000);
        assert_int_equal(calls[i].at[TIMESTAMP_REPLY_ENTERED], begin + 4000);
        assert_int_equal(calls[i].at[TIMESTAMP_REPLY_ARRIVED], begin + 6000);
    }
}

/* Timestamps that no call has are named, and so is the process that reads the requests. */
static void test_missing(void **state)
{
    struct server_events events = {.list = list, .server_process = SERVER};
    char text[160];

    server_timestamps_missing(&events, text, sizeof text);
    assert_non_null(strstr(text, "request arrived"));
    assert_non_null(strstr(text, "request read"));
    assert_non_null(strstr(text, "reply entered"));
    assert_int_equal(server_timestamps_reader(&events), 0);
    arrives(100);
    receives(200, STRANGER, 64);
    events.count = count;
    server_timestamps_missing(&events, text, sizeof text);
    assert_string_equal(text, "reply entered (a sending system call)");
    assert_int_equal(server_timestamps_reader(&events), STRANGER);
    assert_int_equal(server_timestamps_joined(&call, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_missing, set_up),
        cmocka_unit_test_setup(test_one_thread, set_up),
        cmocka_unit_test_setup(test_polling_server, set_up),
        cmocka_unit_test_setup(test_reported_late, set_up),
        cmocka_unit_test_setup(test_spinning_client, set_up),
        cmocka_unit_test_setup(test_woken_before_asleep, set_up),
        cmocka_unit_test_setup(test_woken_while_awake, set_up),
        cmocka_unit_test_setup(test_waits_for_processor, set_up),
        cmocka_unit_test_setup(test_handed_over, set_up),
        cmocka_unit_test_setup(test_other_threads_wake, set_up),
        cmocka_unit_test_setup(test_waiter_awake, set_up),
        cmocka_unit_test_setup(test_circle, set_up),
        cmocka_unit_test_setup(test_segments, set_up),
        cmocka_unit_test_setup(test_segment_while_reading, set_up),
        cmocka_unit_test_setup(test_reply_in_packets, set_up),
        cmocka_unit_test_setup(test_preempted, set_up),
        cmocka_unit_test_setup(test_polling_preempted, set_up),
        cmocka_unit_test_setup(test_delayed, set_up),
        cmocka_unit_test_setup(test_delayed_by_worker, set_up),
        cmocka_unit_test_setup(test_retransmitted, set_up),
        cmocka_unit_test_setup(test_lost, set_up),
        cmocka_unit_test_setup(test_nothing, set_up),
        cmocka_unit_test_setup(test_block, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
