#include "cli/session.h"

#include <errno.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/ledger_run.h"
#include "cli/scratch.h"
#include "cli/series.h"
#include "common/address.h"
#include "common/cpu.h"
#include "measure/above_null.h"
#include "measure/awake.h"
#include "nfs/status.h"

/* More than any reply's header and attributes take, beside a READ's data or a directory's 8 KiB. */
enum { REPLY_OVERHEAD = 16384 };

enum { PORTMAP_PORT = 111 };

/* For unmounting from a server that has failed. */
enum { LAST_PATIENCE_NS = 1000 * 1000 * 1000 };

static struct channel_options channel_options(const struct settings *settings)
{
    return (struct channel_options){.timeout_ns = settings->timeout_ns,
                                    .retransmissions = settings->retransmissions,
                                    .spin = settings->spin,
                                    .reply_maximum = settings->read_size + REPLY_OVERHEAD,
                                    .stop = &interrupt_flag};
}

/* The counter, unless the user chose otherwise or it can't be trusted. */
static int open_clock(struct session *session, struct error *error)
{
    const char *name = session->settings->clock_name;
    int code = clock_open(&session->clock, name ? name : "tsc", error);

    if (code == -ENOTSUP && !name)
        code = clock_open(&session->clock, "monotonic-raw", error);
    return code;
}

static int start_server(struct session *session, struct error *error)
{
    const char *arguments[INJECTION_WORDS_MAXIMUM];

    session->target = session->settings->target;
    session->self.pinned_cpu = -1;
    if (!session->target.self)
        return 0;
    injection_words(&session->settings->injection, arguments);
    return self_start(&session->self, &session->target, NULL, arguments, error);
}

static int mount_target(struct session *session, struct error *error)
{
    struct mount_options options = {.identity = session->settings->identity,
                                    .channel = channel_options(session->settings),
                                    .reserved_port = !session->settings->no_reserved_port};
    int code = mount_export(&session->mount, &session->target, &options, error);

    if (code)
        return code;
    session->mounted = true;
    return session_connect(session, SERVICE_NFS, error);
}

static struct endpoint endpoint_of(const struct session *session, enum service_kind service)
{
    struct endpoint endpoint = service == SERVICE_NFS ? session->mount.nfs : session->mount.mount;

    if (service == SERVICE_PORTMAP)
        address_set_port(&endpoint.address, PORTMAP_PORT);
    return endpoint;
}

int session_connect(struct session *session, enum service_kind service, struct error *error)
{
    struct endpoint endpoint = endpoint_of(session, service);

    if (session->clients[service])
        return 0;
    return rpc_client_open(&session->clients[service], &endpoint, &session->mount.options.identity,
                           &session->mount.options.channel, error);
}

static bool wants(const struct settings *settings, enum nfs_object object)
{
    for (size_t i = 0; i < settings->op_count; i++)
        if (settings->ops[i]->object == object)
            return true;
    return false;
}

static int find_objects(struct session *session, struct error *error)
{
    const struct settings *settings = session->settings;
    struct nfs_subject_request request = {
        .root = session->mount.root,
        .export = session->mount.export,
        .path = session->mount.path,
        .file = settings->file,
        .want_file = wants(settings, NFS_OBJECT_FILE) || wants(settings, NFS_OBJECT_ANY) ||
                     wants(settings, NFS_OBJECT_NAME) ||
                     !(settings->no_model || settings->no_baseline),
        .want_symlink = wants(settings, NFS_OBJECT_SYMLINK),
        .read_size = settings->read_size,
        .read_offset = settings->read_offset,
        .want_read = settings_call(settings, NFSPROC3_READ),
        .verify = settings->verify,
    };

    return nfs_subject_find(&session->subject, session->clients[SERVICE_NFS], &request, error);
}

static int open_engine(struct session *session, enum service_kind service, struct error *error)
{
    struct engine_config config = {.endpoint = endpoint_of(session, service),
                                   .channel = channel_options(session->settings),
                                   .clock = &session->clock};

    return engine_open(&session->engines[service], session->settings->engine, &config, error);
}

static int open_engines(struct session *session, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < session->series_count && code == 0; i++)
        if (!session->engines[session->series[i].service])
            code = open_engine(session, session->series[i].service, error);
    return code;
}

int session_open(struct session *session, const struct settings *settings, struct error *error)
{
    int code;

    memset(session, 0, sizeof *session);
    session->settings = settings;
    session->started = time(NULL);
    session->awake = settings->let_sleep ? -1 : awake_begin();
    code = open_clock(session, error);
    if (code == 0)
        code = start_server(session, error);
    if (code == 0)
        code = mount_target(session, error);
    if (code == 0)
        code = find_objects(session, error);
    if (code == 0)
        code = scratch_begin(session, error);
    if (code == 0)
        code = series_make(session, error);
    if (code == 0)
        code = open_engines(session, error);
    if (code == 0)
        code = series_settle(session, error);
    if (code == 0 && !settings->no_ledger)
        ledger_run_open(session);
    session->healthy = code == 0;
    return code;
}

/* Measuring */

static int explain_failed_block(const struct session_series *series, struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE];
    const struct engine_tally *tally = &series->tally;

    if (tally->error_kinds == 0)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "every call of a block of %s had to be sent again; nothing to time",
                         series->name);
    return error_set(error, ERROR_FAILED, -ENODATA,
                     "every call of a block of %s failed; the server answers %s", series->name,
                     nfs_status_name(tally->errors[tally->error_kinds - 1].status, name));
}

int session_run_calls(struct session *session, size_t index, size_t count, uint64_t *ticks,
                      size_t *recorded, struct engine_tally *tally, struct error *error)
{
    const struct session_series *series = &session->series[index];
    const struct nfs_call *call = &series->call;
    int code = nfs_call_prepare(call, count, session->clients[SERVICE_NFS], error);

    *recorded = 0;
    if (code == 0)
        code = engine_run(session->engines[series->service], &call->engine, count, ticks, recorded,
                          tally, error);
    return code ? code : nfs_call_clear(call, count, session->clients[SERVICE_NFS], error);
}

size_t session_next_variant(struct session_series *series, size_t count)
{
    size_t first = series->turn;

    if (series->call.procedure->varies)
        return 0;
    series->turn = (first + count) % series->call.engine.variants;
    return first;
}

static int run_own_block(struct session *session, size_t index, size_t count, uint64_t *ticks,
                         size_t *recorded, struct error *error)
{
    struct session_series *series = &session->series[index];
    int code;

    series->call.engine.first = session_next_variant(series, count);
    code = engine_run(session->engines[series->service], &series->call.engine, count, ticks,
                      recorded, &series->tally, error);

    if (code)
        return code;
    return *recorded > 0 ? 0 : explain_failed_block(series, error);
}

static int run_block(void *context, size_t index, size_t count, uint64_t *ticks, size_t *recorded,
                     struct error *error)
{
    struct session *session = context;

    if (session->series[index].role == SERIES_MIX)
        return mix_run_block(session, count, ticks, recorded, error);
    if (!series_is_in_mix(session, index))
        return run_own_block(session, index, count, ticks, recorded, error);
    mix_run_take(&session->mix, index, ticks, recorded);
    return *recorded > 0 ? 0 : explain_failed_block(&session->series[index], error);
}

static int prepare_block(void *context, size_t index, size_t count, struct error *error)
{
    struct session *session = context;

    if (session->series[index].role == SERIES_MIX)
        return mix_run_prepare(session, count, error);
    if (series_is_in_mix(session, index))
        return 0;
    return nfs_call_prepare(&session->series[index].call, count, session->clients[SERVICE_NFS],
                            error);
}

static int clear_block(void *context, size_t index, size_t count, struct error *error)
{
    struct session *session = context;

    if (session->series[index].role == SERIES_MIX)
        return mix_run_clear(session, count, error);
    if (series_is_in_mix(session, index))
        return 0;
    return nfs_call_clear(&session->series[index].call, count, session->clients[SERVICE_NFS],
                          error);
}

static void read_counters(struct counters *counters)
{
    counters_clear(counters);
    counters_read_machine(counters);
    counters_read_process(counters, 0);
}

/* The warm-up is over: what it met does not count. */
static void measuring_begins(void *context)
{
    struct session *session = context;

    for (size_t i = 0; i < session->series_count; i++)
        session->series[i].tally = (struct engine_tally){0};
    progress_begin(&session->progress);
    session->began_ns = clock_raw_ns();
    session->frequency_before = cpu_frequency(cpu_current());
    machine_log_update(&session->machine_log, true);
    read_counters(&session->before);
    clock_check_edge(&session->clock_check, &session->clock, true);
}

static void round_done(void *context, size_t round)
{
    struct session *session = context;

    if (session->began_ns) {
        clock_check_step(&session->clock_check, &session->clock);
        machine_log_update(&session->machine_log, false);
    }
    progress_update(&session->progress, round);
}

/* Does the run go on for this series' sake? For that of each op; of the control, where null alone
 * was asked for. */
static bool is_awaited(const struct session *session, size_t index)
{
    bool only_null = !session->settings->no_baseline && session->series_count == 2;

    enum series_role role = session->settings->mix_name ? SERIES_MIX : SERIES_OP;

    return session->series[index].role == (only_null ? SERIES_CONTROL : role);
}

/* Is the interval of each op's cost narrow enough; or, without a baseline, that of its level? */
static bool all_precise(const struct session *session, size_t rounds)
{
    const struct series *series = session->rounds.series;
    struct interval interval;
    struct error ignored;

    for (size_t i = 0; i < session->series_count; i++) {
        int code;

        if (!is_awaited(session, i))
            continue;
        if (session->settings->no_baseline)
            code = estimate_median_interval(series[i].blocks[BLOCK_TRIMMED_MEAN], rounds,
                                            session->settings->seed, &interval, &ignored);
        else
            code = above_null_interval(&series[i], &series[session->series[i].baseline], rounds,
                                       session->settings->seed, &interval, &ignored);
        if (code || !precision_reached(&session->settings->precision, &interval))
            return false;
    }
    return true;
}

/* Of a run without a number of calls. */
static bool enough(void *context, size_t rounds)
{
    struct session *session = context;

    if (precision_is_look(rounds) && precision_ends(&session->narrow, all_precise(session, rounds)))
        session->end = SESSION_END_PRECISION;
    else if (clock_raw_ns() - session->began_ns >= session->settings->maximum_ns)
        session->end = SESSION_END_TIME;
    return session->end != SESSION_END_COUNT;
}

int session_measure(struct session *session, struct error *error)
{
    const struct settings *settings = session->settings;
    uint32_t blocks[SESSION_SERIES_MAXIMUM];
    bool follows[SESSION_SERIES_MAXIMUM];
    struct rounds_plan plan = {.series = session->series_count,
                               .calls = settings->calls,
                               .block = session->block,
                               .blocks = blocks,
                               .follows = follows,
                               .warmup = !settings->no_warmup,
                               .seed = settings->seed};
    struct block_source source = {.run = run_block,
                                  .prepare = prepare_block,
                                  .clear = clear_block,
                                  .measuring_begins = measuring_begins,
                                  .round_done = round_done,
                                  .enough = settings->calls ? NULL : enough,
                                  .context = session};
    uint64_t calls_per_round = 0;
    int code = rounds_open(&session->rounds, &plan, error);

    if (code)
        return code;
    for (size_t i = 0; i < session->series_count; i++) {
        blocks[i] = series_block(session, i);
        follows[i] = series_is_in_mix(session, i);
        calls_per_round += follows[i] ? 0 : blocks[i];
    }
    progress_start(&session->progress, settings->quiet,
                   settings->calls ? session->rounds.planned : 0, settings->maximum_ns,
                   calls_per_round);
    code = rounds_run(&session->rounds, &plan, &session->clock, &source, error);
    if (settings->mix_name)
        mix_run_weigh(session);
    read_counters(&session->after);
    clock_check_edge(&session->clock_check, &session->clock, false);
    machine_log_update(&session->machine_log, true);
    session->frequency_after = cpu_frequency(cpu_current());
    progress_end(&session->progress);
    session->healthy = code == 0 || code == -EINTR;
    if (code == 0 && !settings->no_ledger)
        ledger_run_count(session);
    return code;
}

int session_unmount(struct session *session, struct error *error)
{
    struct channel_options *patience = &session->mount.options.channel;
    int code;

    patience->stop = NULL; /* after Ctrl-C there is still time to unmount */
    if (!session->healthy && patience->timeout_ns > LAST_PATIENCE_NS) {
        patience->timeout_ns = LAST_PATIENCE_NS;
        patience->retransmissions = 0;
    }
    ledger_run_close(&session->ledger);
    scratch_end(session);
    code = session->mounted ? mount_unmount(&session->mount, error) : 0;
    session->mounted = false;
    self_stop(&session->self);
    return code;
}

void session_close(struct session *session)
{
    struct error ignored;

    session_unmount(session, &ignored);
    ledger_run_free(&session->ledger);
    for (size_t i = 0; i < SERVICES; i++)
        engine_close(session->engines[i]);
    series_free(session);
    nfs_subject_free(&session->subject);
    for (size_t i = 0; i < SERVICES; i++)
        rpc_client_close(session->clients[i]);
    mix_run_close(&session->mix);
    rounds_close(&session->rounds);
    machine_log_close(&session->machine_log);
    awake_end(session->awake);
}
