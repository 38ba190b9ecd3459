/* Sentences on what the scheduler did to the threads of a call. */
#include "test.h"

#include "event_list.h"
#include "explain/kernel/server_timestamps.h"

enum { CLIENT_THREAD = 11, SERVER = 20, OTHER = 30 };

static size_t noted;
static struct call_times call;
static char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE];

FIXTURE(set_up, count = 0, memset(&call, 0, sizeof call), call.at[TIMESTAMP_BEGUN] = START,
        call.at[TIMESTAMP_REQUEST_ARRIVED] = START + 1000,
        call.at[TIMESTAMP_REQUEST_READ] = START + 100000,
        call.at[TIMESTAMP_REPLY_ENTERED] = START + 900000,
        call.at[TIMESTAMP_DECODED] = START + 1000000, 0)

static struct kernel_event *add_other(uint64_t at, enum kernel_event_type type, uint32_t thread,
                                      const char *other)
{
    struct kernel_event *event = add(at, type, thread);

    event->cpu = 1;
    event->other = other ? OTHER : 0;
    if (other)
        memcpy(event->other_name, other, strnlen(other, sizeof event->other_name));
    return event;
}

static void add_preempted(uint64_t at, uint32_t thread, const char *other)
{
    add_other(at, KERNEL_SWITCHED_OUT, thread, other)->preempted = 1;
}

static void describe_call(void)
{
    const struct server_events events = {
        .list = list, .count = count, .client_thread = CLIENT_THREAD, .server_process = SERVER};

    memset(notes, 'x', sizeof notes);
    noted = slow_describe(&events, &call, notes);
}

/* Events, "AT DOES THREAD [OTHER]" separated by commas, and the notes that follow from them. AT: ns
 * after START. OTHER: command of another thread. With "in", it ran before THREAD; with "preempted",
 * it runs next; with "woken", it ran when THREAD was woken. Without OTHER, the processor was idle,
 * or an interrupt woke THREAD. */
static const struct sequence {
    const char *events;
    const char *notes[2];
} sequences[] = {
    {"1000 out 11, 800000 woken 11 nfsbench, 810000 in 11",
     {"no thread slept long, waited for a processor or was preempted: the time went to work, an "
      "interrupt or "
      "the hypervisor"}},
    {"100000 preempted 11 kworker/0:1, 912300 in 11 kworker/0:1",
     {"client preempted by kworker/0:1 on CPU 1 for 812.3 us"}},
    {"2000 woken 22 nfsbench, 90000 in 22 bash, 100000 received 22, 900000 sends 22, "
     "910000 woken 11, 980000 in 11",
     {"server thread 22 was ready and waited 88.0 us for CPU 1, which bash had",
      "client was ready and waited 70.0 us for CPU 1, which was idle"}},
    {"100000 received 22, 110000 out 22, 300000 woken 22, 301000 in 22, 310000 out 22, "
     "510000 woken 22 jbd2, 511000 in 22, 900000 sends 22",
     {"server thread 22 slept 190.0 us, until an interrupt woke it",
      "server thread 22 slept 200.0 us, until it was woken while jbd2 ran on CPU 1"}},
    /* Until the request is read, pauses of the reading thread count. From then on, pauses of the
     * answering thread count. */
    {"20000 preempted 23 early, 90000 in 23, 100000 received 22, 110000 preempted 22 late, "
     "120000 preempted 30 elsewhere, 200000 preempted 23 cc1, 700000 in 30, 700000 in 22, "
     "700000 in 23, 900000 sends 23",
     {"server thread 23 preempted by cc1 on CPU 1 for 500.0 us"}},
};

static void add_step(const char *text)
{
    static const struct {
        const char *does;
        enum kernel_event_type type;
    } steps[] = {{"out", KERNEL_SWITCHED_OUT},       {"in", KERNEL_SWITCHED_IN},
                 {"preempted", KERNEL_SWITCHED_OUT}, {"woken", KERNEL_WOKEN},
                 {"received", KERNEL_RECEIVED},      {"sends", KERNEL_SEND_ENTERED}};
    unsigned at, thread;
    char does[16], other[16] = "";

    assert_true(sscanf(text, "%u %15s %u %15[^,]", &at, does, &thread, other) >= 3);
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (strcmp(steps[i].does, does) == 0)
            add_other(at, steps[i].type, thread, other[0] ? other : NULL)->preempted =
                strcmp(does, "preempted") == 0;
}

TEST_CASE(sequences)
{
    for (size_t i = 0; i < COUNT_OF(sequences); i++) {
        const char *const *expected = sequences[i].notes;

        set_up(state);
        for (const char *step = sequences[i].events; step; step = strchr(step + 1, ','))
            add_step(step + strspn(step, ", "));
        describe_call();
        assert_int_equal(noted, expected[1] ? 2 : 1);
        for (size_t j = 0; j < noted; j++)
            assert_string_equal(notes[j], expected[j]);
    }
}

/* If there are more pauses than fit, the longest are described, in order of time. */
TEST_CASE_WITH(many, set_up, NULL)
{
    for (unsigned i = 0; i < 11; i++) {
        add_preempted(80000 * i + 1000, CLIENT_THREAD, "cc1");
        runs(80000 * i + 51000 + 1000 * (i % 4), CLIENT_THREAD);
    }
    describe_call();
    assert_all((noted, CALL_NOTES_MAXIMUM), (strstr(notes[0], "51.0 us")));
    for (size_t i = 0; i < noted; i++)
        assert_null(strstr(notes[i], "50.0 us"));
    assert_non_null(strstr(notes[7], "52.0 us"));
}

/* A command's name can have any bytes, and fill all sixteen. A call may lack server timestamps. */
TEST_CASE_WITH(names, set_up, NULL)
{
    call.at[TIMESTAMP_REQUEST_ARRIVED] = call.at[TIMESTAMP_REQUEST_READ] =
        call.at[TIMESTAMP_REPLY_ENTERED] = 0;
    add_preempted(100000, CLIENT_THREAD, "a\nb\x1b[31m\"cdefghij");
    runs(912300, CLIENT_THREAD);
    describe_call();
    assert_int_equal(noted, 1);
    assert_string_equal(notes[0], "client preempted by a?b?[31m\"cdefghi on CPU 1 for 812.3 us");
}
