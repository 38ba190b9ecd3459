/* The procedures that change a file's data or attributes: SETATTR, WRITE and COMMIT. Their calls
 * use files in the scratch directory, or the run's file set. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/change.h"
#include "nfs/objects/visits.h"
#include "nfs/objects/working_set.h"
#include "nfs/procedures/entry.h"
#include "nfs/procedures/items.h"
#include "nfs/status.h"
#include "nfs/verify/read_back.h"

/* Record VALUE as the latest verifier. Return whether it changed; if so, count the change. */
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
        return 0; /* no lock for an unchanged verifier, the usual case */
    return verifier_note(verifier, value) ? NFS_VERIFIER_CHANGED : 0;
}

/* SETATTR sets the time of last change of the data, as touch does. A verified call sets a time that
 * states its pass. The time is even, because some file systems do not keep odd seconds. */

enum { FIRST_TIME = 1000000000 };

static void setattr_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                              union nfs_arguments *arguments)
{
    set_mtime *time = &arguments->setattr.new_attributes.mtime;

    time->set_it = variant->pass ? SET_TO_CLIENT_TIME : SET_TO_SERVER_TIME;
    if (variant->pass)
        time->set_mtime_u.mtime.seconds = FIRST_TIME + 2 * variant->pass;
}

static int setattr_verify(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          const union nfs_arguments *arguments, struct rpc_client *client,
                          struct error *error)
{
    const nfs_fh3 *file = &arguments->setattr.object;
    const uint32_t wanted = arguments->setattr.new_attributes.mtime.set_mtime_u.mtime.seconds;
    struct nfs_node node;
    int code;

    nfs_handle_set(&node.handle, file->data.data_val, file->data.data_len);
    code = nfs_getattr(client, &node, objects->scratch_path, error);
    if (code || node.modified.seconds == wanted)
        return code;
    return error_set(error, ERROR_FAILED, -NFS_NOT_AS_WRITTEN,
                     "SETATTR number %u of pass %u, of the mtime %u of a file in %.300s, was "
                     "acknowledged, but GETATTR returned %u (ATTRIBUTES_MISMATCH)",
                     variant->index, variant->pass, wanted, objects->scratch_path,
                     node.modified.seconds);
}

static void write_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                            union nfs_arguments *arguments, stable_how stable)
{
    uint32_t count = variant->place.length ? variant->place.length : objects->write.count;

    arguments->write.offset = variant->place.offset;
    arguments->write.count = count;
    arguments->write.stable = stable;
    arguments->write.data.data_len = count;
    arguments->write.data.data_val = (char *)objects->write.data;
}

/* Return whether COUNT, the number of bytes that the server accepted, is the planned number or a
 * captured length. */
static bool write_is_whole(const struct nfs_objects *objects, uint32_t count)
{
    const struct nfs_visits *visits = objects->working_set.visits;

    return count == objects->write.expected ||
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
    if (!write_is_whole(objects, count))
        return NFS_SHORT_WRITE;
    return committed < stable ? NFS_NOT_STABLE : finding;
}

#define WRITE_OF(kind, stable)                                                                     \
    static void write_##kind##_arguments(const struct nfs_objects *objects,                        \
                                         const struct nfs_variant *variant,                        \
                                         union nfs_arguments *arguments)                           \
    {                                                                                              \
        write_arguments(objects, variant, arguments, stable);                                      \
    }                                                                                              \
    static int write_##kind##_check(struct wire_reader *reader, const struct nfs_objects *objects) \
    {                                                                                              \
        return write_check(reader, objects, stable);                                               \
    }

WRITE_OF(unstable, UNSTABLE)
WRITE_OF(data_sync, DATA_SYNC)
WRITE_OF(file_sync, FILE_SYNC)

static int write_check_decoded(const union nfs_result *result, const struct nfs_objects *objects)
{
    return write_is_whole(objects, result->write.WRITE3res_u.resok.count) ? 0 : NFS_SHORT_WRITE;
}

static int rewrite_scratch_file(const struct nfs_objects *objects, struct rpc_client *client,
                                struct error *error)
{
    objects->verifier->resent = objects->verifier->changes;
    return nfs_write(client, &objects->scratch_file, objects->scratch_file_path, 0,
                     objects->write.data, objects->write.count, error);
}

/* If the server has restarted, write the scratch file again, because unstable data may be lost.
 * Do nothing if calls are verified. */
static int write_clear(const struct nfs_objects *objects, const struct nfs_variant *variant,
                       struct rpc_client *client, struct error *error)
{
    return !variant->pass && objects->verifier->changes > objects->verifier->resent
               ? rewrite_scratch_file(objects, client, error)
               : 0;
}

/* Each COMMIT commits a range that was written before the block. With places, the range is the
 * call's place, which a pattern may repeat. Without places, each call has its own range of the file
 * NFS_SCRATCH_COMMIT_FILE. */

static void commit_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    COMMIT3args *commit = &arguments->commit;

    if (variant->placed) {
        commit->offset = variant->place.offset;
        commit->count = objects->write.count;
        return;
    }
    commit->file = nfs_handle_argument(&objects->scratch_commit_file);
    commit->offset = (uint64_t)variant->index * NFS_COMMIT_RANGE;
    commit->count = NFS_COMMIT_RANGE;
}

/* Return the range that the COMMIT of VARIANT makes stable, and its data. NAME is memory for the
 * file's name. */
static struct nfs_written committed_by(const struct nfs_objects *objects,
                                       const struct nfs_variant *variant,
                                       char name[NFS_WRITTEN_NAME_SIZE])
{
    const uint32_t file = variant->placed ? variant->place.file : NFS_STAMP_COMMIT_FILE;
    const uint64_t own = (uint64_t)variant->index * NFS_COMMIT_RANGE;

    return (struct nfs_written){.objects = objects,
                                .handle = variant->placed ? &objects->files->handles[file]
                                                          : &objects->scratch_commit_file,
                                .name = nfs_written_name(file, name),
                                .length = variant->placed ? objects->write.count : NFS_COMMIT_RANGE,
                                .stamp = {.file = file,
                                          .pass = variant->pass,
                                          .offset = variant->placed ? variant->place.offset : own}};
}

static int commit_prepare(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          struct rpc_client *client, struct error *error)
{
    char name[NFS_WRITTEN_NAME_SIZE];
    const struct nfs_written written = committed_by(objects, variant, name);
    uint8_t *data = calloc(1, written.length);
    int code;

    if (!data)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for data to commit");
    if (variant->pass)
        nfs_stamp_write(data, written.length, &written.stamp);
    else if (variant->placed)
        memcpy(data, objects->write.data, written.length);
    code = nfs_write(client, written.handle, objects->scratch_path, written.stamp.offset, data,
                     written.length, error);
    free(data);
    return code;
}

static int commit_verify(const struct nfs_objects *objects, const struct nfs_variant *variant,
                         const union nfs_arguments *arguments, struct rpc_client *client,
                         struct error *error)
{
    char name[NFS_WRITTEN_NAME_SIZE];
    const struct nfs_written written = committed_by(objects, variant, name);

    return nfs_read_back(client, &written, "COMMIT", error);
}

static int commit_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_wcc(reader);
    return verifier_check(wire_skip(reader, NFS3_WRITEVERFSIZE), objects->verifier);
}

#define ON_FILE .changes = true, .object = NFS_OBJECT_SCRATCH_FILE
#define WRITES                                                                                     \
    ON_FILE, .places = NFS_PLACES_RANGES, .transfer = NFS_TRANSFER_WRITE, .has_verifier = true,    \
             .check_decoded = write_check_decoded, .renewed = true

const struct nfs_procedure nfs_procedures_data[] = {
    {NFS_ENTRY("setattr", SETATTR), ON_FILE, .places = NFS_PLACES_FILES,
     .arguments = setattr_arguments, .check = nfs_check_wcc, .verify = setattr_verify,
     .renewed = true},
    {NFS_ENTRY("write", WRITE), WRITES, .arguments = write_unstable_arguments,
     .fits_cost_model = true, .check = write_unstable_check, .clear = write_clear},
    {NFS_ENTRY("write-data-sync", WRITE), WRITES, .arguments = write_data_sync_arguments,
     .check = write_data_sync_check, .clear = write_clear},
    {NFS_ENTRY("write-file-sync", WRITE), WRITES, .arguments = write_file_sync_arguments,
     .check = write_file_sync_check, .clear = write_clear},
    {NFS_ENTRY("commit", COMMIT), ON_FILE, .places = NFS_PLACES_RANGES, .varies = true,
     .has_verifier = true, .arguments = commit_arguments, .check = commit_check,
     .prepare = commit_prepare, .verify = commit_verify},
};

const size_t nfs_procedures_data_count = sizeof nfs_procedures_data / sizeof nfs_procedures_data[0];
