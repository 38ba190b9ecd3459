#include "nfs/objects/data_plan.h"

#include <errno.h>
#include <stdlib.h>

#include "nfs/change.h"
#include "nfs/objects/working_set.h"

enum { TRIES = 8 };

/* Numbers of bytes that trial READs returned, or trial WRITEs accepted. */
struct tried {
    /* number of bytes that each call should transfer: the requested number, but not more than are
     * left in the file */
    uint32_t wanted;
    uint32_t least, most;
    unsigned calls;
    bool ended; /* a READ reported the end of the file */
};

static void note_trial(struct tried *tried, uint32_t bytes, bool ended)
{
    if (tried->calls++ == 0 || bytes < tried->least)
        tried->least = bytes;
    if (bytes > tried->most)
        tried->most = bytes;
    tried->ended = tried->ended || ended;
}

static bool needs_trial(const struct tried *tried)
{
    return tried->calls < TRIES && tried->most < tried->wanted && !tried->ended;
}

/* Check trial calls that all returned or accepted fewer than COUNT bytes. CALL is "READ" or
 * "WRITE". LIMIT is the server's maximum (0: unknown), and NAME its name ("rtmax"). Returns 0 if
 * COUNT is within LIMIT and all calls had the same number of bytes, which is not 0; else a negative
 * errno with ERROR set. */
static int accept_short(const char *call, uint32_t count, const char *path,
                        const struct tried *tried, uint32_t limit, const char *name,
                        struct error *error)
{
    const char *did = call[0] == 'R' ? "returned" : "took";

    if (limit > 0 && count > limit)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%s of %u bytes %s %u: the size exceeds this server's %s of %u; use "
                         "--size %u",
                         call, count, did, tried->most, name, limit, limit);
    if (tried->least == 0)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "%s of %u bytes of %.200s %s 0 bytes in %s %u calls, with NFS3_OK%s: "
                         "without progress nothing can be measured",
                         call, count, path, did, tried->most == 0 ? "all of" : "some of",
                         tried->calls, call[0] == 'R' ? ", but without the end of the file" : "");
    if (tried->least != tried->most)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "%s of %u bytes of %.200s %s %u to %u bytes in %u calls, as RFC 1813 "
                         "allows: calls of different lengths can't be compared; try --size %u",
                         call, count, path, did, tried->least, tried->most, tried->calls,
                         tried->least);
    return 0;
}

struct first_file {
    const struct nfs_handle *handle;
    const char *path;
    uint64_t size; /* bytes */
};

static struct first_file first_file(const struct nfs_objects *objects)
{
    const struct nfs_file_set *set = objects->files;

    if (set)
        return (struct first_file){&set->handles[0], objects->scratch_path, set->size};
    return (struct first_file){&objects->file, objects->file_path, objects->file_size};
}

/* Make at most TRIES READs, until one returns all bytes or the end of the file. Store the data of
 * the longest reply in *DATA; the caller frees them. */
static int try_reads(const struct nfs_read_plan *plan, const struct first_file *file,
                     struct rpc_client *client, struct tried *tried, uint8_t **data,
                     struct error *error)
{
    int code = 0;

    while (code == 0 && needs_trial(tried)) {
        const uint32_t most = tried->most;
        struct nfs_read_data read;

        code = nfs_read(client, file->handle, plan->offset, plan->count, file->path, &read, error);
        if (code)
            break;
        note_trial(tried, read.count, read.ended);
        if (*data && read.count <= most) {
            free(read.bytes);
            continue;
        }
        free(*data);
        *data = read.bytes;
    }
    return code;
}

/* READs reported the end of FILE before its known size. Check by GETATTR that FILE now ends where
 * the READs ended, and record the new size in OBJECTS. */
static int ask_size(struct nfs_objects *objects, const struct first_file *file,
                    struct rpc_client *client, const struct tried *tried, struct error *error)
{
    const struct nfs_read_plan *plan = &objects->read;
    struct nfs_node node = {.handle = *file->handle};
    int code = nfs_getattr(client, &node, file->path, error);

    if (code)
        return code;
    if (node.size != plan->offset + tried->most || tried->most == 0)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "READ of %u bytes of %.200s from %llu on returned %u and the end of the "
                         "file, which has %llu bytes according to GETATTR",
                         plan->count, file->path, (unsigned long long)plan->offset, tried->most,
                         (unsigned long long)node.size);
    objects->file_size = node.size;
    return 0;
}

static int plan_length(struct nfs_objects *objects, const struct first_file *file,
                       struct rpc_client *client, uint8_t **data, struct error *error)
{
    struct nfs_read_plan *plan = &objects->read;
    const uint64_t left = file->size - plan->offset;
    struct tried tried = {.wanted = left < plan->count ? (uint32_t)left : plan->count};
    int code = try_reads(plan, file, client, &tried, data, error);

    if (code)
        return code;
    plan->expected = tried.most;
    if (tried.most >= tried.wanted)
        return 0;
    if (tried.ended)
        return ask_size(objects, file, client, &tried, error);
    code = accept_short("READ", plan->count, file->path, &tried, objects->limits.reads, "rtmax",
                        error);
    plan->is_short = code == 0;
    return code;
}

int nfs_objects_plan_read(struct nfs_objects *objects, struct rpc_client *client,
                          const struct nfs_objects_request *request, struct error *error)
{
    const struct first_file file = first_file(objects);
    struct nfs_read_plan *plan = &objects->read;
    uint8_t *data = NULL;
    int code;

    plan->offset = request->read_offset;
    plan->count = request->read_size;
    if (plan->offset >= file.size)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "READ at offset %llu: %.200s has only %llu bytes; see --offset and --file",
                         (unsigned long long)plan->offset, file.path,
                         (unsigned long long)file.size);
    code = plan_length(objects, &file, client, &data, error);
    if (code || !request->verify || plan->data ||
        objects->working_set.pattern.kind != PATTERN_SAME) {
        free(data);
        return code;
    }
    plan->data = data;
    return 0;
}

int nfs_refuse_write_size(uint32_t size, uint32_t maximum, struct error *error)
{
    return error_set(error, ERROR_USAGE, -E2BIG,
                     "WRITEs of %u bytes exceed this server's wtmax of %u; use --size %u", size,
                     maximum, maximum);
}

int nfs_objects_plan_write(struct nfs_objects *objects, struct rpc_client *client, uint32_t size,
                           struct error *error)
{
    struct nfs_write_plan *plan = &objects->write;
    struct tried tried = {.wanted = plan->count};
    int code = size > plan->count ? nfs_refuse_write_size(size, objects->limits.writes, error) : 0;

    while (code == 0 && needs_trial(&tried)) {
        const struct nfs_write_data wanted = {0, plan->data, plan->count, UNSTABLE};
        uint32_t written;

        code = nfs_write_once(client, &objects->scratch_file, objects->scratch_file_path, &wanted,
                              &written, error);
        if (code == 0)
            note_trial(&tried, written, false);
    }
    if (code == 0 && tried.most < tried.wanted)
        code = accept_short("WRITE", plan->count, objects->scratch_file_path, &tried,
                            objects->limits.writes, "wtmax", error);
    if (code)
        return code;
    plan->expected = tried.most;
    return nfs_write(client, &objects->scratch_file, objects->scratch_file_path, tried.most,
                     plan->data + tried.most, plan->count - tried.most, error);
}
