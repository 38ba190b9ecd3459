/* Merging results of ranks: no data are lost or counted twice. All ranks agree on a deadline. */
#include "test.h"

#include "mpi/ranks_agree.h"
#include "mpi/ranks_merge.h"

enum { SERIES = 3, GETATTR = 2, CLIENTS = 2, ROUNDS_OF_FIRST = 4, CALLS = 100 };

/* Measured data and a result of one rank, with invented values. */
struct fake {
    struct run_plan plan;
    struct readings readings;
    struct channel_trailing trailing;
    struct engine_tally tally;
    struct rounds rounds;
    struct series samples[SERIES];
    struct load_series of_load[SERIES];
    struct measured_series series[SERIES];
    struct measured measured;
    struct result result;
    struct result_op ops[SERIES];
    struct result_load loads[SERIES];
    struct result_client clients[CLIENTS];
    struct timeline_point points[2];
    struct result_error error;
    struct result_slow_call slowest[ROUNDS_SLOWEST];
    struct result_stall stall;
};

static void fake_series(struct fake *fake, size_t index, unsigned rank, size_t rounds)
{
    static const char *const names[SERIES] = {"null", "null_control", "getattr"};
    static const enum series_role roles[SERIES] = {SERIES_NULL, SERIES_CONTROL, SERIES_OP};
    struct series *series = &fake->samples[index];

    for (size_t s = 0; s < BLOCK_STATISTICS; s++) {
        series->blocks[s] = calloc(rounds, sizeof(double));
        for (size_t round = 0; round < rounds; round++)
            series->blocks[s][round] = (double)(1000 * rank + 10 * s + round);
    }
    for (size_t i = 0; i < CALLS; i++)
        histogram_record(&series->histogram, (double)(50 * (rank + 1) + i));
    series->calls = CALLS;
    histogram_record(&fake->of_load[index].service, 10 * (rank + 1));
    fake->series[index] = (struct measured_series){.role = roles[index],
                                                   .name = names[index],
                                                   .procedure = nfs_procedure_find("getattr"),
                                                   .baseline = index ? fake->series : NULL,
                                                   .samples = series,
                                                   .tally = &fake->tally,
                                                   .load = &fake->of_load[index]};
}

static void fake_op(struct fake *fake, size_t index, unsigned rank)
{
    static const enum result_role roles[SERIES] = {RESULT_NULL, RESULT_NULL_CONTROL, RESULT_OP};
    const struct series *series = &fake->samples[index];

    fake->loads[index] = (struct result_load){.in_flight = 2,
                                              .clients = fake->clients,
                                              .client_count = CLIENTS,
                                              .open_loop = true,
                                              .timeline = fake->points,
                                              .timeline_count = 2};
    fake->ops[index] = (struct result_op){.op = fake->series[index].name,
                                          .role = roles[index],
                                          .baseline = index ? fake->ops : NULL,
                                          .calls = series->calls,
                                          .timed = series->histogram.count,
                                          .elapsed_ns = 1000 * (rank + 1),
                                          .failed = rank + 1,
                                          .errors = &fake->error,
                                          .error_count = 1,
                                          .latency = result_latency_of(&series->histogram),
                                          .histogram = &series->histogram,
                                          .blocks = series->blocks[BLOCK_TRIMMED_MEAN],
                                          .rate_per_s = 1000 * (rank + 1),
                                          .load = &fake->loads[index],
                                          .slowest = fake->slowest,
                                          .slowest_count = ROUNDS_SLOWEST};
}

static void fake_result(struct fake *fake, unsigned rank)
{
    fake->error = (struct result_error){"NFS3ERR_STALE", rank + 1};
    fake->clients[0] = (struct result_client){.calls = CALLS / 4, .mean_ns = 40};
    fake->clients[1] = (struct result_client){.calls = 3 * CALLS / 4, .mean_ns = 40};
    /* step 7 of the timeline is the only step that both ranks have */
    fake->points[rank == 0 ? 1 : 0] =
        (struct timeline_point){.step = 7, .calls = 10 * (rank + 1), .active_ns = 60, .p50 = rank};
    fake->points[rank == 0 ? 0 : 1] =
        (struct timeline_point){.step = rank == 0 ? 3 : 9, .calls = 5, .active_ns = 40};
    for (size_t i = 0; i < ROUNDS_SLOWEST; i++)
        fake->slowest[i] =
            (struct result_slow_call){.ns = (double)(1000 - 10 * i + rank), .round = 1};
    for (size_t i = 0; i < SERIES; i++)
        fake_op(fake, i, rank);
    fake->stall = (struct result_stall){.length_s = 2, .calls = 1, .series = "getattr"};
    fake->result = (struct result){
        .host = {.name = rank ? "beta" : "alpha", .tsc_hz = 1e9},
        .config.client_cpus = "0",
        .config.load = {.clients = CLIENTS, .ranks = 2, .threads = rank + 1, .rate = 500},
        .client_cpu_share = 0.25,
        .rounds = {.done = fake->rounds.done, .planned = ROUNDS_OF_FIRST},
        .ops = fake->ops,
        .op_count = SERIES,
        .null_calls = &fake->ops[0],
        .null_control = &fake->ops[1],
        .stalls = &fake->stall,
        .stall_count = rank};
    for (size_t i = 0; i < COUNTERS; i++)
        fake->result.usage[i] = 10 * (rank + 1);
    assert_int_equal(result_add_launch(&fake->result), 0);
}

static struct fake *fake_open(unsigned rank, size_t rounds)
{
    struct fake *fake = calloc(1, sizeof *fake);

    fake->plan.no_warmup = fake->plan.no_model = true;
    fake->rounds.done = rounds;
    fake->measured = (struct measured){.plan = &fake->plan,
                                       .rounds = &fake->rounds,
                                       .is_shared = true,
                                       .series = fake->series,
                                       .count = SERIES,
                                       .readings = &fake->readings,
                                       .trailing = &fake->trailing};
    for (size_t i = 0; i < SERIES; i++)
        fake_series(fake, i, rank, rounds);
    fake_result(fake, rank);
    return fake;
}

static void fake_close(struct fake *fake)
{
    for (size_t i = 0; i < SERIES; i++)
        for (size_t s = 0; s < BLOCK_STATISTICS; s++)
            free(fake->samples[i].blocks[s]);
    result_free(&fake->result);
    free(fake);
}

/* Data of two ranks. Rank 1 has completed one round less than rank 0. */
static struct two {
    struct fake *fakes[2];
    struct ranks_message messages[2];
    struct ranks_merged merged;
    struct error error;
} two;

static void write_part(size_t rank)
{
    free(two.messages[rank].data);
    two.messages[rank] = rank_part_write(&two.fakes[rank]->measured, &two.fakes[rank]->result);
    assert_non_null(two.messages[rank].data);
}

static int set_up(void **state)
{
    for (unsigned i = 0; i < 2; i++) {
        two.fakes[i] = fake_open(i, ROUNDS_OF_FIRST - i);
        write_part(i);
    }
    return 0;
}

static int tear_down(void **state)
{
    ranks_merged_free(&two.merged);
    for (size_t i = 0; i < 2; i++) {
        fake_close(two.fakes[i]);
        free(two.messages[i].data);
    }
    two = (struct two){.merged.count = 0};
    return 0;
}

static const struct result *merge_parts(void)
{
    int code = ranks_merge(&two.merged, &two.fakes[0]->measured, two.messages, 2, &two.error);

    if (code)
        fail_msg("%d: %s", code, two.error.text);
    return &two.merged.outcome.result;
}

TEST_CASE_WITH(calls_and_errors_are_added, set_up, tear_down)
{
    const struct result *result = merge_parts();

    assert_int_equal(result->op_count, SERIES);
    for (size_t i = 0; i < SERIES; i++) {
        const struct result_op *op = &result->ops[i];

        assert_all((op->calls, 2 * CALLS), (op->timed, 2 * CALLS),
                   (op->histogram->count, 2 * CALLS), (op->latency.minimum, 50, 1e-9),
                   (op->latency.maximum, 199, 1e-9), (op->latency.mean, 124.5, 1e-9),
                   (op->failed, 3), (op->error_count, 1), (op->errors[0].count, 3),
                   (op->rate_per_s, 3000, 1e-9), (op->elapsed_ns, 1500),
                   (two.merged.measured.series[i].samples->histogram.count, 2 * CALLS));
        assert_int_equal(two.fakes[0]->samples[i].histogram.count, CALLS); /* input is unchanged */
    }
    assert_all((result->usage[COUNTER_CPU_NS], 15, 1e-9), (result->client_cpu_share, 0.5, 1e-9),
               (result->launch_count, 1));
}

TEST_CASE_WITH(rounds_are_those_of_all_and_blocks_their_mean, set_up, tear_down)
{
    const struct result *result = merge_parts();

    assert_int_equal(result->rounds.done, ROUNDS_OF_FIRST - 1);
    for (size_t s = 0; s < BLOCK_STATISTICS; s++)
        for (size_t round = 0; round < result->rounds.done; round++)
            assert_near(two.merged.measured.series[GETATTR].samples->blocks[s][round],
                        500 + 10 * (double)s + (double)round, 1e-9);
    assert_near(result->ops[GETATTR].blocks[2], 502, 1e-9);
    /* the cost is estimated anew; it is 0, because null's blocks are the same */
    assert_true(result->ops[GETATTR].has_above_null);
    assert_near(result->ops[GETATTR].above_null.cost.estimate, 0, 1e-9);
}

TEST_CASE_WITH(the_slowest_of_all_stay, set_up, tear_down)
{
    const struct result_op *op = &merge_parts()->ops[0];

    assert_int_equal(op->slowest_count, ROUNDS_SLOWEST);
    /* Ranks 1 and 0 alternate: after each call of rank 1 comes one of rank 0, 1 ns faster. */
    for (size_t i = 0; i < ROUNDS_SLOWEST; i++) {
        assert_all((op->slowest[i].rank, i % 2 == 0), (op->slowest[i].round, 1),
                   (op->slowest[i].ns, 1000 - 10 * (double)(i / 2) + (i % 2 == 0), 0));
    }
}

TEST_CASE_WITH(the_load_is_of_all_clients, set_up, tear_down)
{
    const struct result *result = merge_parts();
    const struct result_load *load = result->ops[GETATTR].load;

    assert_all((result->config.load.clients, 2 * CLIENTS), (result->config.load.threads, 3),
               (result->config.load.rate, 1000, 0), (load->in_flight, 4, 1e-9),
               (load->service.minimum, 10, 1e-9), (load->service.mean, 15, 1e-9),
               (load->service.maximum, 20, 1e-9), (load->client_count, 2 * CLIENTS),
               (load->clients[3].calls, 3 * CALLS / 4), (load->clients[3].mean_ns, 40, 1e-9));
}

TEST_CASE_WITH(timelines_meet_at_their_steps, set_up, tear_down)
{
    const struct result_load *load = merge_parts()->ops[0].load;
    static const uint64_t steps[] = {3, 7, 9}, calls[] = {5, 30, 5}, active[] = {20, 60, 20};

    assert_int_equal(load->timeline_count, COUNT_OF(steps));
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        assert_all((load->timeline[i].step, steps[i]), (load->timeline[i].calls, calls[i]),
                   (load->timeline[i].active_ns, active[i]));
    assert_near(load->timeline[1].p50, 2.0 / 3, 1e-9);
}

/* The ranks share one schedule, so their interruptions are not added up. The result is the mean. */
TEST_CASE_WITH(interruptions_are_shared, set_up, tear_down)
{
    const struct result_load *load;

    for (unsigned rank = 0; rank < 2; rank++) {
        two.fakes[rank]->loads[GETATTR].interruptions = 3;
        two.fakes[rank]->loads[GETATTR].interrupted_s = rank + 0.5;
        write_part(rank);
    }
    load = merge_parts()->ops[GETATTR].load;
    assert_int_equal(load->interruptions, 3);
    assert_near(load->interrupted_s, 1, 1e-9);
}

/* In each rank, one client makes three times the calls of the other. Rank 1 is twice as fast. */
TEST_CASE_WITH(fairness_spans_the_ranks, set_up, tear_down)
{
    const struct result *result = merge_parts();
    const double shares[] = {1, 3, 2, 6};

    assert_int_equal(result->rank_count, 2);
    assert_string_equal(result->ranks[1].host, "beta");
    assert_near(result->ranks[1].ops[GETATTR].rate_per_s, 2000, 1e-9);
    assert_near(result->ops[GETATTR].load->fairness, load_fairness(shares, COUNT_OF(shares)), 1e-9);
}

static const struct validity_reason *reason_of(const struct result *result, enum reason reason)
{
    return validity_find(&result->validity, reason);
}

/* A reason that concerns one rank's machine (steal) counts for the merged result. A reason judged
 * for all ranks (drift) does not if only one has it. Stalls of all ranks are judged together. */
TEST_CASE_WITH(reasons_of_a_machine_are_told, set_up, tear_down)
{
    struct validity *own = &two.fakes[1]->result.validity;
    const struct result *result;

    validity_add_reason(own, VERDICT_SUSPECT, REASON_DRIFT, "few");
    validity_add_reason(own, VERDICT_INVALID, REASON_STEAL, "it was taken");
    write_part(1);
    result = merge_parts();
    assert_all((!reason_of(result, REASON_DRIFT)), (result->validity.verdict, VERDICT_INVALID),
               (reason_of(result, REASON_STEAL)->text, "rank 1 (beta): it was taken"),
               (strstr(reason_of(result, REASON_UNEVEN_RANKS)->text, "had 50 %")),
               (result->stall_count, 1), (reason_of(result, REASON_STALLED)));
}

/* Tries all reasons. The merged verdict keeps a rank's reason unless it is judged for all ranks. */
TEST_CASE_WITH(every_reason_of_a_machine_is_kept, set_up, tear_down)
{
    static const enum reason kept[] = {REASON_WAITED_FOR_PROCESSOR, REASON_CORE_SHARED_BY_HOST,
                                       REASON_LATE_FRAMES, REASON_MOUNT_CHANGED, REASON_OP_FAILED};
    struct validity *own = &two.fakes[1]->result.validity;
    const struct result *result;

    for (enum reason reason = 0; reason < REASONS; reason++)
        validity_add_reason(own, VERDICT_SUSPECT, reason, "so it was");
    write_part(1);
    result = merge_parts();
    for (size_t i = 0; i < COUNT_OF(kept); i++)
        assert_non_null(reason_of(result, kept[i]));
    for (enum reason reason = 0; reason < REASONS; reason++) {
        const struct validity_reason *whole = reason_of(result, reason);

        if (!reason_has(reason, REASON_OF_ALL_RANKS))
            assert_all((whole), (whole->text, "rank 1 (beta): so it was"));
        else if (whole)
            assert_null(strstr(whole->text, "beta"));
    }
}

/* By its clock error of 20 ppm the merged result is suspect, but rank 1's reason has a worse
 * verdict, which counts. */
TEST_CASE_WITH(the_worse_of_a_rank_and_the_whole_counts, set_up, tear_down)
{
    struct validity *own = &two.fakes[1]->result.validity;
    const struct validity_reason *reason;

    two.fakes[1]->result.clock.disagreement_ppm = 20;
    validity_add_reason(own, VERDICT_INVALID, REASON_CLOCK_DISAGREEMENT, "by far");
    write_part(1);
    reason = reason_of(merge_parts(), REASON_CLOCK_DISAGREEMENT);
    assert_all((reason), (reason->verdict, VERDICT_INVALID),
               (reason->text, "rank 1 (beta): by far"));
}

static void assert_merge_refused(const char *words)
{
    assert_int_equal(ranks_merge(&two.merged, &two.fakes[0]->measured, two.messages, 2, &two.error),
                     -EBADMSG);
    assert_int_equal(two.error.kind, ERROR_FAILED);
    if (!strstr(two.error.text, "the part of rank 1") || !strstr(two.error.text, words))
        fail_msg("'%s'", two.error.text);
    ranks_merged_free(&two.merged);
    two.merged = (struct ranks_merged){.count = 0};
}

TEST_CASE_WITH(what_is_no_part_is_refused, set_up, tear_down)
{
    two.messages[1].size -= 2;
    assert_merge_refused("is no whole JSON");
    two.fakes[1]->measured.count--;
    write_part(1);
    two.fakes[1]->measured.count++;
    assert_merge_refused("series are missing");
    two.fakes[1]->rounds.done--;
    write_part(1);
    assert_merge_refused("rounds are missing");
}

/* All ranks get rank 0's remaining time. */

static uint64_t now_ns = 1000, left_of_first_ns = 7000, voted_ns;

static uint64_t fake_clock(void)
{
    return now_ns;
}

/* ranks_agree_plan() calls this function for the seed, then for the remaining time. */
static int fake_meet(struct ranks *ranks, int code, uint64_t *least, struct error *error)
{
    voted_ns = *least;
    *least = *least < left_of_first_ns || ranks->rank == 0 ? *least : left_of_first_ns;
    return code;
}

TEST_CASE(all_ranks_have_the_deadline_of_the_first)
{
    uint64_t (*const real_clock)(void) = deadline_clock;
    struct ranks ranks = {.count = 2, .meet = fake_meet};
    struct error error;

    deadline_clock = fake_clock;
    for (ranks.rank = 0; ranks.rank < ranks.count; ranks.rank++) {
        struct run_plan plan = {.deadline.at_ns = ranks.rank == 0 ? 8000 : 99000};

        assert_all((ranks_agree_plan(&ranks, &plan, 0, &error), 0), (plan.deadline.at_ns, 8000),
                   (ranks.deadline.at_ns, 8000),
                   (voted_ns == (ranks.rank == 0 ? 7000 : DEADLINE_NEVER)));
    }
    left_of_first_ns = DEADLINE_NEVER; /* a run with COUNT has no deadline */
    ranks.rank = 1;
    assert_all((ranks_agree_plan(&ranks, &(struct run_plan){.deadline.at_ns = 9}, 0, &error), 0),
               (ranks.deadline.at_ns, 0));
    deadline_clock = real_clock;
}
