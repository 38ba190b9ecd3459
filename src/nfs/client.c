#include "nfs/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/procedures/entry.h"
#include "nfs/status.h"

int nfs_path_join(char out[NFS_PATH_SIZE], const char *directory, const char *name)
{
    int length =
        snprintf(out, NFS_PATH_SIZE, "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name);

    return length < NFS_PATH_SIZE ? 0 : -ENAMETOOLONG;
}

bool nfs_pause(const struct rpc_client *client)
{
    enum { PAUSE_NS = 100 * 1000 * 1000 };

    return deadline_sleep(channel_deadline(rpc_client_channel(client)), PAUSE_NS) == 0;
}

static int code_of(nfsstat3 status)
{
    switch (status) {
    case NFS3ERR_NOENT:
        return -ENOENT;
    case NFS3ERR_EXIST:
        return -EEXIST;
    case NFS3ERR_NOTEMPTY:
        return -ENOTEMPTY;
    case NFS3ERR_ISDIR:
        return -EISDIR;
    case NFS3ERR_NOTDIR:
        return -ENOTDIR;
    case NFS3ERR_ROFS:
        return -EROFS;
    case NFS3ERR_STALE:
        return -ESTALE;
    default:
        return -EIO;
    }
}

static int check_nfs_status(const char *procedure, const char *path, nfsstat3 status,
                            struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE];

    if (status == NFS3_OK)
        return 0;
    if ((uint32_t)status > INT32_MAX)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "%s of %.300s was answered by status %u, which RFC 1813 does not define",
                         procedure, path, (unsigned)status);
    return error_set(error, ERROR_FAILED, code_of(status), "%s of %.300s was answered by %s%s",
                     procedure, path, nfs_status_name((int)status, name),
                     nfs_status_hint((int)status));
}

/* Make one call of OP. *STATUS is the status in the answer; NFS3_OK if there was no answer. */
static int make_single_call(struct rpc_client *client, const char *op,
                            union nfs_arguments *arguments, union nfs_result *result,
                            const char *path, nfsstat3 *status, struct error *error)
{
    const struct rpc_procedure *procedure = nfs_rpc_find(op);
    int code = rpc_client_call(client, procedure, arguments, result, error);

    *status = code ? NFS3_OK : result->status;
    if (code)
        return code;
    code = check_nfs_status(procedure->name, path, *status, error);
    if (code)
        xdr_free(procedure->xdr_result, result);
    return code;
}

int nfs_single_call(struct rpc_client *client, const char *op, union nfs_arguments *arguments,
                    union nfs_result *result, const char *path, struct error *error)
{
    nfsstat3 status;
    int code = make_single_call(client, op, arguments, result, path, &status, error);

    for (int i = 1; i < NFS_JUKEBOX_TRIES && status == NFS3ERR_JUKEBOX && nfs_pause(client); i++) {
        const struct error answered = *error;
        const int before = code;

        code = make_single_call(client, op, arguments, result, path, &status, error);
        if (code && status == NFS3_OK &&
            deadline_left_ns(channel_deadline(rpc_client_channel(client))) == 0) {
            *error = answered; /* report the answer, not the last attempt's timeout */
            return before;
        }
    }
    return code;
}

int nfs_try_call(struct rpc_client *client, const char *op, union nfs_arguments *arguments,
                 union nfs_result *result, const char *path, struct error *error)
{
    nfsstat3 status;
    int code = make_single_call(client, op, arguments, result, path, &status, error);

    return status == NFS3ERR_JUKEBOX ? -EAGAIN : code;
}

void nfs_free_result(const char *op, union nfs_result *result)
{
    xdr_free(nfs_rpc_find(op)->xdr_result, result);
}

int nfs_ask_export(struct rpc_client *client, const char *op, const struct nfs_handle *root,
                   const char *path, struct nfs_export_info *info, struct error *error)
{
    /* FSINFO, PATHCONF and FSSTAT have the same arguments: a handle */
    union nfs_arguments arguments = {.fsinfo.fsroot = nfs_handle_argument(root)};
    union nfs_result result;
    int code = nfs_single_call(client, op, &arguments, &result, path, error);

    if (code)
        return code;
    if (strcmp(op, "fsinfo") == 0)
        info->fsinfo = result.fsinfo.FSINFO3res_u.resok;
    else if (strcmp(op, "pathconf") == 0)
        info->pathconf = result.pathconf.PATHCONF3res_u.resok;
    else
        info->fsstat = result.fsstat.FSSTAT3res_u.resok;
    nfs_free_result(op, &result);
    return 0;
}

int nfs_getattr(struct rpc_client *client, struct nfs_node *node, const char *path,
                struct error *error)
{
    union nfs_arguments arguments = {.getattr.object = nfs_handle_argument(&node->handle)};
    union nfs_result result;
    const fattr3 *attributes = &result.getattr.GETATTR3res_u.resok.obj_attributes;
    int code = nfs_single_call(client, "getattr", &arguments, &result, path, error);

    if (code)
        return code;
    node->type = attributes->type;
    node->mode = attributes->mode;
    node->size = attributes->size;
    node->id = attributes->fileid;
    node->fsid = attributes->fsid;
    node->accessed = attributes->atime;
    node->modified = attributes->mtime;
    node->changed = attributes->ctime;
    nfs_free_result("getattr", &result);
    return 0;
}

int nfs_lookup(struct rpc_client *client, const struct nfs_handle *directory, const char *name,
               const char *path, struct nfs_node *node, struct error *error)
{
    union nfs_arguments arguments = {
        .lookup.what = {.dir = nfs_handle_argument(directory), .name = (char *)(uintptr_t)name}};
    union nfs_result result;
    char full[NFS_PATH_SIZE];
    const LOOKUP3resok *found = &result.lookup.LOOKUP3res_u.resok;
    bool valid;
    int code;

    nfs_path_join(full, path, name);
    code = nfs_single_call(client, "lookup", &arguments, &result, full, error);
    if (code)
        return code;
    valid = nfs_handle_set(&node->handle, found->object.data.data_val, found->object.data.data_len);
    nfs_free_result("lookup", &result);
    if (!valid)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "LOOKUP of %.300s returned an empty file handle", full);
    /* Attributes in a LOOKUP reply are optional, so request them by GETATTR in any case. */
    return nfs_getattr(client, node, full, error);
}

int nfs_read(struct rpc_client *client, const struct nfs_handle *file, uint64_t offset,
             uint32_t count, const char *path, struct nfs_read_data *read, struct error *error)
{
    union nfs_arguments arguments = {
        .read = {.file = nfs_handle_argument(file), .offset = offset, .count = count}};
    union nfs_result result;
    const READ3resok *found = &result.read.READ3res_u.resok;
    int code = nfs_single_call(client, "read", &arguments, &result, path, error);

    if (code)
        return code;
    *read = (struct nfs_read_data){.count = found->data.data_len, .ended = found->eof};
    read->bytes = read->count <= count ? malloc(read->count ? read->count : 1) : NULL;
    if (read->bytes && read->count)
        memcpy(read->bytes, found->data.data_val, read->count);
    nfs_free_result("read", &result);
    if (read->count > count)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "READ of %u bytes of %.300s: the server sent %u", count, path,
                         read->count);
    return read->bytes ? 0 : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a READ");
}

int nfs_read_whole(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                   uint64_t offset, uint32_t length, uint8_t *data, uint32_t *got,
                   struct error *error)
{
    enum { TRIES = 8 }; /* maximum of READs in a row without data or end; RFC 1813 allows them */
    struct nfs_read_data read = {.ended = false};
    int nothing = 0;

    for (*got = 0; *got < length && !read.ended && nothing < TRIES;) {
        int code = nfs_read(client, file, offset + *got, length - *got, path, &read, error);

        if (code)
            return code;
        memcpy(data + *got, read.bytes, read.count);
        *got += read.count;
        nothing = read.count ? 0 : nothing + 1;
        free(read.bytes);
    }
    if (nothing < TRIES)
        return 0;
    return error_set(
        error, ERROR_FAILED, -EBADMSG,
        "READ of %.300s at offset %llu returned 0 bytes in %d calls without the end of the file",
        path, (unsigned long long)offset + *got, TRIES);
}
