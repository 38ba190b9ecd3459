/* A result's ops, and those that were skipped. */
#include <math.h>
#include <stdlib.h>

#include "measure/load.h"
#include "nfs/status.h"
#include "run/outcome/filling.h"
#include "run/series/series.h"

static const char *object_path(const struct session *session, const struct run_series *series)
{
    const struct nfs_objects *objects = series->call.objects;

    if (series->role == SERIES_LOCAL)
        return session->plan->baseline_directory;
    if (series->mounted.operation)
        return series->mounted.operation->object == OPERATION_TARGET ||
                       session->setup.file_system.is_file
                   ? objects->directory_path
                   : objects->scratch_path;
    switch (series->call.procedure->object) {
    case NFS_OBJECT_NONE:
        return NULL;
    case NFS_OBJECT_ROOT:
        return session->setup.mount.export;
    case NFS_OBJECT_DIRECTORY:
        return objects->directory_path;
    case NFS_OBJECT_TARGET:
        return objects->base_path;
    case NFS_OBJECT_SYMLINK:
        return objects->symlink_path;
    case NFS_OBJECT_NAME:
        return objects->file_path[0] ? objects->file_path : objects->directory_path;
    case NFS_OBJECT_SCRATCH:
        return objects->scratch_path;
    case NFS_OBJECT_SCRATCH_FILE:
        return objects->scratch_file_path;
    default:
        return objects->has_file ? objects->file_path : objects->directory_path;
    }
}

static void fill_errors(struct filling *filling, struct result_op *op,
                        const struct engine_tally *tally)
{
    char name[NFS_STATUS_NAME_SIZE];

    op->failed = tally->failed;
    op->errors = filling_room(filling, tally->error_kinds, sizeof *op->errors);
    op->error_count = op->errors ? tally->error_kinds : 0;
    for (size_t i = 0; i < op->error_count; i++)
        op->errors[i] = (struct result_error){
            filling_copy(filling, nfs_status_name(tally->errors[i].status, name)),
            tally->errors[i].count};
}

/* Calls a second while the series' blocks ran; under load, in their steady parts, unless these have
 * less than half of the calls, as where a block has fewer calls than may be in flight. */
static double rate_of(const struct session *session, size_t index)
{
    const struct engine_tally *tally = &session->set.series[index]->tally;
    const struct series *series = &session->measuring.rounds.series[index];

    if (tally->steady_ticks > 0 && 2 * tally->steady_calls >= series->calls)
        return (double)tally->steady_calls * 1e9 /
               ((double)tally->steady_ticks * session->clock.ns_per_tick);
    return series->elapsed_ns ? (double)series->calls * 1e9 / (double)series->elapsed_ns : 0;
}

static void fill_clients(struct filling *filling, struct result_load *load,
                         const struct load_client *clients)
{
    unsigned count = filling->session->plan->load.clients;
    double *calls = calloc(count, sizeof *calls);

    load->clients = filling_room(filling, count, sizeof *load->clients);
    load->client_count = load->clients && calls ? count : 0;
    for (size_t i = 0; i < load->client_count; i++) {
        double ticks = (double)clients[i].ticks;

        calls[i] = (double)clients[i].calls;
        load->clients[i].calls = clients[i].calls;
        load->clients[i].mean_ns =
            calls[i] > 0 ? ticks / calls[i] * filling->result->clock.ns_per_tick : 0;
    }
    load->fairness = calls ? load_fairness(calls, count) : NAN;
    free(calls);
}

/* In an open loop the mean over the time in which calls were sent. */
static double in_flight_of(const struct session *session, const struct load_series *series,
                           const struct result_op *op)
{
    if (series->in_flight_ticks > 0)
        return series->in_flight_area / series->in_flight_ticks;
    return load_mean_in_flight(&session->plan->load, op->rate_per_s, op->latency.mean);
}

static void fill_load(struct filling *filling, struct result_op *op, size_t index)
{
    const struct engine_tally *tally = &filling->session->set.series[index]->tally;
    const struct load_series *series = filling->session->set.series[index]->load;
    struct result_load *load = filling_room(filling, 1, sizeof *load);

    if (!load)
        return;
    *load = (struct result_load){
        .in_flight = in_flight_of(filling->session, series, op),
        .client_cpu_ns = series->calls ? (double)series->cpu_ns / (double)series->calls : 0,
        .open_loop = filling->session->plan->load.rate > 0,
        .service = result_latency_of(&series->service),
        .lateness = result_latency_of(&series->lateness),
        .left_out = series->left_out,
        .interruptions = series->interruptions,
        .interrupted_s = (double)series->paused_ticks * filling->result->clock.ns_per_tick / 1e9,
        .unanswered = tally->unanswered,
        .unsent = tally->unsent,
        .timeline = series->timeline.points,
        .timeline_count = series->timeline.count,
    };
    for (size_t i = 0; i < LOAD_HOLDS && series->calls; i++)
        load->held_ns[i] = (double)tally->held_ticks[i] * filling->result->clock.ns_per_tick /
                           (double)series->calls;
    fill_clients(filling, load, series->clients);
    op->load = load;
}

static void fill_slowest(struct filling *filling, struct result_op *op, const struct series *series)
{
    const struct session *session = filling->session;

    op->slowest = filling_room(filling, series->slowest_count, sizeof *op->slowest);
    op->slowest_count = op->slowest ? series->slowest_count : 0;
    for (size_t i = 0; i < op->slowest_count; i++) {
        const struct slow_call *from = &series->slowest[i];
        struct result_slow_call *call = &op->slowest[i];

        *call = (struct result_slow_call){
            .ns = from->ns,
            .round = from->round,
            .call = from->position,
            .at_s = (double)(from->block_began_ns - session->measuring.began_ns) / 1e9,
            .involuntary_switches = from->involuntary_switches,
        };
        call->has_around =
            machine_log_around(&session->readings.machine_log, from->block_began_ns, &call->around);
    }
}

static void fill_gaps(struct filling *filling, struct result_op *op, const struct engine_gaps *gaps)
{
    const struct session *session = filling->session;
    double seconds = session->clock.ns_per_tick / 1e9;

    op->gaps_in_all = gaps->count;
    op->gaps = filling_room(filling, gaps->kept, sizeof *op->gaps);
    op->gap_count = op->gaps ? gaps->kept : 0;
    for (size_t i = 0; i < op->gap_count; i++) {
        const struct engine_gap *from = &gaps->longest[i];
        double since = (double)from->began - (double)session->readings.clock_check.first_ticks;

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

static void fill_series(struct filling *filling, struct result_op *op, const struct series *series)
{
    op->calls = series->calls;
    op->timed = series->histogram.count;
    op->elapsed_ns = series->elapsed_ns;
    op->latency = result_latency_of(&series->histogram);
    op->histogram = &series->histogram;
    op->blocks = series->blocks[BLOCK_TRIMMED_MEAN];
    op->block_means = series->blocks[BLOCK_MEAN];
    fill_slowest(filling, op, series);
}

/* Bytes of files in a call of SERIES; of a mix, the mean over its ops by how often they are called.
 */
static double data_bytes(const struct session *session, const struct run_series *series)
{
    const struct mix_run *mix = &session->mix;
    double mean = 0;

    if (series != session->set.mix)
        return nfs_call_data_bytes(&series->call);
    for (size_t i = 0; i < mix->mix->count; i++)
        mean += data_bytes(session, mix->ops[i]) * mix->shares[i] / mix->length;
    return mean;
}

/* What an op of several calls is made of, on average. */
static void fill_sequence(struct result_op *op, const struct run_series *series)
{
    const struct engine_tally *tally = &series->tally;
    double ops = (double)tally->sequences;

    op->calls_each = op->entries_each = NAN;
    if (ops > 0)
        op->calls_each = (double)tally->sequence_calls / ops;
    if (tally->sequence_entries > 0)
        op->entries_each = (double)tally->sequence_entries / ops;
    result_fill_entries(op);
}

static double per_call(const struct mounted_series *series, enum mountstats_counter counter)
{
    uint64_t sum = mountstats_sum(&series->sent, counter);

    return series->calls ? (double)sum / (double)series->calls : 0;
}

/* What the kernel's client counted. */
static void fill_mounted(struct filling *filling, struct result_op *op,
                         const struct mounted_series *series)
{
    struct result_mounted *mounted = filling_room(filling, 1, sizeof *mounted);

    if (!mounted)
        return;
    *mounted = (struct result_mounted){
        .system_call = series->operation->system_call,
        .rpcs = per_call(series, MOUNTSTATS_CALLS),
        .queue_ns = 1e6 * per_call(series, MOUNTSTATS_QUEUE_MS),
        .rtt_ns = 1e6 * per_call(series, MOUNTSTATS_RTT_MS),
        .execute_ns = 1e6 * per_call(series, MOUNTSTATS_EXECUTE_MS),
        .timeouts = mountstats_sum(&series->sent, MOUNTSTATS_TIMEOUTS),
        .connections = series->sent.connections,
        .slots = series->sent.slots,
        .backlog =
            series->sent.sends ? (double)series->sent.backlog / (double)series->sent.sends : 0,
        .blocks_again = series->discarded,
        .instead = series->discarded ? filling_copy(filling, series->instead) : NULL,
    };
    op->mounted = mounted;
    op->retransmissions = mountstats_sum(&series->sent, MOUNTSTATS_TRANSMISSIONS) -
                          mountstats_sum(&series->sent, MOUNTSTATS_CALLS);
}

static void fill_op(struct filling *filling, size_t index)
{
    const struct session *session = filling->session;
    const struct run_series *series = session->set.series[index];
    size_t n = filling->result->op_count++;
    struct result_op *op = &filling->result->ops[n];
    struct op_costs *costs = &filling->outcome->costs.ops[n];

    op->op = series->name;
    op->role = role_of(series->role);
    op->object = object_path(session, series);
    op->rate_per_s = rate_of(session, index);
    costs->series = &session->measuring.rounds.series[index];
    costs->lengths = costs_lengths(session, series);
    op->call_bytes = costs->lengths.call;
    op->reply_bytes = costs->lengths.reply;
    if (series->call.records.call > 0 && !series->call.engine.sequence) {
        op->tls_call_bytes = op->call_bytes + series->call.records.call;
        op->tls_reply_bytes = op->reply_bytes + series->call.records.reply;
    }
    op->reply_packets = costs->lengths.packets;
    op->data_bytes = data_bytes(session, series) > 0 ? data_bytes(session, series) : NAN;
    op->megabytes_per_s = result_megabytes_per_s(op);
    op->places = series == session->set.mix ? 0 : series->call.places.places.count;
    fill_series(filling, op, costs->series);
    op->map = intervals_map(&session->measuring.intervals, index);
    fill_sequence(op, series);
    if (series->load && !series_role(series)->in_mix)
        fill_load(filling, op, index);
    fill_errors(filling, op, &series->tally);
    fill_gaps(filling, op, &series->tally.gaps);
    op->retransmissions_known = session->plan->engine->counts_retransmissions;
    op->retransmissions = series->tally.counts.retransmissions;
    op->reconnections = series->tally.counts.reconnections;
    op->renewals = series->tally.counts.renewals;
    op->unmatched = series->tally.counts.unmatched;
    op->early = series->tally.counts.early;
    if (series->mounted.operation)
        fill_mounted(filling, op, &series->mounted);
    if (session->ledger.done && series_role(series)->counted) {
        op->client = &session->ledger.client[index];
        op->server = &session->ledger.server[index];
    }
}

/* Series come in the order of the result's ops, those of the model after them. */
static void fill_roles(struct result *result, const struct session *session)
{
    for (size_t i = 0; i < result->op_count; i++) {
        struct result_op *op = &result->ops[i];

        if (op->role == RESULT_NULL)
            result->null_calls = op;
        else if (op->role == RESULT_NULL_CONTROL)
            result->null_control = op;
        if (op->role != RESULT_NULL && session->set.series[i]->baseline)
            op->baseline = &result->ops[session->set.series[i]->baseline->index];
    }
}

static void fill_ops(struct filling *filling)
{
    const struct session *session = filling->session;
    struct result *result = filling->result;
    struct costs *costs = &filling->outcome->costs;

    result->ops = filling_room(filling, session->set.count, sizeof *result->ops);
    costs->ops = filling_room(filling, session->set.count, sizeof *costs->ops);
    for (size_t i = 0; i < session->set.count && !filling->failed; i++)
        if (series_role(session->set.series[i])->in_result)
            fill_op(filling, i);
    costs->count = result->op_count;
    fill_roles(result, session);
}

static void fill_skipped(struct filling *filling)
{
    const struct session *session = filling->session;
    struct result *result = filling->result;

    result->skipped = filling_room(filling, session->set.skipped_count, sizeof *result->skipped);
    result->skipped_count = result->skipped ? session->set.skipped_count : 0;
    for (size_t i = 0; i < result->skipped_count; i++)
        result->skipped[i] =
            (struct result_skipped){session->set.skipped[i].op, session->set.skipped[i].reason};
}

void filling_ops(struct filling *filling)
{
    fill_ops(filling);
    fill_skipped(filling);
}
