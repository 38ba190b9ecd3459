#include "nfs/objects/leftover.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int find_other(void *context, const char *name)
{
    return strcmp(name, NFS_LEASE_FILE) != 0;
}

/* Check directory NODE, whose lease is missing or empty. The directory may be removed if its name
 * and mode are those that runs give, and if it has no entry except the lease. Returns 0, with
 * LEFTOVER's `renewed` set, if it may be removed, else a negative errno with ERROR set. */
static int judge_half_made(struct rpc_client *client, struct nfs_leftover *leftover,
                           const struct nfs_node *node, struct error *error)
{
    enum {
        PERMISSIONS = 0777,
        OWNERS_ONLY = 0700,
        ENTRIES = 4 /* limit of the listing: ".", "..", a lease, one other */
    };
    const char *name = leftover->scratch.name;
    int code = nfs_list(client, &node->handle, name, ENTRIES, find_other, NULL, error);

    if (code < 0)
        return code;
    if (code)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "the directory has files, but no valid " NFS_LEASE_FILE
                         "; inspect the directory, and remove it by hand");
    if (!nfs_scratch_is_chosen_name(name) || (node->mode & PERMISSIONS) != OWNERS_ONLY)
        return error_set(
            error, ERROR_FAILED, -ENODATA,
            "the directory is empty, without the lease that marks nfsbench's directories, and its "
            "name or mode is not one that nfsbench gives; remove it by rmdir");
    leftover->renewed = node->modified.seconds;
    return 0;
}

static int check_expired(struct rpc_client *client, struct nfs_leftover *leftover,
                         const struct nfs_handle *file, struct error *error)
{
    const struct nfs_lease *lease = &leftover->lease;
    uint64_t age;
    int code = nfs_lease_age(client, file, leftover->scratch.name, &leftover->renewed, &age, error);

    if (code || age > NFS_LEASE_EXPIRED_S)
        return code;
    return error_set(error, ERROR_FAILED, -EBUSY,
                     "its run (process %ld of %s, since %s) was alive %" PRIu64
                     " s ago; a run counts as dead after %d s",
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
        code = judge_half_made(client, leftover, node, error);
    else if (code == 0)
        code = check_expired(client, leftover, &file, error);
    if (code == 0)
        code = nfs_scratch_check_names(client, &node->handle, scratch->name, error);
    scratch->handle = node->handle;
    scratch->id = node->id;
    scratch->fsid = node->fsid;
    return code;
}

int nfs_leftover_check(struct rpc_client *client, struct nfs_leftover *leftover,
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

bool nfs_leftover_needs_another_look(const struct nfs_leftover *leftover)
{
    return leftover->lease.nonce == 0 || leftover->renewed != 0;
}

int nfs_leftover_remove(struct rpc_client *client, const struct nfs_leftover *leftover,
                        struct error *error)
{
    struct nfs_leftover now = {.scratch = leftover->scratch};
    int code = nfs_leftover_check(client, &now, error);

    if (code == 0 && (now.lease.nonce != leftover->lease.nonce || now.renewed != leftover->renewed))
        code = error_set(error, ERROR_FAILED, -EBUSY,
                         "its run is alive: the lease, or the directory, changed during the wait");
    return code ? code : nfs_scratch_remove(client, &now.scratch, error);
}
