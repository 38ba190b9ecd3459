/* The trials of a sweep: the base plan with a point's values, and what follows from them; and the
 * roles of a run's series. */
#include "test.h"

#include "common/cpu.h"
#include "run/series.h"
#include "run/sweep.h"

static struct sweep_plan plan;
static struct run_plan trial;
static struct error error;

static int set_up(void **state)
{
    plan = (struct sweep_plan){.base = {.engine = engine_find("wire"),
                                        .ops = {nfs_procedure_find("read")},
                                        .op_count = 1,
                                        .read_size = 4096,
                                        .seed = 7,
                                        .maximum_ns = 1,
                                        .precision = {.share = 0.01}},
                               .trial_ns = UINT64_C(2000000000)};
    return 0;
}

static int make(double clients, double depth, double size, double rate)
{
    const double values[SWEEP_PARAMETERS] = {
        [SWEEP_CLIENTS] = clients, [SWEEP_DEPTH] = depth, [SWEEP_SIZE] = size, [SWEEP_RATE] = rate};

    return sweep_plan_trial(&plan, values, 99, &trial, &error);
}

TEST_CASE_WITH(values, set_up, NULL)
{
    assert_int_equal(make(3, 16, 8192, 0), 0);
    assert_int_equal(trial.load.clients, 3);
    assert_int_equal(trial.load.depth, 16);
    assert_int_equal(trial.read_size, 8192);
    assert_near(trial.load.rate, 0, 0);
    assert_int_equal(trial.seed, 99);
    assert_int_equal(trial.load.seed, 99);
    assert_true(trial.quiet && trial.no_model && trial.no_ledger);
    assert_false(trial.no_baseline);
    assert_int_equal(plan.base.seed, 7); /* which is unchanged */
    plan.base.load_request.clients = 5;
    assert_int_equal(make(0, 0, 0, 0), 0); /* no value is the base's */
    assert_int_equal(trial.load.clients, 5);
    assert_int_equal(trial.read_size, 4096);
}

/* What follows from a value is derived in each trial, and not taken from the previous one. */
TEST_CASE_WITH(what_follows, set_up, NULL)
{
    assert_int_equal(make(1000, 0, 0, 0), 0);
    assert_int_equal(trial.load.threads, cpu_allowed_count());
    assert_int_equal(make(1, 0, 0, 0), 0);
    assert_int_equal(trial.load.threads, 1);
    assert_int_equal(trial.load.depth, 1);
    assert_int_equal(make(0, 0, 0, 1000), 0);
    assert_int_equal(trial.load.depth, 1024); /* no call waits for another */
    plan.base.files = 4;
    assert_int_equal(make(0, 0, 1 << 20, 0), 0);
    assert_int_equal(run_plan_file_size(&trial), 1 << 20);
    assert_int_equal(make(0, 0, 3000, 0), 0);
    assert_int_equal(run_plan_file_size(&trial) % 3000, 0);
}

TEST_CASE_WITH(length, set_up, NULL)
{
    assert_int_equal(make(0, 0, 0, 1000), 0);
    assert_int_equal(trial.maximum_ns, plan.trial_ns);
    assert_near(trial.precision.share, 0, 0);
    assert_int_equal(trial.block, 100); /* a twentieth of the time */
    plan.ranges[SWEEP_RATE] = (struct sweep_range){.values = {1000}, .count = 1};
    assert_int_equal(make(0, 0, 0, 1000), 0);
    assert_true(trial.no_baseline); /* at a given rate there are no null calls */
    plan.base.block = 30;
    assert_int_equal(make(0, 0, 0, 1000), 0);
    assert_int_equal(trial.block, 30);
    plan.base.calls = 500;
    assert_int_equal(make(0, 0, 0, 0), 0);
    assert_int_equal(trial.calls, 500);
    assert_int_equal(trial.maximum_ns, 1);
}

/* Half a second at 100 calls a second would be 50 calls. */
TEST_CASE_WITH(probes_have_calls, set_up, NULL)
{
    static const struct {
        double quantile, trial_s, rate;
        uint64_t calls;
        double probe_s;
        uint64_t probe_calls;
    } cases[] = {{0.99, 2, 100000, 0, 2, 0},  {0.99, 2, 400, 0, 2.75, 0},
                 {0.99, 2, 20, 0, 5, 0},      {0.999, 2, 4000, 0, 2.75, 0},
                 {0.999, 9, 20, 0, 9, 0},     {0.999, 9, 100, 150, 9, 150},
                 {0.999, 9, 20, 150, 9, 100}, /* of 5 seconds */
                 {0.999, 9, 0.1, 150, 9, 1}};
    static struct sweep_plan probe;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        plan.objective = (struct objective){OBJECTIVE_QUANTILE, cases[i].quantile, 1000000};
        plan.trial_ns = (uint64_t)(cases[i].trial_s * 1e9);
        plan.base.calls = cases[i].calls;
        find_max_plan(&plan, cases[i].rate, &probe);
        assert_near((double)probe.trial_ns, cases[i].probe_s * 1e9, 1);
        assert_int_equal(probe.base.calls, cases[i].probe_calls);
    }
}

/* Without a closed loop's rate, no rate can be a share of it. */
TEST_CASE_WITH(too_few_calls_for_a_rate, set_up, NULL)
{
    assert_int_equal(sweep_check_full_rate(&plan, 1000, &error), 0);
    assert_int_equal(sweep_check_full_rate(&plan, 0, &error), -ETIMEDOUT);
    assert_non_null(strstr(error.text, "in 2 s"));
    plan.base.calls = 50;
    assert_int_equal(sweep_check_full_rate(&plan, 1000, &error), 0);
    assert_int_equal(sweep_check_full_rate(&plan, 0, &error), -EINVAL);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_non_null(strstr(error.text, "50 calls"));
}

/* A late sender leaves the answer open only where it may be what kept the objective from being met.
 */
TEST_CASE(answers)
{
    static const struct objective objective = {OBJECTIVE_QUANTILE, 0.99, 1000};
    static const struct {
        struct trial trial;
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
        assert_int_equal(find_max_answer(&objective, &cases[i].trial), cases[i].answer);
}

/* What is wrong with a load: test_plan.c. */
TEST_CASE_WITH(refused, set_up, NULL)
{
    assert_int_equal(make(0, 65537, 0, 0), -EINVAL);
    assert_non_null(strstr(error.text, "65536"));
    assert_int_equal(make(0, 0, 17 << 20, 0), -EINVAL);
    assert_non_null(strstr(error.text, "--size"));
    plan.base.files = 1;
    plan.base.file_size = 8192;
    assert_int_equal(make(0, 0, 5000, 0), -EINVAL);
    assert_non_null(strstr(error.text, "multiple of --size"));
    assert_int_equal(error.kind, ERROR_USAGE);
}

TEST_CASE_WITH(where_size_applies, set_up, NULL)
{
    assert_true(sweep_parameters[SWEEP_SIZE].applies(&plan.base));
    plan.base.ops[0] = nfs_procedure_find("getattr");
    assert_false(sweep_parameters[SWEEP_SIZE].applies(&plan.base));
    for (unsigned i = 0; i < SWEEP_PARAMETERS; i++)
        assert_true(sweep_parameters[i].name && sweep_parameters[i].unit);
}

/* A series belongs to the result or to the model; the ledger counts the result's series, and a run
 * waits for them. */
TEST_CASE(roles)
{
    for (unsigned i = 0; i < SERIES_ROLES; i++) {
        const struct series_role_type *role = &series_roles[i];

        assert_true(role->in_result != role->of_model);
        assert_true(role->in_result || !(role->counted || role->awaited || role->is_op));
        assert_true(!role->in_mix || (role->is_op && !role->awaited));
        assert_true(!role->is_op || role->counted);
    }
    assert_false(series_roles[SERIES_CONTROL].counted);
}
