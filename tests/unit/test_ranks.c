/* Merging the parts of several ranks: nothing is lost, and nothing is counted twice. */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/ranks_merge.h"
#include "nfs/status.h"

enum { SERIES = 2, CLIENTS = 2, ROUNDS_OF_FIRST = 4, CALLS = 100 };

/* A rank's session after its run, with invented figures. */
struct fake {
    struct session session;
    struct run_plan plan;
    struct result result;
    struct result_op ops[SERIES];
    struct result_load loads[SERIES];
    struct result_client clients[SERIES][2 * CLIENTS]; /* of both ranks */
};

static void fake_load(struct load_series *load, unsigned rank)
{
    load->calls = CALLS;
    load->cpu_ns = 1000 * (rank + 1);
    load->clients = calloc(CLIENTS, sizeof *load->clients);
    load->clients[0] = (struct load_client){.calls = CALLS / 4, .ticks = 1000};
    load->clients[1] = (struct load_client){.calls = 3 * CALLS / 4, .ticks = 3000};
    histogram_record(&load->service, 10);
    /* The ranks have step 7 in common. */
    load->timeline.points = calloc(2, sizeof *load->timeline.points);
    load->timeline.count = load->timeline.capacity = 2;
    load->timeline.points[rank == 0 ? 1 : 0] =
        (struct timeline_point){.step = 7, .calls = 10 * (rank + 1), .active_ns = 60, .p50 = rank};
    load->timeline.points[rank == 0 ? 0 : 1] =
        (struct timeline_point){.step = rank == 0 ? 3 : 9, .calls = 5, .active_ns = 40};
}

static void fake_series(struct fake *fake, size_t index, unsigned rank, size_t rounds)
{
    struct series *series = &fake->session.measuring.rounds.series[index];

    for (size_t s = 0; s < BLOCK_STATISTICS; s++) {
        series->blocks[s] = calloc(rounds, sizeof(double));
        for (size_t round = 0; round < rounds; round++)
            series->blocks[s][round] = (double)(1000 * rank + 10 * s + round);
    }
    for (size_t i = 0; i < CALLS; i++)
        histogram_record(&series->histogram, (double)(50 * (rank + 1) + i));
    series->calls = CALLS;
    series->elapsed_ns = 1000 * (rank + 1);
    series->slowest_count = ROUNDS_SLOWEST;
    for (size_t i = 0; i < ROUNDS_SLOWEST; i++)
        series->slowest[i] =
            (struct slow_call){.ns = (double)(1000 - 10 * i + rank),
                               .block_began_ns = fake->session.measuring.began_ns + 5};
    for (unsigned i = 0; i <= rank; i++)
        engine_count_error(&fake->session.set.series[index]->tally, 70);
    fake->session.set.series[index]->name = index ? "getattr" : "null";
    fake_load(fake->session.set.series[index]->load, rank);
    fake->loads[index].clients = fake->clients[index];
    fake->ops[index] = (struct result_op){.op = fake->session.set.series[index]->name,
                                          .calls = series->calls,
                                          .timed = series->histogram.count,
                                          .latency = result_latency_of(&series->histogram),
                                          .rate_per_s = 1000 * (rank + 1),
                                          .load = &fake->loads[index]};
}

static struct fake *fake_open(unsigned rank, size_t rounds)
{
    struct fake *fake = calloc(1, sizeof *fake);
    struct session *session = &fake->session;

    fake->plan.load = (struct load){
        .clients = CLIENTS, .connections = 1, .depth = 1, .threads = rank + 1, .rate = 500};
    session->plan = &fake->plan;
    session->clock.ns_per_tick = rank ? 2 : 1; /* ticks of the second take twice as long */
    session->measuring.began_ns = 1000000 * (rank + 1);
    session->set.count = SERIES;
    session->measuring.rounds.series_count = SERIES;
    session->measuring.rounds.done = rounds;
    session->measuring.rounds.series = calloc(SERIES, sizeof *session->measuring.rounds.series);
    session->set.series = calloc(SERIES, sizeof *session->set.series);
    session->readings.after.values[COUNTER_CPU_NS] = 10 * (rank + 1);
    for (size_t i = 0; i < SERIES; i++) {
        session->set.series[i] = calloc(1, sizeof *session->set.series[i]);
        session->set.series[i]->load = calloc(1, sizeof *session->set.series[i]->load);
        fake_series(fake, i, rank, rounds);
    }
    fake->result.ops = fake->ops;
    fake->result.op_count = SERIES;
    return fake;
}

static void fake_close(struct fake *fake)
{
    for (size_t i = 0; i < SERIES; i++) {
        for (size_t s = 0; s < BLOCK_STATISTICS; s++)
            free(fake->session.measuring.rounds.series[i].blocks[s]);
        free(fake->session.set.series[i]->load->clients);
        free(fake->session.set.series[i]->load->timeline.points);
        free(fake->session.set.series[i]->load);
        free(fake->session.set.series[i]);
    }
    free(fake->session.measuring.rounds.series);
    free(fake->session.set.series);
    free(fake);
}

/* Two ranks, of which the second has completed one round less. */
struct two {
    struct fake *fakes[2];
    struct ranks_message messages[2];
    struct ranks_merged merged;
    struct error error;
};

static int set_up(void **state)
{
    static const char *const hosts[] = {"alpha", "beta"};
    struct two *two = calloc(1, sizeof *two);

    for (unsigned i = 0; i < 2; i++) {
        two->fakes[i] = fake_open(i, ROUNDS_OF_FIRST - i);
        assert_int_equal(part_write(&two->fakes[i]->session, &two->fakes[i]->result, hosts[i],
                                    &two->messages[i].data, &two->messages[i].size),
                         0);
    }
    *state = two;
    return 0;
}

static int tear_down(void **state)
{
    struct two *two = *state;

    ranks_merged_free(&two->merged);
    for (size_t i = 0; i < 2; i++) {
        fake_close(two->fakes[i]);
        free(two->messages[i].data);
    }
    free(two);
    return 0;
}

static const struct session *merge(struct two *two)
{
    assert_int_equal(
        ranks_merge(&two->fakes[0]->session, &two->merged, two->messages, 2, &two->error), 0);
    return &two->fakes[0]->session;
}

static void test_calls_and_errors_are_added(void **state)
{
    const struct session *session = merge(*state);

    for (size_t i = 0; i < SERIES; i++) {
        const struct series *series = &session->measuring.rounds.series[i];

        assert_int_equal(series->calls, 2 * CALLS);
        assert_int_equal(series->histogram.count, 2 * CALLS);
        assert_near(series->histogram.minimum, 50, 0);
        assert_near(series->histogram.maximum, 199, 0);
        assert_near(series->histogram.mean, 124.5, 1e-9);
        assert_int_equal(session->set.series[i]->tally.failed, 3);
        assert_near(session->set.series[i]->rate_per_s, 3000, 1e-9);
        assert_int_equal(series->elapsed_ns, 1500);
    }
    assert_near(session->readings.after.values[COUNTER_CPU_NS], 30, 0);
    assert_near(session->measuring.ranks_evenness, 0.5, 1e-9);
}

static void test_rounds_are_those_of_all_and_blocks_their_mean(void **state)
{
    const struct session *session = merge(*state);

    assert_int_equal(session->measuring.rounds.done, ROUNDS_OF_FIRST - 1);
    for (size_t s = 0; s < BLOCK_STATISTICS; s++)
        for (size_t round = 0; round < session->measuring.rounds.done; round++)
            assert_near(session->measuring.rounds.series[1].blocks[s][round],
                        500 + 10 * (double)s + (double)round, 1e-9);
}

static void test_the_slowest_of_all_stay(void **state)
{
    const struct session *session = merge(*state);
    const struct series *series = &session->measuring.rounds.series[0];

    assert_int_equal(series->slowest_count, ROUNDS_SLOWEST);
    for (size_t i = 0; i < ROUNDS_SLOWEST; i++) { /* alternating, the second rank's first */
        assert_int_equal(series->slowest[i].rank, i % 2 == 0);
        assert_near(series->slowest[i].ns, 1000 - 10 * (double)(i / 2) + (i % 2 == 0), 0);
        assert_int_equal(series->slowest[i].block_began_ns, session->measuring.began_ns + 5);
    }
}

static void test_the_load_is_of_all_clients(void **state)
{
    const struct session *session = merge(*state);
    const struct load_series *load = session->set.series[1]->load;

    assert_int_equal(session->plan->load.clients, 2 * CLIENTS);
    assert_int_equal(session->plan->load.threads, 3);
    assert_near(session->plan->load.rate, 1000, 0);
    assert_int_equal(load->calls, 2 * CALLS);
    assert_int_equal(load->cpu_ns, 3000);
    assert_int_equal(load->service.count, 2);
    assert_int_equal(load->clients[3].calls, 3 * CALLS / 4);
    assert_int_equal(load->clients[1].ticks, 3000);
    assert_int_equal(load->clients[3].ticks, 6000); /* by the first rank's clock */
}

static void test_timelines_meet_at_their_steps(void **state)
{
    const struct timeline *timeline = &merge(*state)->set.series[0]->load->timeline;
    static const uint64_t steps[] = {3, 7, 9}, calls[] = {5, 30, 5}, active[] = {20, 60, 20};

    assert_int_equal(timeline->count, COUNT_OF(steps));
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        assert_int_equal(timeline->points[i].step, steps[i]);
        assert_int_equal(timeline->points[i].calls, calls[i]);
        assert_int_equal(timeline->points[i].active_ns, active[i]);
    }
    assert_near(timeline->points[1].p50, 2.0 / 3, 1e-9);
}

/* The numbers of calls of each client, as a result of the merged session has them. */
static void fill_clients(struct fake *fake)
{
    for (size_t i = 0; i < SERIES; i++)
        for (size_t client = 0; client < 2 * CLIENTS; client++)
            fake->clients[i][client].calls =
                fake->session.set.series[i]->load->clients[client].calls;
}

/* Each rank's clients have equal shares of its calls; but the second rank is twice as fast. */
static void test_fairness_spans_the_ranks(void **state)
{
    struct two *two = *state;
    struct result *result = &two->fakes[0]->result;
    const double shares[] = {1, 3, 2, 6};
    double sum = 0, squares = 0;

    for (size_t i = 0; i < COUNT_OF(shares); i++) {
        sum += shares[i];
        squares += shares[i] * shares[i];
    }
    merge(two);
    fill_clients(two->fakes[0]);
    ranks_describe(result, &two->merged);
    assert_int_equal(result->rank_count, 2);
    assert_string_equal(result->ranks[1].host, "beta");
    assert_near(result->ops[1].load->fairness, sum * sum / (4 * squares), 1e-9);
}

/* A reason that one machine has counts against the whole run; a reason that too few calls cause
 * does not. */
static void test_reasons_of_a_machine_are_told(void **state)
{
    struct two *two = *state;
    struct result *result = &two->fakes[0]->result;

    merge(two);
    fill_clients(two->fakes[0]);
    two->merged.ranks[1].reason_count = 2;
    two->merged.ranks[1].reasons[0] =
        (struct result_rank_reason){"too-few-rounds", VERDICT_SUSPECT, "few"};
    two->merged.ranks[1].reasons[1] =
        (struct result_rank_reason){"steal", VERDICT_SUSPECT, "it was taken"};
    ranks_describe(result, &two->merged);
    assert_int_equal(result->validity.count, 1);
    assert_int_equal(result->validity.verdict, VERDICT_SUSPECT);
    assert_string_equal(result->validity.reasons[0].name, "steal");
    assert_string_equal(result->validity.reasons[0].text, "rank 1 (beta): it was taken");
}

static void test_a_part_cut_short_is_refused(void **state)
{
    struct two *two = *state;

    two->messages[1].size -= 1;
    assert_int_equal(
        ranks_merge(&two->fakes[0]->session, &two->merged, two->messages, 2, &two->error),
        -EBADMSG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_calls_and_errors_are_added, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rounds_are_those_of_all_and_blocks_their_mean, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_the_slowest_of_all_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_load_is_of_all_clients, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_timelines_meet_at_their_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fairness_spans_the_ranks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reasons_of_a_machine_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_part_cut_short_is_refused, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
