#include "cli/outcome.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/costs.h"
#include "cli/host.h"
#include "cli/judge.h"
#include "cli/series.h"
#include "common/address.h"
#include "common/cpu.h"
#include "measure/fairness.h"
#include "nfs/status.h"
#include "rpc/message.h"

/* Target and configuration */

static void fill_flavors(const struct mount *mount, char *out, size_t size)
{
    char name[24];
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < mount->flavor_count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "",
                                 rpc_flavor_name(mount->flavors[i], name));
}

static void fill_target(struct result_target *target, const struct session *session)
{
    const struct mount *mount = &session->mount;
    char name[24];

    target->text = session->settings->target_text;
    target->host = session->target.host;
    target->export = mount->export;
    target->path = mount->path;
    address_text(&mount->nfs.address, target->address);
    target->transport = transport_name(mount->nfs.transport);
    target->nfs_port = address_port(&mount->nfs.address);
    target->mount_port = address_port(&mount->mount.address);
    snprintf(target->auth, sizeof target->auth, "%s",
             rpc_flavor_name(session->settings->identity.flavor, name));
    fill_flavors(mount, target->flavors, sizeof target->flavors);
    target->mount_ns = mount->mount_ns;
    target->unmount_ns = mount->unmount_ns;
}

static void fill_config(struct result_config *config, const struct session *session)
{
    const struct settings *settings = session->settings;

    config->engine = settings->engine->name;
    config->mix_name = settings->mix_name;
    for (size_t i = 0; i < settings->mix.count; i++) {
        config->mix[i].op = settings->mix.ops[i].procedure->op;
        config->mix[i].weight = settings->mix.ops[i].weight;
        config->mix_count++;
    }
    config->load = settings->load;
    config->spin = settings->spin;
    config->verify = settings->verify;
    config->baseline = !settings->no_baseline;
    config->calls = settings->calls;
    config->precision = settings->precision;
    config->maximum_ns = settings->maximum_ns;
    config->precision_reached = session->end == SESSION_END_PRECISION;
    config->block = session->block;
    config->timeout_ns = settings->timeout_ns;
    config->retransmissions = settings->retransmissions;
    config->read_size = session->subject.read.count;
    config->read_offset = session->subject.read.offset;
    config->awake = session->awake >= 0;
    config->server_cpu = session->settings->target.self ? session->self.pinned_cpu : -1;
    cpu_allowed_list(config->client_cpus);
}

/* Ops */

static const char *object_path(const struct session *session, const struct session_series *series)
{
    const struct nfs_subject *subject = series->call.subject;

    switch (series->call.procedure->object) {
    case NFS_OBJECT_NONE:
        return "";
    case NFS_OBJECT_ROOT:
        return session->mount.export;
    case NFS_OBJECT_DIRECTORY:
        return subject->directory_path;
    case NFS_OBJECT_SYMLINK:
        return subject->symlink_path;
    case NFS_OBJECT_NAME:
        return subject->file_path[0] ? subject->file_path : subject->directory_path;
    case NFS_OBJECT_SCRATCH:
        return subject->scratch_path;
    case NFS_OBJECT_SCRATCH_FILE:
        return subject->scratch_file_path;
    default:
        return subject->has_file ? subject->file_path : subject->directory_path;
    }
}

static void fill_errors(struct result_op *op, const struct engine_tally *tally)
{
    char name[NFS_STATUS_NAME_SIZE];

    op->failed = tally->failed;
    op->error_kinds = tally->error_kinds;
    for (size_t i = 0; i < tally->error_kinds; i++) {
        snprintf(op->errors[i].name, sizeof op->errors[i].name, "%s",
                 nfs_status_name(tally->errors[i].status, name));
        op->errors[i].count = tally->errors[i].count;
    }
}

/* Calls a second while the series' blocks ran; under load, in their steady parts. */
static double rate_of(const struct session *session, size_t index)
{
    const struct engine_tally *tally = &session->series[index].tally;
    const struct series *series = &session->rounds.series[index];

    if (session->series[index].rate_per_s > 0)
        return session->series[index].rate_per_s;
    if (tally->steady_ticks > 0)
        return (double)tally->steady_calls * 1e9 /
               ((double)tally->steady_ticks * session->clock.ns_per_tick);
    return series->elapsed_ns ? (double)series->calls * 1e9 / (double)series->elapsed_ns : 0;
}

static void fill_fairness(struct result_load *load, const struct session *session)
{
    unsigned clients = session->settings->load.clients;
    double *shares = calloc(clients, sizeof *shares);

    load->least_calls = UINT64_MAX;
    for (unsigned i = 0; i < clients; i++) {
        uint64_t calls = load->clients[i].calls;

        load->least_calls = calls < load->least_calls ? calls : load->least_calls;
        load->most_calls = calls > load->most_calls ? calls : load->most_calls;
        if (shares)
            shares[i] = (double)calls;
    }
    load->fairness = shares ? fairness_index(shares, clients) : NAN;
    free(shares);
}

static void fill_load(struct result_op *op, const struct session *session, size_t index)
{
    const struct load_series *series = &session->load.series[index];
    bool open_loop = session->settings->load.rate > 0;

    op->has_load = true;
    op->load = (struct result_load){
        .in_flight = op->rate_per_s * op->series->histogram.mean / 1e9,
        .client_cpu_ns = series->calls ? (double)series->cpu_ns / (double)series->calls : 0,
        .clients = series->clients,
        .service = open_loop ? &series->service : NULL,
        .lateness = open_loop ? &series->lateness : NULL,
        .timeline = &series->timeline,
    };
    fill_fairness(&op->load, session);
}

static void fill_op(struct result_op *op, const struct session *session, size_t index)
{
    const struct session_series *series = &session->series[index];

    op->op = series->name;
    op->baseline = series->baseline;
    op->series = &session->rounds.series[index];
    op->rate_per_s = rate_of(session, index);
    if (session->load.series && !series_is_in_mix(session, index))
        fill_load(op, session, index);
    fill_errors(op, &series->tally);
    op->retransmissions_known = session->settings->engine->counts_retransmissions;
    op->retransmissions = series->tally.counts.retransmissions;
    op->reconnections = series->tally.counts.reconnections;
    op->strays = series->tally.counts.strays;
    op->lengths = costs_lengths(session, series);
    if (session->ledger.done && series->role != SERIES_CONTROL && series->role != SERIES_MIX) {
        op->client = &session->ledger.client[index];
        op->server = &session->ledger.server[index];
    }
    snprintf(op->object, sizeof op->object, "%s", object_path(session, series));
}

static int fill_ops(struct result *result, const struct session *session, struct error *error)
{
    result->ops = calloc(session->series_count, sizeof *result->ops);
    result->skipped = calloc(session->skipped_count + 1, sizeof *result->skipped);
    if (!result->ops || !result->skipped)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the result");
    for (size_t i = 0; i < session->series_count; i++)
        if (session->series[i].role <= SERIES_OP)
            fill_op(&result->ops[result->op_count++], session, i);
    for (size_t i = 0; i < session->skipped_count; i++) {
        struct result_skipped *skipped = &result->skipped[result->skipped_count++];

        skipped->op = session->skipped[i].op;
        snprintf(skipped->reason, sizeof skipped->reason, "%s", session->skipped[i].reason);
    }
    return 0;
}

/* Ledger */

static void fill_ledger(struct result_ledger *ledger, const struct session *session)
{
    const struct ledger_run *run = &session->ledger;

    ledger->done = run->done;
    ledger->calls = run->calls;
    ledger->client_idle = &run->client_idle;
    ledger->server_idle = &run->server_idle;
    ledger->server_pid = run->server_pid;
    ledger->server_lacking = run->counters.lacking;
    ledger->cut_short = run->cut_short;
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
    const struct ledger_stretch all = {session->before, session->after, calls};
    double elapsed = (double)(all.after.at_ns - all.before.at_ns) / (double)calls; /* per call */

    ledger_per_call(&result->usage, &all, 1, NULL);
    result->client_cpu_share = result->usage.values[COUNTER_CPU_NS] / elapsed;
    result->steal_share = result->usage.values[COUNTER_STEAL_NS] / elapsed / result->host.cpus;
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

int outcome_fill(struct result *result, const struct session *session, const char *cut_short_by,
                 struct error *error)
{
    uint64_t calls;
    int code;

    memset(result, 0, sizeof *result);
    fill_start(result->start, sizeof result->start, session);
    result->started = session->started;
    result->command = session->settings->command;
    result->command_count = session->settings->command_count;
    result->seed = session->settings->seed;
    result->rounds = &session->rounds;
    result->cut_short = session->rounds.done < session->rounds.planned;
    result->cut_short_by = cut_short_by;
    result->clock = &session->clock;
    result->machine_log = &session->machine_log;
    result->began_ns = session->began_ns;
    result->clock_step_ns = session->clock_check.largest_step_ns;
    result->clock_ppm = clock_check_ppm(&session->clock_check, &session->clock);
    host_fill(&result->host);
    fill_target(&result->target, session);
    fill_config(&result->config, session);
    fill_ledger(&result->ledger, session);
    code = fill_ops(result, session, error);
    if (code == 0)
        code = costs_fill(result, session, error);
    if (code) {
        outcome_free(result);
        return code;
    }
    calls = total_calls(result->rounds);
    fill_usage(result, session, calls + session->calls_beside);
    judge_result(result, session, calls);
    return 0;
}

void outcome_free(struct result *result)
{
    free(result->ops);
    free(result->skipped);
    result->ops = NULL;
    result->skipped = NULL;
}
