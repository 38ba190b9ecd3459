#include "samples.h"

#include <stdlib.h>
#include <string.h>

static void fill_op(struct samples *samples, size_t index, const char *name, enum result_role role)
{
    struct result_op *op = &samples->ops[index];

    *op = (struct result_op){.op = name,
                             .role = role,
                             .calls = 2,
                             .timed = 2,
                             .latency = result_latency_of(&samples->histogram),
                             .histogram = &samples->histogram,
                             .blocks = samples->blocks};
    if (role == RESULT_NULL)
        return;
    op->baseline = samples->ops;
    op->has_above_null = true;
    op->above_null.cost = (struct interval){5, 4, 6};
}

static void fill_result(struct samples *samples)
{
    histogram_record(&samples->histogram, 1000);
    histogram_record(&samples->histogram, 3000);
    samples->blocks[0] = samples->blocks[1] = 2000;
    fill_op(samples, 0, "null", RESULT_NULL);
    fill_op(samples, 1, "null_control", RESULT_NULL_CONTROL);
    fill_op(samples, 2, "getattr", RESULT_OP);
    samples->result = (struct result){
        .path = "a.json",
        .tool = {"nfsbench", "1", "test"},
        .start = "2026-01-02T03:04:05+00:00",
        .target = {.text = "self:", .transport = "TCP"},
        .config = {.baseline = true, .load = {.clients = 1, .connections = 1, .depth = 1}},
        .rounds = {.done = 2, .planned = 2},
        .ops = samples->ops,
        .op_count = 3,
        .null_calls = &samples->ops[0],
        .null_control = &samples->ops[1],
    };
}

static void fill_pairs(struct samples *samples)
{
    samples->versus_row = (struct versus_row){.first = &samples->ops[2],
                                              .second = &samples->ops[2],
                                              .parts[VERSUS_ROUND_TRIP].known = true};
    samples->versus = (struct versus_result){.first = &samples->result,
                                             .second = &samples->result,
                                             .rows = &samples->versus_row,
                                             .count = 1};
    samples->compare_row =
        (struct compare_row){.first = &samples->ops[2], .second = &samples->ops[2]};
    samples->pair = (struct compare_pair){.first = &samples->result,
                                          .second = &samples->result,
                                          .rows = &samples->compare_row,
                                          .count = 1};
    samples->comparison = (struct compare_result){.pairs = &samples->pair, .count = 1};
}

static void fill_history(struct samples *samples)
{
    samples->history_result = (struct history_result){
        .path = "a.json", .start = samples->result.start, .target = "self:"};
    samples->history_point =
        (struct history_point){.result = &samples->history_result, .value = {5, 4, 6}};
    samples->history.results = &samples->history_result;
    samples->history.result_count = 1;
    samples->history.series[0] = (struct history_series){.op = "getattr",
                                                         .settings = "self:",
                                                         .size = "",
                                                         .points = &samples->history_point,
                                                         .count = 1};
    samples->history.series_count = 1;
}

static void fill_outage(struct samples *samples)
{
    samples->gap_rows[0] = (struct gap_row){.is_in = true, .began = 1, .ended = 2};
    samples->two_gaps[0] = (struct gap){.began = 1, .ended = 2, .rows = samples->gap_rows};
    samples->gaps =
        (struct gaps){.line_count = OUTAGE_PROCEDURES, .gap = samples->two_gaps, .count = 1};
    samples->outage =
        (struct outage){.origin = {.target = "self:", .transport = "TCP"}, .connections = 1};
    outage_list_gaps(&samples->outage, &samples->gaps);
}

static void fill_character(struct samples *samples)
{
    struct character_answer *answer = &samples->character.answers[0];

    samples->character.target = "self:";
    samples->character.transport = "TCP";
    samples->character.answer_count = 1;
    answer->name = "order";
    answer->question = answer->unknown = "?";
    answer_say(answer, "In order.");
    answer_figure(answer, "wait", &(struct interval){1, 0, 2}, "us", "of one call");
}

static void fill_services(struct samples *samples)
{
    samples->services = (struct services){.target = "host:", .address = "192.0.2.1"};
    services_add(&samples->services, SERVICES_NFS, 3);
}

static void fill_rungs(struct samples *samples)
{
    const struct series *series[LADDER_RUNGS];

    for (size_t i = 0; i < LADDER_RUNGS; i++)
        series[i] = &samples->series;
    ladder_fill(&samples->ladder, series);
}

static void fill_others(struct samples *samples)
{
    samples->point = (struct sweep_point){.setting = {1, 1, 1, 4096, 0}, .repeats = 1};
    samples->sweep = (struct sweep){.origin = {.target = "self:", .transport = "TCP"},
                                    .op = "getattr",
                                    .engine = "wire",
                                    .client_cpus = "0",
                                    .points = &samples->point,
                                    .point_count = 1};
    samples->sec_point = (struct sec_point){
        .op = "read", .security = "krb5p", .size = 4096, .depth = 1, .repeats = 1};
    samples->sec_ladder = (struct sec_ladder){.origin = {.target = "self:", .transport = "TCP"},
                                              .engine = "wire",
                                              .client_cpus = "0",
                                              .points = &samples->sec_point,
                                              .point_count = 1};
    explanation_sample_fill(&samples->explanation, &phase_view_both, 2000);
    samples->series = (struct series){.histogram = samples->histogram, .calls = 2};
    samples->ladder = (struct ladder_result){
        .op = "getattr", .null_op = "null", .echo = "here", .run = &samples->result};
    fill_rungs(samples);
    samples->xdr_rows[0] = (struct xdr_row){.op = "getattr"};
    samples->xdr =
        (struct xdr_result){.origin = {.target = "self:", .transport = "TCP", .auth = "AUTH_SYS"},
                            .client_cpus = "0",
                            .clock = "tsc",
                            .rows = samples->xdr_rows,
                            .row_count = 1};
}

/* A figure like no other: a column that shows another's is seen. */
static double next_figure(double *figure)
{
    return *figure = *figure * 1.37 + 0.11;
}

static struct interval next_interval(double *figure)
{
    double estimate = next_figure(figure);

    return (struct interval){estimate, 0.9 * estimate, 1.2 * estimate};
}

static void fill_more_xdr(struct samples *samples)
{
    double figure = 20;

    samples->xdr_rows[0] = (struct xdr_row){.op = "getattr", .call_bytes = 112, .reply_bytes = 116};
    samples->xdr_rows[1] =
        (struct xdr_row){.op = "readdirplus", .call_bytes = 132, .reply_bytes = 4096};
    for (size_t row = 0; row < 2; row++, figure = 20)
        for (size_t i = 0; i < XDR_FIGURES; i++)
            samples->xdr_rows[row].figures[i] = next_interval(&figure);
    samples->xdr_skipped = (struct xdr_skipped){"walk", "it makes several calls"};
    samples->xdr.row_count = 2;
    samples->xdr.skipped = &samples->xdr_skipped;
    samples->xdr.skipped_count = 1;
    samples->xdr.server_cpu = 1;
    samples->xdr.clock_cost_ns = 12;
    samples->xdr.rounds = 200;
    samples->xdr.batches = 4;
    samples->xdr.round_trips = 50;
    samples->xdr.batch_ns = 1e6;
    samples->xdr.cut_short_by = "the connection was lost";
}

static void fill_more_outage(struct samples *samples)
{
    enum { CONNECTIONS = 1 };
    struct outage *outage = &samples->outage;

    samples->two_gaps[0] = (struct gap){.began = 1500000000,
                                        .ended = 4750000000,
                                        .first_back = OUTAGE_NULL,
                                        .rows = samples->gap_rows,
                                        .lost = 2};
    for (size_t i = 0; i < OUTAGE_PROCEDURES; i++)
        samples->gap_rows[i] = (struct gap_row){.is_in = i != OUTAGE_COMMIT,
                                                .began = 1500000000 + 1000000 * i,
                                                .ended = 4000000000 + 150000000 * i,
                                                .grace = i == OUTAGE_WRITE ? 500000000 : 0,
                                                .errors = i};
    samples->gaps.threshold = 100000000;
    samples->gaps.not_kept = 3;
    outage->duration = 60;
    outage->connections = CONNECTIONS;
    outage->block_size = 4096;
    outage->rate = 100;
    outage->threshold = 0.1;
    outage->stalls = 1;
    outage->stalled_ns = 20000000;
    for (size_t i = 0; i < OUTAGE_PROCEDURES; i++)
        outage->calls[i] =
            (struct outage_calls){.due = 6000 + i, .not_sent = 20 * i, .good = 5800 - i};
    outage->counts.reconnections = 1;
    outage->sent = 30000;
    outage->answered = 29700;
    outage->in_flight = 2;
    outage->found_again = 1;
    outage->made_again = 1;
    outage->verifier_changes = 1;
    outage->uncommitted = 12;
    outage->lost = (struct outage_lost){.blocks = 2, .sync = 1, .committed = 1, .faults = {1, 1}};
    outage->written = 5750;
    outage->unchecked = 1;
    outage_free(outage);
    outage_list_gaps(outage, &samples->gaps);
}

static void fill_more_character(struct samples *samples)
{
    struct character_answer *answer = &samples->character.answers[1];

    samples->character.answer_count = 2;
    samples->character.duration = 31.5;
    samples->character.scratch = "NFS3ERR_ROFS";
    answer->name = "locks";
    answer->question = "Do calls of one directory wait for each other?";
    answer->unknown = "Whether other clients' calls do.";
    answer->duration = 2.5;
    answer->calls = 12345;
    answer_say(answer, "They do.");
    strcpy(answer->meaning, "Make files in several directories.");
    answer_figure(answer, "create", &(struct interval){12.25, 11, 13.5}, "us",
                  "longer with a second client");
}

static void fill_more_services(struct samples *samples)
{
    struct service *mount;

    services_add(&samples->services, SERVICES_NFS, 4);
    mount = services_add(&samples->services, SERVICES_MOUNT, 3);
    mount->tcp_port = 20048;
    mount->udp_port = 20048;
    services_service(&samples->services, SERVICES_NFS)->tcp_port = 2049;
    samples->export_client = "192.0.2.0/24";
    samples->exports[0] = (struct services_export){"/export", NULL, 0};
    samples->exports[1] = (struct services_export){"/home", &samples->export_client, 1};
    samples->services.exports = samples->exports;
    samples->services.export_count = 2;
}

/* The measurement in results of other kinds. */
static void fill_more_result(struct samples *samples)
{
    struct result *result = &samples->result;

    result->target.auth = "AUTH_SYS";
    result->config.engine = "wire";
    result->config.client_cpus = "0";
    result->config.server_cpu = 1;
    result->config.block = 50;
    result->rounds.warmup = 3;
    result->cut_short = true;
    result->cut_short_by = "the connection was lost";
    result->seed = 42;
    result->validity.verdict = VERDICT_SUSPECT;
    result->validity.count = 1;
    result->validity.reasons[0] =
        (struct validity_reason){"rounds", VERDICT_SUSPECT, "only 2 rounds were done"};
}

static void fill_more_ladder(struct samples *samples)
{
    struct ladder *ladder = &samples->ladder.ladder;
    double figure = 2000;

    for (size_t i = 0; i < LADDER_RUNGS; i++) {
        ladder->levels[i] = next_interval(&figure);
        ladder->steps[i] = next_interval(&figure);
    }
    ladder->sum = next_interval(&figure);
    ladder->discrepancy = 0.07;
    ladder->control = (struct interval){-15, -40, 11};
    ladder->whole = next_interval(&figure);
    fill_rungs(samples);
    for (size_t i = 0; i < LADDER_RUNGS; i++) {
        samples->ladder.rungs[i].call_bytes = 100 + 10 * i;
        samples->ladder.rungs[i].reply_bytes = 200 + 10 * i;
    }
    samples->ladder.echo_is_own = true;
}

static void fill_more_states(struct samples *samples)
{
    const struct predictions predictions = {
        .count = 4,
        .list = {{rpc_phase_type(RPC_PHASE_AWAY), 200, 300, NAN},
                 {rpc_phase_type(RPC_PHASE_BEFORE), 300, 400, NAN},
                 {rpc_phase_type(RPC_PHASE_CALLER_WAITS), 0, 100, NAN},
                 {&phase_life, 0, 999, NAN}}};
    struct states_op *op = &samples->states.op;

    op->calls = 2000;
    op->events_lost = 4;
    op->blocks_left_out = 2;
    op->has_cost = true;
    op->tracing_cost = (struct interval){1234, 1100, 1400};
    op->rpcs.states->without_begin = 1;
    op->rpcs.states->without_end = 3;
    op->rpcs.states->with_loss = 5;
    op->rpcs.states->groups[RPC_GROUP_OTHERS].lifetime.count = 6;
    assert_int_equal(states_fill(op, &predictions), 0);
    samples->states.result.absent = "xs_data_ready,xprt_transmit";
    samples->mounted =
        (struct result_mounted){.rpcs = 1, .queue_ns = 1500, .rtt_ns = 90000, .execute_ns = 95000};
    samples->ops[2].mounted = &samples->mounted;
    samples->result.target.mount_point = "/mnt";
}

static void fill_more_explanation(struct samples *samples)
{
    const struct predictions predictions = {.count = 4,
                                            .list = {{phase_view_joined.phases[0], 100, 150, NAN},
                                                     {phase_view_joined.phases[1], 0, 9999, NAN},
                                                     {phase_view_load_both.phases[0], 1, 2, NAN},
                                                     {&phase_life, 0, 999, NAN}}};
    struct explanation *one = &samples->explanation.explanation;

    explanation_sample_fill(&samples->explanation, &phase_view_joined, 900);
    samples->explained_load =
        (struct load){.clients = 2, .connections = 3, .depth = 4, .rate = 500};
    strcpy(one->origin.auth, "krb5p");
    one->origin.xprtsec = "tls";
    strcpy(one->origin.name, "client");
    one->load = &samples->explained_load;
    one->cut_short_by = "interrupted";
    one->validity = &samples->result.validity;
    one->server_missing = "eBPF needs root";
    one->sample = 10;
    one->stamps_lost = 11;
    one->stamps_unmatched = 12;
    one->dropped = 13;
    one->events_lost = 14;
    samples->explanation.phases.incomplete = 15;
    samples->explanation.phases.out_of_order = 16;
    samples->explanation.phases.retransmitted = 17;
    samples->explanation.phases.failed = 18;
    explain_predict(one, &predictions);
    explanation_sample_fill(&samples->second_explanation, &phase_view_joined, 1500);
    samples->explained[0] = *one;
    samples->explained[1] = samples->second_explanation.explanation;
    samples->explained[1].op = "readdirplus";
    samples->explained[1].slow_count = 0;
    samples->explanations = (struct explanations){.ops = samples->explained,
                                                  .count = 2,
                                                  .mix = "sfs3",
                                                  .skipped = samples->explained_skipped,
                                                  .skipped_count = 2};
    samples->explained_skipped[0] = (struct result_skipped){"walk", "it makes several calls"};
    samples->explained_skipped[1] = (struct result_skipped){"open", "it makes several calls"};
}

bool samples_have_more(enum result_kind kind)
{
    return kind == RESULT_XDR || kind == RESULT_OUTAGE || kind == RESULT_CHARACTER ||
           kind == RESULT_SERVICES || kind == RESULT_LADDER || kind == RESULT_STATES ||
           kind == RESULT_EXPLANATION || kind == RESULT_EXPLANATIONS;
}

static void fill_more(struct samples *samples)
{
    fill_more_xdr(samples);
    fill_more_outage(samples);
    fill_more_character(samples);
    fill_more_services(samples);
    fill_more_result(samples);
    fill_more_ladder(samples);
    fill_more_states(samples);
    fill_more_explanation(samples);
}

struct samples *samples_open(bool full)
{
    struct samples *samples = calloc(1, sizeof *samples);

    fill_result(samples);
    fill_pairs(samples);
    fill_others(samples);
    fill_history(samples);
    fill_outage(samples);
    fill_character(samples);
    fill_services(samples);
    assert_int_equal(states_sample_fill(&samples->states, &samples->result), 0);
    samples->results[RESULT_MEASUREMENT] = &samples->result;
    samples->results[RESULT_VERSUS] = &samples->versus;
    samples->results[RESULT_SWEEP] = &samples->sweep;
    samples->results[RESULT_SEC_LADDER] = &samples->sec_ladder;
    samples->results[RESULT_EXPLANATION] = &samples->explanation.explanation;
    samples->explanations =
        (struct explanations){.ops = &samples->explanation.explanation, .count = 1};
    samples->results[RESULT_EXPLANATIONS] = &samples->explanations;
    samples->results[RESULT_LADDER] = &samples->ladder;
    samples->results[RESULT_XDR] = &samples->xdr;
    samples->results[RESULT_STATES] = &samples->states.result;
    samples->results[RESULT_OUTAGE] = &samples->outage;
    samples->profile = (struct profile){.path = "a.pcap", .procedures[1] = {.calls = 1}};
    samples->results[RESULT_PROFILE] = &samples->profile;
    samples->results[RESULT_CHARACTER] = &samples->character;
    samples->results[RESULT_COMPARISON] = &samples->comparison;
    samples->results[RESULT_HISTORY] = &samples->history;
    samples->results[RESULT_SERVICES] = &samples->services;
    if (full)
        fill_more(samples);
    return samples;
}

void samples_close(struct samples *samples)
{
    phases_close(&samples->explanation.phases);
    phases_close(&samples->second_explanation.phases);
    states_close(&samples->states.op);
    free(samples);
}
