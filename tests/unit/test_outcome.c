/* Analyse made-up measurements, without a server, a session or a clock. */
#include "test.h"

#include "run/outcome/outcome.h"

enum { NULL_CALLS, CONTROL, GETATTR, ECHO, SERIES, ROUNDS = 40, CALLS = 100 };

static struct fake {
    struct run_plan plan;
    struct clock clock;
    struct rounds rounds;
    struct readings readings;
    struct ledger_run ledger;
    struct stalls stalls;
    struct channel_trailing trailing;
    struct engine_tally tally[SERIES];
    struct series samples[SERIES];
    double blocks[SERIES][BLOCK_STATISTICS][ROUNDS];
    struct measured_series series[SERIES];
    struct measured measured;
    struct outcome outcome;
    struct error error;
} fake;

/* Make the samples of series INDEX: a call takes LEVEL ns, and rounds differ by some ns. In the
 * histogram only, one call of 25 takes SLOW ns more. */
static void fake_samples(size_t index, double level, double slow)
{
    struct series *samples = &fake.samples[index];

    *samples =
        (struct series){.calls = ROUNDS * CALLS, .elapsed_ns = (uint64_t)(ROUNDS * CALLS * level)};
    for (size_t s = 0; s < BLOCK_STATISTICS; s++)
        samples->blocks[s] = fake.blocks[index][s];
    for (size_t round = 0; round < ROUNDS; round++) {
        const double noise = (double)((round * (index % 3 + 3)) % 7);

        for (size_t s = 0; s < BLOCK_STATISTICS; s++)
            fake.blocks[index][s][round] = s == BLOCK_TREND ? 0 : level + noise;
        for (size_t i = 0; i < CALLS; i++)
            histogram_record(&samples->histogram, level + noise + (i % 25 ? 0 : slow));
    }
}

static void fake_series(size_t index, enum series_role role, const char *name, const char *op)
{
    fake.series[index] = (struct measured_series){.role = role,
                                                  .name = name,
                                                  .procedure = nfs_procedure_find(op),
                                                  .baseline = index ? fake.series : NULL,
                                                  .samples = &fake.samples[index],
                                                  .tally = &fake.tally[index],
                                                  .lengths = {.call = 100, .reply = 100}};
}

static int open_fake(void **state)
{
    fake = (struct fake){.plan = {.engine = &engine_wire, .no_model = true, .seed = 7},
                         .clock = {.name = "fake", .ns_per_tick = 1},
                         .rounds = {.done = ROUNDS, .planned = ROUNDS, .steady = true}};
    fake_samples(NULL_CALLS, 10000, 0);
    fake_samples(CONTROL, 10000, 0);
    fake_samples(GETATTR, 12000, 50000);
    fake_series(NULL_CALLS, SERIES_NULL, "null", "null");
    fake_series(CONTROL, SERIES_CONTROL, "null_control", "null");
    fake_series(GETATTR, SERIES_OP, "getattr", "getattr");
    counters_clear(&fake.readings.before);
    counters_clear(&fake.readings.after);
    fake.readings.after.at_ns = fake.readings.contention_after.at_ns = 1000000000;
    fake.measured = (struct measured){.plan = &fake.plan,
                                      .clock = &fake.clock,
                                      .rounds = &fake.rounds,
                                      .series = fake.series,
                                      .count = ECHO,
                                      .readings = &fake.readings,
                                      .ledger = &fake.ledger,
                                      .stalls = &fake.stalls,
                                      .trailing = &fake.trailing,
                                      .host = {.cpus = 2, .tsc_hz = NAN},
                                      .config = {.load = {.clients = 1, .threads = 1}}};
    return 0;
}

FIXTURE(close_fake, outcome_free(&fake.outcome), 0)

static const struct result *analyse(void)
{
    const struct outcome_request request = {.cut_short_by = NULL};

    outcome_free(&fake.outcome);
    if (outcome_fill(&fake.outcome, &fake.measured, &request, &fake.error) != 0)
        fail_msg("%s", fake.error.text);
    return &fake.outcome.result;
}

TEST_CASE_WITH(cost_and_noise_come_back, open_fake, close_fake)
{
    const struct result *result = analyse();
    const struct result_op *op = &result->ops[GETATTR];

    assert_all((result->op_count, ECHO), (result->null_calls == result->ops),
               (result->null_control == &result->ops[CONTROL]), (op->calls, ROUNDS * CALLS),
               (op->has_above_null), (op->above_null.cost.estimate, 2000, 10),
               (op->above_null.distinguishable), (op->latency.p50, 12000, 12000 * 0.01),
               (op->latency.p99, 62000, 62000 * 0.01),
               (result->null_control->above_null.cost.estimate, 0, 10));
    assert_int_equal(result->rounds.done, ROUNDS);
}

TEST_CASE_WITH(same_data_same_result, open_fake, close_fake)
{
    const struct measured before = fake.measured;
    const struct result_cost first = analyse()->ops[GETATTR].above_null;
    const struct result_cost second = analyse()->ops[GETATTR].above_null;

    assert_memory_equal(&before, &fake.measured, sizeof before);
    assert_all((second.cost.low, first.cost.low, 0), (second.cost.high, first.cost.high, 0),
               (second.p99.low, first.p99.low, 0), (second.p99.high, first.p99.high, 0));
}

/* Under load the rate is that of the blocks' steady parts, if most calls are in these parts. */
TEST_CASE_WITH(rate_and_p99_under_load, open_fake, close_fake)
{
    struct load_client clients[2] = {{.calls = 3, .ticks = 300}, {.calls = 1, .ticks = 100}};
    struct load_series load = {.calls = ROUNDS * CALLS, .cpu_ns = 7000, .clients = clients};
    const struct result *result;

    fake.plan.load = fake.measured.config.load =
        (struct load){.clients = 2, .connections = 1, .depth = 4, .threads = 1};
    fake.tally[GETATTR].steady_calls = 3000;
    fake.tally[GETATTR].steady_ticks = 6000000;
    for (size_t i = 0; i < SERIES; i++)
        fake.series[i].load = &load;
    result = analyse();
    assert_all((result->ops[GETATTR].rate_per_s, 500000, 1e-6),
               (result->ops[GETATTR].latency.p99, 62000, 62000 * 0.01),
               (result->ops[GETATTR].load->clients[0].mean_ns, 100, 1e-9),
               (result->ops[GETATTR].load->fairness, 0.8, 1e-9),
               (result->ops[NULL_CALLS].rate_per_s, 100000, 1e-6));
}

static bool doubts(const struct result *result, enum reason reason)
{
    return validity_find(&result->validity, reason);
}

/* Verdicts for conditions that a test with a server can't create, such as a mount that changes. */
TEST_CASE_WITH(verdict_follows_what_was_seen, open_fake, close_fake)
{
    static const struct series_skip skipped = {
        .op = "read", .reason = "NFS3ERR_IO", .in_rounds = true};
    const struct result *result = analyse();

    assert_all((!doubts(result, REASON_MOUNT_CHANGED)), (!doubts(result, REASON_OP_FAILED)),
               (!doubts(result, REASON_INCONSISTENT_LISTING)), (!doubts(result, REASON_STALLED)));
    fake.measured.mount_change = "the mount was unmounted";
    fake.measured.listings = "READDIR: a name came twice";
    fake.measured.skipped = &skipped;
    fake.measured.skipped_count = 1;
    fake.stalls.list[0] = (struct stall){.ended_ns = 2000000000, .calls = 1, .series = "getattr"};
    fake.stalls.count = 1;
    result = analyse();
    assert_all((doubts(result, REASON_MOUNT_CHANGED)), (doubts(result, REASON_OP_FAILED)),
               (doubts(result, REASON_INCONSISTENT_LISTING)), (doubts(result, REASON_STALLED)),
               (result->validity.verdict, VERDICT_INVALID), (result->skipped_count, 1),
               (result->stalls[0].length_s, 2, 1e-9));
}

/* Add MORE ns to the block statistics of series INDEX from round 25 on. */
static void change(size_t index, double more)
{
    for (size_t s = 0; s < BLOCK_STATISTICS; s++)
        for (size_t round = 25; round < ROUNDS; round++)
            fake.blocks[index][s][round] += more;
}

/* After 25 rounds, the machine's state changes, and GETATTR's cost from 2 to 4 us. The cost is
 * estimated in each state; the result is the mean of both estimates, weighted by their rounds. */
TEST_CASE_WITH(a_change_of_state_is_found, open_fake, close_fake)
{
    const struct result *result = analyse();
    const double cost = (25 * 2000 + 15 * 4000) / 40.0, echo = 9000 + 3000 * 15 / 40.0;

    assert_all((!doubts(result, REASON_MACHINE_CHANGED_STATE)), (result->regime_count, 1),
               (result->regimes[0].rounds, ROUNDS), (!result->ops[GETATTR].has_echo));
    change(NULL_CALLS, 3000);
    change(CONTROL, 3000);
    change(GETATTR, 5000);
    result = analyse();
    assert_all((doubts(result, REASON_MACHINE_CHANGED_STATE)), (result->regime_count, 2),
               (result->regimes[0].rounds, 25), (result->regimes[1].rounds, 15),
               (result->regimes[1].level, 13000, 10),
               (result->ops[GETATTR].above_null.cost.estimate, cost, 10),
               (result->ops[GETATTR].above_null.cost.high, cost, 20),
               (!doubts(result, REASON_AUTOCORRELATION)));

    /* If there is a witness, the bare echo, a change of state counts only if the witness shows
     * it. */
    fake_samples(ECHO, 9000, 0);
    fake_series(ECHO, SERIES_ECHO, "getattr", "null");
    fake.measured.count = SERIES;
    fake.measured.has_witness = true;
    result = analyse();
    assert_all((!doubts(result, REASON_MACHINE_CHANGED_STATE)), (result->op_count, ECHO),
               (result->ops[GETATTR].has_echo), (result->ops[GETATTR].echo.estimate, 9000, 10));
    change(ECHO, 3000);
    result = analyse();
    assert_all((doubts(result, REASON_MACHINE_CHANGED_STATE)), (result->regimes[0].rounds, 25),
               (result->ops[GETATTR].echo.estimate, echo, 10),
               (result->ops[GETATTR].above_null.cost.estimate, cost, 10));
}

/* Each call of a mix is counted with the mix, and not once more with its op. */
TEST_CASE(a_mix_counts_once)
{
    static const struct series samples[] = {
        {.calls = 100}, {.calls = 90}, {.calls = 60}, {.calls = 30}};
    struct measured_series series[] = {{.role = SERIES_NULL, .samples = &samples[0]},
                                       {.role = SERIES_MIX, .samples = &samples[1]},
                                       {.role = SERIES_MIX_OP, .samples = &samples[2]},
                                       {.role = SERIES_MIX_OP, .samples = &samples[3]}};
    const struct measured measured = {.series = series, .count = COUNT_OF(series)};

    assert_int_equal(measured_calls(&measured), 190);
}
