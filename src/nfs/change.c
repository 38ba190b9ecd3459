#include "nfs/change.h"

#include <errno.h>

#include "nfs/procedures/procedures.h"

enum { FILE_MODE = 0600, DIRECTORY_MODE = 0700 };

static diropargs3 entry_of(const struct nfs_handle *directory, const char *name)
{
    return (diropargs3){.dir = nfs_handle_argument(directory), .name = (char *)(uintptr_t)name};
}

/* Store the handle of the new object in *HANDLE, unless HANDLE is NULL. The handle comes from the
 * reply in MADE, or from LOOKUP if it is missing or empty in the reply. */
static int get_new_handle(struct rpc_client *client, const struct nfs_handle *directory,
                          const char *path, const char *name, const post_op_fh3 *made,
                          struct nfs_handle *handle, struct error *error)
{
    struct nfs_node node;
    int code;

    if (!handle)
        return 0;
    if (made->handle_follows && nfs_handle_set(handle, made->post_op_fh3_u.handle.data.data_val,
                                               made->post_op_fh3_u.handle.data.data_len))
        return 0;
    code = nfs_lookup(client, directory, name, path, &node, error);
    if (code == 0)
        *handle = node.handle;
    return code;
}

/* Make object NAME in DIRECTORY by OP, whose result must have the layout of CREATE's result. */
static int make_object(struct rpc_client *client, const char *op, union nfs_arguments *arguments,
                       const struct nfs_handle *directory, const char *path, const char *name,
                       struct nfs_handle *handle, struct error *error)
{
    union nfs_result result;
    char full[NFS_PATH_SIZE];
    int code;

    _Static_assert(sizeof(CREATE3resok) == sizeof(MKDIR3resok) &&
                       sizeof(CREATE3resok) == sizeof(SYMLINK3resok),
                   "RFC 1813 has one result for what makes objects");
    nfs_path_join(full, path, name);
    code = nfs_single_call(client, op, arguments, &result, full, error);
    if (code)
        return code;
    code = get_new_handle(client, directory, path, name, &result.create.CREATE3res_u.resok.obj,
                          handle, error);
    nfs_free_result(op, &result);
    return code;
}

int nfs_create(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
               const char *name, struct nfs_handle *handle, struct error *error)
{
    union nfs_arguments arguments = {.create = {.where = entry_of(directory, name)}};
    sattr3 *attributes = &arguments.create.how.createhow3_u.obj_attributes;

    arguments.create.how.mode = UNCHECKED;
    attributes->mode.set_it = TRUE;
    attributes->mode.set_mode3_u.mode = FILE_MODE;
    return make_object(client, "create", &arguments, directory, path, name, handle, error);
}

static int make_directory(struct rpc_client *client, const struct nfs_handle *directory,
                          const char *path, const char *name, set_mtime modified,
                          struct nfs_handle *handle, struct error *error)
{
    union nfs_arguments arguments = {
        .mkdir = {.where = entry_of(directory, name),
                  .attributes = {.mode = {.set_it = TRUE, .set_mode3_u.mode = DIRECTORY_MODE},
                                 .mtime = modified}}};

    return make_object(client, "mkdir", &arguments, directory, path, name, handle, error);
}

int nfs_mkdir(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
              const char *name, struct nfs_handle *handle, struct error *error)
{
    return make_directory(client, directory, path, name, (set_mtime){.set_it = DONT_CHANGE}, handle,
                          error);
}

int nfs_mkdir_stamped(struct rpc_client *client, const struct nfs_handle *directory,
                      const char *path, const char *name, uint32_t stamp, struct nfs_handle *handle,
                      struct error *error)
{
    const set_mtime stamped = {.set_it = SET_TO_CLIENT_TIME, .set_mtime_u.mtime.seconds = stamp};

    return make_directory(client, directory, path, name, stamped, handle, error);
}

int nfs_symlink(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
                const char *name, const char *text, struct nfs_handle *handle, struct error *error)
{
    union nfs_arguments arguments = {.symlink = {.where = entry_of(directory, name),
                                                 .symlink.symlink_data = (char *)(uintptr_t)text}};

    return make_object(client, "symlink", &arguments, directory, path, name, handle, error);
}

typedef int caller(struct rpc_client *client, const char *op, union nfs_arguments *arguments,
                   union nfs_result *result, const char *object, struct error *error);

static int call_remove(caller *call, struct rpc_client *client, const char *op,
                       const struct nfs_handle *directory, const char *path, const char *name,
                       struct error *error)
{
    union nfs_arguments arguments = {.remove.object = entry_of(directory, name)};
    union nfs_result result;
    char full[NFS_PATH_SIZE];

    nfs_path_join(full, path, name);
    return call(client, op, &arguments, &result, full, error);
}

int nfs_remove(struct rpc_client *client, const char *op, const struct nfs_handle *directory,
               const char *path, const char *name, struct error *error)
{
    return call_remove(nfs_single_call, client, op, directory, path, name, error);
}

int nfs_remove_once(struct rpc_client *client, const char *op, const struct nfs_handle *directory,
                    const char *path, const char *name, struct error *error)
{
    return call_remove(nfs_try_call, client, op, directory, path, name, error);
}

int nfs_write_once(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                   const struct nfs_write_data *wanted, uint32_t *written, struct error *error)
{
    union nfs_arguments arguments = {
        .write = {
            .file = nfs_handle_argument(file),
            .offset = wanted->offset,
            .count = wanted->count,
            .stable = wanted->stable,
            .data = {.data_len = wanted->count, .data_val = (char *)(uintptr_t)wanted->data}}};
    union nfs_result result;
    int code = nfs_single_call(client, "write", &arguments, &result, path, error);

    if (code)
        return code;
    *written = result.write.WRITE3res_u.resok.count;
    if (*written > wanted->count)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "WRITE of %u bytes to %.300s: the server says that it wrote %u",
                         wanted->count, path, *written);
    return 0;
}

int nfs_write_all(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                  const struct nfs_write_data *wanted, struct error *error)
{
    struct nfs_write_data left = *wanted;

    while (left.count > 0) {
        uint32_t written;
        int code = nfs_write_once(client, file, path, &left, &written, error);

        if (code)
            return code;
        if (written == 0)
            return error_set(error, ERROR_FAILED, -EBADMSG,
                             "WRITE of %u bytes to %.300s: the server says that it wrote 0",
                             left.count, path);
        left.offset += written;
        left.data += written;
        left.count -= written;
    }
    return 0;
}

int nfs_write(struct rpc_client *client, const struct nfs_handle *file, const char *path,
              uint64_t offset, const uint8_t *data, uint32_t count, struct error *error)
{
    const struct nfs_write_data wanted = {offset, data, count, UNSTABLE};

    return nfs_write_all(client, file, path, &wanted, error);
}
