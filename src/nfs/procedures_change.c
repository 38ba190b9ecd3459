/* The procedures that change the export. They work on the scratch directory and the file in it.
 * Calls of a block that make or remove names have a name each, which is prepared before the block
 * and cleared after it. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/change.h"
#include "nfs/entry.h"
#include "nfs/items.h"
#include "nfs/scratch.h"
#include "nfs/status.h"
#include "nfs/visits.h"
#include "nfs/working_set.h"

enum { FILE_MODE = 0600, DIRECTORY_MODE = 0700 };

static nfs_fh3 scratch_file(const struct nfs_objects *objects, const struct nfs_variant *variant)
{
    const struct nfs_file_set *set = objects->files;

    return nfs_handle_argument(set ? &set->handles[variant->place.file] : &objects->scratch_file);
}

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

/* Record VALUE if it is the first, or differs from the last one. Was there one before? */
static bool verifier_note(struct nfs_verifier *verifier, uint64_t value)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    bool changed;

    pthread_mutex_lock(&mutex);
    changed = verifier->known && verifier->value != value;
    verifier->value = value;
    verifier->known = true;
    verifier->changes += changed;
    pthread_mutex_unlock(&mutex);
    return changed;
}

static int verifier_check(const uint8_t *bytes, struct nfs_verifier *verifier)
{
    uint64_t value;

    if (!bytes || !verifier)
        return 0;
    _Static_assert(sizeof value == NFS3_WRITEVERFSIZE, "a verifier in a number");
    memcpy(&value, bytes, sizeof value);
    if (atomic_load(&verifier->known) && atomic_load(&verifier->value) == value)
        return 0; /* the usual case needs no lock */
    return verifier_note(verifier, value) ? NFS_VERIFIER_CHANGED : 0;
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

/* SETATTR: the time of the last change of the data, as touch sets it */

static void setattr_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                              union nfs_arguments *arguments)
{
    arguments->setattr.object = scratch_file(objects, variant);
    arguments->setattr.new_attributes.mtime.set_it = SET_TO_SERVER_TIME;
}

/* WRITE */

static void write_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                            union nfs_arguments *arguments, stable_how stable)
{
    uint32_t count = variant->place.length ? variant->place.length : objects->write.count;

    arguments->write.file = scratch_file(objects, variant);
    arguments->write.offset = variant->place.offset;
    arguments->write.count = count;
    arguments->write.stable = stable;
    arguments->write.data.data_len = count;
    arguments->write.data.data_val = (char *)objects->write.data;
}

static void write_unstable_arguments(const struct nfs_objects *objects,
                                     const struct nfs_variant *variant,
                                     union nfs_arguments *arguments)
{
    write_arguments(objects, variant, arguments, UNSTABLE);
}

static void write_data_sync_arguments(const struct nfs_objects *objects,
                                      const struct nfs_variant *variant,
                                      union nfs_arguments *arguments)
{
    write_arguments(objects, variant, arguments, DATA_SYNC);
}

static void write_file_sync_arguments(const struct nfs_objects *objects,
                                      const struct nfs_variant *variant,
                                      union nfs_arguments *arguments)
{
    write_arguments(objects, variant, arguments, FILE_SYNC);
}

/* All of it? Where WRITEs differ, as much as one of them has. */
static bool is_whole(const struct nfs_objects *objects, uint32_t count)
{
    const struct nfs_visits *visits = objects->working_set.visits;

    return count == objects->write.count ||
           (visits && nfs_visit_has_length(&visits->writes, count));
}

static int write_check(struct wire_reader *reader, const struct nfs_objects *objects,
                       stable_how stable)
{
    uint32_t count, committed;
    const uint8_t *verifier;
    int finding;

    nfs_item_wcc(reader);
    count = wire_get_u32(reader);
    committed = wire_get_u32(reader);
    verifier = wire_skip(reader, NFS3_WRITEVERFSIZE);
    if (count > objects->write.count || committed > FILE_SYNC)
        reader->failed = true;
    if (reader->failed)
        return 0;
    finding = verifier_check(verifier, objects->verifier);
    if (!is_whole(objects, count))
        return NFS_SHORT_WRITE;
    return committed < stable ? NFS_NOT_STABLE : finding;
}

static int write_unstable_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    return write_check(reader, objects, UNSTABLE);
}

static int write_data_sync_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    return write_check(reader, objects, DATA_SYNC);
}

static int write_file_sync_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    return write_check(reader, objects, FILE_SYNC);
}

static int write_check_decoded(const union nfs_result *result, const struct nfs_objects *objects)
{
    return is_whole(objects, result->write.WRITE3res_u.resok.count) ? 0 : NFS_SHORT_WRITE;
}

static int write_again(const struct nfs_objects *objects, struct rpc_client *client,
                       struct error *error)
{
    objects->verifier->resent = objects->verifier->changes;
    return nfs_write(client, &objects->scratch_file, objects->scratch_file_path, 0,
                     objects->write.data, objects->write.count, error);
}

static int compare_written(const struct nfs_objects *objects, struct rpc_client *client,
                           struct error *error)
{
    const struct nfs_write_plan *plan = &objects->write;
    uint8_t *data;
    uint32_t got;
    bool same;
    int code = nfs_read(client, &objects->scratch_file, 0, plan->count, objects->scratch_file_path,
                        &data, &got, error);

    if (code)
        return code;
    /* A server may return fewer bytes in a READ than it takes in a WRITE. */
    same = got > 0 && got <= plan->count && memcmp(data, plan->data, got) == 0;
    free(data);
    return same ? 0
                : error_set(error, ERROR_FAILED, -EIO,
                            "READ of %.300s returned other bytes than WRITE had written "
                            "(DATA_MISMATCH)",
                            objects->scratch_file_path);
}

/* Write again what the server has forgotten; compare what it has with what was written. */
static int write_clear(const struct nfs_objects *objects, const struct nfs_variant *variant,
                       struct rpc_client *client, struct error *error)
{
    int code = 0;

    if (objects->verifier->changes > objects->verifier->resent)
        code = write_again(objects, client, error);
    return code == 0 && objects->write.verify ? compare_written(objects, client, error) : code;
}

/* COMMIT: each call commits data of its own, written before the block: at its place, or else one
 * after the other in a file for that */

static void commit_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    COMMIT3args *commit = &arguments->commit;

    if (variant->placed) {
        commit->file = scratch_file(objects, variant);
        commit->offset = variant->place.offset;
        commit->count = objects->write.count;
        return;
    }
    commit->file = nfs_handle_argument(&objects->scratch_commit_file);
    commit->offset = (uint64_t)variant->index * NFS_COMMIT_RANGE;
    commit->count = NFS_COMMIT_RANGE;
}

static int commit_prepare(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          struct rpc_client *client, struct error *error)
{
    static const uint8_t data[NFS_COMMIT_RANGE];

    if (variant->placed)
        return nfs_write(client, &objects->files->handles[variant->place.file],
                         objects->scratch_path, variant->place.offset, objects->write.data,
                         objects->write.count, error);
    return nfs_write(client, &objects->scratch_commit_file, objects->scratch_path,
                     (uint64_t)variant->index * NFS_COMMIT_RANGE, data, NFS_COMMIT_RANGE, error);
}

static int commit_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_wcc(reader);
    return verifier_check(wire_skip(reader, NFS3_WRITEVERFSIZE), objects->verifier);
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

static void create_unchecked_arguments(const struct nfs_objects *objects,
                                       const struct nfs_variant *variant,
                                       union nfs_arguments *arguments)
{
    create_arguments(objects, variant, arguments, UNCHECKED);
}

static void create_guarded_arguments(const struct nfs_objects *objects,
                                     const struct nfs_variant *variant,
                                     union nfs_arguments *arguments)
{
    create_arguments(objects, variant, arguments, GUARDED);
}

static void create_exclusive_arguments(const struct nfs_objects *objects,
                                       const struct nfs_variant *variant,
                                       union nfs_arguments *arguments)
{
    create_arguments(objects, variant, arguments, EXCLUSIVE);
}

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
    arguments->link.file = scratch_file(objects, variant);
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

static const struct nfs_variant existing = {.name = NFS_SCRATCH_FILE};

static void create_existing_arguments(const struct nfs_objects *objects,
                                      const struct nfs_variant *variant,
                                      union nfs_arguments *arguments)
{
    (void)variant;
    create_arguments(objects, &existing, arguments, GUARDED);
}

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
    arguments->link.file = scratch_file(objects, variant);
    arguments->link.link = scratch_name(objects, existing.name);
}

NFS_STUB(setattr, SETATTR)
NFS_STUB(write, WRITE)
NFS_STUB(create, CREATE)
NFS_STUB(mkdir, MKDIR)
NFS_STUB(symlink, SYMLINK)
NFS_STUB(mknod, MKNOD)
NFS_STUB(remove, REMOVE)
NFS_STUB(rmdir, RMDIR)
NFS_STUB(rename, RENAME)
NFS_STUB(link, LINK)
NFS_STUB(commit, COMMIT)

#define ON_FILE .changes = true, .object = NFS_OBJECT_SCRATCH_FILE
#define WRITES                                                                                     \
    ON_FILE, .places = NFS_PLACES_RANGES, .transfer = NFS_TRANSFER_WRITE, .has_verifier = true,    \
             .check_decoded = write_check_decoded
#define ON_NAMES .changes = true, .varies = true, .object = NFS_OBJECT_SCRATCH
#define MAKES    ON_NAMES, .check = made_check
#define REFUSED(status)                                                                            \
    .changes = true, .object = NFS_OBJECT_SCRATCH, .refusal = (status), .by_name_only = true

const struct nfs_procedure nfs_procedures_change[] = {
    {NFS_ENTRY("setattr", setattr, SETATTR), ON_FILE, .places = NFS_PLACES_FILES,
     .arguments = setattr_arguments, .check = wcc_check},
    {NFS_ENTRY("write", write, WRITE), WRITES, .arguments = write_unstable_arguments,
     .fits_cost_model = true, .check = write_unstable_check, .clear = write_clear},
    {NFS_ENTRY("write-data-sync", write, WRITE), WRITES, .arguments = write_data_sync_arguments,
     .check = write_data_sync_check, .clear = write_clear},
    {NFS_ENTRY("write-file-sync", write, WRITE), WRITES, .arguments = write_file_sync_arguments,
     .check = write_file_sync_check, .clear = write_clear},
    {NFS_ENTRY("commit", commit, COMMIT), ON_FILE, .places = NFS_PLACES_RANGES, .varies = true,
     .has_verifier = true, .arguments = commit_arguments, .check = commit_check,
     .prepare = commit_prepare},
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

const size_t nfs_procedures_change_count =
    sizeof nfs_procedures_change / sizeof nfs_procedures_change[0];
