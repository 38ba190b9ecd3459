#include "nfs/verify/read_back.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/objects/scratch_name.h"
#include "nfs/objects/working_set.h"

_Static_assert(NFS_NOT_AS_WRITTEN == EILSEQ, "an errno that no other function here returns");

const char *nfs_written_name(uint32_t file, char name[NFS_WRITTEN_NAME_SIZE])
{
    if (file == NFS_STAMP_SCRATCH_FILE)
        return NFS_SCRATCH_FILE;
    if (file == NFS_STAMP_COMMIT_FILE)
        return NFS_SCRATCH_COMMIT_FILE;
    if (file >= NFS_STAMP_OWN_FILES)
        snprintf(name, NFS_WRITTEN_NAME_SIZE, "write-%08u", file - NFS_STAMP_OWN_FILES);
    else
        snprintf(name, NFS_WRITTEN_NAME_SIZE, "file-%08u", file);
    return name;
}

static bool are_zeros(const uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (data[i] != 0)
            return false;
    return true;
}

static bool is_plausible_stamp(const struct nfs_written *written, const struct nfs_stamp *found)
{
    const struct nfs_objects *objects = written->objects;
    uint32_t files = nfs_set_files(objects);

    return found->offset % NFS_STAMP_SIZE == 0 && found->pass >= 1 &&
           found->pass <= objects->passes->latest &&
           (found->file < files || found->file >= NFS_STAMP_OWN_FILES);
}

/* Describe in TEXT, of SIZE bytes, the unexpected DATA, LENGTH bytes, found at OFFSET. */
static void describe_data(char *text, size_t size, const struct nfs_written *written,
                          const uint8_t *data, size_t length, uint64_t offset)
{
    const uint64_t here = (offset + NFS_STAMP_SIZE - 1) / NFS_STAMP_SIZE * NFS_STAMP_SIZE;
    char name[NFS_WRITTEN_NAME_SIZE];
    struct nfs_stamp found;

    if (length == 0)
        snprintf(text, size, "the end of the file");
    else if (are_zeros(data, length))
        snprintf(text, size, "zeros");
    else if (!nfs_stamp_read(data, length, offset, &found) || !is_plausible_stamp(written, &found))
        snprintf(text, size, "other data");
    else if (found.file == written->stamp.file && found.offset == here)
        snprintf(text, size, "the data of pass %u", found.pass);
    else
        snprintf(text, size, "data of offset %llu of %s in pass %u",
                 (unsigned long long)found.offset, nfs_written_name(found.file, name), found.pass);
}

int nfs_read_back_refuse(const struct nfs_written *written, const char *action, const uint8_t *data,
                         uint32_t got, size_t same, struct error *error)
{
    const uint64_t offset = written->stamp.offset + same;
    /* Describe a wrong record from its first byte on, even if that byte is right by chance. */
    const size_t back = same < got && offset % NFS_STAMP_SIZE < same ? offset % NFS_STAMP_SIZE : 0;
    char found[160], path[NFS_PATH_SIZE];

    describe_data(found, sizeof found, written, data + same - back, got - same + back,
                  offset - back);
    nfs_path_join(path, written->objects->scratch_path, written->name);
    if (!action)
        return error_set(
            error, ERROR_FAILED, -NFS_NOT_AS_WRITTEN,
            "READ of %.250s returned %s at offset %llu, where no call wrote it (DATA_MISMATCH)",
            path, found, (unsigned long long)offset);
    return error_set(error, ERROR_FAILED, -NFS_NOT_AS_WRITTEN,
                     "%s of %u bytes at offset %llu of %.250s in pass %u was acknowledged, but "
                     "READ returned %s at offset %llu (DATA_MISMATCH)",
                     action, written->length, (unsigned long long)written->stamp.offset, path,
                     written->stamp.pass, found, (unsigned long long)offset);
}

/* Expected contents of the file in the range of WRITTEN. */
enum comparison {
    COMPARE_PASS,        /* all data must be of WRITTEN's pass */
    COMPARE_ANY,         /* each record may be of any pass */
    COMPARE_ANY_OR_NONE, /* each record may be of any pass, zeros, or beyond the end of the file */
    COMPARE_NONE,        /* all data must be zeros, or beyond the end of the file */
};

/* Return the number of DATA's GOT bytes before the first wrong byte or, if any pass is right,
 * before the first wrong record. */
static size_t count_same(const struct nfs_written *written, enum comparison comparison,
                         const uint8_t *data, uint32_t got)
{
    size_t same = 0;

    if (comparison == COMPARE_PASS)
        return nfs_stamp_match(data, got, &written->stamp);
    if (comparison != COMPARE_NONE)
        return nfs_stamp_match_any(data, got, &written->stamp, comparison == COMPARE_ANY_OR_NONE);
    while (same < got && data[same] == 0)
        same++;
    return same;
}

static int compare_range(struct rpc_client *client, const struct nfs_written *written,
                         enum comparison comparison, const char *action, struct error *error)
{
    uint8_t *data = calloc(1, written->length ? written->length : 1);
    const bool may_end = comparison >= COMPARE_ANY_OR_NONE;
    uint32_t got;
    size_t same;
    int code;

    if (!data)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for data to compare");
    code = nfs_read_whole(client, written->handle, written->objects->scratch_path,
                          written->stamp.offset, written->length, data, &got, error);
    same = code ? 0 : count_same(written, comparison, data, got);
    if (code == 0 && (same < got || (got < written->length && !may_end)))
        code = nfs_read_back_refuse(written, action, data, got, same, error);
    free(data);
    return code;
}

int nfs_read_back(struct rpc_client *client, const struct nfs_written *written, const char *action,
                  struct error *error)
{
    return compare_range(client, written, written->stamp.pass ? COMPARE_PASS : COMPARE_NONE, action,
                         error);
}

int nfs_read_back_any(struct rpc_client *client, const struct nfs_written *written,
                      bool may_be_empty, struct error *error)
{
    return compare_range(client, written, may_be_empty ? COMPARE_ANY_OR_NONE : COMPARE_ANY, NULL,
                         error);
}
