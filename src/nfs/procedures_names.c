/* The procedures that make and remove names. They work on the scratch directory. Each call of a
 * block has a name of its own, which is prepared before the block and cleared after it. */
#include <errno.h>
#include <string.h>

#include "nfs/change.h"
#include "nfs/entry.h"
#include "nfs/items.h"
#include "nfs/scratch.h"

enum { FILE_MODE = 0600, DIRECTORY_MODE = 0700 };

static sattr3 with_mode(uint32_t mode)
{
    return (sattr3){.mode = {.set_it = TRUE, .set_mode3_u.mode = mode}};
}

/* Results */

/* The result of procedures that make an object. */
static int made_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_handle(reader);
    nfs_item_post_op_attr(reader);
    nfs_item_wcc(reader);
    return 0;
}

/* Names */

static int make_file(const struct nfs_objects *objects, const struct nfs_variant *variant,
                     struct rpc_client *client, struct error *error)
{
    return nfs_create(client, &objects->scratch, objects->scratch_path, variant->name, NULL, error);
}

/* A name that an earlier call failed to remove is used again. */
static int make_directory(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          struct rpc_client *client, struct error *error)
{
    int code =
        nfs_mkdir(client, &objects->scratch, objects->scratch_path, variant->name, NULL, error);

    return code == -EEXIST ? 0 : code;
}

/* If the call failed, there is nothing to remove. */
static int take_name(const struct nfs_objects *objects, const char *op, const char *name,
                     struct rpc_client *client, struct error *error)
{
    int code = nfs_remove(client, op, &objects->scratch, objects->scratch_path, name, error);

    return code == -ENOENT ? 0 : code;
}

static int remove_made(const struct nfs_objects *objects, const struct nfs_variant *variant,
                       struct rpc_client *client, struct error *error)
{
    return take_name(objects, "remove", variant->name, client, error);
}

static int remove_renamed(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          struct rpc_client *client, struct error *error)
{
    return take_name(objects, "remove", variant->new_name, client, error);
}

static int remove_made_directory(const struct nfs_objects *objects,
                                 const struct nfs_variant *variant, struct rpc_client *client,
                                 struct error *error)
{
    return take_name(objects, "rmdir", variant->name, client, error);
}

/* CREATE */

static void create_arguments(union nfs_arguments *arguments, createmode3 mode)
{
    arguments->create.how.mode = mode;
    if (mode == EXCLUSIVE)
        memcpy(arguments->create.how.createhow3_u.verf, "nfsbench", NFS3_CREATEVERFSIZE);
    else
        arguments->create.how.createhow3_u.obj_attributes = with_mode(FILE_MODE);
}

/* The arguments of CREATE in MODE. */
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

/* MKDIR, SYMLINK, MKNOD, LINK */

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

/* A named pipe, which needs no privilege. */
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

/* RENAME */

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
/* The same procedures, to be refused: of the name of the scratch file, or of names that nothing has
 */
#define REFUSED(status)                                                                            \
    .changes = true, .object = NFS_OBJECT_SCRATCH, .refusal = (status), .by_name_only = true

const struct nfs_procedure nfs_procedures_names[] = {
    {NFS_ENTRY("create", create, CREATE), MAKES, .arguments = create_unchecked_arguments,
     .clear = remove_made},
    {NFS_ENTRY("create-guarded", create, CREATE), MAKES, .arguments = create_guarded_arguments,
     .clear = remove_made},
    {NFS_ENTRY("create-exclusive", create, CREATE), MAKES, .arguments = create_exclusive_arguments,
     .clear = remove_made},
    {NFS_ENTRY("mkdir", mkdir, MKDIR), MAKES, .arguments = mkdir_arguments,
     .clear = remove_made_directory},
    {NFS_ENTRY("symlink", symlink, SYMLINK), MAKES, .arguments = symlink_arguments,
     .clear = remove_made},
    {NFS_ENTRY("mknod", mknod, MKNOD), MAKES, .arguments = mknod_arguments, .clear = remove_made},
    {NFS_ENTRY("link", link, LINK), ON_NAMES, .arguments = link_arguments, .check = link_check,
     .clear = remove_made},
    {NFS_ENTRY("remove", remove, REMOVE), ON_NAMES, .check = nfs_check_wcc, .prepare = make_file},
    {NFS_ENTRY("rmdir", rmdir, RMDIR), ON_NAMES, .check = nfs_check_wcc, .prepare = make_directory},
    {NFS_ENTRY("rename", rename, RENAME), ON_NAMES, .arguments = rename_arguments,
     .check = rename_check, .prepare = make_file, .clear = remove_renamed},
    {NFS_ENTRY("create-existing", create, CREATE), REFUSED(NFS3ERR_EXIST), .check = nfs_check_wcc,
     .arguments = create_guarded_arguments},
    {NFS_ENTRY("mkdir-existing", mkdir, MKDIR), REFUSED(NFS3ERR_EXIST), .check = nfs_check_wcc,
     .arguments = mkdir_arguments},
    {NFS_ENTRY("symlink-existing", symlink, SYMLINK), REFUSED(NFS3ERR_EXIST),
     .check = nfs_check_wcc, .arguments = symlink_arguments},
    {NFS_ENTRY("link-existing", link, LINK), REFUSED(NFS3ERR_EXIST), .check = link_check,
     .arguments = link_arguments},
    {NFS_ENTRY("remove-absent", remove, REMOVE), REFUSED(NFS3ERR_NOENT), .varies = true,
     .check = nfs_check_wcc},
    {NFS_ENTRY("rmdir-absent", rmdir, RMDIR), REFUSED(NFS3ERR_NOENT), .varies = true,
     .check = nfs_check_wcc},
    {NFS_ENTRY("rename-absent", rename, RENAME), REFUSED(NFS3ERR_NOENT), .varies = true,
     .check = rename_check, .arguments = rename_arguments},
    {NFS_ENTRY("create-new", create, CREATE), MAKES, .arguments = create_exclusive_arguments,
     .clear = remove_made, .by_name_only = true, .on_mount_only = true},
    {NFS_ENTRY("create-close", create, CREATE), MAKES, .arguments = create_unchecked_arguments,
     .clear = remove_made, .by_name_only = true, .on_mount_only = true},
};

const size_t nfs_procedures_names_count =
    sizeof nfs_procedures_names / sizeof nfs_procedures_names[0];
