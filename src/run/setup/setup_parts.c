#include "run/setup/setup_parts.h"
#include "nfs/verify/read_back.h"

#include <errno.h>

/* Does the server answer a NULL call over a new connection within five seconds? */
static bool answers_null(struct setup *setup)
{
    enum { PATIENCE_S = 5 };
    const uint64_t patience_ns = PATIENCE_S * UINT64_C(1000000000);
    struct channel_options options = setup->mount.options.channel;
    struct rpc_client *client;
    union nfs_result result;
    struct error ignored;
    int code;

    options.deadline = deadline_within(&setup->plan->deadline, patience_ns);
    if (options.timeout_ns > patience_ns)
        options.timeout_ns = patience_ns;
    options = setup_secure(setup, SERVICE_NFS, &options);
    code = rpc_client_open(&client, &setup->mount.nfs, &setup->mount.options.identity, &options,
                           &ignored);
    if (code)
        return false;
    code = rpc_client_call(client, &nfs_procedure_find("null")->rpc, NULL, &result, &ignored);
    rpc_client_close(client);
    return code == 0;
}

/* Close all connections, and open a new one to NFS. If the server answers the calls of a connection
 * in order, a call that it does not answer blocks the connection. */
static bool reconnects(struct setup *setup)
{
    struct error ignored;

    for (size_t i = 0; i < SERVICES; i++) {
        rpc_client_close(setup->clients[i]);
        setup->clients[i] = NULL;
    }
    return setup_connect(setup, SERVICE_NFS, &ignored) == 0;
}

bool setup_goes_on(struct setup *setup, int code, const struct error *error)
{
    const struct run_plan *plan = setup->plan;

    if (code == -EINTR || code == -ENOMEM || run_plan_is_stopped(plan))
        return false;
    if (code == -NFS_NOT_AS_WRITTEN) /* a failed verification */
        return false;
    if (code == -EMSGSIZE && plan->strict) /* --strict refuses a reply with trailing bytes */
        return false;
    if (error->kind != ERROR_UNREACHABLE)
        return true;
    return !plan->target.mounted && answers_null(setup) && reconnects(setup);
}

static const char *const part_names[SETUP_PARTS] = {
    [SETUP_SEARCH] = "the search for a file (--file names one)",
    [SETUP_READ] = "the first READ",
    [SETUP_TREE] = "reading the directory tree",
    [SETUP_SCRATCH] = "making the scratch directory",
    [SETUP_WRITE] = "the first WRITE",
};

int setup_end_part(struct setup *setup, enum setup_part part, int code, const struct error *error)
{
    if (code == 0 || !setup->in_parts || !run_plan_skips_named(setup->plan) ||
        !setup_goes_on(setup, code, error))
        return code;
    setup->failed[part] = (struct setup_failure){part_names[part], code, *error};
    return 0;
}

static bool needs_scratch(const struct run_plan *plan, const struct nfs_procedure *procedure)
{
    if (procedure->changes || (plan->files > 0 && procedure->places != NFS_PLACES_NONE))
        return true;
    return plan->directory_size > 0 &&
           (procedure->object == NFS_OBJECT_NAME || procedure->object == NFS_OBJECT_DIRECTORY);
}

static bool needs_part(const struct setup *setup, enum setup_part part,
                       const struct nfs_procedure *procedure)
{
    switch (part) {
    case SETUP_SEARCH:
        return (procedure->object == NFS_OBJECT_FILE && !setup->objects.has_file) ||
               (procedure->object == NFS_OBJECT_SYMLINK && !setup->objects.has_symlink);
    case SETUP_READ:
        return procedure->transfer == NFS_TRANSFER_READ;
    case SETUP_WRITE:
        return procedure->transfer == NFS_TRANSFER_WRITE;
    case SETUP_TREE:
        return procedure->places != NFS_PLACES_NONE;
    default:
        return needs_scratch(setup->plan, procedure);
    }
}

const struct setup_failure *setup_failure_of(const struct setup *setup,
                                             const struct nfs_procedure *procedure)
{
    for (enum setup_part part = 0; part < SETUP_PARTS; part++)
        if (setup->failed[part].code && needs_part(setup, part, procedure))
            return &setup->failed[part];
    return NULL;
}
