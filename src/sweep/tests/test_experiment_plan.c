/* The units of a variant, a search's probes and their answers, and the roles of a run's series. */
#include "test.h"

#include "common/cpu.h"
#include "run/series/series.h"
#include "sweep/experiment.h"

static struct experiment_plan plan;
static struct variant variant;
static struct run_plan unit;
static struct error error;

static int set_up(void **state)
{
    variant = (struct variant){.plan = {.engine = &engine_wire,
                                        .ops = {nfs_procedure_find("read")},
                                        .op_count = 1,
                                        .read_size = 4096,
                                        .seed = 7,
                                        .maximum_ns = 1,
                                        .precision = {.share = 0.01}}};
    plan =
        (struct experiment_plan){.variants = &variant, .count = 1, .unit_ns = UINT64_C(2000000000)};
    return 0;
}

/* Make UNIT with the given load and size; 0: the default (RATE: a closed loop; SIZE: 4096). */
static int make(double clients, double depth, double size, double rate)
{
    const struct run_share share = {.launches = 5, .parts = 3, .fixed = true};

    variant.plan.load_request.clients = (unsigned)clients;
    variant.plan.load_request.depth = (unsigned)depth;
    variant.plan.load_request.rate = rate;
    variant.plan.read_size = size > 0 ? (uint32_t)size : 4096;
    return experiment_unit_plan(&plan, &variant, plan.unit_ns, share, 99, &unit, &error);
}

TEST_CASE_WITH(values, set_up, NULL)
{
    assert_all((make(3, 16, 8192, 0), 0), (unit.load.clients, 3), (unit.load.depth, 16),
               (unit.read_size, 8192), (unit.load.rate, 0, 0), (unit.seed, 99),
               (unit.load.seed, 99), (unit.quiet && unit.no_model && unit.no_ledger),
               (!unit.no_baseline));
    assert_int_equal(variant.plan.seed, 7); /* the variant itself is unchanged */
}

/* Values that depend on other values are derived anew in each trial. */
TEST_CASE_WITH(what_follows, set_up, NULL)
{
    assert_all((make(1000, 0, 0, 0), 0), (unit.load.threads, cpu_allowed_count()),
               (make(1, 0, 0, 0), 0), (unit.load.threads, 1), (unit.load.depth, 1),
               (make(0, 0, 0, 1000), 0));
    assert_int_equal(unit.load.depth, 1024); /* so that at a rate no call waits for a reply */
    variant.plan.files = 4;
    assert_all((make(0, 0, 1 << 20, 0), 0), (run_plan_file_size(&unit), 1 << 20),
               (make(0, 0, 3000, 0), 0), (run_plan_file_size(&unit) % 3000, 0));
}

TEST_CASE_WITH(its_share_of_the_time, set_up, NULL)
{
    variant.plan.deadline.at_ns = 1234;
    assert_all((make(0, 0, 0, 1000), 0), (unit.part_ns, plan.unit_ns), (unit.deadline.at_ns, 1234),
               (unit.share.launches, 5), (unit.share.parts, 3), (unit.share.fixed, true),
               (unit.precision.share, 0, 0));
    assert_true(unit.no_baseline); /* at a rate there are no null calls */
}

/* A probe lasts as long as the calls take that the objective needs, within limits: at least 0.6 s,
 * at most 1/12 of the search's time limit. */
TEST_CASE_WITH(probes_have_calls, set_up, NULL)
{
    static const struct {
        double quantile, search_s, rate; /* SEARCH_S: time limit of the search, s */
        uint64_t calls;                  /* the plan's number of calls; 0: none */
        double probe_s;                  /* expected duration of the probe, s */
        uint64_t probe_calls;            /* expected number of calls in the probe's plan */
    } cases[] = {{0.99, 60, 100000, 0, 0.6, 0}, {0.99, 60, 400, 0, 2.75, 0},
                 {0.99, 60, 20, 0, 5, 0},       {0.999, 60, 4000, 0, 2.75, 0},
                 {0.999, 120, 20, 0, 10, 0},    {0.999, 120, 100, 150, 10, 150},
                 {0.999, 60, 20, 150, 5, 100}, /* the plan's calls, reduced to those due in 5 s */
                 {0.999, 60, 0.1, 150, 5, 1}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        plan.objective = (struct objective){OBJECTIVE_QUANTILE, cases[i].quantile, 1000000};
        variant.plan.maximum_ns = (uint64_t)(cases[i].search_s * 1e9);
        variant.plan.calls = cases[i].calls;
        assert_near((double)experiment_probe_plan(cases[i].rate, &plan.objective, &variant),
                    cases[i].probe_s * 1e9, 1);
        assert_int_equal(variant.plan.calls, cases[i].probe_calls);
        assert_near(variant.plan.load_request.rate, cases[i].rate, 0);
    }
}

TEST_CASE_WITH(too_few_calls_for_a_rate, set_up, NULL)
{
    assert_int_equal(experiment_check_full_rate(&plan, 1000, &error), 0);
    assert_int_equal(experiment_check_full_rate(&plan, 0, &error), -ETIMEDOUT);
    assert_non_null(strstr(error.text, "in 0.6 s"));
    variant.plan.calls = 50;
    assert_all((experiment_check_full_rate(&plan, 1000, &error), 0),
               (experiment_check_full_rate(&plan, 0, &error), -EINVAL), (error.kind, ERROR_USAGE),
               (strstr(error.text, "50 calls")));
}

/* A late sender leaves the answer open only if its lateness may be the reason for a failure. */
TEST_CASE(answers)
{
    static const struct objective objective = {OBJECTIVE_QUANTILE, 0.99, 1000};
    static const struct {
        struct cell_unit unit;
        enum objective_answer answer;
    } cases[] = {
        {{.objective_ns = 900, .reached = 1}, OBJECTIVE_HELD},
        {{.objective_ns = 1100, .reached = 1}, OBJECTIVE_FAILED},
        {{.objective_ns = 900, .reached = 1, .sender_late = true, .late_ns = 500}, OBJECTIVE_HELD},
        {{.objective_ns = 1100, .reached = 1, .sender_late = true, .late_ns = 60},
         OBJECTIVE_NO_ANSWER},
        {{.objective_ns = 1100, .reached = 1, .sender_late = true, .late_ns = 40},
         OBJECTIVE_FAILED},
        {{.objective_ns = 900, .reached = 0.5}, OBJECTIVE_FAILED},
        {{.objective_ns = 900, .reached = 1, .unanswered = true}, OBJECTIVE_NO_ANSWER},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(experiment_answer(&objective, &cases[i].unit), cases[i].answer);
}

/* A unit with a wrong depth or size is refused. (test_plan.c has other wrong loads.) */
TEST_CASE_WITH(refused, set_up, NULL)
{
    assert_all((make(0, 65537, 0, 0), -EINVAL), (strstr(error.text, "65536")),
               (make(0, 0, 17 << 20, 0), -EINVAL), (strstr(error.text, "--size")));
    variant.plan.files = 1;
    variant.plan.file_size = 8192;
    assert_all((make(0, 0, 5000, 0), -EINVAL), (strstr(error.text, "multiple of --size")),
               (error.kind, ERROR_USAGE));
}

/* Each series is either in the result or has a divisor. Only series of the result may be counted by
 * the ledger or awaited by the run. The ledger counts every op, but not the control. A series whose
 * calls are in a mix's blocks is an op and is not awaited. */
TEST_CASE(roles)
{
    for (unsigned i = 0; i < SERIES_ROLES; i++) {
        const struct series_role_type *role = &series_roles[i];

        assert_true(role->in_result == !role->divisor);
        assert_true(role->in_result || !(role->counted || role->awaited || role->is_op));
        assert_true(!role->in_mix || (role->is_op && !role->awaited));
        assert_true(!role->is_op || role->counted);
    }
    assert_false(series_roles[SERIES_CONTROL].counted);
}
