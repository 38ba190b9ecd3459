/* The kernel's events are assigned to calls under load by positions in their connection's streams.
 * Times are ns after START. */
#include "test.h"

#include "explain/kernel/server_timestamps.h"
#include "explain/phases/load_log.h"
#include "measure/phases.h"

#include "event_list.h" /* included last, because its short names could clash */

enum {
    CLIENT_THREAD = 11,
    SERVER = 20,
    THREAD = 21, /* THREAD and OTHER are threads of the server */
    OTHER = 22,
    PORT = 700,
    CALLS = 4,
    REQUEST = 100, /* bytes of a request; REPLY: of a reply */
    REPLY = 50,
    /* Sequence numbers of the first bytes: the numbers wrap around within the block. */
    REQUEST_BASE = -150,
    REPLY_BASE = -60,
};

static struct load_call calls[2 * CALLS];
static struct load_connection connections[2];
static struct load_log log_;

/* Make CALLS calls on each of two connections. Only those of the first are answered. */
static int set_up(void **state)
{
    count = 0;
    memset(calls, 0, sizeof calls);
    memset(connections, 0, sizeof connections);
    for (unsigned i = 0; i < 2 * CALLS; i++) {
        unsigned number = i % CALLS;

        calls[i] = (struct load_call){.connection = i / CALLS,
                                      .thread = CLIENT_THREAD,
                                      .request_end = (number + 1) * REQUEST,
                                      .reply_begin = number * REPLY,
                                      .reply_end = (number + 1) * REPLY,
                                      .answered = i < CALLS};
        calls[i].times.at[TIMESTAMP_BEGUN] = START;
        calls[i].times.at[TIMESTAMP_SEND_ENTERED] = START + 10;
        calls[i].times.at[TIMESTAMP_SEND_TAKEN] = START + 20;
        calls[i].times.at[TIMESTAMP_TRANSMITTED] = START + 30;
        calls[i].times.at[TIMESTAMP_REPLY_READ] = START + 9000;
        calls[i].times.at[TIMESTAMP_DECODED] = START + 9100;
        calls[i].times.lifetime_ns = 9100;
    }
    connections[0].port = PORT;
    connections[1].port = PORT + 1;
    log_ = (struct load_log){.connections = connections,
                             .connection_count = 2,
                             .calls = calls,
                             .count = 2 * CALLS,
                             .capacity = 2 * CALLS};
    return 0;
}

static void on_stream(struct kernel_event *event, unsigned connection, int base, unsigned position)
{
    event->port = PORT + connection;
    event->sequence = (uint32_t)base + position;
}

/* Add an arrival at AT. By then, BYTES bytes of requests have arrived in total. */
static void arrives(uint64_t at, unsigned connection, unsigned bytes)
{
    struct kernel_event *event = add(at, KERNEL_REQUEST_ARRIVED, 0);

    on_stream(event, connection, REQUEST_BASE, bytes);
    event->position = bytes;
}

static void reads(uint64_t from, uint64_t until, uint32_t thread, unsigned connection,
                  unsigned bytes)
{
    on_stream(add(from, KERNEL_RECEIVE_ENTERED, thread), connection, 0, 0);
    on_stream(add(until, KERNEL_RECEIVED, thread), connection, REQUEST_BASE, bytes);
}

/* Add a send() that begins at AT. BYTES bytes of replies were sent before it. */
static void sends_on(uint64_t at, uint32_t thread, unsigned connection, unsigned bytes)
{
    struct kernel_event *event = add(at, KERNEL_SEND_ENTERED, thread);

    on_stream(event, connection, REPLY_BASE, bytes);
    event->position = bytes;
}

static void reply_arrives(uint64_t at, unsigned connection, unsigned bytes)
{
    struct kernel_event *event;

    on_stream(add(at, KERNEL_SENT, 0), connection, REPLY_BASE, bytes);
    event = add(at + 10, KERNEL_REPLY_ARRIVED, 0);
    on_stream(event, connection, REPLY_BASE, bytes);
    event->position = bytes;
}

static int by_time(const void *a, const void *b)
{
    const struct kernel_event *x = a, *y = b;

    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static long set_timestamps(uint32_t client_thread)
{
    const struct server_events events = {
        .list = list, .count = count, .client_thread = client_thread, .server_process = SERVER};

    qsort(list, count, sizeof *list, by_time);
    return load_server_timestamps(&log_, &events);
}

static int64_t at(unsigned call, enum timestamp timestamp)
{
    uint64_t ns = calls[call].times.at[timestamp];

    return ns ? (int64_t)(ns - START) : -1;
}

#define AT(call, timestamp) at(call, TIMESTAMP_##timestamp)

/* Fail unless the call's timestamps are in order and its phases add up. */
static void assert_explained(unsigned call)
{
    double ns[PHASE_TYPES], sum = 0;

    assert_int_equal(phases_of_call(&phase_view_load_both, &calls[call].times, ns),
                     PHASE_EXPLAINED);
    for (size_t i = 0; i < PHASE_TYPES; i++)
        sum += isnan(ns[i]) ? 0 : ns[i];
    assert_true(sum == 9100);
}

/* All calls arrive at once, are read together and answered by one send(): work was sequential. */
TEST_CASE_WITH(batch, set_up, NULL)
{
    arrives(100, 0, CALLS * REQUEST);
    wakes(110, CLIENT_THREAD, THREAD);
    runs(200, THREAD);
    reads(250, 300, THREAD, 0, CALLS * REQUEST);
    sends_on(700, THREAD, 0, 0);
    reply_arrives(800, 0, CALLS * REPLY);
    assert_int_equal(set_timestamps(CLIENT_THREAD), CALLS);
    for (unsigned i = 0; i < CALLS; i++) {
        assert_explained(i);
        assert_all((AT(i, REQUEST_ARRIVED), 100), (AT(i, SERVER_WOKEN), 110),
                   (AT(i, SERVER_RUNS), 200));
        /* The thread slept until it was woken for these calls. */
        assert_int_equal(AT(i, READ_ENTERED), -1);
        assert_all((AT(i, REQUEST_READ), 300),
                   (AT(i, WORKER_RUNS), i == 0 ? -1 : 300 + (int)i * 100),
                   (AT(i, REPLY_READY), 400 + (int)i * 100),
                   (AT(i, REPLY_ENTERED), i == CALLS - 1 ? -1 : 700), (AT(i, REPLY_SENT), 800),
                   (AT(i, REPLY_ARRIVED), 810));
    }
}

/* The thread sleeps before the send(), as for a timer, so no call waited for another. */
TEST_CASE_WITH(batch_of_delayed_calls, set_up, NULL)
{
    arrives(100, 0, CALLS * REQUEST);
    reads(250, 300, THREAD, 0, CALLS * REQUEST);
    sleeps(350, THREAD);
    wakes(650, 0, THREAD);
    runs(680, THREAD);
    sends_on(700, THREAD, 0, 0);
    reply_arrives(800, 0, CALLS * REPLY);
    assert_int_equal(set_timestamps(CLIENT_THREAD), CALLS);
    for (unsigned i = 0; i < CALLS; i++) {
        assert_explained(i);
        assert_all((AT(i, WORKER_RUNS), -1), (AT(i, REPLY_READY), 700), (AT(i, REPLY_ENTERED), -1));
    }
}

/* Calls are read together, then worked on and answered one after the other. */
TEST_CASE_WITH(own_sends, set_up, NULL)
{
    arrives(100, 0, CALLS * REQUEST);
    reads(250, 300, THREAD, 0, CALLS * REQUEST);
    for (unsigned i = 0; i < CALLS; i++) {
        sends_on(400 + i * 100, THREAD, 0, i * REPLY);
        reply_arrives(450 + i * 100, 0, (i + 1) * REPLY);
    }
    assert_int_equal(set_timestamps(CLIENT_THREAD), CALLS);
    for (unsigned i = 0; i < CALLS; i++) {
        assert_explained(i);
        assert_int_equal(AT(i, READ_ENTERED), 250); /* the thread was not asleep before */
        assert_int_equal(AT(i, WORKER_RUNS), i == 0 ? -1 : 300 + (int)i * 100);
        assert_int_equal(AT(i, REPLY_READY), 400 + (int)i * 100);
        assert_int_equal(AT(i, REPLY_ARRIVED), 460 + (int)i * 100);
    }
}

/* Requests arrive while the thread is busy. They wait in their connection's socket. */
TEST_CASE_WITH(busy_server, set_up, NULL)
{
    for (unsigned i = 0; i < CALLS; i++) {
        calls[CALLS + i].answered = true;
        arrives(100 + i * 10, 0, (i + 1) * REQUEST);
        arrives(105 + i * 10, 1, (i + 1) * REQUEST);
    }
    for (unsigned i = 0; i < 2 * CALLS; i++) {
        unsigned number = i / 2, connection = i % 2;

        reads(300 + i * 100, 310 + i * 100, THREAD, connection, (number + 1) * REQUEST);
        sends_on(350 + i * 100, THREAD, connection, number * REPLY);
        reply_arrives(360 + i * 100, connection, (number + 1) * REPLY);
    }
    assert_int_equal(set_timestamps(CLIENT_THREAD), 2 * CALLS);
    for (unsigned i = 0; i < 2 * CALLS; i++) {
        unsigned call = i % 2 * CALLS + i / 2;

        assert_explained(call);
        assert_all((AT(call, REQUEST_ARRIVED), 100 + (int)i * 5), (AT(call, SERVER_WOKEN), -1),
                   (AT(call, READ_ENTERED), 300 + (int)i * 100),
                   (AT(call, REQUEST_READ), 310 + (int)i * 100), (AT(call, WORKER_RUNS), -1),
                   (AT(call, REPLY_READY), 350 + (int)i * 100),
                   (AT(call, REPLY_ARRIVED), 370 + (int)i * 100));
    }
}

/* If the reader wakes another thread to answer, WORKER_RUNS is when that thread runs. */
TEST_CASE_WITH(worker, set_up, NULL)
{
    arrives(100, 0, REQUEST);
    reads(250, 300, THREAD, 0, REQUEST);
    wakes(310, THREAD, OTHER);
    runs(400, OTHER);
    sends_on(500, OTHER, 0, 0);
    reply_arrives(600, 0, REPLY);
    assert_int_equal(set_timestamps(CLIENT_THREAD), 1);
    assert_explained(0);
    assert_all((AT(0, WORKER_RUNS), 400), (AT(0, REPLY_READY), 500), (AT(1, REQUEST_ARRIVED), -1));
}

/* The first reply arrives while the client is busy, the second while it sleeps and is woken. */
TEST_CASE_WITH(client, set_up, NULL)
{
    arrives(100, 0, 2 * REQUEST);
    reads(250, 300, THREAD, 0, 2 * REQUEST);
    sends_on(500, THREAD, 0, 0);
    reply_arrives(600, 0, REPLY);
    sends_on(700, THREAD, 0, REPLY);
    reply_arrives(800, 0, 2 * REPLY);
    wakes(820, THREAD, CLIENT_THREAD);
    runs(900, CLIENT_THREAD);
    calls[0].times.at[TIMESTAMP_REPLY_READ] = START + 700;
    calls[0].receive_entered = START + 680;
    calls[1].receive_entered = START + 950;
    calls[1].busy_before = START + 790;
    assert_all((set_timestamps(CLIENT_THREAD), 2), (AT(0, CLIENT_WOKEN), -1),
               (AT(0, RECEIVE_ENTERED), 680), (AT(1, CLIENT_WOKEN), 820),
               (AT(1, CLIENT_RUNS), 900));
    assert_int_equal(AT(1, RECEIVE_ENTERED), -1); /* the client was not busy with another call */
}

/* If a request arrives at the server before its send() ends, SEND_TAKEN becomes the time of
 * arrival, and later timestamps of sending are removed. */
TEST_CASE_WITH(long_send, set_up, NULL)
{
    calls[0].times.at[TIMESTAMP_SEND_TAKEN] = START + 5000;
    calls[0].times.at[TIMESTAMP_SCHEDULED] = START + 5100;
    calls[0].times.at[TIMESTAMP_TRANSMITTED] = START + 5200;
    arrives(100, 0, REQUEST);
    reads(250, 300, THREAD, 0, REQUEST);
    sends_on(500, THREAD, 0, 0);
    reply_arrives(600, 0, REPLY);
    assert_int_equal(set_timestamps(CLIENT_THREAD), 1);
    assert_explained(0);
    assert_all((AT(0, SEND_TAKEN), 100), (AT(0, TRANSMITTED), -1));
}

/* Events of an unknown connection are ignored. */
TEST_CASE_WITH(nothing, set_up, NULL)
{
    assert_int_equal(set_timestamps(CLIENT_THREAD), 0);
    arrives(100, 2, CALLS * REQUEST);
    reads(250, 300, THREAD, 2, CALLS * REQUEST);
    assert_int_equal(set_timestamps(CLIENT_THREAD), 0);
}

/* If the client is on another machine, no reply arrives here, so positions of replies follow from
 * send() calls. */
TEST_CASE_WITH(far_client, set_up, NULL)
{
    arrives(100, 0, CALLS * REQUEST);
    reads(250, 300, THREAD, 0, CALLS * REQUEST);
    sends_on(700, THREAD, 0, 0);
    on_stream(add(800, KERNEL_SENT, 0), 0, REPLY_BASE, CALLS * REPLY);
    assert_int_equal(set_timestamps(0), CALLS);
    for (unsigned i = 0; i < CALLS; i++)
        assert_all((AT(i, REQUEST_ARRIVED), 100), (AT(i, REPLY_READY), 400 + (int)i * 100),
                   (AT(i, REPLY_SENT), 800), (AT(i, REPLY_ARRIVED), -1));
}

/* Timestamps of waking the client are those of the thread that made the call. */
TEST_CASE_WITH(threads_of_the_client, set_up, NULL)
{
    enum { SECOND = CLIENT_THREAD + 1 };

    calls[0].thread = SECOND;
    arrives(100, 0, CALLS * REQUEST);
    reads(250, 300, THREAD, 0, CALLS * REQUEST);
    sends_on(700, THREAD, 0, 0);
    reply_arrives(800, 0, CALLS * REPLY);
    wakes(820, THREAD, CLIENT_THREAD);
    runs(900, CLIENT_THREAD);
    wakes(830, THREAD, SECOND);
    runs(950, SECOND);
    assert_all((set_timestamps(CLIENT_THREAD), CALLS), (AT(0, CLIENT_WOKEN), 830),
               (AT(0, CLIENT_RUNS), 950), (AT(1, CLIENT_WOKEN), 820), (AT(1, CLIENT_RUNS), 900));
}

/* Marks are found by the position that they cover, even if positions wrap around. */
TEST_CASE(marks)
{
    struct load_marks marks = {0};
    const uint32_t first = UINT32_MAX - 1;

    assert_null(load_marks_find(&marks, 0));
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(load_marks_add(&marks, (struct load_mark){.end = first + 3 * i, .at = i}),
                         0);
    assert_int_equal(load_marks_add(&marks, (struct load_mark){.end = first, .at = 5000}), 0);
    assert_int_equal(marks.count, 1000); /* an earlier mark covered the added one */
    for (uint32_t i = 1; i < 1000; i++)
        assert_all((load_marks_find(&marks, first + 3 * i)->at, i),
                   (load_marks_find(&marks, first + 3 * i - 2)->at, i));
    assert_null(load_marks_find(&marks, first + 3 * 999 + 1));
    free(marks.list);
}
