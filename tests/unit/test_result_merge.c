/* Merging the results of several launches: sums, means, estimates over launches, and the verdict.
 */
#include <math.h>
#include <string.h>

#include "output/result_merge.h"
#include "test.h"

enum { LAUNCHES = 3, ROUNDS = 2, OPS = 3 };

struct sample {
    struct histogram histogram[OPS];
    double blocks[OPS][ROUNDS];
    struct result_op ops[OPS];
    struct result_error error;
    struct ledger_entry ledger;
    struct result result;
};

static struct sample samples[LAUNCHES];

/* Launch N: its GETATTR costs COST; its calls take 1000 ns, except one that takes 5000 x (N + 1).
 */
static void make(size_t n, double cost)
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
    for (size_t i = 0; i < COUNTERS; i++)
        sample->ledger.values[i] = i == 0 && n == 0 ? NAN : (double)n;
    *result = (struct result){.ops = sample->ops,
                              .op_count = OPS,
                              .null_calls = &sample->ops[0],
                              .null_control = &sample->ops[1],
                              .rounds = {.done = ROUNDS, .planned = ROUNDS},
                              .config.precision = {.ns = 10},
                              .host.tsc_hz = 2e9};
    assert_int_equal(result_add_launch(result), 0);
    result->launches[0].server = (unsigned)n;
    result->launches[0].rounds_ns = 2000000000;
    result->launches[0].process_ns = 2500000000;
    result->launches[0].server_start_ns = 100000000;
}

static void make_all(void)
{
    make(0, 100);
    make(1, 110);
    make(2, 120);
}

static void merge(struct result *merged)
{
    struct result results[LAUNCHES];
    struct error error;

    for (size_t i = 0; i < LAUNCHES; i++)
        results[i] = samples[i].result;
    assert_int_equal(result_merge(merged, results, LAUNCHES, 5, &error), 0);
}

static void free_all(struct result *merged)
{
    result_free(merged);
    for (size_t i = 0; i < LAUNCHES; i++)
        result_free(&samples[i].result);
}

TEST_CASE(counts_are_summed)
{
    struct result merged;
    const struct result_op *op;

    make_all();
    merge(&merged);
    op = result_find(&merged, "getattr");
    assert_int_equal(op->calls, 300);
    assert_int_equal(op->histogram->count, 6);
    assert_near(op->latency.mean, (3 * 1000 + 5000 + 10000 + 15000) / 6.0, 1e-6);
    assert_near(op->latency.maximum, 15000, 0);
    assert_int_equal(op->error_count, 1);
    assert_int_equal(op->errors[0].count, 3);
    assert_near(op->rate_per_s, 2000, 1e-9);
    assert_int_equal(merged.rounds.done, LAUNCHES * ROUNDS);
    assert_near(op->blocks[0], 1000, 0);
    assert_near(op->blocks[5], 1002, 0);
    assert_ptr_equal(op->baseline, merged.null_calls);
    free_all(&merged);
}

TEST_CASE(costs_are_estimated_over_launches)
{
    const double student = 4.302652729911275, deviation = 10; /* two degrees of freedom */
    struct result merged;
    const struct result_op *op;

    make_all();
    merge(&merged);
    op = result_find(&merged, "getattr");
    assert_near(op->above_null.cost.estimate, 110, 1e-9);
    assert_near(op->above_null.cost.high, 110 + student * deviation / sqrt(3), 0.01);
    assert_near(op->above_null.tsc_cycles, 220, 1e-6);
    assert_true(op->has_spread);
    assert_int_equal(op->levels.groups, 1);
    assert_int_equal(result_scope(&merged), LAUNCHES_PROGRAM);
    assert_int_equal(merged.launch_count, LAUNCHES);
    assert_int_equal(merged.launches_planned, 5);
    free_all(&merged);
}

/* By hand: a round takes 1 s, a client 0.5 s beside its rounds, a server 0.1 s. */
TEST_CASE(times_and_plan)
{
    struct launches_times times;
    struct result merged;
    const struct result_op *op;

    make_all();
    merge(&merged);
    assert_true(result_launch_times(&merged, &times));
    assert_near(times.round, 1, 1e-9);
    assert_near(times.client, 0.5, 1e-9);
    assert_near(times.server, 0.1, 1e-9);
    op = result_find(&merged, "getattr");
    assert_true(op->has_plan);
    assert_near(op->plan.half_width_ns, 5, 0);
    assert_int_equal(op->plan.launches.clients, 1);
    assert_in_range(op->plan.launches.servers, 15, 25); /* 2 x 10 / sqrt(n) is 5 */
    assert_near(op->plan.rounds_seconds, (double)op->plan.launches.rounds, 1e-9);
    assert_ptr_equal(result_longest_plan(&merged), &op->plan);
    assert_false(merged.ops[0].has_plan);
    merged.launches[1].process_ns = 0; /* an older file */
    assert_false(result_launch_times(&merged, &times));
    free_all(&merged);
}

TEST_CASE(the_ledger_is_the_mean_of_what_is_known)
{
    struct result merged;
    const struct result_op *op;

    make_all();
    merge(&merged);
    op = result_find(&merged, "getattr");
    assert_near(op->client->values[0], 1.5, 1e-9);
    assert_near(op->client->values[1], 1, 1e-9);
    free_all(&merged);
}

static void doubt(size_t n, const char *name, enum verdict verdict)
{
    struct validity *validity = &samples[n].result.validity;
    struct validity_reason *reason = &validity->reasons[validity->count++];

    *reason = (struct validity_reason){.name = name, .verdict = verdict};
    strcpy(reason->text, "so it was");
    validity->verdict = verdict;
}

TEST_CASE(the_verdict_is_the_worst_and_names_the_launches)
{
    struct result merged;
    const struct validity *validity = &merged.validity;

    make_all();
    doubt(0, "too-few-rounds", VERDICT_SUSPECT); /* judged for all launches together */
    doubt(0, "drift", VERDICT_SUSPECT);
    doubt(2, "drift", VERDICT_INVALID);
    merge(&merged);
    assert_int_equal(validity->verdict, VERDICT_INVALID);
    assert_int_equal(validity->count, 2);
    assert_string_equal(validity->reasons[0].name, "too-few-rounds");
    assert_string_equal(validity->reasons[1].name, "drift");
    assert_string_equal(validity->reasons[1].text, "launches 1 and 3: so it was");
    free_all(&merged);
}

/* READ failed in the second launch, and is not in its result. */
TEST_CASE(what_a_launch_lacks_is_left_out)
{
    struct result_skipped failed = {"read", "NFS3ERR_IO"};
    struct result_op more[LAUNCHES][OPS + 1];
    struct result merged;

    make_all();
    for (size_t i = 0; i < LAUNCHES; i += 2) {
        memcpy(more[i], samples[i].ops, sizeof samples[i].ops);
        more[i][OPS] = more[i][OPS - 1];
        more[i][OPS - 1].op = "read";
        samples[i].result.ops = more[i];
        samples[i].result.op_count = OPS + 1;
    }
    samples[1].result.skipped = &failed;
    samples[1].result.skipped_count = 1;
    merge(&merged);
    assert_int_equal(merged.op_count, OPS);
    assert_string_equal(merged.ops[OPS - 1].op, "getattr");
    assert_int_equal(merged.ops[OPS - 1].calls, 300);
    assert_ptr_equal(merged.ops[OPS - 1].baseline, merged.null_calls);
    assert_int_equal(merged.skipped_count, 1);
    assert_string_equal(merged.skipped[0].op, "read");
    assert_string_equal(merged.skipped[0].reason, "launch 2: NFS3ERR_IO");
    free_all(&merged);
}

TEST_CASE(nothing_in_common_is_refused)
{
    struct result merged, results[2];
    struct error error;

    make_all();
    samples[1].ops[2].op = "read";
    results[0] = samples[0].result;
    results[1] = samples[1].result;
    assert_int_not_equal(result_merge(&merged, results, 2, 2, &error), 0);
    free_all(&merged);
}
