#include "nfs/leftover.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int explain_lack(struct rpc_client *client, const struct nfs_node *node, const char *path,
                        struct error *error)
{
    struct error ignored;

    if (nfs_scratch_is_empty(client, &node->handle, path, &ignored) == 0)
        return error_set(
            error, ERROR_FAILED, -ENODATA,
            "it is empty, without the lease that marks nfsbench's directories; rmdir removes it");
    return error_set(
        error, ERROR_FAILED, -ENODATA,
        "there is no " NFS_LEASE_FILE
        " in it, which marks nfsbench's directories (older versions made none); check it, and "
        "remove it by hand");
}

static int check_expired(struct rpc_client *client, const struct nfs_lease *lease,
                         const struct nfs_handle *file, const char *path, struct error *error)
{
    uint64_t age;
    int code = nfs_lease_age(client, file, path, &age, error);

    if (code || age > NFS_LEASE_EXPIRED_S)
        return code;
    return error_set(error, ERROR_FAILED, -EBUSY,
                     "its run (process %ld of %s, since %s) was alive %" PRIu64
                     " s ago; it counts as dead after %d s",
                     lease->process, lease->host, lease->started, age, NFS_LEASE_EXPIRED_S);
}

static int judge_directory(struct rpc_client *client, struct nfs_leftover *leftover,
                           const struct nfs_node *node, struct error *error)
{
    struct nfs_scratch *scratch = &leftover->scratch;
    struct nfs_handle file;
    int code =
        nfs_lease_read(client, node, scratch->name, scratch->name, &leftover->lease, &file, error);

    if (code == -ENOENT)
        return explain_lack(client, node, scratch->name, error);
    if (code == 0)
        code = check_expired(client, &leftover->lease, &file, scratch->name, error);
    if (code == 0)
        code = nfs_scratch_check_names(client, &node->handle, scratch->name, error);
    scratch->handle = node->handle;
    scratch->id = node->id;
    scratch->fsid = node->fsid;
    return code;
}

int nfs_leftover_judge(struct rpc_client *client, struct nfs_leftover *leftover,
                       struct error *error)
{
    struct nfs_node node;
    int code = nfs_lookup(client, &leftover->scratch.base, leftover->scratch.name,
                          leftover->scratch.base_path, &node, error);

    if (code)
        return code;
    if (node.type != NF3DIR)
        return error_set(error, ERROR_FAILED, -ENOTDIR, "it is not a directory");
    return judge_directory(client, leftover, &node, error);
}

int nfs_leftover_remove(struct rpc_client *client, const struct nfs_leftover *leftover,
                        struct error *error)
{
    struct nfs_leftover now = {.scratch = leftover->scratch};
    int code = nfs_leftover_judge(client, &now, error);

    if (code == 0 && now.lease.nonce != leftover->lease.nonce)
        code = error_set(error, ERROR_FAILED, -EXDEV, "it now belongs to another run");
    return code ? code : nfs_scratch_remove(client, &now.scratch, error);
}
