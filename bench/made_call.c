#include "made_call.h"

#include <errno.h>
#include <string.h>

#include "nfs/objects/data_plan.h"
#include "nfs/status.h"

enum { REPLY_MAXIMUM = (1 << 20) + 65536 };

static int find_target(struct made_call *made, const struct made_call_request *request,
                       struct error *error)
{
    int code = target_parse(request->target, &made->target, error);

    if (code)
        return code;
    if (request->proto)
        made->target.transport = strcmp(request->proto, "udp") == 0 ? TRANSPORT_UDP : TRANSPORT_TCP;
    self_use("serve");
    if (made->target.self)
        code = self_start(&made->self, &made->target, NFSBENCH_PROGRAM, request->arguments, NULL,
                          error);
    return code;
}

static int find_objects(struct made_call *made, const struct made_call_request *request,
                        struct error *error)
{
    const struct nfs_objects_request wanted = {.root = made->mount.root,
                                               .export = made->mount.export,
                                               .path = made->mount.path,
                                               .want_file = true,
                                               .want_symlink = true,
                                               .read_size = request->read_size};

    int code = nfs_objects_find(&made->objects, made->client, &wanted, error);

    if (code == 0)
        code = nfs_objects_search(&made->objects, made->client, &wanted, error);
    if (code == 0 && made->objects.has_file)
        code = nfs_objects_plan_read(&made->objects, made->client, &wanted, error);
    return code;
}

/* Refuse unknown ops. Refuse ops that change files, because benchmarks don't make the new objects
 * that each block needs. */
static int check_op(const char *op, struct error *error)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(op);

    if (!procedure)
        return error_set(error, ERROR_USAGE, -EINVAL, "unknown op '%s'", op);
    if (procedure->changes)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%s changes files, which this program does not support; name an op that "
                         "reads, such as getattr",
                         op);
    return 0;
}

static int make_call(struct made_call *made, const char *op, struct error *error)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(op);
    char name[NFS_STATUS_NAME_SIZE];
    int status, code;

    code = nfs_call_make(&made->call, procedure, &made->objects, &made->mount.options.identity, 1,
                         error);
    if (code == 0)
        code = nfs_call_try(&made->call, made->client, &status, error);
    if (code == 0 && status != 0)
        code = error_set(error, ERROR_FAILED, -EPROTO, "%s was answered by %s", op,
                         nfs_status_name(status, name));
    return code;
}

int made_call_open(struct made_call *made, const struct made_call_request *request,
                   struct error *error)
{
    struct mount_options options = {
        .channel = {.timeout_ns = UINT64_C(5000000000), .reply_maximum = REPLY_MAXIMUM},
        .reserved_port = true};
    int code = check_op(request->op, error);

    if (code == 0)
        code = find_target(made, request, error);
    identity_own(&options.identity);
    if (code == 0)
        code = mount_export(&made->mount, &made->target, &options, error);
    if (code == 0)
        code = rpc_client_open(&made->client, &made->mount.nfs, &options.identity, &options.channel,
                               error);
    if (code == 0)
        code = find_objects(made, request, error);
    if (code == 0)
        code = make_call(made, request->op, error);
    if (code)
        return code;
    made->reply_length = made->call.reply_length;
    if (made->mount.nfs.transport == TRANSPORT_TCP)
        made->reply_length += RPC_RECORD_MARK_SIZE;
    return 0;
}

void made_call_close(struct made_call *made)
{
    self_stop(&made->self);
}
