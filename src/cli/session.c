#include "cli/session.h"

#include <errno.h>
#include <string.h>

#include "cli/interrupt.h"
#include "measure/awake.h"
#include "nfs/status.h"

/* More than any reply's header and attributes take, beside a READ's data or a directory's 8 KiB. */
enum { REPLY_OVERHEAD = 16384 };

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
    const char *arguments[2 * OPTION_LIST_MAXIMUM + 1] = {NULL};
    const struct option_list *costs = &session->settings->costs;

    session->target = session->settings->target;
    session->self.pinned_cpu = -1;
    if (!session->target.self)
        return 0;
    for (size_t i = 0; i < costs->count; i++) {
        arguments[2 * i] = "--cost";
        arguments[2 * i + 1] = costs->values[i];
    }
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
    return rpc_client_open(&session->client, &session->mount.nfs, &options.identity,
                           &session->mount.options.channel, error);
}

static bool wants(const struct settings *settings, enum nfs_object object)
{
    for (size_t i = 0; i < settings->op_count; i++)
        if (settings->ops[i]->object == object)
            return true;
    return false;
}

static bool wants_read(const struct settings *settings)
{
    for (size_t i = 0; i < settings->op_count; i++)
        if (settings->ops[i]->rpc.number == NFSPROC3_READ)
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
                     wants(settings, NFS_OBJECT_NAME),
        .want_symlink = wants(settings, NFS_OBJECT_SYMLINK),
        .read_size = settings->read_size,
        .read_offset = settings->read_offset,
        .want_read = wants_read(settings),
        .verify = settings->verify,
    };

    return nfs_subject_find(&session->subject, session->client, &request, error);
}

/* Series */

static int add_series(struct session *session, const char *name,
                      const struct nfs_procedure *procedure, struct error *error)
{
    struct session_series *series = &session->series[session->series_count];
    int code = nfs_call_make(&series->call, procedure, &session->subject,
                             &session->settings->identity, error);

    if (code)
        return code;
    series->name = name;
    session->series_count++;
    return 0;
}

static void drop_last_series(struct session *session)
{
    nfs_call_free(&session->series[--session->series_count].call);
}

static int skip_op(struct session *session, const char *op, const char *reason)
{
    struct session_skip *skip = &session->skipped[session->skipped_count++];

    skip->op = op;
    snprintf(skip->reason, sizeof skip->reason, "%s", reason);
    return 0;
}

/* What PROCEDURE needs and the export lacks; NULL for nothing. */
static const char *missing_object(const struct session *session,
                                  const struct nfs_procedure *procedure)
{
    if (procedure->object == NFS_OBJECT_FILE && !session->subject.has_file)
        return "no regular file was found at or below the target";
    if (procedure->object == NFS_OBJECT_SYMLINK && !session->subject.has_symlink)
        return "no symbolic link was found at or below the target";
    return NULL;
}

/* Call the op once. One that a group named is skipped where the server won't have it. */
static int try_op(struct session *session, bool from_group, struct error *error)
{
    struct session_series *series = &session->series[session->series_count - 1];
    char name[NFS_STATUS_NAME_SIZE];
    const char *answer;
    int status, code = nfs_call_try(&series->call, session->client, &status, error);

    if (code || status == 0)
        return code;
    answer = nfs_status_name(status, name);
    if (!from_group)
        return error_set(error, ERROR_FAILED, -EIO, "%s was answered by %s",
                         series->call.procedure->rpc.name, answer);
    skip_op(session, series->name, answer);
    drop_last_series(session);
    return 0;
}

static int add_op(struct session *session, const struct nfs_procedure *procedure, bool from_group,
                  struct error *error)
{
    const char *missing = missing_object(session, procedure);
    int code;

    if (missing && from_group)
        return skip_op(session, procedure->op, missing);
    if (missing)
        return error_set(error, ERROR_FAILED, -ENOENT, "%s: %s; see --file", procedure->rpc.name,
                         missing);
    code = add_series(session, procedure->op, procedure, error);
    return code ? code : try_op(session, from_group, error);
}

/* The baseline is a series named null, whether or not the user asked for null as well. */
static int make_series(struct session *session, struct error *error)
{
    const struct settings *settings = session->settings;
    const struct nfs_procedure *null_procedure = nfs_procedure_find("null");
    bool baseline = !settings->no_baseline;
    int code = 0;

    if (baseline)
        code = add_op(session, null_procedure, false, error);
    if (baseline && code == 0) {
        code = add_op(session, null_procedure, false, error);
        session->series[1].name = "null_control";
    }
    for (size_t i = 0; i < settings->op_count && code == 0; i++)
        if (settings->ops[i] != null_procedure || !baseline)
            code = add_op(session, settings->ops[i], settings->from_group[i], error);
    if (code == 0 && session->series_count == 0)
        return error_set(error, ERROR_FAILED, -ENOENT, "none of the ops can be measured here");
    return code;
}

static int open_engine(struct session *session, struct error *error)
{
    struct engine_config config = {.endpoint = session->mount.nfs,
                                   .identity = session->settings->identity,
                                   .channel = channel_options(session->settings),
                                   .clock = &session->clock};

    return engine_open(&session->engine, session->settings->engine, &config, error);
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
        code = make_series(session, error);
    if (code == 0)
        code = open_engine(session, error);
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

static int run_block(void *context, size_t index, size_t count, uint64_t *ticks, size_t *recorded,
                     struct error *error)
{
    struct session *session = context;
    struct session_series *series = &session->series[index];
    int code = engine_run(session->engine, &series->call.engine, count, ticks, recorded,
                          &series->tally, error);

    if (code)
        return code;
    return *recorded > 0 ? 0 : explain_failed_block(series, error);
}

/* The warm-up is over: what it met does not count. */
static void measuring_begins(void *context)
{
    struct session *session = context;

    for (size_t i = 0; i < session->series_count; i++)
        session->series[i].tally = (struct engine_tally){0};
    progress_begin(&session->progress);
    usage_read(&session->before);
    clock_check_edge(&session->clock_check, &session->clock, true);
}

static void round_done(void *context, size_t round)
{
    struct session *session = context;

    progress_update(&session->progress, round);
}

int session_measure(struct session *session, struct error *error)
{
    const struct settings *settings = session->settings;
    struct rounds_plan plan = {.series = session->series_count,
                               .calls = settings->calls,
                               .block = settings->block,
                               .warmup = !settings->no_warmup,
                               .seed = settings->seed};
    struct block_source source = {run_block, measuring_begins, round_done, session};
    int code = rounds_open(&session->rounds, &plan, error);

    if (code)
        return code;
    progress_start(&session->progress, settings->quiet, session->rounds.planned,
                   settings->block * session->series_count);
    code = rounds_run(&session->rounds, &plan, &session->clock, &source, error);
    usage_read(&session->after);
    clock_check_edge(&session->clock_check, &session->clock, false);
    progress_end(&session->progress);
    session->healthy = code == 0 || code == -EINTR;
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
    code = session->mounted ? mount_unmount(&session->mount, error) : 0;
    session->mounted = false;
    self_stop(&session->self);
    return code;
}

void session_close(struct session *session)
{
    struct error ignored;

    session_unmount(session, &ignored);
    engine_close(session->engine);
    while (session->series_count > 0)
        drop_last_series(session);
    nfs_subject_free(&session->subject);
    rpc_client_close(session->client);
    rounds_close(&session->rounds);
    awake_end(session->awake);
}
