/* Sets the ops of a result, and the list of skipped ops. */
#include <math.h>
#include <stdlib.h>

#include "measure/load.h"
#include "nfs/status.h"
#include "run/outcome/outcome_parts.h"

static void fill_errors(struct making *making, struct result_op *op,
                        const struct engine_tally *tally)
{
    char name[NFS_STATUS_NAME_SIZE];

    op->failed = tally->failed;
    op->errors = filling_alloc(&making->filling, tally->error_kinds, sizeof *op->errors);
    op->error_count = op->errors ? tally->error_kinds : 0;
    for (size_t i = 0; i < op->error_count; i++)
        op->errors[i] = (struct result_error){
            filling_copy(&making->filling, nfs_status_name(tally->errors[i].status, name)),
            tally->errors[i].count};
}

/* Return the calls per second in the blocks of FROM or, under load, in their steady parts if these
 * have at least half of the calls. 0: the blocks' duration is unknown. */
static double op_rate(const struct measured *measured, const struct measured_series *from)
{
    const struct engine_tally *tally = from->tally;
    const struct series *series = from->samples;

    if (tally->steady_ticks > 0 && 2 * tally->steady_calls >= series->calls)
        return (double)tally->steady_calls * 1e9 /
               ((double)tally->steady_ticks * measured->clock->ns_per_tick);
    return series->elapsed_ns ? (double)series->calls * 1e9 / (double)series->elapsed_ns : 0;
}

static void fill_clients(struct making *making, struct result_load *load,
                         const struct load_client *clients)
{
    unsigned count = making->measured->plan->load.clients;
    double *calls = calloc(count, sizeof *calls);

    load->clients = filling_alloc(&making->filling, count, sizeof *load->clients);
    load->client_count = load->clients && calls ? count : 0;
    for (size_t i = 0; i < load->client_count; i++) {
        double ticks = (double)clients[i].ticks;

        calls[i] = (double)clients[i].calls;
        load->clients[i].calls = clients[i].calls;
        load->clients[i].mean_ns =
            calls[i] > 0 ? ticks / calls[i] * making->result->clock.ns_per_tick : 0;
    }
    load->fairness = calls ? load_fairness(calls, count) : NAN;
    free(calls);
}

/* Return the mean number of calls in flight; in an open loop, while calls were sent. */
static double in_flight_of(const struct measured *measured, const struct load_series *series,
                           const struct result_op *op)
{
    if (series->in_flight_ticks > 0)
        return series->in_flight_area / series->in_flight_ticks;
    return load_mean_in_flight(&measured->plan->load, op->rate_per_s, op->latency.mean);
}

static void fill_load(struct making *making, struct result_op *op,
                      const struct measured_series *from)
{
    const struct engine_tally *tally = from->tally;
    const struct load_series *series = from->load;
    struct result_load *load = filling_alloc(&making->filling, 1, sizeof *load);

    if (!load)
        return;
    *load = (struct result_load){
        .in_flight = in_flight_of(making->measured, series, op),
        .client_cpu_ns = series->calls ? (double)series->cpu_ns / (double)series->calls : 0,
        .open_loop = making->measured->plan->load.rate > 0,
        .service = result_latency_of(&series->service),
        .lateness = result_latency_of(&series->lateness),
        .left_out = series->left_out,
        .interruptions = series->interruptions,
        .interrupted_s = (double)series->paused_ticks * making->result->clock.ns_per_tick / 1e9,
        .unanswered = tally->unanswered,
        .unsent = tally->unsent,
        .timeline = series->timeline.points,
        .timeline_count = series->timeline.count,
    };
    for (size_t i = 0; i < LOAD_HOLDS && series->calls; i++)
        load->held_ns[i] = (double)tally->held_ticks[i] * making->result->clock.ns_per_tick /
                           (double)series->calls;
    fill_clients(making, load, series->clients);
    op->load = load;
}

static void fill_slowest(struct making *making, struct result_op *op, const struct series *series)
{
    const struct measured *measured = making->measured;

    op->slowest = filling_alloc(&making->filling, series->slowest_count, sizeof *op->slowest);
    op->slowest_count = op->slowest ? series->slowest_count : 0;
    for (size_t i = 0; i < op->slowest_count; i++) {
        const struct slow_call *from = &series->slowest[i];
        struct result_slow_call *call = &op->slowest[i];

        *call = (struct result_slow_call){
            .ns = from->ns,
            .round = from->round,
            .call = from->position,
            .at_s = (double)(from->block_began_ns - measured->rounds_began_ns) / 1e9,
            .involuntary_switches = from->involuntary_switches,
        };
        call->has_around = machine_log_around(&measured->readings->machine_log,
                                              from->block_began_ns, &call->around);
    }
}

static void fill_gaps(struct making *making, struct result_op *op, const struct engine_gaps *gaps)
{
    const struct measured *measured = making->measured;
    double seconds = measured->clock->ns_per_tick / 1e9;

    op->gaps_in_all = gaps->count;
    op->gaps = filling_alloc(&making->filling, gaps->kept, sizeof *op->gaps);
    op->gap_count = op->gaps ? gaps->kept : 0;
    for (size_t i = 0; i < op->gap_count; i++) {
        const struct engine_gap *from = &gaps->longest[i];
        double since = (double)from->began - (double)measured->readings->clock_check.first_ticks;

        op->gaps[i] = (struct result_gap){.at_s = since * seconds,
                                          .length_s = (double)(from->ended - from->began) * seconds,
                                          .calls = from->calls};
    }
    result_sort_gaps(op);
}

static enum result_role role_of(enum series_role role)
{
    switch (role) {
    case SERIES_NULL:
        return RESULT_NULL;
    case SERIES_CONTROL:
        return RESULT_NULL_CONTROL;
    case SERIES_MIX:
        return RESULT_MIX;
    case SERIES_LOCAL:
        return RESULT_LOCAL;
    default:
        return RESULT_OP;
    }
}

static void fill_series(struct making *making, struct result_op *op, const struct series *series)
{
    op->calls = series->calls;
    op->timed = series->histogram.count;
    op->elapsed_ns = series->elapsed_ns;
    op->latency = result_latency_of(&series->histogram);
    op->histogram = &series->histogram;
    op->blocks = series->blocks[BLOCK_TRIMMED_MEAN];
    op->block_means = series->blocks[BLOCK_MEAN];
    fill_slowest(making, op, series);
}

static void fill_sequence(struct result_op *op, const struct engine_tally *tally)
{
    double ops = (double)tally->sequences;

    op->calls_each = op->entries_each = NAN;
    if (ops > 0)
        op->calls_each = (double)tally->sequence_calls / ops;
    if (tally->sequence_entries > 0)
        op->entries_each = (double)tally->sequence_entries / ops;
    result_set_entry_rates(op);
}

static void fill_mounted(struct making *making, struct result_op *op,
                         const struct mount_counts *counts)
{
    struct result_mounted *mounted = filling_alloc(&making->filling, 1, sizeof *mounted);

    if (!mounted)
        return;
    *mounted = counts->means;
    if (counts->means.instead)
        mounted->instead = filling_copy(&making->filling, counts->means.instead);
    op->mounted = mounted;
    op->retransmissions = counts->retransmissions;
}

static void fill_counts(struct result_op *op, const struct engine_tally *tally)
{
    op->retransmissions = tally->counts.retransmissions;
    op->reconnections = tally->counts.reconnections;
    op->renewals = tally->counts.renewals;
    op->unmatched = tally->counts.unmatched;
    op->early = tally->counts.early;
}

static void fill_lengths(struct result_op *op, const struct measured_series *series)
{
    op->call_bytes = series->lengths.call;
    op->reply_bytes = series->lengths.reply;
    if (series->records.call > 0) {
        op->tls_call_bytes = op->call_bytes + series->records.call;
        op->tls_reply_bytes = op->reply_bytes + series->records.reply;
    }
    op->reply_packets = series->lengths.packets;
    op->data_bytes = series->data_bytes > 0 ? series->data_bytes : NAN;
    op->megabytes_per_s = result_megabytes_per_s(op);
    op->places = series->places;
}

static void set_op(struct making *making, const struct measured_series *series)
{
    size_t n = making->result->op_count++;
    struct result_op *op = &making->result->ops[n];

    making->outcome->costs.ops[n] =
        (struct op_costs){.series = series->samples, .lengths = series->lengths};
    op->op = series->name;
    op->role = role_of(series->role);
    op->object = series->object;
    op->rate_per_s = op_rate(making->measured, series);
    fill_lengths(op, series);
    fill_series(making, op, series->samples);
    op->map = series->map;
    fill_sequence(op, series->tally);
    if (series->load)
        fill_load(making, op, series);
    fill_errors(making, op, series->tally);
    fill_gaps(making, op, &series->tally->gaps);
    op->retransmissions_known = making->measured->plan->engine->counts_retransmissions;
    fill_counts(op, series->tally);
    if (series->mounted)
        fill_mounted(making, op, series->mounted);
    op->client = series->client;
    op->server = series->server;
}

static void fill_roles(struct result *result, const struct measured *measured)
{
    for (size_t i = 0; i < result->op_count; i++) {
        const struct measured_series *baseline = measured->series[i].baseline;
        struct result_op *op = &result->ops[i];

        if (op->role == RESULT_NULL)
            result->null_calls = op;
        else if (op->role == RESULT_NULL_CONTROL)
            result->null_control = op;
        if (op->role != RESULT_NULL && baseline)
            op->baseline = &result->ops[baseline - measured->series];
    }
}

static void fill_ops(struct making *making)
{
    const struct measured *measured = making->measured;
    struct result *result = making->result;
    struct costs *costs = &making->outcome->costs;

    result->ops = filling_alloc(&making->filling, measured->count, sizeof *result->ops);
    costs->ops = filling_alloc(&making->filling, measured->count, sizeof *costs->ops);
    for (size_t i = 0; i < measured->count && !making->filling.failed; i++)
        if (series_roles[measured->series[i].role].in_result)
            set_op(making, &measured->series[i]);
    costs->count = result->op_count;
    fill_roles(result, measured);
}

static void fill_skipped(struct making *making)
{
    const struct measured *measured = making->measured;
    struct result *result = making->result;

    result->skipped =
        filling_alloc(&making->filling, measured->skipped_count, sizeof *result->skipped);
    result->skipped_count = result->skipped ? measured->skipped_count : 0;
    for (size_t i = 0; i < result->skipped_count; i++)
        result->skipped[i] =
            (struct result_skipped){measured->skipped[i].op, measured->skipped[i].reason};
}

void making_ops(struct making *making)
{
    fill_ops(making);
    fill_skipped(making);
}
