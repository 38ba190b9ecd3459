/* Merging the results of several launches: sums, means, estimates over launches, the plan of
 * further launches, the verdict, and launches in unusual states. */
#include "output/merge/result_merge.h"
#include "test.h"

enum { LAUNCHES = 3, ROUNDS = 2, OPS = 3 };

struct sample {
    struct histogram histogram[OPS];
    double blocks[OPS][ROUNDS];
    struct result_op ops[OPS];
    struct result_error error;
    struct ledger_entry ledger;
    struct result_model model;
    struct result result;
};

static struct sample samples[LAUNCHES];

/* Make launch N, whose GETATTR costs COST ns. Each op's histogram has a call of 1000 ns, and one of
 * 5000 x (N + 1) ns. */
static void make_launch(size_t n, double cost)
{
    static const char *const names[OPS] = {"null", "null_control", "getattr"};
    static const enum result_role roles[OPS] = {RESULT_NULL, RESULT_NULL_CONTROL, RESULT_OP};
    struct sample *sample = &samples[n];
    struct result *result = &sample->result;

    *sample = (struct sample){.error = {"NFS3ERR_STALE", n}};
    for (size_t i = 0; i < OPS; i++) {
        struct result_op *op = &sample->ops[i];

        histogram_record(&sample->histogram[i], 1000);
        histogram_record(&sample->histogram[i], 5000 * (double)(n + 1));
        sample->blocks[i][0] = sample->blocks[i][1] = 1000 + (double)n;
        *op = (struct result_op){.op = names[i],
                                 .role = roles[i],
                                 .baseline = i ? &sample->ops[0] : NULL,
                                 .calls = 100,
                                 .timed = 2,
                                 .errors = &sample->error,
                                 .error_count = n > 0,
                                 .histogram = &sample->histogram[i],
                                 .latency = result_latency_of(&sample->histogram[i]),
                                 .blocks = sample->blocks[i],
                                 .rate_per_s = 1000 * (double)(n + 1),
                                 .client = &sample->ledger,
                                 .server = &sample->ledger,
                                 .has_above_null = i > 0};
        op->above_null.cost =
            (struct interval){i == 2 ? cost : 1, i == 2 ? cost - 1 : -2, i == 2 ? cost + 1 : 2};
        op->above_null.mean_difference = cost;
    }
    sample->model.call_misfit_ns = n == 1 ? 7 : 5;
    for (size_t i = 0; i < COUNTERS; i++)
        sample->ledger.values[i] = i == 0 && n == 0 ? NAN : (double)n;
    *result = (struct result){.ops = sample->ops,
                              .op_count = OPS,
                              .null_calls = &sample->ops[0],
                              .null_control = &sample->ops[1],
                              .rounds = {.done = ROUNDS, .planned = ROUNDS},
                              .config.precision = {.ns = 10},
                              .model = &sample->model,
                              .host.tsc_hz = 2e9};
    assert_int_equal(result_add_launch(result), 0);
    result->launches[0].server = (unsigned)n;
    result->launches[0].rounds_ns = 2000000000;
    result->launches[0].process_ns = 2500000000;
    result->launches[0].server_start_ns = 100000000;
}

static struct result merged;

static int set_up(void **state)
{
    for (size_t i = 0; i < LAUNCHES; i++)
        make_launch(i, 100 + 10 * (double)i);
    return 0;
}

static int tear_down(void **state)
{
    result_free(&merged);
    for (size_t i = 0; i < LAUNCHES; i++)
        result_free(&samples[i].result);
    return 0;
}

static int merge_first(size_t count)
{
    struct result results[LAUNCHES];
    struct error error;

    for (size_t i = 0; i < LAUNCHES; i++)
        results[i] = samples[i].result;
    return result_merge(&merged, results, count, 5, &error);
}

/* Merge all launches. Returns the result of GETATTR. */
static const struct result_op *merge(void)
{
    assert_int_equal(merge_first(LAUNCHES), 0);
    return result_find(&merged, "getattr");
}

TEST_CASE_WITH(counts_are_summed, set_up, tear_down)
{
    const struct result_op *op = merge();

    assert_all((op->calls, 300), (op->histogram->count, 6),
               (op->latency.mean, (3 * 1000 + 5000 + 10000 + 15000) / 6.0, 1e-6),
               (op->latency.maximum, 15000, 0), (op->error_count, 1), (op->errors[0].count, 3),
               (op->rate_per_s, 2000, 1e-9), (merged.rounds.done, LAUNCHES * ROUNDS),
               (op->blocks[0], 1000, 0), (op->blocks[5], 1002, 0),
               (merged.model->call_misfit_ns, 7, 0));
    assert_ptr_equal(op->baseline, merged.null_calls);
}

TEST_CASE_WITH(costs_are_estimated_over_launches, set_up, tear_down)
{
    const double student = 4.302652729911275, deviation = 10; /* t for two degrees of freedom */
    const struct result_op *op = merge();

    assert_all((op->above_null.cost.estimate, 110, 1e-9),
               (op->above_null.cost.high, 110 + student * deviation / sqrt(3), 0.01),
               (op->above_null.tsc_cycles, 220, 1e-6), (op->has_spread), (op->levels.groups, 1),
               (result_scope(&merged), LAUNCHES_PROGRAM), (merged.launch_count, LAUNCHES),
               (merged.launches_planned, 5));
}

/* If the run was interrupted after the first launch, the estimates are those of this launch. The
 * p99 cost then has no interval, because this interval needs several launches. */
TEST_CASE_WITH(a_single_launch_keeps_its_intervals, set_up, tear_down)
{
    const struct result_cost *above;

    samples[0].ops[2].above_null.p99 = (struct interval){50, NAN, NAN};
    assert_int_equal(merge_first(1), 0);
    above = &result_find(&merged, "getattr")->above_null;
    assert_all((above->cost.low, 99, 1e-9), (above->cost.high, 101, 1e-9),
               (above->p99.estimate, 50, 1e-9), (isnan(above->p99.low)));
}

/* Split the cost of GETATTR in launch I: BYTES + I ns are caused by its bytes. In launch 0, this
 * part is -1 ns instead, and its interval is below 0, as by chance. */
static void make_parts(double bytes)
{
    for (size_t i = 0; i < LAUNCHES; i++) {
        struct result_op *op = &samples[i].ops[2];
        double own = i == 0 ? -1 : bytes + (double)i;

        op->has_split = true;
        op->split.bytes = (struct interval){own, own - 0.5, own + 0.5};
        op->split.pause = (struct interval){1, 0, 2};
        op->split.server = (struct interval){109 - own, 100, 120};
    }
}

TEST_CASE_WITH(a_model_may_fail_in_a_launch, set_up, tear_down)
{
    const struct result_op *op;

    make_parts(5);
    op = merge();
    assert_string_equal(result_impossible_part(&samples[0].ops[2], NULL), "bytes");
    assert_all((!result_has_parts(&samples[0].ops[2])), (result_has_parts(&samples[1].ops[2])),
               (result_has_parts(op)), (op->split.bytes.estimate, 4, 1e-9));
}

TEST_CASE_WITH(a_model_that_fails_is_doubted, set_up, tear_down)
{
    bool found = false;

    make_parts(-1000);
    samples[0].ops[2].split.bytes = (struct interval){-1003, -1004, -1002};
    assert_false(result_has_parts(merge()));
    for (size_t i = 0; i < merged.validity.count; i++)
        found |= merged.validity.reasons[i].reason == REASON_MODEL_FAILED;
    assert_true(found);
}

/* Computed by hand: a round takes 1 s, a client 0.5 s in addition to its rounds, and a server 0.1
 * s. */
TEST_CASE_WITH(times_and_plan, set_up, tear_down)
{
    const struct result_op *op = merge();
    struct launches_times times;

    assert_all((result_launch_times(&merged, &times)), (times.round, 1, 1e-9),
               (times.client, 0.5, 1e-9), (times.server, 0.1, 1e-9), (op->has_plan),
               (op->plan.half_width_ns, 5, 0), (op->plan.launches.clients, 1));
    assert_in_range(op->plan.launches.servers, 15, 25); /* n = 16: 2 x 10 / sqrt(n) is 5 */
    assert_all((op->plan.rounds_seconds, (double)op->plan.launches.rounds, 1e-9),
               (result_longest_plan(&merged) == &op->plan), (!merged.ops[0].has_plan));
    merged.launches[1].process_ns = 0; /* missing in an older file */
    assert_false(result_launch_times(&merged, &times));
}

TEST_CASE_WITH(the_ledger_is_the_mean_of_what_is_known, set_up, tear_down)
{
    const struct result_op *op = merge();

    assert_all((op->client->values[0], 1.5, 1e-9), (op->client->values[1], 1, 1e-9));
}

static void doubt(size_t n, enum reason reason, enum verdict verdict)
{
    struct validity *validity = &samples[n].result.validity;
    validity_add_reason(validity, verdict, reason, "so it was");
}

TEST_CASE_WITH(the_verdict_is_the_worst_and_names_the_launches, set_up, tear_down)
{
    const struct validity *validity = &merged.validity;

    /* TOO_FEW_ROUNDS is not merged, but judged for all launches together. */
    doubt(0, REASON_TOO_FEW_ROUNDS, VERDICT_SUSPECT);
    doubt(0, REASON_DRIFT, VERDICT_SUSPECT);
    doubt(2, REASON_DRIFT, VERDICT_INVALID);
    merge();
    assert_all((validity->verdict, VERDICT_INVALID), (validity->count, 2),
               (validity->reasons[0].name, "too-few-rounds"), (validity->reasons[1].name, "drift"),
               (validity->reasons[1].text, "launches 1 and 3: so it was"));
}

TEST_CASE_WITH(launches_in_several_states_are_doubted, set_up, tear_down)
{
    struct regime levels[LAUNCHES] = {{40, 15000}, {40, 15900}, {40, 15300}};

    for (size_t i = 0; i < LAUNCHES; i++) {
        samples[i].result.regimes = &levels[i];
        samples[i].result.regime_count = 1;
    }
    merge();
    assert_all((merged.regime_count, LAUNCHES), (merged.regimes[1].level, 15900, 0),
               (!validity_find(&merged.validity, REASON_MACHINE_CHANGED_STATE)));
    result_free(&merged);
    levels[1].level = 20000;
    merge();
    assert_non_null(validity_find(&merged.validity, REASON_MACHINE_CHANGED_STATE));
    result_free(&merged);
    levels[1].rounds = REGIMES_SHORTEST - 1; /* too few rounds for a state */
    merge();
    assert_null(validity_find(&merged.validity, REASON_MACHINE_CHANGED_STATE));
}

/* Check that launch I, whose echo takes ECHOES[I] us (NAN: unknown), is found to be in an unusual
 * state and left out if OTHERS[I], and is used otherwise. */
static void assert_states(const double echoes[5], const bool others[5])
{
    struct result_op nulls[5];
    struct result_launch launches[5], *list[5];
    const struct result result = {.launches = launches, .launch_count = 5};
    struct launch estimates[5];
    size_t usual = 0;

    for (size_t i = 0; i < 5; i++) {
        nulls[i] = (struct result_op){.op = "null",
                                      .role = RESULT_NULL,
                                      .has_echo = !isnan(echoes[i]),
                                      .echo = {echoes[i], echoes[i], echoes[i]},
                                      .round_trip = {10, 10, 10}};
        launches[i] = (struct result_launch){.ops = &nulls[i], .op_count = 1};
        list[i] = &launches[i];
        usual += !others[i];
    }
    result_find_other_states(list, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(launches[i].other_state, others[i]);
    assert_int_equal(result_launches_of(&result, "null", RESULT_ROUND_TRIP, estimates), usual);
}

TEST_CASE(launches_in_another_state_are_left_out)
{
    assert_states((double[]){9.5, 9.6, 27, 9.4, 10.3}, (bool[]){0, 0, 1, 0, 0});
    assert_states((double[]){9.5, 9.6, 8, 27, 9.7}, (bool[]){0, 0, 1, 1, 0});
    assert_states((double[]){9.5, 9.6, 15, 27, 28}, (bool[]){0, 0, 0, 0, 0}); /* no usual state */
    assert_states((double[]){9.5, 9.6, 27, NAN, 9.7}, (bool[]){0, 0, 0, 0, 0});
}

/* READ failed in the second launch, and is not in its result. */
TEST_CASE_WITH(what_a_launch_lacks_is_left_out, set_up, tear_down)
{
    static struct result_skipped failed = {"read", "NFS3ERR_IO"};
    static struct result_op more[LAUNCHES][OPS + 1];

    for (size_t i = 0; i < LAUNCHES; i += 2) {
        memcpy(more[i], samples[i].ops, sizeof samples[i].ops);
        more[i][OPS] = more[i][OPS - 1];
        more[i][OPS - 1].op = "read";
        samples[i].result.ops = more[i];
        samples[i].result.op_count = OPS + 1;
    }
    samples[1].result.skipped = &failed;
    samples[1].result.skipped_count = 1;
    merge();
    assert_all((merged.op_count, OPS), (merged.ops[OPS - 1].op, "getattr"),
               (merged.ops[OPS - 1].calls, 300),
               (merged.ops[OPS - 1].baseline == merged.null_calls), (merged.skipped_count, 1),
               (merged.skipped[0].op, "read"), (merged.skipped[0].reason, "launch 2: NFS3ERR_IO"));
}

TEST_CASE_WITH(nothing_in_common_is_refused, set_up, tear_down)
{
    samples[1].ops[2].op = "read";
    assert_int_not_equal(merge_first(2), 0);
}
