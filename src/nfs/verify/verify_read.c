/* Verification of READ. Data of files that the run made contain stamps (nfs/verify/stamp.h). Data
 * of existing files are compared with an untimed READ of the same range after the block. */
#include <errno.h>
#include <stdlib.h>

#include "common/hash.h"
#include "common/memory.h"
#include "nfs/status.h"
#include "nfs/verify/read_back.h"
#include "nfs/verify/verification.h"

static bool reads_own(const struct nfs_objects *objects)
{
    return nfs_set_files(objects) > 0;
}

bool nfs_verify_has_reads(const struct nfs_procedure *procedure, const struct nfs_objects *objects)
{
    /* READs of one place are checked against the read plan's data. */
    return procedure->transfer == NFS_TRANSFER_READ && (reads_own(objects) || !objects->read.data);
}

int nfs_verify_begin_reads(struct nfs_call *call, size_t count)
{
    struct nfs_verification *verification = call->verification;

    if (reads_own(call->objects))
        return 0;
    if (!verification->brought)
        verification->key = hash_new_key();
    return array_reserve(&verification->brought, &verification->brought_room, count,
                         sizeof *verification->brought);
}

/* Check DATA, LENGTH bytes, that call NUMBER read from a file that the run made. */
static int check_stamps(const struct nfs_call *call, size_t number, const void *data, size_t length)
{
    const struct nfs_place place = nfs_call_place(call, number);
    const struct nfs_stamp stamp = {
        .file = place.file, .pass = call->objects->passes->latest, .offset = place.offset};
    const struct nfs_written written = {.objects = call->objects,
                                        .name = nfs_file_set_name(call->objects, place.file),
                                        .length = (uint32_t)length,
                                        .stamp = stamp};
    size_t same = nfs_stamp_match_any(data, length, &stamp, false);

    if (same == length)
        return 0;
    if (!atomic_exchange(&call->verification->is_wrong, true))
        nfs_read_back_refuse(&written, NULL, data, written.length, same,
                             &call->verification->mismatch);
    return NFS_DATA_MISMATCH;
}

int nfs_verify_read(const struct nfs_call *call, size_t number, const void *data, uint32_t length)
{
    const struct nfs_verification *verification = call->verification;

    if (reads_own(call->objects))
        return check_stamps(call, number, data, length);
    if (number < verification->brought_room)
        verification->brought[number] = (struct nfs_read_hash){
            .length = length, .hash = hash_bytes(&verification->key, data, length)};
    return 0;
}

struct found_range {
    const struct nfs_handle *handle;
    const char *path;
    uint64_t offset;
    uint32_t length;
};

static struct found_range range_of(const struct nfs_call *call, size_t number)
{
    const struct nfs_objects *objects = call->objects;
    const struct nfs_place place = nfs_call_place(call, number);
    const struct nfs_file_set *tree = objects->files;

    return (struct found_range){.handle = tree ? &tree->handles[place.file] : &objects->file,
                                .path = tree ? nfs_file_set_name(objects, place.file)
                                             : objects->file_path,
                                .offset = place.offset,
                                .length = call->verification->brought[number].length};
}

static int hash_range(const struct nfs_call *call, const struct found_range *range, uint64_t *hash,
                      struct rpc_client *client, struct error *error)
{
    uint8_t *data = malloc(range->length ? range->length : 1);
    uint32_t got;
    int code;

    if (!data)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for data to compare");
    code = nfs_read_whole(client, range->handle, range->path, range->offset, range->length, data,
                          &got, error);
    *hash = hash_bytes(&call->verification->key, data, got);
    free(data);
    return code;
}

static int refuse_found(const struct found_range *range, struct error *error)
{
    return error_set(error, ERROR_FAILED, -NFS_NOT_AS_WRITTEN,
                     "READ of %u bytes at offset %llu of %.250s returned other data than an "
                     "untimed READ of the same range after the block (DATA_MISMATCH): one of them "
                     "was wrong, unless the file was changed in between",
                     range->length, (unsigned long long)range->offset, range->path);
}

static bool is_same_range(const struct found_range *a, const struct found_range *b)
{
    return a->handle == b->handle && a->offset == b->offset && a->length == b->length;
}

int nfs_verify_reads(const struct nfs_call *call, size_t count, struct rpc_client *client,
                     struct error *error)
{
    const struct nfs_verification *verification = call->verification;
    struct found_range latest = {.handle = NULL};
    uint64_t hash = 0;
    int code = 0;

    if (verification->is_wrong) {
        *error = verification->mismatch;
        return -NFS_NOT_AS_WRITTEN;
    }
    for (size_t i = 0; i < count && code == 0 && !reads_own(call->objects); i++) {
        const struct found_range range = range_of(call, i);

        if (!verification->acknowledged[i])
            continue;
        if (!is_same_range(&range, &latest))
            code = hash_range(call, &range, &hash, client, error);
        if (code == 0 && hash != verification->brought[i].hash)
            code = refuse_found(&range, error);
        latest = range;
    }
    return code;
}
