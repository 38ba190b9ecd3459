/* From the kernel's events: states of RPCs, phases of the system calls that caused these RPCs, and
 * states of requests inside the server. */
#include "test.h"

#include "explain/kernel/rpc_states.h"

enum { XID = 77, CALLER = 42, KERNEL_THREAD = 9, CLIENT = 5, OTHER_CLIENT = 6 };

#define TASK        UINT64_C(0xffff888001234500)
#define TRANSPORT   UINT64_C(0xffff888000000800)
#define CALL_START  UINT64_C(0xffffffffc0100010)
#define CALL_SEND   UINT64_C(0xffffffffc0100020)
#define CALL_AWAIT  UINT64_C(0xffffffffc0100030)
#define CALL_DECODE UINT64_C(0xffffffffc0100040)

static struct rpc_states rpcs;

static struct rpc_event events[64];
static size_t event_count;

static struct rpc_event *event(uint64_t at_ns, enum rpc_event_type type, uint64_t value)
{
    struct rpc_event *added = &events[event_count++];

    *added = (struct rpc_event){
        .at_ns = at_ns, .type = type, .value = value, .process = CALLER, .number = CLIENT};
    return added;
}

static struct rpc_event *of_task(uint64_t at_ns, enum rpc_event_type type, uint64_t value)
{
    struct rpc_event *added = event(at_ns, type, value);

    added->task = TASK;
    return added;
}

static void named(uint64_t at_ns, enum rpc_event_type type, uint64_t value, const char *name)
{
    strcpy(of_task(at_ns, type, value)->name, name);
}

/* Add the events from the begin of an RPC until it waits for the reply. */
static void begin_rpc(uint64_t at_ns, const char *procedure, bool is_async)
{
    named(at_ns, RPC_BEGUN, is_async, procedure);
    of_task(at_ns + 10, RPC_ACTION, CALL_START);
    of_task(at_ns + 30, RPC_ACTION, CALL_SEND);
    of_task(at_ns + 70, RPC_SENT, TRANSPORT)->number = XID;
    of_task(at_ns + 80, RPC_ACTION, CALL_AWAIT);
    named(at_ns + 90, RPC_SLEEPS, 0, "xprt_pending");
}

/* Add the events from the reply to the end of the RPC. */
static void end_rpc(uint64_t at_ns)
{
    event(at_ns, RPC_DATA_READY, TRANSPORT + 8);
    event(at_ns + 10, RPC_DATA_READY, TRANSPORT);
    event(at_ns + 11, RPC_REPLIED, TRANSPORT)->number = XID + 1;
    event(at_ns + 12, RPC_REPLIED, TRANSPORT)->number = XID;
    of_task(at_ns + 15, RPC_WOKEN, 0);
    of_task(at_ns + 20, RPC_ACTION, CALL_DECODE);
    of_task(at_ns + 40, RPC_ENDED, 0);
    of_task(at_ns + 41, RPC_MEASURED, 441);
}

static void add_events(uint64_t lost)
{
    assert_int_equal(rpc_states_add(&rpcs, events, event_count, lost), 0);
    event_count = 0;
}

FIXTURE(set_up, event_count = 0, rpc_states_open(&rpcs, CALLER))

FIXTURE(tear_down, rpc_states_close(&rpcs), 0)

static size_t group_of(const char *procedure)
{
    for (size_t i = RPC_GROUPS_FIRST; i < rpcs.group_count; i++)
        if (strcmp(rpcs.groups[i], procedure) == 0)
            return i;
    fail_msg("no RPC was %s", procedure);
    return 0;
}

static struct state_table table_of(size_t group)
{
    struct state_table table;

    rpc_states_table(&rpcs, group, &table);
    return table;
}

/* Return the time in state NAME per task; fail if it was not entered. */
static double time_in(size_t group, const char *name)
{
    struct state_table table = table_of(group);

    for (size_t i = 0; i < table.row_count; i++)
        if (strcmp(table.rows[i].type->name, name) == 0)
            return table.rows[i].adjusted;
    fail_msg("state %s was not entered", name);
    return 0;
}

/* Fail unless the states in TIMES, "NAME=NS, NAME=NS", have these times. Other states are not
 * checked. */
static void assert_times(size_t group, const char *times)
{
    char name[RPC_STATE_NAME_SIZE];
    double ns;

    for (; times; times = strchr(times, ',')) {
        times += strspn(times, ", ");
        assert_all((sscanf(times, "%31[^=]=%lf", name, &ns), 2), (time_in(group, name), ns, 0));
    }
}

/* Fail unless GROUP has TASKS tasks, whose states take SUM_NS on average in total, and single
 * states have TIMES (assert_times()). */
static void assert_group(size_t group, uint64_t tasks, double sum_ns, const char *times)
{
    assert_all((table_of(group).tasks, tasks), (table_of(group).sum_ns, sum_ns, 0));
    assert_times(group, times);
}

static void give_names(void)
{
    static char symbols[] = "ffffffffc0100010 t call_start\t[sunrpc]\n"
                            "ffffffffc0100020 t call_transmit.isra.0\t[sunrpc]\n"
                            "a line that is none\n"
                            "ffffffffc0100030 t call_transmit_status\t[sunrpc]\n"
                            "0000000000000000 A fixed_percpu_data\n";
    FILE *file = fmemopen(symbols, sizeof symbols - 1, "r");

    rpc_states_name(&rpcs, file);
    fclose(file);
}

/* The caller waits in its RPC, as for GETATTR. */
TEST_CASE_WITH(a_call_and_its_rpc, set_up, tear_down)
{
    event(100, RPC_CALL_RETURNED, 0); /* return of the previous system call */
    event(1000, RPC_CALL_ENTERED, 0);
    begin_rpc(1100, "GETATTR", false);
    event(1195, RPC_CALLER_RUNS, 0);
    end_rpc(1500);
    event(1550, RPC_CALL_RETURNED, 0);
    event(1600, RPC_CALL_ENTERED, 0); /* a system call without an RPC */
    event(1700, RPC_CALL_RETURNED, 0);
    event(1800, RPC_CALL_ENTERED, 0);
    add_events(0);
    give_names();
    /* Steps while the reply is pending are no states. The last state has no name in SYMBOLS. */
    assert_group(group_of("GETATTR"), 1, 440,
                 "begun=10, start=20, transmit=40, pending=342, received=3, woken=5, "
                 "0xffffffffc0100040=20");
    assert_near(table_of(group_of("GETATTR")).lifetime_ns, 441, 0);
    assert_group(RPC_GROUP_CALLS, 1, 550,
                 "before the RPC=100, RPC begun=10, prepared=20, sent=40, "
                 "network and server=340, received=5, RPC woken=5, decoded=20, returned=10");
    /* No phase "caller woken": the caller waits in the RPC. */
    assert_int_equal(table_of(RPC_GROUP_CALLS).row_count, RPC_PHASES - 1);
}

/* A kernel thread runs the RPC and wakes the caller, as for READ. */
TEST_CASE_WITH(a_call_that_waits_apart_from_its_rpc, set_up, tear_down)
{
    event(1000, RPC_CALL_ENTERED, 0);
    begin_rpc(1100, "READ", true);
    event(1195, RPC_CALLER_RUNS, 0);
    end_rpc(1500);
    event(1560, RPC_CALLER_RUNS, 0);
    event(1600, RPC_CALL_RETURNED, 0);
    add_events(0);
    assert_times(group_of("READ"), "workqueue=10");
    assert_group(RPC_GROUP_CALLS, 1, 600, "caller woken=20, returned=40");
    assert_int_equal(table_of(RPC_GROUP_CALLS).row_count, RPC_PHASES);
}

/* The reply arrives before the RPC goes to sleep, so the RPC is not woken. */
TEST_CASE_WITH(a_reply_that_is_not_waited_for, set_up, tear_down)
{
    event(1000, RPC_CALL_ENTERED, 0);
    named(1100, RPC_BEGUN, 0, "GETATTR");
    of_task(1110, RPC_ACTION, CALL_SEND);
    /* Data arrive even before the kernel reports that the call is sent. */
    event(1120, RPC_DATA_READY, TRANSPORT);
    of_task(1130, RPC_SENT, TRANSPORT)->number = XID;
    event(1140, RPC_REPLIED, TRANSPORT)->number = XID;
    of_task(1160, RPC_ACTION, CALL_AWAIT);
    named(1165, RPC_SLEEPS, 0, "xprt_pending"); /* sleeps while the reply is being read */
    of_task(1170, RPC_ACTION, CALL_DECODE);
    of_task(1200, RPC_ENDED, 0);
    event(1210, RPC_CALL_RETURNED, 0);
    add_events(0);
    give_names();
    assert_group(group_of("GETATTR"), 1, 100, "pending=10, received=20, transmit_status=10");
    assert_group(RPC_GROUP_CALLS, 1, 210, "network and server=10, received=20, decoded=40");
}

/* A retransmitted call is pending twice; no time is counted twice. */
TEST_CASE_WITH(a_call_that_is_sent_again, set_up, tear_down)
{
    event(1000, RPC_CALL_ENTERED, 0);
    begin_rpc(1100, "GETATTR", false);
    of_task(2000, RPC_WOKEN, 0);
    of_task(2010, RPC_ACTION, CALL_SEND);
    of_task(2020, RPC_SENT, TRANSPORT)->number = XID;
    named(2030, RPC_SLEEPS, 0, "xprt_pending");
    end_rpc(2500);
    event(2600, RPC_CALL_RETURNED, 0);
    add_events(0);
    give_names();
    /* Pending from 1170 to 2000, and from 2020 to 2512: 830 + 492. */
    assert_group(group_of("GETATTR"), 1, 2540 - 1100, "pending=1322");
    assert_group(RPC_GROUP_CALLS, 1, 1600, NULL);
}

/* One system call with two RPCs: the phase "before the RPC" is entered only once. */
TEST_CASE_WITH(a_call_of_two_rpcs, set_up, tear_down)
{
    event(1000, RPC_CALL_ENTERED, 0);
    begin_rpc(1100, "LOOKUP", false);
    end_rpc(1500);
    begin_rpc(1600, "GETATTR", false);
    end_rpc(1800);
    event(1900, RPC_CALL_RETURNED, 0);
    add_events(0);
    assert_all((table_of(group_of("LOOKUP")).tasks, 1), (table_of(group_of("GETATTR")).tasks, 1));
    assert_group(RPC_GROUP_CALLS, 1, 900, "before the RPC=100");
}

/* RPCs that other processes cause on this mount are counted, but belong to no system call. RPCs of
 * other mounts are counted as others. */
TEST_CASE_WITH(rpcs_of_others, set_up, tear_down)
{
    event(1000, RPC_CALL_ENTERED, 0);
    begin_rpc(1100, "GETATTR", false);
    end_rpc(1500);
    event(1600, RPC_CALL_RETURNED, 0);
    begin_rpc(2000, "WRITE", true);
    end_rpc(2500);
    begin_rpc(3000, "FSSTAT", false);
    end_rpc(3500);
    for (size_t i = 0; i < event_count; i++) {
        if (events[i].at_ns >= 2000)
            events[i].process = KERNEL_THREAD;
        if (events[i].at_ns >= 3000)
            events[i].number = OTHER_CLIENT;
    }
    add_events(0);
    assert_all((table_of(group_of("WRITE")).tasks, 1), (table_of(RPC_GROUP_OTHERS).tasks, 1),
               (table_of(RPC_GROUP_CALLS).tasks, 1), (rpcs.group_count, RPC_GROUPS_FIRST + 2));
}

/* A thread of the server takes a transport and handles READ. Another thread twice gets no
 * transport, which must not count as a request. Then the first thread handles another READ, whose
 * transport was not queued. */
TEST_CASE_WITH(requests_inside_the_server, set_up, tear_down)
{
    enum { THREAD = 0x100, IDLE = 0x200 };
    static const struct rpc_event of_requests[] = {
        {.at_ns = 1000, .type = SVC_QUEUED, .value = TRANSPORT},
        {.at_ns = 1050, .type = SVC_TAKEN, .task = THREAD, .value = TRANSPORT},
        {.at_ns = 1060, .type = SVC_TAKEN, .task = IDLE},
        {.at_ns = 1100, .type = SVC_RECEIVED, .task = THREAD},
        {.at_ns = 1120, .type = SVC_PROCESSED, .task = THREAD, .name = "READ"},
        {.at_ns = 1130, .type = SVC_CHECKED, .task = THREAD},
        {.at_ns = 1140, .type = SVC_CHECKED, .task = THREAD},
        {.at_ns = 1150, .type = SVC_IO_BEGUN, .task = THREAD},
        {.at_ns = 1170, .type = SVC_TAKEN, .task = IDLE},
        {.at_ns = 1190, .type = SVC_IO_DONE, .task = THREAD},
        {.at_ns = 1200, .type = SVC_SENDS, .task = THREAD},
        {.at_ns = 1260, .type = SVC_SENT, .task = THREAD},
        {.at_ns = 1300, .type = SVC_TAKEN, .task = THREAD, .value = TRANSPORT},
        {.at_ns = 1310, .type = SVC_RECEIVED, .task = THREAD},
        {.at_ns = 1320, .type = SVC_PROCESSED, .task = THREAD, .name = "READ"},
        {.at_ns = 1400, .type = SVC_SENT, .task = THREAD}};
    size_t group;

    assert_int_equal(rpc_states_add(&rpcs, of_requests, COUNT_OF(of_requests), 0), 0);
    group = group_of("READ");
    assert_true(rpcs.of_server[group]);
    assert_group(group, 2, (260 + 100) / 2.0,
                 "server queue=25, receive=30, authenticate=15, decode arguments=45, nfsd=15, "
                 "file system=20, send=30");
    assert_int_equal(rpcs.states->without_begin + rpcs.states->without_end, 0);
}

TEST_CASE_WITH(lost_events_and_new_ones, set_up, tear_down)
{
    event(1000, RPC_CALL_ENTERED, 0);
    begin_rpc(1100, "GETATTR", false);
    end_rpc(1500);
    event(1600, RPC_CALL_RETURNED, 0);
    add_events(3);
    assert_int_equal(table_of(RPC_GROUP_CALLS).tasks, 0);
    assert_int_equal(rpcs.states->with_loss, 2); /* two tasks: the system call and its RPC */
    begin_rpc(2000, "GETATTR", false);
    add_events(0);
    end_rpc(2500);
    add_events(0);
    assert_all((rpcs.states->without_end, 1), (rpcs.states->without_begin, 1));
    rpc_states_clear(&rpcs);
    assert_int_equal(rpcs.states->without_end, 0);
}

/* States and procedures that do not fit are counted as others. Nothing is overwritten. */
TEST_CASE_WITH(more_than_there_is_room_for, set_up, tear_down)
{
    for (size_t i = 0; i < 3 * STATES_MAXIMUM; i++) {
        char name[16];

        snprintf(name, sizeof name, "P%zu", i);
        named(1000 + 100 * i, RPC_BEGUN, 0, name);
        of_task(1010 + 100 * i, RPC_ACTION, CALL_START + i);
        of_task(1020 + 100 * i, RPC_ENDED, 0);
        add_events(0);
    }
    assert_all((rpcs.count, STATES_MAXIMUM), (rpcs.group_count, STATES_GROUPS_MAXIMUM),
               (table_of(RPC_GROUP_OTHERS).tasks,
                3 * STATES_MAXIMUM - (STATES_GROUPS_MAXIMUM - RPC_GROUPS_FIRST)),
               (time_in(RPC_GROUP_OTHERS, "other states") > 0),
               (table_of(RPC_GROUP_OTHERS).sum_ns, 20, 1e-9));
}
