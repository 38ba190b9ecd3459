#include "cli/session.h"

#include <errno.h>
#include <string.h>

#include "cli/calls.h"
#include "cli/interrupt.h"
#include "cli/ledger_run.h"
#include "cli/model_series.h"
#include "cli/scratch.h"
#include "cli/series.h"
#include "measure/awake.h"

/* More than any reply's header and attributes take, beside a READ's data or a directory's 8 KiB. */
enum { REPLY_OVERHEAD = 16384 };

/* For unmounting from a server that has failed. */
enum { LAST_PATIENCE_NS = 1000 * 1000 * 1000 };

struct channel_options session_channel_options(const struct settings *settings)
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
                                    .channel = session_channel_options(session->settings),
                                    .reserved_port = !session->settings->no_reserved_port};
    int code = mount_export(&session->mount, &session->target, &options, error);

    if (code)
        return code;
    session->mounted = true;
    return calls_connect(session, SERVICE_NFS, error);
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
    struct engine_config config = {.endpoint = calls_endpoint(session, service),
                                   .channel = session_channel_options(session->settings),
                                   .clock = &session->clock,
                                   .load = session->settings->load};

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
        code = model_series_add(session, error);
    if (code == 0)
        code = open_engines(session, error);
    if (code == 0)
        code = series_settle(session, error);
    if (code == 0 && !settings->no_ledger)
        ledger_run_open(session);
    session->healthy = code == 0;
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
    load_run_close(session);
    series_free(session);
    nfs_subject_free(&session->subject);
    for (size_t i = 0; i < SERVICES; i++)
        rpc_client_close(session->clients[i]);
    mix_run_close(&session->mix);
    rounds_close(&session->rounds);
    machine_log_close(&session->machine_log);
    awake_end(session->awake);
}
