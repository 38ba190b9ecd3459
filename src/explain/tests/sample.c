/* Results of explain for the tests of views. */
#include <math.h>
#include <string.h>

#include "explain/kernel/rpc_states.h"
#include "explain/ladder/ladder.h"
#include "explain/xdr/xdr.h"
#include "explanation_sample.h"
#include "figures.h"
#include "sample_hash.h"
#include "states_sample.h"
#include "unit_sample.h"

static struct explanation_sample sample, second;

/* Add a load, predictions and more optional members to the sample. */
static void fill_more_explanation(void)
{
    static struct load load = {.clients = 2, .connections = 3, .depth = 4, .rate = 500};
    const struct predictions predictions = {
        .count = 4,
        .list = {{"client encodes", "encode", 100, 150, NAN, NAN},
                 {"[2] reader's kernel", "encode+send+queue", 0, 9999, 35000, NAN},
                 {"waits for a slot", "backlog", 1, 2, NAN, NAN},
                 {"lifetime of a call", "life", 0, 999, 126000, NAN}}};
    struct explanation *one = &sample.explanation;

    strcpy(one->origin.auth, "krb5p");
    one->origin.xprtsec = "tls";
    strcpy(one->origin.name, "client");
    strcpy(one->origin.cpu, "\xff<cpu>&'\"");
    strcpy(sample.slow[0].notes[1], "preempted by \033[31mevil");
    one->load = &load;
    one->limit = (struct explain_limit){.by_phases = BOTTLENECK_ROUND_TRIP,
                                        .by_load = BOTTLENECK_SERVER_CPU,
                                        .limit = BOTTLENECK_ROUND_TRIP,
                                        .disagrees = true,
                                        .parts = {.shares = {[PART_SERVER_WAIT] = 0.125},
                                                  .link = 0.5,
                                                  .window_limited = 0.125,
                                                  .rtt_stretch = 1.25,
                                                  .round_trip = 0.0625,
                                                  .network_stretch = 1.5},
                                        .client_cpus = 0.25,
                                        .server_cpus = 0.9375,
                                        .server_call_ns = 1500};
    one->cut_short_by = "interrupted";
    one->validity = &sample_run()->validity;
    one->server_missing = "eBPF needs root";
    one->sample = 10;
    one->stamps_lost = 11;
    one->stamps_unmatched = 12;
    one->dropped = 13;
    one->events_lost = 14;
    sample.phases.incomplete = 15;
    sample.phases.out_of_order = 16;
    sample.phases.retransmitted = 17;
    sample.phases.failed = 18;
    one->predictions = predictions;
    predictions_compare(&one->predictions, one->rows, one->row_count, one->phases->lifetime.mean);
}

const void *sample_EXPLANATION(bool full)
{
    explanation_sample_fill(&sample, full ? &phase_view_joined : &phase_view_both,
                            full ? 900 : 2000);
    if (full)
        fill_more_explanation();
    return &sample.explanation;
}

const void *empty_EXPLANATION(void)
{
    struct explanation *explanation = &sample.explanation;

    explanation_sample_fill(&sample, &phase_view_client, 0);
    sample.phases.incomplete = 7;
    explanation->has_stamping = false;
    explanation->slow_count = 0;
    explanation->example_count = 0;
    explanation->unstamped_mean = explanation->unstamped_typical = NAN;
    explanation->slow_beyond = NAN;
    return explanation;
}

const void *sample_EXPLANATIONS(bool full)
{
    static struct result_skipped skipped[] = {{"walk", "it makes several calls"},
                                              {"open", "it makes several calls"}};
    static struct explanation ops[2];
    static struct explanations explanations;

    sample_EXPLANATION(full);
    explanations = (struct explanations){.ops = &sample.explanation, .count = 1};
    if (!full)
        return &explanations;
    explanation_sample_fill(&second, &phase_view_joined, 1500);
    ops[0] = sample.explanation;
    ops[1] = second.explanation;
    ops[1].op = "readdirplus";
    ops[1].slow_count = 0;
    explanations = (struct explanations){
        .ops = ops, .count = 2, .mix = "sfs3", .skipped = skipped, .skipped_count = 2};
    return &explanations;
}

/* The ladder */

static struct ladder_result ladder;

static void fill_rungs(void)
{
    static struct series series;
    const struct series *rungs[LADDER_RUNGS];

    series = (struct series){.calls = 2};
    histogram_record(&series.histogram, 1000);
    histogram_record(&series.histogram, 3000);
    for (size_t i = 0; i < LADDER_RUNGS; i++)
        rungs[i] = &series;
    ladder_set_rungs(&ladder, rungs);
}

static void fill_more_ladder(void)
{
    static const double levels[LADDER_RUNGS] = {
        [LADDER_TIMER] = 30,   [LADDER_XDR] = 400,      [LADDER_ECHO] = 9030,
        [LADDER_NULL] = 12030, [LADDER_ECHO_OP] = 9730, [LADDER_OP] = 15030};
    static const double steps[LADDER_RUNGS] = {
        [LADDER_TIMER] = 30,  [LADDER_XDR] = 370,     [LADDER_ECHO] = 9000,
        [LADDER_NULL] = 3000, [LADDER_ECHO_OP] = 700, [LADDER_OP] = 2300};

    for (size_t i = 0; i < LADDER_RUNGS; i++) {
        ladder.ladder.levels[i] = interval_around(levels[i]);
        ladder.ladder.steps[i] = interval_around(steps[i]);
    }
    ladder.ladder.sum = interval_around(15030);
    ladder.ladder.whole = interval_around(15400);
    ladder.ladder.discrepancy = 0.07;
    ladder.ladder.control = (struct interval){-15, -40, 11};
    fill_rungs();
    for (size_t i = 0; i < LADDER_RUNGS; i++) {
        const uint64_t number = sample_hash(ladder.rungs[i].rung, 0) % 100;

        ladder.rungs[i].call_bytes = (uint32_t)(100 + number);
        ladder.rungs[i].reply_bytes = (uint32_t)(200 + number);
    }
    ladder.echo_is_own = true;
    figures_set_missing(view_ladder.fields, &ladder);
}

const void *sample_LADDER(bool full)
{
    ladder = (struct ladder_result){
        .op = "getattr", .null_op = "null", .echo = "here", .run = sample_run()};
    fill_rungs();
    if (full)
        fill_more_ladder();
    return &ladder;
}

/* XDR */

static struct xdr_row rows[2];
static struct xdr_result xdr;

static void fill_more_xdr(void)
{
    static struct result_skipped skipped = {"walk", "it makes several calls"};

    rows[0] = (struct xdr_row){.op = "getattr", .call_bytes = 112, .reply_bytes = 116};
    rows[1] = (struct xdr_row){.op = "readdirplus", .call_bytes = 132, .reply_bytes = 4096};
    xdr.row_count = 2;
    xdr.skipped = &skipped;
    xdr.skipped_count = 1;
    xdr.server_cpu = 1;
    xdr.clock_cost_ns = 12;
    xdr.rounds = 200;
    xdr.batches = 4;
    xdr.round_trips = 50;
    xdr.batch_ns = 1e6;
    xdr.cut_short_by = "the connection was lost";
    figures_set_missing(view_xdr.fields, &xdr);
}

const void *sample_XDR(bool full)
{
    rows[0] = (struct xdr_row){.op = "getattr"};
    xdr = (struct xdr_result){.origin = {.target = "self:", .transport = "TCP", .auth = "AUTH_SYS"},
                              .client_cpus = "0",
                              .clock = "tsc",
                              .rows = rows,
                              .row_count = 1};
    if (full)
        fill_more_xdr();
    return &xdr;
}

/* States */

static struct states_sample states, profiled;
static struct states_op both_ops[2];

/* Add a second op with kprofile's table. */
static void add_profiled(void)
{
    assert_int_equal(states_sample_fill(&profiled, sample_run()), 0);
    assert_int_equal(states_make_kprofile(&profiled.op), 0);
    both_ops[0] = states.op;
    both_ops[1] = profiled.op;
    both_ops[1].op = "getattr-again";
    states.result.ops = both_ops;
    states.result.op_count = 2;
}

static void fill_more_states(void)
{
    const struct predictions predictions = {
        .count = 4,
        .list = {{"network and server", "network-and-server", 200, 300, NAN, NAN},
                 {"before the RPC", "before-rpc", 300, 400, NAN, NAN},
                 {"caller woken", "caller-woken", 0, 100, NAN, NAN},
                 {"lifetime of a call", "life", 0, 999, NAN, NAN}}};
    struct states_op *op = &states.op;

    op->calls = 2000;
    op->events_lost = 4;
    op->blocks_left_out = 2;
    op->has_cost = true;
    op->tracing_cost = (struct interval){1234, 1100, 1400};
    op->rpcs.states->without_begin = 1;
    op->rpcs.states->without_end = 3;
    op->rpcs.states->with_loss = 5;
    op->rpcs.states->groups[RPC_GROUP_OTHERS].lifetime.count = 6;
    assert_int_equal(states_make_tables(op, &predictions), 0);
    states.result.absent = "xs_data_ready,xprt_transmit";
    add_profiled();
}

const void *sample_STATES(bool full)
{
    states_close(&states.op);
    states_close(&profiled.op);
    memset(&states, 0, sizeof states);
    memset(&profiled, 0, sizeof profiled);
    assert_int_equal(states_sample_fill(&states, sample_run()), 0);
    if (full)
        fill_more_states();
    return &states.result;
}
