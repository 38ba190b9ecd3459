/* The server's residence times: found in the kernel's events, sent as a line, and joined with the
 * client's calls. The clocks of server and client are unrelated. */
#include "test.h"

#include "explain/kernel/server_watch.h"
#include "measure/phases.h"

#include "event_list.h" /* included last, because its short names could clash */

enum { SERVER = 20, READER = 22, WORKER = 23, STRANGER = 30, XID = 77 };

static struct server_residence residences[8];

FIXTURE(set_up, count = 0, memset(residences, 0, sizeof residences), 0)

/* Add the events of a call. The request arrives at AT and wakes a thread, which reads and answers
 * it. The reply leaves at AT + 1100. */
static void add_served_call(uint64_t at, uint32_t xid)
{
    add(at, KERNEL_REQUEST_ARRIVED, 0);
    wakes(at + 100, STRANGER, READER);
    add(at + 400, KERNEL_SWITCHED_IN, READER);
    add(at + 500, KERNEL_RECEIVED, READER);
    sends(at + 900, READER, xid);
    add(at + 1100, KERNEL_SENT, 0);
    add(at + 1500, KERNEL_SWITCHED_OUT, READER);
}

static size_t find_residences(size_t room)
{
    struct server_events events = {.list = list, .count = count, .server_process = SERVER};

    return server_residence_find(&events, residences, room);
}

/* Return the time from the request's arrival to TIMESTAMP; -1: there is none. */
static int64_t after(const struct server_residence *residence, enum timestamp timestamp)
{
    size_t i = 0;

    while (residence_timestamps[i] != timestamp)
        i++;
    return residence->after_ns[i] == RESIDENCE_NONE ? -1 : (int64_t)residence->after_ns[i];
}

TEST_CASE_WITH(found_in_order, set_up, NULL)
{
    static const struct {
        enum timestamp timestamp;
        int64_t ns;
    } expected[] = {{TIMESTAMP_SERVER_WOKEN, 100}, {TIMESTAMP_SERVER_RUNS, 400},
                    {TIMESTAMP_READER_RUNS, -1},   {TIMESTAMP_REQUEST_READ, 500},
                    {TIMESTAMP_WORKER_RUNS, -1},   {TIMESTAMP_REPLY_ENTERED, 900},
                    {TIMESTAMP_REPLY_SENT, 1100}};

    add_served_call(5000, XID);
    add_served_call(9000, XID + 1);
    assert_int_equal(find_residences(COUNT_OF(residences)), 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(residences[i].xid, XID + i);
        for (size_t j = 0; j < COUNT_OF(expected); j++)
            assert_int_equal(after(&residences[i], expected[j].timestamp), expected[j].ns);
    }
}

TEST_CASE_WITH(handed_over, set_up, NULL)
{
    add(1000, KERNEL_REQUEST_ARRIVED, 0);
    add(1500, KERNEL_RECEIVED, READER);
    wakes(1600, READER, WORKER);
    add(1900, KERNEL_SWITCHED_IN, WORKER);
    sends(2500, WORKER, XID);
    add(2600, KERNEL_SENT, 0);
    add(2700, KERNEL_SENT, 0);
    assert_all((find_residences(COUNT_OF(residences)), 1),
               (after(&residences[0], TIMESTAMP_SERVER_WOKEN), -1),
               (after(&residences[0], TIMESTAMP_WORKER_RUNS), 900),
               (after(&residences[0], TIMESTAMP_REPLY_SENT), 1700));
}

/* If an event is lost, the call has no residence time, and no reply uses the wrong request. */
TEST_CASE_WITH(lost, set_up, NULL)
{
    sends(900, READER, XID); /* the event of the request's arrival was lost */
    add(1000, KERNEL_SENT, 0);
    add(2000, KERNEL_REQUEST_ARRIVED, 0);
    add(2100, KERNEL_RECEIVED, READER);
    sends(2200, READER, XID + 1); /* the event of the reply's departure was lost */
    add_served_call(3000, XID + 2);
    sends(6000, READER, XID + 3); /* the event of the next request's arrival was lost, too */
    add(6100, KERNEL_SENT, 0);
    add(7000, KERNEL_REQUEST_ARRIVED, 0);
    sends(7100, READER, 0); /* the reply's xid could not be read */
    add(7200, KERNEL_SENT, 0);
    assert_all((find_residences(COUNT_OF(residences)), 1), (residences[0].xid, XID + 2),
               (after(&residences[0], TIMESTAMP_REPLY_SENT), 1100));
    count = 0;
    assert_int_equal(find_residences(COUNT_OF(residences)), 0);
}

TEST_CASE_WITH(no_more_than_there_is_room_for, set_up, NULL)
{
    for (uint32_t i = 0; i < 4; i++)
        add_served_call(5000 + 4000 * i, XID + i);
    assert_all((find_residences(2), 4), (residences[1].xid, XID + 1), (residences[2].xid, 0));
}

/* Joining */

static struct call_times sent_at(uint64_t transmitted, uint64_t wait, uint32_t xid)
{
    struct call_times call = {.xid = xid};

    call.at[TIMESTAMP_BEGUN] = transmitted - 300;
    call.at[TIMESTAMP_ENCODED] = call.at[TIMESTAMP_SEND_ENTERED] = transmitted - 200;
    call.at[TIMESTAMP_SCHEDULED] = transmitted - 100;
    call.at[TIMESTAMP_TRANSMITTED] = transmitted;
    call.at[TIMESTAMP_REPLY_RECEIVED] = transmitted + wait;
    call.at[TIMESTAMP_REPLY_READ] = transmitted + wait + 100;
    call.at[TIMESTAMP_DECODED] = transmitted + wait + 200;
    return call;
}

static struct residences_joined join_calls(struct call_times *calls, size_t call_count)
{
    struct residences_joined joined = {0};
    size_t found = find_residences(COUNT_OF(residences));

    server_residence_sort(residences, found);
    for (size_t i = 0; i < call_count; i++)
        server_residence_join(residences, found, &calls[i], &joined);
    return joined;
}

static double phase_ns(const struct call_times *call, const char *key)
{
    double ns[PHASE_TYPES], sum = 0;

    assert_int_equal(phases_of_call(&phase_view_joined, call, ns), PHASE_EXPLAINED);
    for (size_t i = 0; i < PHASE_TYPES; i++)
        if (strcmp(phase_types[i].key, key) == 0 && !isnan(ns[i]))
            sum += ns[i];
    return sum;
}

/* Calls and residence times are joined even if the server's clock is far behind or ahead. */
TEST_CASE_WITH(joined, set_up, NULL)
{
    const uint64_t clocks[] = {5000, UINT64_C(1) << 60};

    for (size_t i = 0; i < COUNT_OF(clocks); i++) {
        struct call_times call = sent_at(70000000, 5100, XID);
        struct residences_joined joined;

        count = 0;
        add_served_call(clocks[i], XID);
        joined = join_calls(&call, 1);
        assert_all(
            (joined.calls, 1), (joined.fitting, 1), (call.at[TIMESTAMP_REQUEST_ARRIVED], 70002000),
            (call.at[TIMESTAMP_REPLY_SENT], 70003100), (phase_ns(&call, "network"), 4000, 0),
            (phase_ns(&call, "server-wake"), 100, 0), (phase_ns(&call, "server-run"), 300, 0),
            (phase_ns(&call, "server-read"), 100, 0), (phase_ns(&call, "server-work"), 400, 0),
            (phase_ns(&call, "server-send"), 200, 0));
    }
}

/* Residence times come in any order. A call with no residence time is incomplete, and so is a call
 * with two. A call that was retransmitted, or lacks a timestamp, is not joined. */
TEST_CASE_WITH(by_xid, set_up, NULL)
{
    struct call_times calls[6];
    struct phases phases;
    struct residences_joined joined;

    for (uint32_t i = 0; i < 6; i++)
        calls[i] = sent_at(100000 + 10000 * i, 5000, XID + i);
    calls[4].retransmitted = true;
    calls[5].at[TIMESTAMP_TRANSMITTED] = 0; /* a timestamp was lost */
    add_served_call(5000, XID + 2);
    add_served_call(9000, XID);
    add_served_call(13000, XID + 1);
    add_served_call(17000, XID + 1);
    add_served_call(21000, XID + 4);
    add_served_call(25000, XID + 5);
    add_served_call(29000, XID + 40);
    joined = join_calls(calls, COUNT_OF(calls));
    assert_all((joined.calls, 4), (joined.fitting, 2),
               (phases_open(&phases, &phase_view_joined), 0));
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        phases_add(&phases, &calls[i]);
    assert_all((phases.lifetime.count, 2), (phases.incomplete, 3), (phases.retransmitted, 1),
               (phases_sum(&phases), 5500, 0));
    phases_close(&phases);
}

/* If the residence time is longer than the client's wait, timestamps are out of order. */
TEST_CASE_WITH(longer_than_the_wait, set_up, NULL)
{
    const uint64_t waits[] = {1100, 1099, 0};
    double ns[PHASE_TYPES];

    add_served_call(5000, XID);
    for (size_t i = 0; i < COUNT_OF(waits); i++) {
        struct call_times call = sent_at(100000, waits[i], XID);
        struct residences_joined joined = join_calls(&call, 1);

        assert_all((joined.calls, 1), (joined.fitting, i == 0),
                   (phases_of_call(&phase_view_joined, &call, ns),
                    i == 0 ? PHASE_EXPLAINED : PHASE_OUT_OF_ORDER));
    }
}

/* Lines */

static struct watch_answer answer, back;

static int read_answer(const char *line)
{
    json_t *object = json_loads(line, 0, NULL);
    int code = watch_answer_from_json(&answer, object);

    json_decref(object);
    return code;
}

TEST_CASE_WITH(lines, set_up, NULL)
{
    json_t *object;

    add_served_call(5000, XID);
    answer.events_lost = 3;
    answer.count = find_residences(COUNT_OF(residences));
    memcpy(answer.residences, residences, sizeof residences);
    object = watch_answer_to_json(&answer);
    assert_int_equal(watch_answer_from_json(&back, object), 0);
    json_decref(object);
    assert_all((back.events_lost, 3), (back.count, 1), (back.residences[0].xid, XID));
    assert_memory_equal(back.residences[0].after_ns, residences[0].after_ns,
                        sizeof residences[0].after_ns);
}

#define RESIDENCES "{\"events_lost\":0,\"residences\":"

TEST_CASE_WITH(hostile_lines, set_up, NULL)
{
    static const char *const lines[] = {
        "",
        "[]",
        "{}",
        "{\"residences\":[]}",
        "{\"events_lost\":-1,\"residences\":[]}",
        RESIDENCES "{}}",
        RESIDENCES "[5]}",
        RESIDENCES "[[1,2]]}",
        RESIDENCES "[[1,2,3,4,5,6,7,8,9,null]]}",
        RESIDENCES "[[-1,2,3,4,5,6,7,8,9,10]]}",
        RESIDENCES "[[4294967296,2,3,4,5,6,7,8,9,10]]}",
        RESIDENCES "[[1,2,3,4,-5,6,7,8,9,10]]}",
        RESIDENCES "[[1,2,3,4,5,6,7,8,9,9007199254740993]]}",
        RESIDENCES "[[1,2,3,4,5,6,7,8,9,1e3]]}",
    };

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        if (read_answer(lines[i]) != -EBADMSG)
            fail_msg("%s was accepted", lines[i]);
        assert_int_equal(answer.count, 0);
    }
}

TEST_CASE(numbers)
{
    static const struct {
        const char *line;
        long count;
    } cases[] = {{"[]", 0},          {"[1, 4294967295, 0]", 3},  {"[1, 2, 3, 4]", -EBADMSG},
                 {"[-1]", -EBADMSG}, {"[4294967296]", -EBADMSG}, {"{}", -EBADMSG},
                 {"", -EBADMSG},     {"[1, \"x\"]", -EBADMSG}};
    uint32_t numbers[3] = {0};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        json_t *array = json_loads(cases[i].line, 0, NULL);

        assert_int_equal(watch_numbers(array, numbers, COUNT_OF(numbers)), cases[i].count);
        json_decref(array);
        if (cases[i].count > 0)
            assert_int_equal(numbers[1], UINT32_MAX);
    }
}

/* The maximum number fits, one more does not. */
TEST_CASE(too_many)
{
    json_t *array = json_array(), *one = json_loads("[1,2,3,4,5,6,7,8,9,10]", 0, NULL);
    json_t *object = json_pack("{s:i, s:o}", "events_lost", 0, "residences", array);

    for (size_t i = 0; i < RESIDENCES_MAXIMUM; i++)
        json_array_append(array, one);
    assert_all((watch_answer_from_json(&answer, object), 0), (answer.count, RESIDENCES_MAXIMUM));
    json_array_append_new(array, one);
    assert_int_equal(watch_answer_from_json(&answer, object), -EBADMSG);
    json_decref(object);
}
