#include "run/outcome.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/address.h"
#include "common/build.h"
#include "common/cpu.h"
#include "measure/fairness.h"
#include "nfs/status.h"
#include "rpc/message.h"
#include "run/host.h"
#include "run/judge.h"
#include "run/series.h"
#include "version.h"

/* A result being made; a lack of memory sets FAILED. */
struct filling {
    struct outcome *outcome;
    struct result *result;
    const struct session *session;
    bool failed;
};

static void *room(struct filling *filling, size_t count, size_t size)
{
    void *made = arena_alloc(&filling->result->arena, count, size);

    filling->failed = filling->failed || !made;
    return made;
}

static const char *copy(struct filling *filling, const char *text)
{
    const char *made = arena_copy(&filling->result->arena, text);

    filling->failed = filling->failed || (text && !made);
    return made;
}

/* Where */

static void fill_host(struct filling *filling)
{
    const struct clock *clock = &filling->session->clock;
    struct result_host *host = &filling->result->host;
    struct host found;

    host_fill(&found);
    host->kernel = copy(filling, found.kernel);
    host->machine = copy(filling, found.machine);
    host->cpu = copy(filling, found.cpu);
    host->clocksource = copy(filling, found.clocksource);
    host->cpus = found.cpus;
    host->virtual = found.virtual;
    host->tsc_hz = clock->tsc ? 1e9 / clock->ns_per_tick : NAN;
}

static void fill_flavors(const struct mount *mount, char *out, size_t size)
{
    char name[24];
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < mount->flavor_count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "",
                                 rpc_flavor_name(mount->flavors[i], name));
}

static void fill_target(struct filling *filling)
{
    const struct session *session = filling->session;
    const struct mount *mount = &session->setup.mount;
    struct result_target *target = &filling->result->target;
    char name[24], address[64], flavors[160];

    fill_flavors(mount, flavors, sizeof flavors);
    address_text(&mount->nfs.address, address);
    *target = (struct result_target){
        .text = session->plan->target_text,
        .host = session->setup.target.host,
        .export = mount->export,
        .path = mount->path,
        .address = copy(filling, address),
        .transport = transport_name(mount->nfs.transport),
        .nfs_port = address_port(&mount->nfs.address),
        .mount_port = address_port(&mount->mount.address),
        .auth = copy(filling, rpc_flavor_name(session->plan->identity.flavor, name)),
        .flavors = copy(filling, flavors),
        .mount_ns = mount->mount_ns,
        .unmount_ns = mount->unmount_ns,
    };
}

/* How */

static const struct result_mix *describe_mix(struct filling *filling)
{
    const char *plan_name = filling->session->plan->mix_name;
    const struct nfs_mix *ops = &filling->session->set.mix_ops;
    struct result_mix *mix = plan_name ? room(filling, 1, sizeof *mix) : NULL;
    char name[PATH_MAX + NFS_MIX_MISSING_SIZE];

    if (!mix)
        return NULL;
    snprintf(name, sizeof name, "%s%s%s", plan_name, ops->missing[0] ? " less " : "", ops->missing);
    mix->name = copy(filling, name);
    for (size_t i = 0; i < ops->count && i < RESULT_MIX_MAXIMUM; i++) {
        mix->ops[i].op = ops->ops[i].procedure->op;
        mix->ops[i].weight = ops->ops[i].weight;
        mix->count++;
    }
    return mix;
}

static void fill_config(struct filling *filling)
{
    const struct session *session = filling->session;
    const struct run_plan *plan = session->plan;
    char client_cpus[128];

    cpu_allowed_list(client_cpus);
    filling->result->config = (struct result_config){
        .engine = plan->engine->name,
        .mix = describe_mix(filling),
        .load = plan->load,
        .spin = plan->spin,
        .verify = plan->verify,
        .baseline = !plan->no_baseline,
        .calls = plan->calls,
        .precision = plan->precision,
        .maximum_ns = plan->maximum_ns,
        .precision_reached = session->measuring.end == MEASURING_END_PRECISION,
        .block = session->set.block,
        .timeout_ns = plan->timeout_ns,
        .retransmissions = plan->retransmissions,
        .read_size = session->setup.objects.read.count,
        .read_offset = session->setup.objects.read.offset,
        .write_size = run_plan_transfers(plan, NFS_TRANSFER_WRITE) ? plan->read_size : 0,
        .files = plan->files,
        .file_size = plan->files ? run_plan_file_size(plan) : 0,
        .directory_size = plan->directory_size,
        .awake = session->awake >= 0,
        .client_cpus = copy(filling, client_cpus),
        .server_cpu = plan->target.self ? session->setup.self.pinned_cpu : -1,
    };
}

static void fill_clock(struct result *result, const struct session *session)
{
    const struct clock *clock = &session->clock;

    result->rounds = (struct result_rounds){.done = session->measuring.rounds.done,
                                            .planned = session->measuring.rounds.planned,
                                            .warmup = session->measuring.rounds.warmup,
                                            .steady = session->measuring.rounds.steady};
    result->clock = (struct result_clock){
        .name = clock->name,
        .ns_per_tick = clock->ns_per_tick,
        .cost_ns = clock->cost_ns,
        .disagreement_ppm = clock_check_ppm(&session->measuring.clock_check, clock),
        .largest_step_ns = session->measuring.clock_check.largest_step_ns,
    };
    memcpy(result->clock.cost_log2, clock->cost_log2, sizeof result->clock.cost_log2);
}

/* Ops */

static const char *object_path(const struct session *session, const struct run_series *series)
{
    const struct nfs_objects *objects = series->call.objects;

    switch (series->call.procedure->object) {
    case NFS_OBJECT_NONE:
        return NULL;
    case NFS_OBJECT_ROOT:
        return session->setup.mount.export;
    case NFS_OBJECT_DIRECTORY:
        return objects->directory_path;
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
    op->errors = room(filling, tally->error_kinds, sizeof *op->errors);
    op->error_count = op->errors ? tally->error_kinds : 0;
    for (size_t i = 0; i < op->error_count; i++)
        op->errors[i] = (struct result_error){
            copy(filling, nfs_status_name(tally->errors[i].status, name)), tally->errors[i].count};
}

/* Calls a second while the series' blocks ran; under load, in their steady parts. */
static double rate_of(const struct session *session, size_t index)
{
    const struct engine_tally *tally = &session->set.series[index]->tally;
    const struct series *series = &session->measuring.rounds.series[index];

    if (session->set.series[index]->rate_per_s > 0)
        return session->set.series[index]->rate_per_s;
    if (tally->steady_ticks > 0)
        return (double)tally->steady_calls * 1e9 /
               ((double)tally->steady_ticks * session->clock.ns_per_tick);
    return series->elapsed_ns ? (double)series->calls * 1e9 / (double)series->elapsed_ns : 0;
}

static void fill_clients(struct filling *filling, struct result_load *load,
                         const struct load_client *clients)
{
    unsigned count = filling->session->plan->load.clients;
    double *calls = calloc(count, sizeof *calls);

    load->clients = room(filling, count, sizeof *load->clients);
    load->client_count = load->clients && calls ? count : 0;
    for (size_t i = 0; i < load->client_count; i++) {
        double ticks = (double)clients[i].ticks;

        calls[i] = (double)clients[i].calls;
        load->clients[i].calls = clients[i].calls;
        load->clients[i].mean_ns =
            calls[i] > 0 ? ticks / calls[i] * filling->result->clock.ns_per_tick : 0;
    }
    load->fairness = calls ? fairness_index(calls, count) : NAN;
    free(calls);
}

static void fill_load(struct filling *filling, struct result_op *op, size_t index)
{
    const struct load_series *series = filling->session->set.series[index]->load;
    struct result_load *load = room(filling, 1, sizeof *load);

    if (!load)
        return;
    *load = (struct result_load){
        .in_flight = op->rate_per_s * op->latency.mean / 1e9,
        .client_cpu_ns = series->calls ? (double)series->cpu_ns / (double)series->calls : 0,
        .open_loop = filling->session->plan->load.rate > 0,
        .service = result_latency_of(&series->service),
        .lateness = result_latency_of(&series->lateness),
        .timeline = series->timeline.points,
        .timeline_count = series->timeline.count,
    };
    fill_clients(filling, load, series->clients);
    op->load = load;
}

static void fill_slowest(struct filling *filling, struct result_op *op, const struct series *series)
{
    const struct session *session = filling->session;

    op->slowest = room(filling, series->slowest_count, sizeof *op->slowest);
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
            .rank = from->rank,
        };
        call->has_around = from->rank == 0 && /* whose machine is watched */
                           machine_log_around(&session->measuring.machine_log, from->block_began_ns,
                                              &call->around);
    }
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
    op->reply_packets = costs->lengths.packets;
    fill_series(filling, op, costs->series);
    if (series->load && !series_role(series)->in_mix)
        fill_load(filling, op, index);
    fill_errors(filling, op, &series->tally);
    op->retransmissions_known = session->plan->engine->counts_retransmissions;
    op->retransmissions = series->tally.counts.retransmissions;
    op->reconnections = series->tally.counts.reconnections;
    op->unmatched = series->tally.counts.unmatched;
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

    result->ops = room(filling, session->set.count, sizeof *result->ops);
    costs->ops = room(filling, session->set.count, sizeof *costs->ops);
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

    result->skipped = room(filling, session->set.skipped_count, sizeof *result->skipped);
    result->skipped_count = result->skipped ? session->set.skipped_count : 0;
    for (size_t i = 0; i < result->skipped_count; i++)
        result->skipped[i] =
            (struct result_skipped){session->set.skipped[i].op, session->set.skipped[i].reason};
}

/* Ledger */

static void add_link(struct result_ledger *ledger, const char *name)
{
    double speed = counters_interface_speed(name);
    struct result_link *link = &ledger->links[ledger->link_count];

    for (size_t i = 0; i < ledger->link_count; i++)
        if (strcmp(ledger->links[i].name, name) == 0)
            return;
    if (!isfinite(speed) || ledger->link_count == COUNTERS_INTERFACES_MAXIMUM)
        return;
    snprintf(link->name, sizeof link->name, "%s", name);
    link->bits_per_s = speed;
    ledger->link_count++;
}

static const char *unless_empty(const char *text)
{
    return text && *text ? text : NULL;
}

static void fill_ledger(struct result *result, const struct session *session)
{
    const struct ledger_run *run = &session->ledger;
    struct result_ledger *ledger = &result->ledger;

    ledger->counted = run->done;
    ledger->passes = run->done ? LEDGER_PASSES : 0;
    ledger->calls = run->calls;
    ledger->client_idle = &run->client_idle;
    ledger->server_idle = &run->server_idle;
    ledger->server_pid = run->server_pid;
    ledger->server_missing = unless_empty(run->counters.missing);
    ledger->cut_short_by = unless_empty(run->cut_short);
    for (size_t i = 0; i < result->op_count; i++)
        for (size_t j = 0; result->ops[i].client && j < result->ops[i].client->interface_count; j++)
            add_link(ledger, result->ops[i].client->interfaces[j].name);
}

/* Usage */

static uint64_t total_calls(const struct rounds *rounds)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < rounds->series_count; i++)
        calls += rounds->series[i].calls;
    return calls ? calls : 1;
}

static void fill_usage(struct result *result, const struct session *session, uint64_t calls)
{
    const struct ledger_stretch all = {session->measuring.before, session->measuring.after, calls};
    double elapsed = (double)(all.after.at_ns - all.before.at_ns) / (double)calls; /* per call */
    struct ledger_entry usage;

    ledger_per_call(&usage, &all, 1, NULL);
    memcpy(result->usage, usage.values, sizeof result->usage);
    result->client_cpu_share = result->usage[COUNTER_CPU_NS] / elapsed;
    result->host.steal = result->usage[COUNTER_STEAL_NS] / elapsed / result->host.cpus;
}

static void fill_start(char *out, size_t size, const struct session *session)
{
    struct tm broken_down;

    localtime_r(&session->started, &broken_down);
    strftime(out, size, "%Y-%m-%dT%H:%M:%S%z", &broken_down);
    /* RFC 3339 has a colon in the offset. */
    if (strlen(out) == 24 && size > 25) {
        memmove(out + 23, out + 22, 3);
        out[22] = ':';
    }
}

static void fill_run(struct filling *filling, const char *cut_short_by)
{
    const struct session *session = filling->session;
    struct result *result = filling->result;
    char start[40];

    fill_start(start, sizeof start, session);
    result->tool = (struct result_tool){"nfsbench", NFSBENCH_VERSION, build_description()};
    result->command = (const char *const *)session->plan->command;
    result->command_count = session->plan->command_count;
    result->start = copy(filling, start);
    result->started = session->started;
    result->seed = session->plan->seed;
    result->cut_short = session->measuring.rounds.done < session->measuring.rounds.planned;
    result->cut_short_by = cut_short_by;
}

static int fill_launch(struct result *result, const struct session *session)
{
    const struct run_launch *launch = &session->plan->launch;
    int code = result_add_launch(result);

    if (code)
        return code;
    result->launches[0].server = launch->server;
    result->launches[0].environment = launch->environment;
    result->launches[0].heap = launch->heap;
    result->launches[0].client_cpu = session->measuring.client_cpu;
    result->launches[0].server_cpu = session->measuring.server_cpu;
    return 0;
}

int outcome_fill(struct outcome *outcome, const struct session *session, const char *cut_short_by,
                 struct error *error)
{
    struct result *result = &outcome->result;
    struct filling filling = {.outcome = outcome, .result = result, .session = session};
    uint64_t calls;
    int code;

    memset(outcome, 0, sizeof *outcome);
    fill_run(&filling, cut_short_by);
    fill_clock(result, session);
    fill_host(&filling);
    fill_target(&filling);
    fill_config(&filling);
    fill_ops(&filling);
    fill_skipped(&filling);
    code = filling.failed ? error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the result")
                          : costs_fill(&outcome->costs, result, session, error);
    if (code) {
        outcome_free(outcome);
        return code;
    }
    fill_ledger(result, session);
    calls = total_calls(&session->measuring.rounds);
    fill_usage(result, session, calls + session->measuring.calls_beside);
    judge_result(result, session, calls);
    code = fill_launch(result, session);
    if (code) {
        outcome_free(outcome);
        return error_set(error, ERROR_FAILED, code, "out of memory for the result");
    }
    return 0;
}

void outcome_free(struct outcome *outcome)
{
    result_free(&outcome->result);
    outcome->costs = (struct costs){.count = 0};
}
