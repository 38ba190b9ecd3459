/* The procedures that make and remove names. They work on the scratch directory. Each call of a
 * block has a name of its own, which is prepared before the block and cleared after it. */
#include <errno.h>
#include <string.h>

#include "nfs/change.h"
#include "nfs/entry.h"
#include "nfs/items.h"
#include "nfs/scratch.h"

enum { FILE_MODE = 0600, DIRECTORY_MODE = 0700 };

static diropargs3 scratch_name(const struct nfs_objects *objects, const char *name)
{
    return (diropargs3){.dir = nfs_handle_argument(&objects->scratch),
                        .name = (char *)(uintptr_t)name};
}

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

/* The result of procedures that return only what changed. */
static int wcc_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
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
static int take_file(const struct nfs_objects *objects, const char *name, struct rpc_client *client,
                     struct error *error)
{
    int code = nfs_remove(client, &objects->scratch, objects->scratch_path, name, error);

    return code == -ENOENT ? 0 : code;
}

static int remove_made(const struct nfs_objects *objects, const struct nfs_variant *variant,
                       struct rpc_client *client, struct error *error)
{
    return take_file(objects, variant->name, client, error);
}

static int remove_renamed(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          struct rpc_client *client, struct error *error)
{
    return take_file(objects, variant->new_name, client, error);
}

static int remove_made_directory(const struct nfs_objects *objects,
                                 const struct nfs_variant *variant, struct rpc_client *client,
                                 struct error *error)
{
    int code = nfs_rmdir(client, &objects->scratch, objects->scratch_path, variant->name, error);

    return code == -ENOENT ? 0 : code;
}

/* CREATE */

static void create_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments, createmode3 mode)
{
    arguments->create.where = scratch_name(objects, variant->name);
    arguments->create.how.mode = mode;
    if (mode == EXCLUSIVE)
        memcpy(arguments->create.how.createhow3_u.verf, "nfsbench", NFS3_CREATEVERFSIZE);
    else
        arguments->create.how.createhow3_u.obj_attributes = with_mode(FILE_MODE);
}

/* The arguments of CREATE in MODE, of the name of the VARIANT_. */
#define CREATE_OF(name, mode, variant_)                                                            \
    static void create_##name##_arguments(const struct nfs_objects *objects,                       \
                                          const struct nfs_variant *variant,                       \
                                          union nfs_arguments *arguments)                          \
    {                                                                                              \
        (void)variant;                                                                             \
        create_arguments(objects, variant_, arguments, mode);                                      \
    }

/* The name of the scratch file, of which calls are refused. */
static const struct nfs_variant existing = {.name = NFS_SCRATCH_FILE};

CREATE_OF(unchecked, UNCHECKED, variant)
CREATE_OF(guarded, GUARDED, variant)
CREATE_OF(exclusive, EXCLUSIVE, variant)
CREATE_OF(existing, GUARDED, &existing)

/* MKDIR, SYMLINK, MKNOD, LINK */

static void mkdir_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                            union nfs_arguments *arguments)
{
    arguments->mkdir.where = scratch_name(objects, variant->name);
    arguments->mkdir.attributes = with_mode(DIRECTORY_MODE);
}

static void symlink_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                              union nfs_arguments *arguments)
{
    static char target[] = NFS_SCRATCH_FILE;

    arguments->symlink.where = scratch_name(objects, variant->name);
    arguments->symlink.symlink.symlink_data = target;
}

/* A named pipe, which needs no privilege. */
static void mknod_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                            union nfs_arguments *arguments)
{
    arguments->mknod.where = scratch_name(objects, variant->name);
    arguments->mknod.what.type = NF3FIFO;
    arguments->mknod.what.mknoddata3_u.pipe_attributes = with_mode(FILE_MODE);
}

static void link_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                           union nfs_arguments *arguments)
{
    arguments->link.file = nfs_scratch_file_argument(objects, variant);
    arguments->link.link = scratch_name(objects, variant->name);
}

static int link_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    nfs_item_wcc(reader);
    return 0;
}

/* REMOVE, RMDIR, RENAME */

static void remove_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->remove.object = scratch_name(objects, variant->name);
}

static void rmdir_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                            union nfs_arguments *arguments)
{
    arguments->rmdir.object = scratch_name(objects, variant->name);
}

static void rename_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->rename.from = scratch_name(objects, variant->name);
    arguments->rename.to = scratch_name(objects, variant->new_name);
}

static int rename_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_wcc(reader);
    nfs_item_wcc(reader);
    return 0;
}

/* The same procedures, to be refused: of the name of the scratch file, or of names that nothing has
 */

static void mkdir_existing_arguments(const struct nfs_objects *objects,
                                     const struct nfs_variant *variant,
                                     union nfs_arguments *arguments)
{
    (void)variant;
    mkdir_arguments(objects, &existing, arguments);
}

static void symlink_existing_arguments(const struct nfs_objects *objects,
                                       const struct nfs_variant *variant,
                                       union nfs_arguments *arguments)
{
    (void)variant;
    symlink_arguments(objects, &existing, arguments);
}

static void link_existing_arguments(const struct nfs_objects *objects,
                                    const struct nfs_variant *variant,
                                    union nfs_arguments *arguments)
{
    arguments->link.file = nfs_scratch_file_argument(objects, variant);
    arguments->link.link = scratch_name(objects, existing.name);
}

NFS_STUB(create, CREATE)
NFS_STUB(mkdir, MKDIR)
NFS_STUB(symlink, SYMLINK)
NFS_STUB(mknod, MKNOD)
NFS_STUB(remove, REMOVE)
NFS_STUB(rmdir, RMDIR)
NFS_STUB(rename, RENAME)
NFS_STUB(link, LINK)

#define ON_NAMES .changes = true, .varies = true, .object = NFS_OBJECT_SCRATCH
#define MAKES    ON_NAMES, .check = made_check
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
    {NFS_ENTRY("remove", remove, REMOVE), ON_NAMES, .arguments = remove_arguments,
     .check = wcc_check, .prepare = make_file},
    {NFS_ENTRY("rmdir", rmdir, RMDIR), ON_NAMES, .arguments = rmdir_arguments, .check = wcc_check,
     .prepare = make_directory},
    {NFS_ENTRY("rename", rename, RENAME), ON_NAMES, .arguments = rename_arguments,
     .check = rename_check, .prepare = make_file, .clear = remove_renamed},
    {NFS_ENTRY("create-existing", create, CREATE), REFUSED(NFS3ERR_EXIST), .check = wcc_check,
     .arguments = create_existing_arguments},
    {NFS_ENTRY("mkdir-existing", mkdir, MKDIR), REFUSED(NFS3ERR_EXIST), .check = wcc_check,
     .arguments = mkdir_existing_arguments},
    {NFS_ENTRY("symlink-existing", symlink, SYMLINK), REFUSED(NFS3ERR_EXIST), .check = wcc_check,
     .arguments = symlink_existing_arguments},
    {NFS_ENTRY("link-existing", link, LINK), REFUSED(NFS3ERR_EXIST), .check = link_check,
     .arguments = link_existing_arguments},
    {NFS_ENTRY("remove-absent", remove, REMOVE), REFUSED(NFS3ERR_NOENT), .varies = true,
     .check = wcc_check, .arguments = remove_arguments},
    {NFS_ENTRY("rmdir-absent", rmdir, RMDIR), REFUSED(NFS3ERR_NOENT), .varies = true,
     .check = wcc_check, .arguments = rmdir_arguments},
    {NFS_ENTRY("rename-absent", rename, RENAME), REFUSED(NFS3ERR_NOENT), .varies = true,
     .check = rename_check, .arguments = rename_arguments},
    {NFS_ENTRY("create-new", create, CREATE), MAKES, .arguments = create_exclusive_arguments,
     .clear = remove_made, .by_name_only = true, .on_mount_only = true},
    {NFS_ENTRY("create-close", create, CREATE), MAKES, .arguments = create_unchecked_arguments,
     .clear = remove_made, .by_name_only = true, .on_mount_only = true},
};

const size_t nfs_procedures_names_count =
    sizeof nfs_procedures_names / sizeof nfs_procedures_names[0];
