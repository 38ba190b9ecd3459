/* What the scheduler did to the threads of a call, as sentences. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "explain/server_timestamps.h"

enum { CLIENT_THREAD = 11, SERVER = 20, READER = 22, WORKER = 23, OTHER = 30, START = 1000000 };

static struct kernel_event list[64];
static size_t count, noted;
static struct call_times call;
static char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE];

static int set_up(void **state)
{
    count = 0;
    memset(&call, 0, sizeof call);
    call.at[TIMESTAMP_BEGUN] = START;
    call.at[TIMESTAMP_REQUEST_ARRIVED] = START + 1000;
    call.at[TIMESTAMP_REQUEST_READ] = START + 100000;
    call.at[TIMESTAMP_REPLY_ENTERED] = START + 900000;
    call.at[TIMESTAMP_DECODED] = START + 1000000;
    return 0;
}

static void add(uint64_t at, enum kernel_event_type type, uint32_t thread, const char *other)
{
    struct kernel_event *event = &list[count++];

    *event = (struct kernel_event){
        .at_ns = START + at, .type = type, .cpu = 1, .thread = thread, .other = other ? OTHER : 0};
    if (other)
        memcpy(event->other_name, other, strnlen(other, sizeof event->other_name));
}

static void add_preempted(uint64_t at, uint32_t thread, const char *other)
{
    add(at, KERNEL_SWITCHED_OUT, thread, other);
    list[count - 1].preempted = 1;
}

static void describe(void)
{
    const struct server_events events = {
        .list = list, .count = count, .client_thread = CLIENT_THREAD, .server_process = SERVER};

    memset(notes, 'x', sizeof notes);
    noted = slow_describe(&events, &call, notes);
}

static void test_nothing(void **state)
{
    add(1000, KERNEL_SWITCHED_OUT, CLIENT_THREAD, NULL);
    add(800000, KERNEL_WOKEN, CLIENT_THREAD, "nfsbench");
    add(810000, KERNEL_SWITCHED_IN, CLIENT_THREAD, NULL);
    describe();
    assert_int_equal(noted, 1);
    assert_non_null(strstr(notes[0], "the hypervisor"));
}

static void test_client_preempted(void **state)
{
    add_preempted(100000, CLIENT_THREAD, "kworker/0:1");
    add(912300, KERNEL_SWITCHED_IN, CLIENT_THREAD, "kworker/0:1");
    describe();
    assert_int_equal(noted, 1);
    assert_string_equal(notes[0], "client preempted by kworker/0:1 on CPU 1 for 812.3 us");
}

static void test_server_waits(void **state)
{
    add(2000, KERNEL_WOKEN, READER, "nfsbench");
    add(90000, KERNEL_SWITCHED_IN, READER, "bash");
    add(100000, KERNEL_RECEIVED, READER, NULL);
    add(900000, KERNEL_SEND_ENTERED, READER, NULL);
    add(910000, KERNEL_WOKEN, CLIENT_THREAD, NULL);
    add(980000, KERNEL_SWITCHED_IN, CLIENT_THREAD, NULL);
    describe();
    assert_int_equal(noted, 2);
    assert_string_equal(notes[0],
                        "server thread 22 was ready and waited 88.0 us for CPU 1, which bash had");
    assert_string_equal(notes[1], "client was ready and waited 70.0 us for CPU 1, which was idle");
}

static void test_server_sleeps(void **state)
{
    add(100000, KERNEL_RECEIVED, READER, NULL);
    add(110000, KERNEL_SWITCHED_OUT, READER, NULL);
    add(300000, KERNEL_WOKEN, READER, NULL);
    add(301000, KERNEL_SWITCHED_IN, READER, NULL);
    add(310000, KERNEL_SWITCHED_OUT, READER, NULL);
    add(510000, KERNEL_WOKEN, READER, "jbd2");
    add(511000, KERNEL_SWITCHED_IN, READER, NULL);
    add(900000, KERNEL_SEND_ENTERED, READER, NULL);
    describe();
    assert_int_equal(noted, 2);
    assert_string_equal(notes[0], "server thread 22 slept 190.0 us, until an interrupt woke it");
    assert_string_equal(
        notes[1], "server thread 22 slept 200.0 us, until it was woken while jbd2 ran on CPU 1");
}

/* Of a server's threads only those count that read or answer, and each only during its part. */
static void test_two_threads(void **state)
{
    add_preempted(20000, WORKER, "early");
    add(90000, KERNEL_SWITCHED_IN, WORKER, NULL);
    add(100000, KERNEL_RECEIVED, READER, NULL);
    add_preempted(110000, READER, "late");
    add_preempted(120000, OTHER, "elsewhere");
    add_preempted(200000, WORKER, "cc1");
    add(700000, KERNEL_SWITCHED_IN, OTHER, NULL);
    add(700000, KERNEL_SWITCHED_IN, READER, NULL);
    add(700000, KERNEL_SWITCHED_IN, WORKER, NULL);
    add(900000, KERNEL_SEND_ENTERED, WORKER, NULL);
    describe();
    assert_int_equal(noted, 1);
    assert_string_equal(notes[0], "server thread 23 preempted by cc1 on CPU 1 for 500.0 us");
}

/* More pauses than there is room for: the longest are described, in order of time. */
static void test_many(void **state)
{
    for (unsigned i = 0; i < 11; i++) {
        add_preempted(80000 * i + 1000, CLIENT_THREAD, "cc1");
        add(80000 * i + 51000 + 1000 * (i % 4), KERNEL_SWITCHED_IN, CLIENT_THREAD, NULL);
    }
    describe();
    assert_int_equal(noted, CALL_NOTES_MAXIMUM);
    assert_non_null(strstr(notes[0], "51.0 us"));
    for (size_t i = 0; i < noted; i++)
        assert_null(strstr(notes[i], "50.0 us"));
    assert_non_null(strstr(notes[7], "52.0 us"));
}

/* A command's name can contain any bytes, and use all sixteen of them. */
static void test_names(void **state)
{
    add_preempted(100000, CLIENT_THREAD, "a\nb\x1b[31m\"cdefghij");
    add(912300, KERNEL_SWITCHED_IN, CLIENT_THREAD, NULL);
    describe();
    assert_int_equal(noted, 1);
    assert_string_equal(notes[0], "client preempted by a?b?[31m\"cdefghi on CPU 1 for 812.3 us");
}

/* A call without timestamps of the server. */
static void test_client_alone(void **state)
{
    call.at[TIMESTAMP_REQUEST_ARRIVED] = call.at[TIMESTAMP_REQUEST_READ] =
        call.at[TIMESTAMP_REPLY_ENTERED] = 0;
    test_client_preempted(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_nothing, set_up),
        cmocka_unit_test_setup(test_client_preempted, set_up),
        cmocka_unit_test_setup(test_server_waits, set_up),
        cmocka_unit_test_setup(test_server_sleeps, set_up),
        cmocka_unit_test_setup(test_two_threads, set_up),
        cmocka_unit_test_setup(test_many, set_up),
        cmocka_unit_test_setup(test_names, set_up),
        cmocka_unit_test_setup(test_client_alone, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
