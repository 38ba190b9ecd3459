#include "cli/outcome.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "common/address.h"
#include "common/cpu.h"
#include "nfs/status.h"
#include "rpc/message.h"

/* Host */

/* The first line of FILE that begins with KEY: what follows its colon. */
static void read_cpuinfo(const char *key, char *value, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[4096];

    snprintf(value, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');

        if (strncmp(line, key, strlen(key)) != 0 || !colon)
            continue;
        snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        value[strcspn(value, "\n")] = '\0';
        break;
    }
    if (file)
        fclose(file);
}

static void read_clocksource(char *value, size_t size)
{
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");

    if (!file || !fgets(value, (int)size, file))
        snprintf(value, size, "unknown");
    value[strcspn(value, "\n")] = '\0';
    if (file)
        fclose(file);
}

static void fill_host(struct result_host *host)
{
    struct utsname name;
    char flags[4096];

    uname(&name);
    snprintf(host->kernel, sizeof host->kernel, "%.15s %.60s", name.sysname, name.release);
    snprintf(host->machine, sizeof host->machine, "%.30s", name.machine);
    read_cpuinfo("model name", host->cpu, sizeof host->cpu);
    read_cpuinfo("flags", flags, sizeof flags);
    host->virtual = strstr(flags, "hypervisor") != NULL;
    read_clocksource(host->clocksource, sizeof host->clocksource);
    host->cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

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
    config->spin = settings->spin;
    config->verify = settings->verify;
    config->baseline = !settings->no_baseline;
    config->calls = settings->calls;
    config->block = settings->block;
    config->timeout_ns = settings->timeout_ns;
    config->retransmissions = settings->retransmissions;
    config->read_size = session->subject.read.count;
    config->read_offset = session->subject.read.offset;
    config->awake = session->awake >= 0;
    config->server_cpu = session->settings->target.self ? session->self.pinned_cpu : -1;
    cpu_allowed_list(config->client_cpus);
}

/* Ops */

static const char *object_path(const struct session *session, enum nfs_object object)
{
    const struct nfs_subject *subject = &session->subject;

    switch (object) {
    case NFS_OBJECT_NONE:
        return "";
    case NFS_OBJECT_ROOT:
        return session->mount.export;
    case NFS_OBJECT_DIRECTORY:
        return subject->directory_path;
    case NFS_OBJECT_SYMLINK:
        return subject->symlink_path;
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

static void fill_op(struct result_op *op, const struct session *session, size_t index)
{
    const struct session_series *series = &session->series[index];
    size_t mark = session->mount.nfs.transport == TRANSPORT_TCP ? (size_t)RPC_RECORD_MARK_SIZE : 0;

    op->op = series->name;
    op->series = &session->rounds.series[index];
    fill_errors(op, &series->tally);
    op->retransmissions_known = session->settings->engine->counts_retransmissions;
    op->retransmissions = series->tally.counts.retransmissions;
    op->reconnections = series->tally.counts.reconnections;
    op->strays = series->tally.counts.strays;
    op->call_bytes = series->call.engine.message.length + mark;
    op->reply_bytes = series->call.reply_length + mark;
    snprintf(op->object, sizeof op->object, "%s",
             object_path(session, series->call.procedure->object));
}

/* The control comes first: its interval is the noise floor for all others. */
static int fill_above_null(struct result *result, struct error *error)
{
    const struct series *null_calls = result->ops[0].series;
    double noise_floor = 0;

    for (size_t i = 1; i < result->op_count; i++) {
        struct result_op *op = &result->ops[i];
        int code = above_null_estimate(&op->above_null, op->series, null_calls,
                                       result->rounds->done, noise_floor, result->seed + i, error);

        if (code)
            return code;
        op->has_above_null = true;
        if (i == 1)
            noise_floor = above_null_noise_floor(&op->above_null);
    }
    return 0;
}

static int fill_ops(struct result *result, const struct session *session, struct error *error)
{
    result->ops = calloc(session->series_count, sizeof *result->ops);
    result->skipped = calloc(session->skipped_count + 1, sizeof *result->skipped);
    if (!result->ops || !result->skipped)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the result");
    for (size_t i = 0; i < session->series_count; i++)
        fill_op(&result->ops[result->op_count++], session, i);
    for (size_t i = 0; i < session->skipped_count; i++) {
        struct result_skipped *skipped = &result->skipped[result->skipped_count++];

        skipped->op = session->skipped[i].op;
        snprintf(skipped->reason, sizeof skipped->reason, "%s", session->skipped[i].reason);
    }
    return result->config.baseline ? fill_above_null(result, error) : 0;
}

/* Validity */

static void judge(struct result *result, const struct session *session, uint64_t calls)
{
    struct validity_evidence evidence = {
        .calls = calls,
        .rounds = result->rounds->done,
        .warmed_up_steady = session->settings->no_warmup || result->rounds->steady,
        .clock_ppm = result->clock_ppm,
        .steal_share = result->usage.steal_share,
        .involuntary_switches = result->usage.involuntary_switches,
        .has_control = result->config.baseline,
    };

    for (size_t i = 0; i < result->op_count; i++) {
        evidence.failed += result->ops[i].failed;
        evidence.retransmissions += result->ops[i].retransmissions;
        evidence.reconnections += result->ops[i].reconnections;
    }
    if (evidence.has_control) {
        evidence.control_low_ns = result->ops[1].above_null.cost.low;
        evidence.control_high_ns = result->ops[1].above_null.cost.high;
    }
    validity_judge(&result->validity, &evidence);
}

static uint64_t total_calls(const struct result *result)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < result->op_count; i++)
        calls += result->ops[i].series->calls;
    return calls ? calls : 1;
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
    result->seed = session->settings->seed;
    result->rounds = &session->rounds;
    result->cut_short = session->rounds.done < session->rounds.planned;
    result->cut_short_by = cut_short_by;
    result->clock = &session->clock;
    result->clock_ppm = clock_check_ppm(&session->clock_check, &session->clock);
    fill_host(&result->host);
    fill_target(&result->target, session);
    fill_config(&result->config, session);
    code = fill_ops(result, session, error);
    if (code) {
        outcome_free(result);
        return code;
    }
    calls = total_calls(result);
    usage_divide(&result->usage, &session->before, &session->after, calls, result->host.cpus);
    judge(result, session, calls);
    return 0;
}

void outcome_free(struct result *result)
{
    free(result->ops);
    free(result->skipped);
    result->ops = NULL;
    result->skipped = NULL;
}
