/* The times that tasks spent in their states, from events. Complete tasks are counted; tasks with
 * missing events are left out, and their number is reported. */
#include "test.h"

#include "measure/states.h"

enum { WORK, WAIT, AWAY };

static const struct phase_type *const types[STATES_MAXIMUM] = {
    [WORK] = &(const struct phase_type){.kind = PHASE_CLIENT},
    [WAIT] = &(const struct phase_type){.kind = PHASE_QUEUEING},
    [AWAY] = &(const struct phase_type){.kind = PHASE_NETWORK_AND_SERVER}};

static struct states states;

#define BEGINS(at, number, in)                                                                     \
    {                                                                                              \
        .at_ns = (at), .task = (number), .type = STATE_TASK_BEGINS, .group = 1, .state = (in)      \
    }
#define ENTERS(at, number, in)                                                                     \
    {                                                                                              \
        .at_ns = (at), .task = (number), .type = STATE_ENTERED, .state = (in)                      \
    }
#define ENDS(at, number)                                                                           \
    {                                                                                              \
        .at_ns = (at), .task = (number), .type = STATE_TASK_ENDS                                   \
    }
#define MEASURED(number, ns)                                                                       \
    {                                                                                              \
        .task = (number), .type = STATE_TASK_MEASURED, .measured_ns = (ns)                         \
    }

static void add_lost(const struct state_event *events, size_t count, uint64_t lost)
{
    assert_int_equal(states_add(&states, events, count, lost), 0);
}

#define ADD(events) add_lost((events), COUNT_OF(events), 0)

FIXTURE(set_up, memset(&states, 0, sizeof states), 0)

static struct state_table table_of_group(void)
{
    struct state_table table;

    state_table_make(&table, &states.groups[1], types);
    return table;
}

static const struct state_total *total(unsigned state)
{
    return &states.groups[1].states[state];
}

/* Two tasks at the same time. One enters AWAY twice, the other never. */
TEST_CASE_WITH(times_of_states_add_up, set_up, NULL)
{
    static const struct state_event events[] = {
        BEGINS(1000, 7, WORK), BEGINS(1100, 8, WORK), ENTERS(1200, 7, AWAY), ENTERS(1500, 7, WORK),
        ENTERS(1600, 7, AWAY), ENDS(1700, 8),         ENTERS(2000, 7, WORK), ENDS(2100, 7)};
    struct state_table table;

    ADD(events);
    table = table_of_group();
    assert_all((table.tasks, 2), (table.row_count, 2),
               (table.lifetime_ns, (1100 + 600) / 2.0, 1e-9), (!table.measured),
               (table.sum_ns, table.lifetime_ns, 1e-9), (table.discrepancy, 0, 1e-12),
               (table.rows[1].phase, AWAY), (table.rows[1].count, 2),
               (table.rows[1].mean, (300 + 400) / 2.0, 1e-9));
    assert_near(table.rows[1].adjusted, 350, 1e-9); /* AWAY: 300 + 400 ns over two tasks */
    assert_all((table.rows[1].low, 300, 0), (table.rows[1].high, 400, 0), (table.rows[0].count, 4),
               (table.rows[0].adjusted, (200 + 100 + 100 + 600) / 2.0, 1e-9));
}

TEST_CASE_WITH(shares_leave_out_queueing_and_what_is_not_the_client, set_up, NULL)
{
    static const struct state_event events[] = {BEGINS(0, 7, WORK), ENTERS(100, 7, WAIT),
                                                ENTERS(300, 7, AWAY), ENTERS(900, 7, WORK),
                                                ENDS(1000, 7)};
    struct state_table table;

    ADD(events);
    table = table_of_group();
    assert_all((table.row_count, 3), (table.rows[WORK].share, 0.2, 1e-12),
               (table.rows[WAIT].share, 0.2, 1e-12), (table.rows[AWAY].share, 0.6, 1e-12),
               (table.rows[WORK].share_without_queueing, 200 / 800.0, 1e-12),
               (isnan(table.rows[WAIT].share_without_queueing)),
               (table.rows[WORK].share_of_client, 1, 1e-12),
               (isnan(table.rows[AWAY].share_of_client)));
}

/* If another source has measured a task's lifetime, the sum of the states is compared with this
 * lifetime, which the kernel reports before or after the task's end. */
TEST_CASE_WITH(the_sum_is_compared_with_what_was_measured, set_up, NULL)
{
    static const struct state_event events[] = {
        BEGINS(0, 7, WORK), ENDS(990, 7),  MEASURED(7, 1000), BEGINS(2000, 7, WORK),
        MEASURED(7, 1000),  ENDS(2990, 7), MEASURED(9, 5),
    };
    struct state_table table;

    ADD(events);
    table = table_of_group();
    assert_all((table.tasks, 2), (states.groups[1].measured.count, 2), (table.measured),
               (table.lifetime_ns, 1000, 1e-9), (table.discrepancy, 0.01, 1e-9),
               (states.without_begin + states.without_end + states.with_loss, 0));
}

/* A task is not counted if the event of its begin or of its end is missing, or if it is in a batch
 * of events of which some were lost. A later task with the same number is counted. */
TEST_CASE(what_is_not_known_is_left_out)
{
    static const struct {
        const char *name;
        struct state_event events[7];
        struct state_event later[2];
        uint64_t lost;
        size_t without_begin, without_end, with_loss;
        size_t counted; /* number of counted tasks, each with 100 ns in WORK */
    } cases[] = {
        {"began before",
         {ENTERS(100, 7, AWAY), ENTERS(150, 7, WORK), ENDS(200, 7), MEASURED(7, 500),
          BEGINS(300, 8, WORK), ENDS(400, 8)},
         .without_begin = 1,
         .counted = 1},
        {"does not end, in these events and in later ones",
         {BEGINS(100, 7, WORK), ENTERS(150, 7, AWAY), BEGINS(300, 7, WORK), ENDS(400, 7),
          BEGINS(500, 7, WORK), ENTERS(600, 7, AWAY)},
         {BEGINS(9000, 7, WORK), ENDS(9100, 7)},
         .without_end = 2,
         .counted = 2},
        /* After a server's NFS3ERR_JUKEBOX, the kernel restarts the task without an event for its
         * begin. */
        {"goes on after its end, as the kernel restarts an RPC",
         {BEGINS(100, 7, WORK), ENDS(200, 7), ENTERS(300, 7, AWAY), ENDS(400, 7)},
         .without_begin = 1,
         .counted = 1},
        {"nobody knows whose events were lost",
         {BEGINS(100, 7, WORK), ENDS(200, 7), BEGINS(300, 8, WORK), ENDS(350, 8)},
         {BEGINS(500, 7, WORK), ENDS(600, 7)},
         .lost = 1,
         .with_loss = 2,
         .counted = 1},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t count = 0;

        print_message("%s\n", cases[i].name);
        set_up(state);
        while (cases[i].events[count].task)
            count++;
        add_lost(cases[i].events, count, cases[i].lost);
        add_lost(cases[i].later, cases[i].later[0].task ? 2 : 0, 0);
        assert_all(
            (states.without_begin, cases[i].without_begin),
            (states.without_end, cases[i].without_end), (states.with_loss, cases[i].with_loss),
            (states.groups[1].lifetime.count, cases[i].counted),
            (states.groups[1].lifetime.low_ns, 100, 0), (states.groups[1].lifetime.high_ns, 100, 0),
            (states.groups[1].measured.count, 0), (total(AWAY)->count, 0));
    }
}

TEST_CASE_WITH(many_tasks_at_once, set_up, NULL)
{
    enum { TASKS = 300 };
    static struct state_event events[2 * TASKS];

    for (uint64_t i = 0; i < TASKS; i++) {
        events[i] = (struct state_event)BEGINS(i, 100 + i, WORK);
        events[TASKS + i] = (struct state_event)ENDS(1000 + i, 100 + i);
    }
    ADD(events);
    assert_int_equal(states.groups[1].lifetime.count, TASKS);
    assert_near(states.groups[1].lifetime.low_ns, 1000, 0);
    assert_near(states.groups[1].lifetime.high_ns, 1000, 0);
}

TEST_CASE_WITH(nothing_is_a_table_without_rows, set_up, NULL)
{
    struct state_table table = table_of_group();

    assert_all((table.tasks, 0), (table.row_count, 0), (table.discrepancy, 0, 0),
               (states_add(&states, NULL, 0, 0), 0));
}
