/* Recomputes kprofile's three published tables from their counts and averages, and tests the states
 * that only today's client has. */
#include "test.h"

#include "explain/states/kprofile.h"

enum { NOT_PUBLISHED = -2, NONE = -1 };

/* A published row. Percentages are truncated to integers. NONE: the column lacks the row.
 * NOT_PUBLISHED: the percentage is not known, and not checked. */
struct published {
    const char *row, *state; /* kprofile's name of the state, and today's name */
    enum phase_kind kind;
    uint64_t count;
    double average, adjusted, low, high; /* ns */
    int percent, without_queues, of_processing;
};

#define CLIENT PHASE_CLIENT
#define AWAY   PHASE_NETWORK_AND_SERVER
#define QUEUE  PHASE_QUEUEING

/* For a row without a published count. Each RPC is taken to have entered the state once, for NS on
 * average. Least and most are 0. */
#define ADJUSTED(rpcs, ns) rpcs, ns, ns, 0, 0

static const struct published read_rows[] = {
    {"call_allocate", "allocate", CLIENT, 16210, 456, 456, 244, 106031, 0, 0, 5},
    {"call_bind", "bind", CLIENT, 16210, 105, 105, 78, 15781, 0, 0, 1},
    {"call_decode", "decode", CLIENT, 16210, 2787, 2787, 471, 169577, 0, 0, 34},
    {"call_encode", "encode", CLIENT, 16210, 2654, 2654, 980, 142529, 0, 0, 32},
    {"call_reserve", "reserve", CLIENT, 27131, 1098, 1837, 332, 106762, 0, 0, 22},
    {"call_reserve_result", "reserveresult", CLIENT, 27131, 166, 277, 84, 118121, 0, 0, 3},
    {"call_transmit", "transmit", CLIENT, 16210, 9227, 9227, 4084, 117031, 1, 2, NONE},
    {"backlog", "backlog", QUEUE, 10921, 509687, 343386, 6721, 14280660, 42, NONE, NONE},
    {"pending", "pending", AWAY, 16210, 379604, 379604, 99068, 1981564, 46, 95, NONE},
    {"schedq", "woken", QUEUE, 26857, 42011, 69604, 867, 75089244, 8, NONE, NONE},
};

static const struct published write_rows[] = {
    {"call_allocate", "allocate", CLIENT, ADJUSTED(48392, 380), 0, 0, NOT_PUBLISHED},
    {"call_bind", "bind", CLIENT, ADJUSTED(48392, 108), 0, 0, NOT_PUBLISHED},
    {"call_decode", "decode", CLIENT, ADJUSTED(48392, 1463), 0, 0, NOT_PUBLISHED},
    {"call_encode", "encode", CLIENT, ADJUSTED(48392, 1516), 0, 0, NOT_PUBLISHED},
    {"call_reserve", "reserve", CLIENT, 84144, 1177, 2046, 0, 0, 0, 0, NOT_PUBLISHED},
    {"call_reserve_result", "reserveresult", CLIENT, 84144, 135, 234, 0, 0, 0, 0, NOT_PUBLISHED},
    {"call_transmit", "transmit", CLIENT, ADJUSTED(48392, 43800), 0, 8, NONE},
    {"backlog", "backlog", QUEUE, ADJUSTED(48392, 7734827), 93, NONE, NONE},
    {"pending", "pending", AWAY, ADJUSTED(48392, 460852), 5, 90, NONE},
    {"schedq", "woken", QUEUE, ADJUSTED(48392, 36450), 0, NONE, NONE},
};

static const struct published fsinfo_rows[] = {
    {"call_allocate", "allocate", CLIENT, ADJUSTED(6009, 341), 0, NOT_PUBLISHED, NOT_PUBLISHED},
    {"call_bind", "bind", CLIENT, ADJUSTED(6009, 93), 0, NOT_PUBLISHED, NOT_PUBLISHED},
    {"call_decode", "decode", CLIENT, ADJUSTED(6009, 1039), NOT_PUBLISHED, NOT_PUBLISHED, 33},
    {"call_encode", "encode", CLIENT, ADJUSTED(6009, 1000), NOT_PUBLISHED, NOT_PUBLISHED, 31},
    {"call_reserve", "reserve", CLIENT, ADJUSTED(6009, 551), 0, NOT_PUBLISHED, 17},
    {"call_reserve_result", "reserveresult", CLIENT, ADJUSTED(6009, 103), 0, NOT_PUBLISHED,
     NOT_PUBLISHED},
    {"call_transmit", "transmit", CLIENT, ADJUSTED(6009, 5881), 5, NOT_PUBLISHED, NONE},
    {"pending", "pending", AWAY, ADJUSTED(6009, 93788), 91, NOT_PUBLISHED, NONE},
};

static struct state_group group;
static struct phase_type types[STATES_MAXIMUM];
static const struct phase_type *type_list[STATES_MAXIMUM];
static struct kprofile_table table;

static void add_state(size_t number, const char *name, enum phase_kind kind,
                      struct state_total total)
{
    types[number] = (struct phase_type){.name = name, .kind = kind};
    type_list[number] = &types[number];
    group.states[number] = total;
}

static void make_table(uint64_t rpcs, double lifetime, double low, double high)
{
    struct state_table states;

    group.lifetime.count = rpcs;
    group.measured = (struct state_total){rpcs, lifetime * (double)rpcs, low, high};
    state_table_make(&states, &group, type_list);
    kprofile_make(&table, "READ", &states);
}

static const struct kprofile_row *row_called(const char *name)
{
    for (size_t i = 0; i < table.row_count; i++)
        if (strcmp(table.rows[i].state, name) == 0)
            return &table.rows[i];
    fail_msg("no row is called %s", name);
    return NULL;
}

static void assert_percent(const char *row, double share, int published)
{
    if (published == NONE && isnan(share))
        return;
    if (published != NOT_PUBLISHED && (isnan(share) || (int)(100 * share) != published))
        fail_msg("%s: %d %% is published, and this is %.2f %%", row, published, 100 * share);
}

/* Published averages are truncated to whole ns, so products have errors of some ns. */
static void assert_row(const struct published *published)
{
    const struct kprofile_row *row = row_called(published->row);

    assert_all((row->count, published->count), (row->mean, published->average, 1e-6),
               (row->adjusted, published->adjusted, 2), (row->low, published->low, 0),
               (row->high, published->high, 0));
    assert_percent(published->row, row->share, published->percent);
    assert_percent(published->row, row->share_without_queues, published->without_queues);
    assert_percent(published->row, row->share_of_processing, published->of_processing);
}

TEST_CASE(published_tables_make_themselves_again)
{
    static const struct {
        const struct published *rows;
        size_t row_count;
        uint64_t rpcs;
        double lifetime, low, high, adjusted_lifetime, discrepancy;
        int percent;
    } tables[] = {
        {read_rows, COUNT_OF(read_rows), 16210, 836195, 138785, 75387996, 809937, 26258, 3},
        {write_rows, COUNT_OF(write_rows), 48392, 8293613, 0, 0, 8281676, 11937, 0},
        {fsinfo_rows, COUNT_OF(fsinfo_rows), 6009, 114787, 0, 0, 102796, 11991, 10},
    };

    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        memset(&group, 0, sizeof group);
        for (size_t j = 0; j < tables[i].row_count; j++) {
            const struct published *row = &tables[i].rows[j];

            add_state(j, row->state, row->kind,
                      (struct state_total){row->count, row->average * (double)row->count, row->low,
                                           row->high});
        }
        make_table(tables[i].rpcs, tables[i].lifetime, tables[i].low, tables[i].high);
        assert_all((table.rpcs, tables[i].rpcs), (table.lifetime_ns, tables[i].lifetime, 1e-6),
                   (table.lifetime_low_ns, tables[i].low, 0),
                   (table.lifetime_high_ns, tables[i].high, 0),
                   (table.adjusted_lifetime_ns, tables[i].adjusted_lifetime, 4),
                   (table.discrepancy_ns, tables[i].discrepancy, 4),
                   ((int)(100 * table.discrepancy), tables[i].percent));
        for (size_t j = 0; j < tables[i].row_count; j++)
            assert_row(&tables[i].rows[j]);
    }
}

/* Both states that wait for a processor are schedq. "received" counts like pending, as in kprofile.
 * States that kprofile did not have come last. A state that no RPC entered has no times. */
TEST_CASE(states_of_today)
{
    memset(&group, 0, sizeof group);
    add_state(0, "workqueue", QUEUE, (struct state_total){10, 1000, 50, 300});
    add_state(1, "refresh", CLIENT, (struct state_total){10, 200, 10, 40});
    add_state(2, "encode", CLIENT, (struct state_total){10, 600, 20, 90});
    add_state(3, "pending", AWAY, (struct state_total){10, 5000, 400, 700});
    add_state(4, "received", CLIENT, (struct state_total){10, 1000, 80, 120});
    add_state(5, "woken", QUEUE, (struct state_total){5, 200, 30, 60});
    make_table(10, 800, 700, 900);
    assert_all((table.row_count, KPROFILE_OWN_ROWS + 2), (row_called("schedq")->count, 15),
               (row_called("schedq")->mean, 80, 1e-9), (row_called("schedq")->adjusted, 120, 1e-9),
               (row_called("schedq")->low, 30, 0), (row_called("schedq")->high, 300, 0));
    assert_all((row_called("refresh")->share_of_processing, 0.25, 1e-9),
               (row_called("call_encode")->share_of_processing, 0.75, 1e-9),
               (row_called("received")->share_without_queues, 100 / 680.0, 1e-9),
               (isnan(row_called("received")->share_of_processing)),
               (table.rows[KPROFILE_OWN_ROWS].state, "refresh"),
               (row_called("call_bind")->count, 0), (isnan(row_called("call_bind")->mean)),
               (isnan(row_called("call_bind")->low)));
}
