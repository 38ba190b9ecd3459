/* Converting the kernel's events into timestamps of calls, for all ways in which threads sleep,
 * wake each other, and lose their processor. Times are in ns from the call's send(). */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "event_list.h"
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
    END = 10000
};

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

static void arrives(uint64_t at)
{
    add(at, KERNEL_REQUEST_ARRIVED, 0);
}

static void receives(uint64_t at, uint32_t thread, int length)
{
    add(at, KERNEL_RECEIVED, thread)->length = length;
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
    server_timestamps(&events, &call);
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

/* What happens to a request, until a thread answers it by add_reply(): "TIME WHO DOES [WHOM]", with
 * commas between. */
static const struct sequence {
    const char *name, *events;
    uint32_t answers;
    struct request_times times;
} sequences[] = {
    {"a thread that sleeps in recv(), or in epoll_wait() and then calls recv()",
     "1000 request arrives, 1100 client wakes reader, 1500 client sleeps, "
     "2000 reader runs, 3000 reader receives",
     READER,
     {.arrived = 1000, .woken = 1100, .server_runs = 2000, .read = 3000}},
    {"a polling server",
     "1000 request arrives, 3000 reader receives",
     READER,
     {.arrived = 1000, .read = 3000}},
    {"a datagram is reported when it is in the socket, but the server has already taken it",
     "3000 reader receives, 3100 request arrives",
     READER,
     {.arrived = 3000, .read = 3000}},
    {"the thread gets the processor while it is still going to sleep",
     "1000 request arrives, 1100 client wakes reader, 1200 reader sleeps, "
     "2000 reader runs, 3000 reader receives",
     READER,
     {.arrived = 1000, .woken = 1100, .server_runs = 2000, .read = 3000}},
    {"waking a thread that has a processor changes nothing",
     "1000 request arrives, 1100 client wakes reader, 3000 reader receives",
     READER,
     {.arrived = 1000, .read = 3000}},
    {"it was woken for another reason, and waits for a processor, when the request arrives",
     "900 stranger wakes reader, 1000 request arrives, 2000 reader runs, "
     "3000 reader receives",
     READER,
     {.arrived = 1000, .server_runs = 2000, .read = 3000}},
    {"as Ganesha sometimes does: who is woken wakes another, which reads; a third answers",
     "1000 request arrives, 1100 client wakes waiter, 1500 waiter runs, "
     "1700 waiter wakes reader, 1800 waiter sleeps, 2000 reader runs, "
     "2990 reader receives, 3000 reader receives, 3100 reader wakes worker, "
     "3500 worker runs",
     WORKER,
     {.arrived = 1000,
      .woken = 1100,
      .server_runs = 1500,
      .reader_runs = 2000,
      .read = 3000,
      .worker_runs = 3500}},
    {"as Ganesha mostly does: who is woken lets another wait in its place, and reads itself",
     "1000 request arrives, 1100 client wakes reader, 1500 reader runs, "
     "1700 reader wakes waiter, 1800 waiter runs, 3000 reader receives, 3500 waiter sleeps",
     READER,
     {.arrived = 1000, .woken = 1100, .server_runs = 1500, .read = 3000}},
    {"the thread that would be woken is already awake",
     "1000 request arrives, 1700 waiter wakes reader, 2000 reader runs, "
     "3000 reader receives",
     READER,
     {.arrived = 1000, .reader_runs = 2000, .read = 3000}},
    {"threads may wake each other in a circle; the search must end",
     "1000 request arrives, 1100 reader wakes waiter, 1150 waiter runs, "
     "1200 waiter wakes reader, 1250 reader runs, 1300 reader wakes waiter, "
     "1350 waiter runs, 1400 waiter wakes reader, 1450 reader runs, 3000 reader receives",
     READER,
     {.arrived = 1000, .reader_runs = 1250, .read = 3000}},
    {"a request in segments: the first one wakes the server; the last one is the arrival",
     "500 request arrives, 600 stranger wakes reader, 1000 request arrives, "
     "1200 reader runs, 1300 reader receives, 1400 reader sleeps, 2000 request arrives, "
     "2100 stranger wakes reader, 2400 reader runs, 3000 reader receives",
     READER,
     {.arrived = 2000, .woken = 2100, .server_runs = 2400, .read = 3000}},
    {"the last segment arrives while the server is reading",
     "500 request arrives, 600 stranger wakes reader, 1200 reader runs, "
     "1300 reader receives, 2000 request arrives, 3000 reader receives",
     READER,
     {.arrived = 2000, .read = 3000}},
    {"a thread that loses the processor and gets it back was not woken by the request",
     "1000 request arrives, 1100 client wakes reader, 1500 reader runs, "
     "1600 reader is-preempted, 2000 reader runs, 3000 reader receives, "
     "3100 reader is-preempted, 4000 reader runs",
     READER,
     {.arrived = 1000, .woken = 1100, .server_runs = 1500, .read = 3000}},
    {"nor was one that polls",
     "1000 request arrives, 1600 reader is-preempted, 2000 reader runs, "
     "3000 reader receives",
     READER,
     {.arrived = 1000, .read = 3000}},
    {"the server sleeps after the request, until a timer wakes it: that is part of its work",
     "1000 request arrives, 1100 client wakes reader, 1500 reader runs, "
     "2000 reader receives, 2100 reader sleeps, 4500 timer wakes reader, 4600 reader runs",
     READER,
     {.arrived = 1000, .woken = 1100, .server_runs = 1500, .read = 2000}},
    {"the same if another thread answers when the time has come",
     "1000 request arrives, 2000 reader receives, 4500 timer wakes worker, "
     "4600 worker runs",
     WORKER,
     {.arrived = 1000, .read = 2000}},
};

static uint32_t thread_called(const char *name)
{
    static const struct {
        const char *name;
        uint32_t thread;
    } threads[] = {
        {"client", CLIENT_THREAD}, {"waiter", WAITER}, {"reader", READER}, {"worker", WORKER},
        {"stranger", STRANGER},    {"timer", 0},       {"request", 0}};

    for (size_t i = 0; i < COUNT_OF(threads); i++)
        if (strcmp(threads[i].name, name) == 0)
            return threads[i].thread;
    fail_msg("no thread is called %s", name);
    return 0;
}

static void take_step(const char *text)
{
    static const struct {
        const char *does;
        enum kernel_event_type type;
    } steps[] = {{"arrives", KERNEL_REQUEST_ARRIVED},
                 {"runs", KERNEL_SWITCHED_IN},
                 {"sleeps", KERNEL_SWITCHED_OUT},
                 {"is-preempted", KERNEL_SWITCHED_OUT},
                 {"receives", KERNEL_RECEIVED}};
    char who[16], does[16], whom[16] = "";
    unsigned time;

    assert_true(sscanf(text, "%u %15[a-z] %15[a-z-] %15[a-z]", &time, who, does, whom) >= 3);
    if (strcmp(does, "wakes") == 0)
        wakes(time, thread_called(who), thread_called(whom));
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (strcmp(steps[i].does, does) == 0)
            add(time, steps[i].type, thread_called(who))->preempted =
                strcmp(does, "is-preempted") == 0;
}

TEST_CASE(sequences)
{
    for (size_t i = 0; i < COUNT_OF(sequences); i++) {
        const struct sequence *sequence = &sequences[i];

        print_message("%s\n", sequence->name);
        set_up(state);
        for (const char *step = sequence->events; step; step = strchr(step + 1, ','))
            take_step(step + strspn(step, ", "));
        add_reply(sequence->answers);
        check_request(&sequence->times);
        assert_at(REPLY_ENTERED, 5000);
        assert_at(REPLY_SENT, 6000);
        assert_at(REPLY_ARRIVED, 6500);
        assert_at(CLIENT_WOKEN, 6600);
        assert_at(CLIENT_RUNS, 7000);
        /* The client's own timestamps are unchanged. */
        assert_at(SEND_ENTERED, 0);
        assert_at(REPLY_READ, END);
        assert_at(TRANSMITTED, -1);
        assert_at(REPLY_RECEIVED, -1);
    }
}

TEST_CASE_WITH(spinning_client, set_up, NULL)
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

/* A reply in packets, sent by several calls of send(): later ones have data instead of an xid. */
TEST_CASE_WITH(reply_in_packets, set_up, NULL)
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

/* A UDP call is retransmitted: the server answers both; the first reply counts. */
TEST_CASE_WITH(retransmitted, set_up, NULL)
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
TEST_CASE_WITH(lost, set_up, NULL)
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

TEST_CASE_WITH(nothing, set_up, NULL)
{
    fill_in();
    for (int i = TIMESTAMP_REQUEST_ARRIVED; i <= TIMESTAMP_CLIENT_RUNS; i++)
        assert_int_equal(call.at[i], 0);
}

/* Each call has its own events, even if one call ends when the next begins, and threads go to sleep
 * late. */
TEST_CASE_WITH(block, set_up, NULL)
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
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t begin = START + i * (END + 1);

        assert_true(server_timestamps(&events, &calls[i]));
        assert_int_equal(calls[i].at[TIMESTAMP_REQUEST_ARRIVED], begin + 1000);
        assert_int_equal(calls[i].at[TIMESTAMP_SERVER_RUNS], begin + 2000);
        assert_int_equal(calls[i].at[TIMESTAMP_REPLY_ENTERED], begin + 4000);
        assert_int_equal(calls[i].at[TIMESTAMP_REPLY_ARRIVED], begin + 6000);
    }
}

/* Timestamps that no call has are named, and so is the process that reads the requests. */
TEST_CASE_WITH(missing, set_up, NULL)
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
    assert_false(server_timestamps(&events, &call));
}
