/* Which trials the limit of a curve has, and what the trials change. */
#include "test.h"

#include "nfs/procedures/procedures.h"
#include "sweep/diagnosis.h"

static struct run_plan plan;

/* Set PLAN to a closed loop of OP of SIZE bytes, with DEPTH calls in flight on each of
 * CONNECTIONS. */
static void make_plan(const char *op, uint32_t size, unsigned connections, unsigned depth)
{
    struct error error;

    plan = (struct run_plan){.engine = &engine_wire,
                             .ops = {nfs_procedure_find(op)},
                             .op_count = 1,
                             .read_size = size,
                             .load_request = {.connections = connections, .depth = depth}};
    assert_int_equal(run_plan_complete(&plan, &error), 0);
}

TEST_CASE(sizes)
{
    static const struct {
        const char *op;
        /* the op's size; the server's limits (0: none); the expected other size (0: no trial) */
        uint32_t size, reads, writes, other;
    } cases[] = {
        {"read", 65536, 0, 0, 16384},
        {"read", 8193, 0, 0, 2048},
        {"read", 8192, 0, 0, 32768},
        {"read", 8192, 1 << 20, 512, 32768},
        {"read", 8192, 16384, 0, 16384},
        {"read", 8192, 8192, 0, 2048},
        {"read", 3, 3, 0, 0},
        {"write", 4096, 512, 1 << 20, 16384},
        {"write-file-sync", 1, 0, 0, 4},
        {"write-data-sync", 1 << 20, 0, 0, 1 << 18},
        {"getattr", 65536, 0, 0, 0},
        {"commit", 65536, 0, 0, 0},
        {"read", 16 << 20, 0, 0, 4 << 20},
        {"null", 8192, 0, 0, 0},
        {"read", 4096, 4097, 4097, 4097},
        {"write", 4096, 4096, 4096, 1024},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct nfs_size_limits limits = {cases[i].reads, cases[i].writes};

        make_plan(cases[i].op, cases[i].size, 1, 8);
        assert_int_equal(diagnosis_change(TRIAL_SIZE, &limits, &plan), cases[i].other > 0);
        if (cases[i].other)
            assert_all((plan.read_size, cases[i].other), (plan.load.depth, 8),
                       (plan.load.connections, 1));
    }
}

/* More connections do not change the number of calls in flight. */
TEST_CASE(connections)
{
    static const struct {
        unsigned connections, depth, factor; /* FACTOR is expected; 0: no trial */
    } cases[] = {
        {1, 1, 0},  {1, 2, 2},  {1, 3, 3},  {1, 4, 4},  {1, 5, 5},     {1, 6, 3},
        {1, 7, 7},  {1, 8, 4},  {1, 10, 2}, {2, 16, 4}, {1, 64, 4},    {1, 35, 5},
        {50, 4, 4}, {51, 4, 0}, {8, 1, 0},  {1, 12, 4}, {1, 197, 197}, {1, 211, 0},
    };
    const struct nfs_size_limits unknown = {0};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const unsigned connections = cases[i].connections, depth = cases[i].depth;

        make_plan("getattr", 4096, connections, depth);
        assert_int_equal(diagnosis_change(TRIAL_CONNECTIONS, &unknown, &plan), cases[i].factor > 0);
        if (cases[i].factor)
            assert_all((plan.load.connections, connections * cases[i].factor),
                       (load_in_flight(&plan.load), connections * depth));
    }
}

TEST_CASE(stability)
{
    static const struct {
        const char *op;
        bool changes;
    } cases[] = {{"write", false},  {"write-data-sync", true}, {"write-file-sync", true},
                 {"commit", false}, {"read", false},           {"getattr", false}};
    const struct nfs_size_limits unknown = {0};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        make_plan(cases[i].op, 4096, 1, 8);
        assert_int_equal(diagnosis_change(TRIAL_UNSTABLE, &unknown, &plan), cases[i].changes);
        if (cases[i].changes)
            assert_string_equal(plan.ops[0]->op, "write");
        assert_true(diagnosis_change(TRIAL_NULL, &unknown, &plan));
        assert_true(diagnosis_change(TRIAL_PAUSE, &unknown, &plan));
    }
}

/* Limits */

enum { POINTS = 3 };

static struct experiment_cell points[POINTS];
static struct experiment_result sweep;

/* Make one curve: the throughputs with 1, 2 and 4 calls in flight, calls/s; 0: not measured. */
static void make_curve(double first, double second, double third)
{
    const double rates[POINTS] = {first, second, third};

    memset(points, 0, sizeof points);
    sweep = (struct experiment_result){.cells = points, .cell_count = POINTS};
    make_plan("getattr", 4096, 1, 4);
    for (size_t i = 0; i < POINTS; i++) {
        points[i] = (struct experiment_cell){.op = "getattr", .units = rates[i] > 0};
        points[i].setting = (struct cell_setting){1, 1, 1u << i, 0, 0};
        points[i].figures[CELL_RATE][0] = rates[i];
    }
}

/* Expect that the point with index LIMIT is the limit, and that WHY is the reason why it has no
 * trials; NULL: it has trials. */
static void expect(size_t limit, const char *why)
{
    const char *found;

    experiment_find_intervals(&sweep);
    for (size_t i = 0; i < POINTS; i++)
        assert_int_equal(diagnosis_is_limit(&sweep, &points[i]), i == limit);
    found = diagnosis_why_none(&sweep, &points[limit], &plan);
    assert_true(same_text(found, why));
}

TEST_CASE(limits)
{
    make_curve(1000, 2000, 2100);
    expect(2, NULL);
    plan.working_set.once = true;
    expect(2, "calls that access each file or block once can't be repeated");
    make_curve(1000, 2000, 4000);
    expect(2, "the throughput still grew");
    make_curve(1000, 1000, 0);
    expect(1, NULL);
    make_curve(0, 0, 1000);
    expect(2, "only one load was measured");
    make_curve(1000, 0, 0);
    expect(0, "only one call was in flight");
}

/* If a rate can't be reached, the rate below has trials, even if the throughput still grew. */
TEST_CASE(rates)
{
    make_curve(1000, 2000, 0);
    for (size_t i = 0; i < POINTS; i++)
        points[i].setting = (struct cell_setting){1, 1, 1024, 0, 1000 << i};
    expect(1, "the throughput still grew");
    points[2].out_of_reach = true;
    expect(1, NULL);
}

/* Cells of another size or variant, and a rate among closed loops, are on different curves. */
TEST_CASE(curves)
{
    for (size_t how = 0; how < 3; how++) {
        make_curve(1000, 2000, 2100);
        points[2].setting.size = how == 0 ? 512 : 0;
        points[2].variant = how == 1 ? "proto=udp" : NULL;
        points[2].setting.rate = how == 2 ? 2100 : 0;
        experiment_find_intervals(&sweep);
        assert_all((diagnosis_is_limit(&sweep, &points[1])),
                   (diagnosis_is_limit(&sweep, &points[2])),
                   (diagnosis_why_none(&sweep, &points[2], &plan), "only one load was measured"));
    }
}
