/* Deriving timestamps of calls from the kernel's events, for many ways in which threads sleep,
 * wake each other and lose their processor. Times are ns after the call's send(). */
#include "test.h"

#include "event_list.h"
#include "explain/kernel/server_timestamps.h"

enum {
    CLIENT = 10,
    CLIENT_THREAD = 11,
    SERVER = 20,
    WAITER = 21, /* the server's thread that waits for events */
    READER = 22,
    WORKER = 23,
    STRANGER = 30, /* an uninvolved process */
    XID = 77,
    END = 10000
};

static struct call_times call;

FIXTURE(set_up, count = 0, memset(&call, 0, sizeof call), call.xid = XID,
        call.at[TIMESTAMP_SEND_ENTERED] = START, call.at[TIMESTAMP_REPLY_READ] = START + END, 0)

static void set_timestamps(void)
{
    const struct server_events events = {
        .list = list, .count = count, .client_thread = CLIENT_THREAD, .server_process = SERVER};

    for (size_t i = 1; i < count; i++)
        assert_true(list[i - 1].at_ns <= list[i].at_ns); /* else the test is wrong */
    server_timestamps(&events, &call);
}

/* Return TIMESTAMP in ns after the call's send(); -1: unknown. */
static int64_t at(enum timestamp timestamp)
{
    return call.at[timestamp] ? (int64_t)(call.at[timestamp] - START) : -1;
}

/* EVENTS of a request, "TIME WHO DOES [WHOM]" separated by commas, and the timestamps that are
 * KNOWN from them. If ANSWERS, a thread, is not NULL, the events of its REPLY are added. */
static const struct sequence {
    const char *name, *answers, *events, *known;
} sequences[] = {
    {"a thread that sleeps in recv(), or in epoll_wait() and then calls recv()", "reader",
     "1000 request arrives, 1100 client wakes reader, 1500 client sleeps, "
     "2000 reader runs, 3000 reader receives",
     "arrived=1000 woken=1100 runs=2000 read=3000"},
    {"a polling server", "reader", "1000 request arrives, 3000 reader receives",
     "arrived=1000 read=3000"},
    {"a datagram is reported when it is in the socket, but the server has already taken it",
     "reader", "3000 reader receives, 3100 request arrives", "arrived=3000 read=3000"},
    {"the thread gets the processor while it is still going to sleep", "reader",
     "1000 request arrives, 1100 client wakes reader, 1200 reader sleeps, "
     "2000 reader runs, 3000 reader receives",
     "arrived=1000 woken=1100 runs=2000 read=3000"},
    {"waking a thread that has a processor changes nothing", "reader",
     "1000 request arrives, 1100 client wakes reader, 3000 reader receives",
     "arrived=1000 read=3000"},
    {"it was woken for another reason, and waits for a processor, when the request arrives",
     "reader",
     "900 stranger wakes reader, 1000 request arrives, 2000 reader runs, "
     "3000 reader receives",
     "arrived=1000 runs=2000 read=3000"},
    {"as Ganesha sometimes does: who is woken wakes another, which reads; a third answers",
     "worker",
     "1000 request arrives, 1100 client wakes waiter, 1500 waiter runs, "
     "1700 waiter wakes reader, 1800 waiter sleeps, 2000 reader runs, "
     "2990 reader receives, 3000 reader receives, 3100 reader wakes worker, "
     "3500 worker runs",
     "arrived=1000 woken=1100 runs=1500 reader-runs=2000 read=3000 worker-runs=3500"},
    {"as Ganesha mostly does: who is woken lets another wait in its place, and reads itself",
     "reader",
     "1000 request arrives, 1100 client wakes reader, 1500 reader runs, "
     "1700 reader wakes waiter, 1800 waiter runs, 3000 reader receives, 3500 waiter sleeps",
     "arrived=1000 woken=1100 runs=1500 read=3000"},
    {"the thread that would be woken is already awake", "reader",
     "1000 request arrives, 1700 waiter wakes reader, 2000 reader runs, "
     "3000 reader receives",
     "arrived=1000 reader-runs=2000 read=3000"},
    {"threads may wake each other in a circle; the search must end", "reader",
     "1000 request arrives, 1100 reader wakes waiter, 1150 waiter runs, "
     "1200 waiter wakes reader, 1250 reader runs, 1300 reader wakes waiter, "
     "1350 waiter runs, 1400 waiter wakes reader, 1450 reader runs, 3000 reader receives",
     "arrived=1000 reader-runs=1250 read=3000"},
    {"a request in segments: the first one wakes the server; the last one is the arrival", "reader",
     "500 request arrives, 600 stranger wakes reader, 1000 request arrives, "
     "1200 reader runs, 1300 reader receives, 1400 reader sleeps, 2000 request arrives, "
     "2100 stranger wakes reader, 2400 reader runs, 3000 reader receives",
     "arrived=2000 woken=2100 runs=2400 read=3000"},
    {"the last segment arrives while the server is reading", "reader",
     "500 request arrives, 600 stranger wakes reader, 1200 reader runs, "
     "1300 reader receives, 2000 request arrives, 3000 reader receives",
     "arrived=2000 read=3000"},
    {"a thread that loses the processor and gets it back was not woken by the request", "reader",
     "1000 request arrives, 1100 client wakes reader, 1500 reader runs, "
     "1600 reader is-preempted, 2000 reader runs, 3000 reader receives, "
     "3100 reader is-preempted, 4000 reader runs",
     "arrived=1000 woken=1100 runs=1500 read=3000"},
    {"nor was one that polls", "reader",
     "1000 request arrives, 1600 reader is-preempted, 2000 reader runs, "
     "3000 reader receives",
     "arrived=1000 read=3000"},
    {"the server sleeps after the request, until a timer wakes it: that is part of its work",
     "reader",
     "1000 request arrives, 1100 client wakes reader, 1500 reader runs, "
     "2000 reader receives, 2100 reader sleeps, 4500 timer wakes reader, 4600 reader runs",
     "arrived=1000 woken=1100 runs=1500 read=2000"},
    {"the same if another thread answers when the time has come", "worker",
     "1000 request arrives, 2000 reader receives, 4500 timer wakes worker, "
     "4600 worker runs",
     "arrived=1000 read=2000"},
    {"a client that spins", NULL,
     "1000 request arrives, 3000 reader receives, 5000 reader answers, 6000 reply leaves, "
     "6500 reply arrives",
     "arrived=1000 read=3000 entered=5000 sent=6000 back=6500"},
    {"a reply in packets, by several send(): later ones have data instead of an xid", NULL,
     "1000 request arrives, 3000 reader receives, 5000 reader answers, 5200 reply leaves, "
     "5300 reader goes-on, 5400 reply leaves, 5500 reply arrives, 5600 stranger wakes client, "
     "5700 client runs, 5800 client sleeps, 5900 reply leaves, 6000 reply arrives, "
     "6100 stranger wakes client, 6200 client runs",
     "arrived=1000 read=3000 entered=5000 sent=5900 back=6000 client-woken=6100 client-runs=6200"},
    {"a UDP call is retransmitted: the server answers both; the first reply counts", NULL,
     "1000 request arrives, 2000 reader receives, 3000 request arrives, 4000 reader answers, "
     "4100 reply leaves, 4500 reader receives, 5000 reader answers, 6500 reply arrives",
     "arrived=1000 read=2000 entered=4000 sent=4100 back=6500"},
    {"nothing", NULL, "", ""},
};

#define REPLY                                                                                      \
    ", 5000 %s answers, 6000 reply leaves, 6500 reply arrives, 6600 %s wakes client, 7000 client " \
    "runs"
#define REPLY_KNOWN " entered=5000 sent=6000 back=6500 client-woken=6600 client-runs=7000"

static uint32_t thread_called(const char *name)
{
    static const struct {
        const char *name;
        uint32_t thread;
    } threads[] = {
        {"client", CLIENT_THREAD}, {"waiter", WAITER}, {"reader", READER}, {"worker", WORKER},
        {"stranger", STRANGER},    {"timer", 0},       {"request", 0},     {"reply", 0}};

    for (size_t i = 0; i < COUNT_OF(threads); i++)
        if (strcmp(threads[i].name, name) == 0)
            return threads[i].thread;
    fail_msg("no thread is called %s", name);
    return 0;
}

static void add_step(const char *text)
{
    static const struct {
        const char *does;
        enum kernel_event_type type;
        uint32_t xid, preempted;
    } steps[] = {{"arrives", KERNEL_REQUEST_ARRIVED},
                 {"runs", KERNEL_SWITCHED_IN},
                 {"sleeps", KERNEL_SWITCHED_OUT},
                 {"is-preempted", KERNEL_SWITCHED_OUT, .preempted = 1},
                 {"receives", KERNEL_RECEIVED},
                 {"answers", KERNEL_SEND_ENTERED, .xid = XID},
                 {"goes-on", KERNEL_SEND_ENTERED, .xid = 0x61616161},
                 {"leaves", KERNEL_SENT}};
    char who[16], does[16], whom[16] = "";
    unsigned time;

    assert_true(sscanf(text, "%u %15[a-z] %15[a-z-] %15[a-z]", &time, who, does, whom) >= 3);
    if (strcmp(does, "wakes") == 0)
        wakes(time, thread_called(who), thread_called(whom));
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (strcmp(steps[i].does, does) == 0) {
            struct kernel_event *event = add(time, steps[i].type, thread_called(who));

            event->preempted = steps[i].preempted;
            event->xid = steps[i].xid;
            if (strcmp(who, "reply") == 0 && event->type == KERNEL_REQUEST_ARRIVED)
                event->type = KERNEL_REPLY_ARRIVED;
        }
}

static void add_steps(const char *events)
{
    for (const char *step = events; step && *step; step = strchr(step + 1, ','))
        add_step(step + strspn(step, ", "));
}

/* Add EVENTS and the events of REPLY, in which the thread ANSWERS replies. */
static void add_steps_and_reply(const char *events, const char *answers)
{
    char all[1024];

    snprintf(all, sizeof all, "%s" REPLY, events, answers, answers);
    add_steps(all);
}

/* Fail unless KNOWN, "NAME=TIME NAME=TIME", has exactly the known timestamps, in ALL's order. */
static void assert_known(const char *known)
{
    static const struct {
        const char *name;
        enum timestamp timestamp;
    } all[] = {{"arrived", TIMESTAMP_REQUEST_ARRIVED}, {"woken", TIMESTAMP_SERVER_WOKEN},
               {"runs", TIMESTAMP_SERVER_RUNS},        {"reader-runs", TIMESTAMP_READER_RUNS},
               {"read", TIMESTAMP_REQUEST_READ},       {"worker-runs", TIMESTAMP_WORKER_RUNS},
               {"entered", TIMESTAMP_REPLY_ENTERED},   {"sent", TIMESTAMP_REPLY_SENT},
               {"back", TIMESTAMP_REPLY_ARRIVED},      {"client-woken", TIMESTAMP_CLIENT_WOKEN},
               {"client-runs", TIMESTAMP_CLIENT_RUNS}};
    char found[400] = "";

    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (call.at[all[i].timestamp])
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s=%d",
                     *found ? " " : "", all[i].name, (int)at(all[i].timestamp));
    assert_string_equal(found, known);
}

TEST_CASE(sequences)
{
    for (size_t i = 0; i < COUNT_OF(sequences); i++) {
        const struct sequence *sequence = &sequences[i];
        char known[400];

        print_message("%s\n", sequence->name);
        set_up(state);
        snprintf(known, sizeof known, "%s%s", sequence->known,
                 sequence->answers ? REPLY_KNOWN : "");
        if (sequence->answers)
            add_steps_and_reply(sequence->events, sequence->answers);
        else
            add_steps(sequence->events);
        set_timestamps();
        assert_known(known);
        /* The client's own timestamps are unchanged. */
        assert_all((at(TIMESTAMP_SEND_ENTERED), 0), (at(TIMESTAMP_REPLY_READ), END),
                   (at(TIMESTAMP_TRANSMITTED), -1), (at(TIMESTAMP_REPLY_RECEIVED), -1));
    }
}

/* Each event in turn is lost. Known timestamps stay in order. The timestamps of arrivals, of
 * reading and of the reply's send() are unknown only if an event that they need is lost. */
TEST_CASE_WITH(lost, set_up, NULL)
{
    for (size_t missing = 0; missing < 9; missing++) {
        uint64_t before = START;

        set_up(state);
        add_steps_and_reply("1000 request arrives, 1100 client wakes reader, 1500 reader runs, "
                            "2000 reader receives",
                            "reader");
        assert_int_equal(count, 9);
        memmove(&list[missing], &list[missing + 1], (count - missing - 1) * sizeof *list);
        count--;
        set_timestamps();
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

/* Each call gets its own events, even if the next call begins when it ends. */
TEST_CASE_WITH(block, set_up, NULL)
{
    struct call_times calls[3] = {0};
    struct server_events events = {
        .list = list, .client_thread = CLIENT_THREAD, .server_process = SERVER};

    for (uint32_t i = 0; i < 3; i++) {
        uint64_t begin = i * (END + 1);

        add_steps("1000 request arrives, 1100 client wakes reader, 2000 reader runs, "
                  "3000 reader receives, 4000 reader answers, 5000 reply leaves, "
                  "6000 reply arrives");
        for (; events.count < count; events.count++) {
            list[events.count].at_ns += begin;
            list[events.count].xid += list[events.count].xid ? i : 0;
        }
        calls[i].xid = XID + i;
        calls[i].at[TIMESTAMP_SEND_ENTERED] = START + begin;
        calls[i].at[TIMESTAMP_REPLY_READ] = START + begin + END;
    }
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(server_timestamps(&events, &calls[i]));
        call = calls[i];
        for (size_t j = 0; j < TIMESTAMPS; j++)
            call.at[j] -= call.at[j] ? i * (END + 1) : 0;
        assert_known(
            "arrived=1000 woken=1100 runs=2000 read=3000 entered=4000 sent=5000 back=6000");
    }
}

/* Kinds of events that are missing are named, and so is the process that reads the requests. */
TEST_CASE_WITH(missing, set_up, NULL)
{
    static const char *const all[] = {"request arrived", "request read", "reply entered"};
    struct server_events events = {.list = list, .server_process = SERVER};
    char text[160];

    server_timestamps_missing(&events, text, sizeof text);
    for (size_t i = 0; i < COUNT_OF(all); i++)
        assert_non_null(strstr(text, all[i]));
    assert_int_equal(server_timestamps_reader(&events), 0);
    add_steps("100 request arrives, 200 stranger receives");
    events.count = count;
    server_timestamps_missing(&events, text, sizeof text);
    assert_all((text, "reply entered (a sending system call)"),
               (server_timestamps_reader(&events), STRANGER), (!server_timestamps(&events, &call)));
}
