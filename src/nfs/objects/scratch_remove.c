/* Removal of a scratch directory, and of nothing else.
 *
 * RMDIR takes a name (RFC 1813 section 3.3.13). Just before RMDIR, the directory of this name is
 * compared with the one that the run made. Between these two calls another user can still replace
 * it by an empty directory, which RMDIR then removes. No contents of other directories
 * can be removed, because contents are removed through the directory's handle. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/listing.h"
#include "nfs/objects/lease.h"
#include "nfs/objects/scratch.h"

enum {
    /* maximum number of names that are listed, and then removed, at a time */
    BATCH = 1024,
    LIST_ALL = UINT32_MAX, /* no limit on entries but those of nfs/listing.h and the deadline */
    LIST_EMPTY = 3,        /* ".", ".." and one unexpected entry */
    ATTEMPTS = 5,          /* attempts to remove a directory that does not stay empty */
};

struct nfs_scratch nfs_scratch_of(const struct nfs_objects *objects)
{
    return (struct nfs_scratch){.base = objects->base,
                                .base_path = objects->base_path,
                                .name = objects->scratch_name,
                                .handle = objects->scratch,
                                .id = objects->scratch_id,
                                .fsid = objects->scratch_fsid,
                                .stamp = objects->scratch_stamp};
}

/* Contents */

static int keep_name(void *context, const char *name)
{
    char *kept = context;

    snprintf(kept, NFS_NAME_SIZE, "%s", name);
    return 1;
}

int nfs_scratch_is_empty(struct rpc_client *client, const struct nfs_handle *directory,
                         const char *path, struct error *error)
{
    char name[NFS_NAME_SIZE];
    int code = nfs_list(client, directory, path, LIST_EMPTY, keep_name, name, error);

    return code <= 0
               ? code
               : error_set(error, ERROR_FAILED, -ENOTEMPTY,
                           "%.300s was made just now, but holds '%.100s' already; it was not used",
                           path, name);
}

static int keep_foreign(void *context, const char *name)
{
    return nfs_scratch_kind_of(name) == NFS_SCRATCH_FOREIGN ? keep_name(context, name) : 0;
}

static int refuse_foreign(const char *path, const char *name, struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOTEMPTY,
                     "%.300s holds '%.200s', which nfsbench did not make; move this file away",
                     path, name);
}

int nfs_scratch_check_names(struct rpc_client *client, const struct nfs_handle *directory,
                            const char *path, struct error *error)
{
    char name[NFS_NAME_SIZE];
    int code = nfs_list(client, directory, path, LIST_ALL, keep_foreign, name, error);

    return code <= 0 ? code : refuse_foreign(path, name, error);
}

/* Identity */

static void set_identity(struct nfs_scratch *scratch, const struct nfs_node *node)
{
    scratch->handle = node->handle;
    scratch->id = node->id;
    scratch->fsid = node->fsid;
}

static bool is_this_directory(const struct nfs_scratch *scratch, const struct nfs_node *node)
{
    return node->type == NF3DIR && node->id == scratch->id && node->fsid == scratch->fsid &&
           nfs_handle_equal(&node->handle, &scratch->handle);
}

/* Return whether NODE is a directory with STAMP that only its owner may access. */
static bool has_stamp(const struct nfs_node *node, uint32_t stamp)
{
    enum { PERMISSIONS = 0777, OWNERS_ONLY = 0700 };

    return node->type == NF3DIR && (node->mode & PERMISSIONS) == OWNERS_ONLY &&
           node->modified.seconds == stamp && node->modified.nseconds == 0;
}

int nfs_scratch_recognise(struct rpc_client *client, struct nfs_scratch *scratch,
                          struct error *error)
{
    struct nfs_node node;
    int code = nfs_lookup(client, &scratch->base, scratch->name, scratch->base_path, &node, error);

    if (code == 0 && !has_stamp(&node, scratch->stamp))
        return -ENOENT;
    if (code == 0)
        code = nfs_scratch_is_empty(client, &node.handle, scratch->name, error);
    if (code)
        return code == -ENOTEMPTY ? -ENOENT : code;
    set_identity(scratch, &node);
    return 0;
}

struct removing {
    struct rpc_client *client;
    const struct nfs_scratch *scratch;
    char path[NFS_PATH_SIZE];
    struct error *error;
};

static struct removing begin_removal(struct rpc_client *client, const struct nfs_scratch *scratch,
                                     struct error *error)
{
    struct removing removing = {.client = client, .scratch = scratch, .error = error};

    nfs_path_join(removing.path, scratch->base_path, scratch->name);
    return removing;
}

/* Find out why the scratch directory's name is gone. Returns -ENOENT if the directory was removed,
 * -EXDEV if it was renamed, or another negative errno with ERROR set. */
static int find_missing_directory(const struct removing *removing)
{
    union nfs_arguments arguments = {.getattr.object =
                                         nfs_handle_argument(&removing->scratch->handle)};
    union nfs_result result;
    int code = nfs_try_call(removing->client, "getattr", &arguments, &result, removing->path,
                            removing->error);

    if (code == -ESTALE)
        return -ENOENT;
    if (code)
        return code;
    nfs_free_result("getattr", &result);
    return error_set(removing->error, ERROR_FAILED, -EXDEV,
                     "%.300s was moved away during the run, so it is not removed", removing->path);
}

/* Check that the scratch directory still has its name. Returns 0; -ENOENT if the directory is gone;
 * -EXDEV if it was renamed or replaced; or another negative errno with ERROR set. */
static int check_name_is_ours(const struct removing *removing)
{
    const struct nfs_scratch *scratch = removing->scratch;
    struct nfs_node node;
    int code = nfs_lookup(removing->client, &scratch->base, scratch->name, scratch->base_path,
                          &node, removing->error);

    if (code == -ENOENT)
        return find_missing_directory(removing);
    if (code || is_this_directory(scratch, &node))
        return code;
    return error_set(removing->error, ERROR_FAILED, -EXDEV,
                     "%.300s is not the directory that this run made (its fileid is %llu, not "
                     "%llu), so it is kept; the run's own directory was moved and is kept, too",
                     removing->path, (unsigned long long)node.id, (unsigned long long)scratch->id);
}

/* Removal */

struct batch {
    char names[BATCH][NFS_NAME_SIZE];
    unsigned count;
    char foreign[NFS_NAME_SIZE]; /* a name that no run makes; empty if there is none */
    /* Limits the number of entries. The client's deadline limits the time. */
    struct traversal_limit limit;
    /* numbers of names that were removed, and of names whose removal got NFS3ERR_JUKEBOX */
    unsigned removed, busy;
    /* negative errno of the first name that could not be removed; 0 if there is none */
    int code;
};

/* Collect NAME for removal, unless it is the lease, which is removed last, because it identifies
 * the directory. A foreign name or a complete batch ends the listing. */
static int collect_name(void *context, const char *name)
{
    struct batch *batch = context;
    enum nfs_scratch_kind kind = nfs_scratch_kind_of(name);

    if (kind == NFS_SCRATCH_FOREIGN)
        return keep_name(batch->foreign, name);
    if (kind != NFS_SCRATCH_LEASE)
        strcpy(batch->names[batch->count++], name);
    return batch->count == BATCH;
}

static int remove_contents(const struct removing *removing);

static int remove_one_name(const struct removing *removing, const char *op, const char *name,
                           struct error *error)
{
    return nfs_remove_once(removing->client, op, &removing->scratch->handle, removing->path, name,
                           error);
}

/* Return whether RMDIR may have failed with CODE because the directory is not empty. For such a
 * directory, some servers answer NFS3ERR_IO or NFS3ERR_SERVERFAULT (-EIO). */
static bool may_hold_something(int code)
{
    return code == -ENOTEMPTY || code == -EEXIST || code == -EIO;
}

/* Remove directory NAME and its contents. This fails if NAME contains a directory that is not
 * empty. If REMOVING's directory is an inner one, NAME must be empty itself. */
static int remove_directory(const struct removing *removing, const char *name, struct error *error)
{
    struct nfs_scratch inner = {.base = removing->scratch->handle,
                                .base_path = removing->path,
                                .name = name,
                                .is_inner = true};
    struct removing below;
    struct nfs_node node;
    int code = remove_one_name(removing, "rmdir", name, error);

    if (!may_hold_something(code) || removing->scratch->is_inner)
        return code;
    code = nfs_lookup(removing->client, &inner.base, name, removing->path, &node, error);
    if (code)
        return code;
    set_identity(&inner, &node);
    below = begin_removal(removing->client, &inner, error);
    code = remove_contents(&below);
    return code ? code : remove_one_name(removing, "rmdir", name, error);
}

static int remove_entry(const struct removing *removing, const char *name, struct error *error)
{
    int code = nfs_scratch_kind_of(name) == NFS_SCRATCH_DIRECTORIES
                   ? remove_directory(removing, name, error)
                   : remove_one_name(removing, "remove", name, error);

    return code == -ENOENT ? 0 : code;
}

static bool server_is_gone(int code, const struct error *error)
{
    return code == -EINTR || (code && error->kind == ERROR_UNREACHABLE);
}

/* Remove the names of BATCH, and set BATCH's counts and `code`. If `code` is not 0, the error of
 * REMOVING describes it. Returns 0, or the negative errno that ends the removal. */
static int remove_batch(const struct removing *removing, struct batch *batch)
{
    batch->removed = batch->busy = 0;
    batch->code = 0;
    for (unsigned i = 0; i < batch->count; i++) {
        struct error own;
        int code = remove_entry(removing, batch->names[i], &own);

        if (server_is_gone(code, &own)) {
            *removing->error = own;
            return code;
        }
        batch->removed += code == 0;
        batch->busy += code == -EAGAIN;
        if (code && batch->code == 0) {
            *removing->error = own;
            batch->code = code;
        }
    }
    return 0;
}

/* Remove some of the contents. Returns 1 if there may be more, 0 if only the lease is left, or a
 * negative errno. */
static int remove_some(const struct removing *removing, struct batch *batch)
{
    struct error *error = removing->error;
    int code;

    batch->count = 0;
    batch->foreign[0] = '\0';
    /* List from the beginning each time, because removals may make cookies invalid. */
    code = nfs_list(removing->client, &removing->scratch->handle, removing->path, LIST_ALL,
                    collect_name, batch, error);
    if (batch->foreign[0])
        return refuse_foreign(removing->path, batch->foreign, error);
    if (code < 0 && (batch->count == 0 || server_is_gone(code, error)))
        return code; /* other errors: first remove the names listed so far */
    if (batch->count == 0)
        return 0;
    if (!traversal_allows(&batch->limit, batch->count, 0))
        return traversal_refuse(batch->limit.met, "READDIR", removing->path, error);
    code = check_name_is_ours(removing);
    if (code == 0)
        code = remove_batch(removing, batch);
    if (code)
        return code;
    if (batch->removed == 0 && batch->busy == 0)
        return batch->code;
    if (batch->removed == 0)
        nfs_pause(removing->client);
    return 1;
}

static int remove_contents(const struct removing *removing)
{
    struct batch *batch = malloc(sizeof *batch);
    int code = 1;

    if (!batch)
        return error_set(removing->error, ERROR_FAILED, -ENOMEM,
                         "out of memory for a list of names");
    traversal_limit_begin(&batch->limit, INT64_MAX);
    while (code == 1)
        code = remove_some(removing, batch);
    free(batch);
    return code;
}

/* Remove the contents, the lease and the directory. *REFILLED is true if RMDIR may have failed
 * because an entry was made meanwhile. */
static int empty_and_remove(const struct removing *removing, bool *refilled)
{
    const struct nfs_scratch *scratch = removing->scratch;
    int code = remove_contents(removing);

    *refilled = false;
    if (code == 0)
        code = nfs_remove(removing->client, "remove", &scratch->handle, removing->path,
                          NFS_LEASE_FILE, removing->error);
    if (code == 0 || code == -ENOENT)
        code = check_name_is_ours(removing);
    if (code == 0) {
        code = nfs_remove(removing->client, "rmdir", &scratch->base, scratch->base_path,
                          scratch->name, removing->error);
        *refilled = may_hold_something(code);
    }
    return code;
}

/* Remove SCRATCH, whose handle is known. An interrupted call of another connection may be executed
 * late and make an entry, so the removal is repeated. */
static int remove_known(struct rpc_client *client, const struct nfs_scratch *scratch,
                        struct error *error)
{
    const struct removing removing = begin_removal(client, scratch, error);
    bool refilled = false;
    int code = check_name_is_ours(&removing);

    if (code == 0)
        code = nfs_scratch_check_names(client, &scratch->handle, removing.path, error);
    /* A listing whose cookies lead back (-EBADMSG) may end once entries have been removed. */
    if (code == 0 || code == -EBADMSG)
        code = empty_and_remove(&removing, &refilled);
    for (unsigned attempt = 1; refilled && attempt < ATTEMPTS; attempt++) {
        nfs_pause(client);
        code = empty_and_remove(&removing, &refilled);
    }
    return code == -ENOENT ? 0 : code;
}

int nfs_scratch_remove(struct rpc_client *client, const struct nfs_scratch *scratch,
                       struct error *error)
{
    struct nfs_scratch known = *scratch;
    int code;

    if (known.handle.length > 0)
        return remove_known(client, &known, error);
    code = nfs_scratch_recognise(client, &known, error);
    if (code == 0)
        code = nfs_remove(client, "rmdir", &known.base, known.base_path, known.name, error);
    return code == -ENOENT ? 0 : code;
}
