/* The procedures that make and remove names in the scratch directory. Each call of a block has a
 * different name, except that ops called -existing use one name. The names are prepared before the
 * block and cleared after it, as needed. */
#include <errno.h>
#include <string.h>

#include "nfs/change.h"
#include "nfs/objects/scratch.h"
#include "nfs/procedures/entry.h"
#include "nfs/procedures/items.h"
#include "nfs/verify/read_back.h"

enum { FILE_MODE = 0600, DIRECTORY_MODE = 0700 };

static sattr3 with_mode(uint32_t mode)
{
    return (sattr3){.mode = {.set_it = TRUE, .set_mode3_u.mode = mode}};
}

static int made_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_handle(reader);
    nfs_item_post_op_attr(reader);
    nfs_item_wcc(reader);
    return 0;
}

static int make_file(const struct nfs_objects *objects, const struct nfs_variant *variant,
                     struct rpc_client *client, struct error *error)
{
    return nfs_create(client, &objects->scratch, objects->scratch_path, variant->name, NULL, error);
}

/* Make the directory that RMDIR removes. It may exist, if an earlier call failed to remove it. */
static int make_directory(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          struct rpc_client *client, struct error *error)
{
    int code =
        nfs_mkdir(client, &objects->scratch, objects->scratch_path, variant->name, NULL, error);

    return code == -EEXIST ? 0 : code;
}

/* Remove NAME by OP. NAME may be missing, because the call that should have made it failed. */
static int remove_name(const struct nfs_objects *objects, const char *op, const char *name,
                       struct rpc_client *client, struct error *error)
{
    int code = nfs_remove(client, op, &objects->scratch, objects->scratch_path, name, error);

    return code == -ENOENT ? 0 : code;
}

static int remove_made(const struct nfs_objects *objects, const struct nfs_variant *variant,
                       struct rpc_client *client, struct error *error)
{
    return remove_name(objects, "remove", variant->name, client, error);
}

static int remove_renamed(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          struct rpc_client *client, struct error *error)
{
    return remove_name(objects, "remove", variant->new_name, client, error);
}

static int remove_made_directory(const struct nfs_objects *objects,
                                 const struct nfs_variant *variant, struct rpc_client *client,
                                 struct error *error)
{
    return remove_name(objects, "rmdir", variant->name, client, error);
}

/* Verification */

static int set_not_as_written(const struct nfs_objects *objects, const struct nfs_variant *variant,
                              const char *action, const char *name, const char *found,
                              struct error *error)
{
    return error_set(error, ERROR_FAILED, -NFS_NOT_AS_WRITTEN,
                     "%s of %.250s/%s in pass %u was acknowledged, but %s", action,
                     objects->scratch_path, name, variant->pass, found);
}

/* Look up NAME, which ACTION made, and store its attributes in *NODE. The name must exist. */
static int find_made(const struct nfs_objects *objects, const struct nfs_variant *variant,
                     const char *action, const char *name, struct nfs_node *node,
                     struct rpc_client *client, struct error *error)
{
    int code = nfs_lookup(client, &objects->scratch, name, objects->scratch_path, node, error);

    return code == -ENOENT ? set_not_as_written(objects, variant, action, name,
                                                "LOOKUP was answered by NFS3ERR_NOENT", error)
                           : code;
}

/* Look up NAME, which ACTION removed. The name must not exist. */
static int find_removed(const struct nfs_objects *objects, const struct nfs_variant *variant,
                        const char *action, const char *name, struct rpc_client *client,
                        struct error *error)
{
    struct nfs_node node;
    int code = nfs_lookup(client, &objects->scratch, name, objects->scratch_path, &node, error);

    if (code == 0)
        return set_not_as_written(objects, variant, action, name, "LOOKUP finds it", error);
    return code == -ENOENT ? 0 : code;
}

static int verify_made(const struct nfs_objects *objects, const struct nfs_variant *variant,
                       const char *action, ftype3 type, struct rpc_client *client,
                       struct error *error)
{
    struct nfs_node node;
    int code = find_made(objects, variant, action, variant->name, &node, client, error);

    if (code || node.type == type)
        return code;
    return set_not_as_written(objects, variant, action, variant->name,
                              "GETATTR returned another type", error);
}

#define VERIFY_MADE(lower, UPPER, type)                                                            \
    static int lower##_verify(                                                                     \
        const struct nfs_objects *objects, const struct nfs_variant *variant,                      \
        const union nfs_arguments *arguments, struct rpc_client *client, struct error *error)      \
    {                                                                                              \
        return verify_made(objects, variant, #UPPER, type, client, error);                         \
    }

#define VERIFY_TAKEN(lower, UPPER)                                                                 \
    static int lower##_verify(                                                                     \
        const struct nfs_objects *objects, const struct nfs_variant *variant,                      \
        const union nfs_arguments *arguments, struct rpc_client *client, struct error *error)      \
    {                                                                                              \
        return find_removed(objects, variant, #UPPER, variant->name, client, error);               \
    }

VERIFY_MADE(create, CREATE, NF3REG)
VERIFY_MADE(mkdir, MKDIR, NF3DIR)
VERIFY_MADE(mknod, MKNOD, NF3FIFO)
VERIFY_TAKEN(remove, REMOVE)
VERIFY_TAKEN(rmdir, RMDIR)

static void create_arguments(union nfs_arguments *arguments, createmode3 mode)
{
    arguments->create.how.mode = mode;
    if (mode == EXCLUSIVE)
        memcpy(arguments->create.how.createhow3_u.verf, "nfsbench", NFS3_CREATEVERFSIZE);
    else
        arguments->create.how.createhow3_u.obj_attributes = with_mode(FILE_MODE);
}

#define CREATE_OF(name, mode)                                                                      \
    static void create_##name##_arguments(const struct nfs_objects *objects,                       \
                                          const struct nfs_variant *variant,                       \
                                          union nfs_arguments *arguments)                          \
    {                                                                                              \
        create_arguments(arguments, mode);                                                         \
    }

CREATE_OF(unchecked, UNCHECKED)
CREATE_OF(guarded, GUARDED)
CREATE_OF(exclusive, EXCLUSIVE)

static void mkdir_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                            union nfs_arguments *arguments)
{
    arguments->mkdir.attributes = with_mode(DIRECTORY_MODE);
}

static void symlink_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                              union nfs_arguments *arguments)
{
    static char target[] = NFS_SCRATCH_FILE;

    arguments->symlink.symlink.symlink_data = target;
}

static int symlink_verify(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          const union nfs_arguments *arguments, struct rpc_client *client,
                          struct error *error)
{
    union nfs_arguments asked = {.readlink = {.symlink = {.data = {.data_len = 0}}}};
    union nfs_result result;
    struct nfs_node node;
    bool same;
    int code = find_made(objects, variant, "SYMLINK", variant->name, &node, client, error);

    if (code)
        return code;
    asked.object = nfs_handle_argument(&node.handle);
    code = nfs_single_call(client, "readlink", &asked, &result, objects->scratch_path, error);
    if (code)
        return code;
    same = strcmp(result.readlink.READLINK3res_u.resok.data, NFS_SCRATCH_FILE) == 0;
    nfs_free_result("readlink", &result);
    return same ? 0
                : set_not_as_written(objects, variant, "SYMLINK", variant->name,
                                     "READLINK returned another text", error);
}

/* Make a named pipe, because other special files need privileges. */
static void mknod_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                            union nfs_arguments *arguments)
{
    arguments->mknod.what.type = NF3FIFO;
    arguments->mknod.what.mknoddata3_u.pipe_attributes = with_mode(FILE_MODE);
}

static void link_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                           union nfs_arguments *arguments)
{
    const diropargs3 entry = arguments->entry;

    arguments->link.file = nfs_scratch_file_argument(objects, variant);
    arguments->link.link = entry;
}

static int link_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    nfs_item_wcc(reader);
    return 0;
}

static int link_verify(const struct nfs_objects *objects, const struct nfs_variant *variant,
                       const union nfs_arguments *arguments, struct rpc_client *client,
                       struct error *error)
{
    const nfs_fh3 *file = &arguments->link.file;
    struct nfs_node node, linked;
    int code = find_made(objects, variant, "LINK", variant->name, &node, client, error);

    nfs_handle_set(&linked.handle, file->data.data_val, file->data.data_len);
    if (code == 0)
        code = nfs_getattr(client, &linked, objects->scratch_path, error);
    if (code || node.id == linked.id)
        return code;
    return set_not_as_written(objects, variant, "LINK", variant->name,
                              "GETATTR returned another fileid", error);
}

static int rename_verify(const struct nfs_objects *objects, const struct nfs_variant *variant,
                         const union nfs_arguments *arguments, struct rpc_client *client,
                         struct error *error)
{
    struct nfs_node node;
    int code = find_removed(objects, variant, "RENAME", variant->name, client, error);

    return code ? code
                : find_made(objects, variant, "RENAME", variant->new_name, &node, client, error);
}

static void rename_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->rename.to = (diropargs3){.dir = arguments->rename.from.dir,
                                        .name = (char *)(uintptr_t)variant->new_name};
}

static int rename_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_wcc(reader);
    nfs_item_wcc(reader);
    return 0;
}

#define ON_NAMES .changes = true, .varies = true, .object = NFS_OBJECT_SCRATCH
#define MAKES    ON_NAMES, .check = made_check
/* Members of an op whose calls are expected to fail with STATUS: with NFS3ERR_EXIST, because their
 * name is the scratch file's; with NFS3ERR_NOENT, because their name does not exist. */
#define REFUSED(status)                                                                            \
    .changes = true, .object = NFS_OBJECT_SCRATCH, .refusal = (status), .by_name_only = true

const struct nfs_procedure nfs_procedures_names[] = {
    {NFS_ENTRY("create", CREATE), MAKES, .verify = create_verify,
     .arguments = create_unchecked_arguments, .clear = remove_made},
    {NFS_ENTRY("create-guarded", CREATE), MAKES, .verify = create_verify,
     .arguments = create_guarded_arguments, .clear = remove_made},
    {NFS_ENTRY("create-exclusive", CREATE), MAKES, .verify = create_verify,
     .arguments = create_exclusive_arguments, .clear = remove_made},
    {NFS_ENTRY("mkdir", MKDIR), MAKES, .verify = mkdir_verify, .arguments = mkdir_arguments,
     .clear = remove_made_directory},
    {NFS_ENTRY("symlink", SYMLINK), MAKES, .verify = symlink_verify, .arguments = symlink_arguments,
     .clear = remove_made},
    {NFS_ENTRY("mknod", MKNOD), MAKES, .verify = mknod_verify, .arguments = mknod_arguments,
     .clear = remove_made},
    {NFS_ENTRY("link", LINK), ON_NAMES, .verify = link_verify, .arguments = link_arguments,
     .check = link_check, .clear = remove_made},
    {NFS_ENTRY("remove", REMOVE), ON_NAMES, .verify = remove_verify, .check = nfs_check_wcc,
     .prepare = make_file},
    {NFS_ENTRY("rmdir", RMDIR), ON_NAMES, .verify = rmdir_verify, .check = nfs_check_wcc,
     .prepare = make_directory},
    {NFS_ENTRY("rename", RENAME), ON_NAMES, .verify = rename_verify, .arguments = rename_arguments,
     .check = rename_check, .prepare = make_file, .clear = remove_renamed},
    {NFS_ENTRY("create-existing", CREATE), REFUSED(NFS3ERR_EXIST), .check = nfs_check_wcc,
     .arguments = create_guarded_arguments},
    {NFS_ENTRY("mkdir-existing", MKDIR), REFUSED(NFS3ERR_EXIST), .check = nfs_check_wcc,
     .arguments = mkdir_arguments},
    {NFS_ENTRY("symlink-existing", SYMLINK), REFUSED(NFS3ERR_EXIST), .check = nfs_check_wcc,
     .arguments = symlink_arguments},
    {NFS_ENTRY("link-existing", LINK), REFUSED(NFS3ERR_EXIST), .check = link_check,
     .arguments = link_arguments},
    {NFS_ENTRY("remove-absent", REMOVE), REFUSED(NFS3ERR_NOENT), .varies = true,
     .check = nfs_check_wcc},
    {NFS_ENTRY("rmdir-absent", RMDIR), REFUSED(NFS3ERR_NOENT), .varies = true,
     .check = nfs_check_wcc},
    {NFS_ENTRY("rename-absent", RENAME), REFUSED(NFS3ERR_NOENT), .varies = true,
     .check = rename_check, .arguments = rename_arguments},
    {NFS_ENTRY("create-new", CREATE), MAKES, .arguments = create_exclusive_arguments,
     .clear = remove_made, .by_name_only = true, .on_mount_only = true},
    {NFS_ENTRY("create-close", CREATE), MAKES, .arguments = create_unchecked_arguments,
     .clear = remove_made, .by_name_only = true, .on_mount_only = true},
};

const size_t nfs_procedures_names_count =
    sizeof nfs_procedures_names / sizeof nfs_procedures_names[0];
