#include "nfs/objects/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "nfs/client.h"
#include "nfs/objects/data_plan.h"
#include "nfs/objects/lease.h"
#include "nfs/objects/working_set.h"
#include "nfs/verify/read_back.h"

static int join_path(char out[NFS_PATH_SIZE], const char *path, const char *name,
                     struct error *error)
{
    if (nfs_path_join(out, path, name) == 0)
        return 0;
    return error_set(error, ERROR_USAGE, -ENAMETOOLONG, "the path below %.200s is too long", path);
}

/* Filling the directory */

static int make_fillers(struct nfs_objects *objects, struct rpc_client *client, uint32_t entries,
                        struct error *error)
{
    int code = 0;

    for (uint32_t i = NFS_SCRATCH_ENTRIES; i < entries && code == 0; i++) {
        char name[NFS_VARIANT_NAME_SIZE];

        nfs_scratch_filler_name(name, i);
        code = nfs_create(client, &objects->scratch, objects->scratch_path, name, NULL, error);
    }
    return code;
}

static void fill_data(const struct nfs_objects *objects)
{
    const struct nfs_stamp stamp = {.file = NFS_STAMP_SCRATCH_FILE, .pass = 1};
    const struct nfs_write_plan *plan = &objects->write;

    for (uint32_t i = 0; i < plan->count; i++)
        plan->data[i] = (uint8_t)(i * 31 + i / 256);
    if (objects->passes)
        nfs_stamp_write(plan->data, plan->count, &stamp);
}

static int make_data(struct nfs_objects *objects, const struct nfs_scratch_request *request,
                     struct error *error)
{
    struct nfs_write_plan *plan = &objects->write;

    plan->count = plan->expected = request->write_size;
    plan->data = malloc(plan->count);
    objects->verifier = calloc(1, sizeof *objects->verifier);
    if (!plan->data || !objects->verifier)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the data to write");
    fill_data(objects);
    return 0;
}

int nfs_scratch_check_written(const struct nfs_objects *objects, struct rpc_client *client,
                              struct error *error)
{
    const struct nfs_written written = {
        .objects = objects,
        .handle = &objects->scratch_file,
        .name = NFS_SCRATCH_FILE,
        .length = objects->write.count,
        .stamp = {.file = NFS_STAMP_SCRATCH_FILE, .pass = 1},
    };

    return objects->passes ? nfs_read_back(client, &written, "WRITE", error) : 0;
}

int nfs_scratch_serve_as_file(struct nfs_objects *objects, struct rpc_client *client,
                              struct error *error)
{
    struct nfs_node node = {.handle = objects->scratch_file};
    int code =
        objects->has_file ? 0 : nfs_getattr(client, &node, objects->scratch_file_path, error);

    if (code || objects->has_file)
        return code;
    objects->has_file = true;
    objects->file = objects->scratch_file;
    objects->file_id = node.id;
    objects->file_size = objects->write.count;
    objects->directory = objects->scratch;
    objects->read =
        (struct nfs_read_plan){.count = objects->write.count, .expected = objects->write.count};
    if (objects->passes && !(objects->read.data = malloc(objects->write.count)))
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the data to read");
    if (objects->read.data)
        memcpy(objects->read.data, objects->write.data, objects->write.count);
    strcpy(objects->name, NFS_SCRATCH_FILE);
    strcpy(objects->file_path, objects->scratch_file_path);
    strcpy(objects->directory_path, objects->scratch_path);
    return 0;
}

/* Make the symbolic link. Use it if OBJECTS has no other. A server without symbolic links is no
 * error. */
static int make_symlink(struct nfs_objects *objects, struct rpc_client *client, struct error *error)
{
    struct nfs_handle link;
    int code = nfs_symlink(client, &objects->scratch, objects->scratch_path, NFS_SCRATCH_SYMLINK,
                           NFS_SCRATCH_FILE, &link, error);

    objects->scratch_has_symlink = code == 0;
    if (code == 0 && !objects->has_symlink) {
        objects->has_symlink = true;
        objects->symlink = link;
        code = join_path(objects->symlink_path, objects->scratch_path, NFS_SCRATCH_SYMLINK, error);
    }
    return code == -EIO || code == -EPROTONOSUPPORT ? 0 : code;
}

static int verify_lease(const struct nfs_objects *objects, struct rpc_client *client,
                        struct error *error)
{
    const struct nfs_node directory = {.handle = objects->scratch, .id = objects->scratch_id};
    struct nfs_handle file;
    struct nfs_lease lease;

    return nfs_lease_read(client, &directory, objects->scratch_path, objects->scratch_name, &lease,
                          &file, error);
}

/* List the directory to its end by READDIR and by READDIRPLUS. Check that no entry is repeated and
 * that the number of entries is the number of objects that were made. */
static int verify_listing(const struct nfs_objects *objects, struct rpc_client *client,
                          const struct nfs_scratch_request *request, struct error *error)
{
    enum {
        REPLY_SIZE = 4096,
        /* a listing with more entries than MADE + this, "." and ".." included, is called endless */
        MORE_THAN_MADE = 64
    };
    uint64_t made = request->entries > NFS_SCRATCH_ENTRIES ? request->entries : NFS_SCRATCH_ENTRIES;
    int code = 0;

    made += request->files;
    made -= objects->scratch_has_symlink ? 0 : 1;
    for (int plus = 0; plus < 2 && code == 0; plus++) {
        uint64_t listed;

        code = nfs_walk(client, &objects->scratch, objects->scratch_path, plus, REPLY_SIZE,
                        made + MORE_THAN_MADE, &listed, error);
        /* a server may lack one of the two procedures */
        if (code == -EPROTONOSUPPORT || code == -EIO)
            code = 0;
        else if (code == 0 && listed != made)
            code = error_set(error, ERROR_FAILED, -EBADMSG,
                             "%s of %.300s returned %llu entries by cookies; %llu were made",
                             plus ? "READDIRPLUS" : "READDIR", objects->scratch_path,
                             (unsigned long long)listed, (unsigned long long)made);
    }
    return code;
}

int nfs_scratch_make_contents(struct nfs_objects *objects, struct rpc_client *client,
                              const struct nfs_scratch_request *request, struct error *error)
{
    const char *path = objects->scratch_path;
    int code = nfs_create(client, &objects->scratch, path, NFS_SCRATCH_COMMIT_FILE,
                          &objects->scratch_commit_file, error);

    if (code == 0)
        code = nfs_create(client, &objects->scratch, path, NFS_SCRATCH_FILE, &objects->scratch_file,
                          error);
    if (code == 0)
        code = make_data(objects, request, error);
    if (code == 0)
        code = make_symlink(objects, client, error);
    if (code == 0)
        code = make_fillers(objects, client, request->entries, error);
    if (code == 0 && request->files)
        code = nfs_file_set_make(objects, client, request->files, request->file_size, error);
    if (code == 0 && request->verify)
        code = verify_lease(objects, client, error);
    return code || !request->verify ? code : verify_listing(objects, client, request, error);
}

/* Making the directory */

static int check_write_size(const struct nfs_objects *objects, struct nfs_scratch_request *request,
                            struct error *error)
{
    const uint32_t maximum = objects->limits.writes;

    if (maximum == 0 || request->write_size <= maximum)
        return 0;
    if (request->files)
        return nfs_refuse_write_size(request->write_size, maximum, error);
    request->write_size = maximum;
    return 0;
}

static int describe_read_only(const struct nfs_objects *objects, struct error *error)
{
    return error_set(error, ERROR_FAILED, -EROFS,
                     "MKDIR of %.300s was answered by NFS3ERR_ROFS: the export is "
                     "read-only; the group read-only has the ops that modify nothing",
                     objects->scratch_path);
}

static int set_scratch_paths(struct nfs_objects *objects, const char *name, struct error *error)
{
    int code = join_path(objects->scratch_path, objects->base_path, name, error);

    if (code == 0)
        code =
            join_path(objects->scratch_file_path, objects->scratch_path, NFS_SCRATCH_FILE, error);
    if (code == 0)
        snprintf(objects->scratch_name, sizeof objects->scratch_name, "%s", name);
    return code;
}

/* Return whether the directory may exist although MKDIR failed with CODE and ERROR, because the
 * server gave no clear answer. */
static bool may_have_been_made(int code, const struct error *error)
{
    return code == -EINTR || code == -EBADMSG || error->kind == ERROR_UNREACHABLE;
}

/* Make the directory. If the first reply was lost, the repeated call gets NFS3ERR_EXIST, and the
 * directory is recognised by its stamp. If the server rejects the stamp, the directory has none. */
static int make_directory(struct nfs_objects *objects, struct rpc_client *client,
                          struct error *error)
{
    struct nfs_scratch scratch = nfs_scratch_of(objects);
    struct error ignored;
    int code = nfs_mkdir_stamped(client, &objects->base, objects->base_path, objects->scratch_name,
                                 objects->scratch_stamp, &objects->scratch, error);

    if (code == -EEXIST && nfs_scratch_recognise(client, &scratch, &ignored) == 0) {
        objects->scratch = scratch.handle;
        return 0;
    }
    if (code == -EIO)
        code = nfs_mkdir(client, &objects->base, objects->base_path, objects->scratch_name,
                         &objects->scratch, error);
    if (code && !may_have_been_made(code, error))
        objects->scratch_name[0] = '\0'; /* nothing to remove */
    return code == -EROFS ? describe_read_only(objects, error) : code;
}

static int claim_directory(struct nfs_objects *objects, struct rpc_client *client,
                           struct error *error)
{
    struct nfs_node node = {.handle = objects->scratch};
    struct nfs_lease lease;
    int code = nfs_getattr(client, &node, objects->scratch_path, error);

    if (code == 0)
        code = nfs_scratch_is_empty(client, &node.handle, objects->scratch_path, error);
    if (code) {
        objects->scratch.length = 0; /* the handle may be that of a different directory */
        return code;
    }
    objects->scratch_id = node.id;
    objects->scratch_fsid = node.fsid;
    nfs_lease_begin(&lease, &node, objects->scratch_name);
    objects->scratch_nonce = lease.nonce;
    return nfs_lease_write(client, &objects->scratch, objects->scratch_path, &lease,
                           &objects->scratch_lease, error);
}

int nfs_scratch_make(struct nfs_objects *objects, struct rpc_client *client,
                     struct nfs_scratch_request *request, struct error *error)
{
    int code = check_write_size(objects, request, error);

    if (code == 0)
        code = set_scratch_paths(objects, request->name, error);
    if (code)
        return code;
    objects->scratch_stamp = (uint32_t)(random_system_seed() & INT32_MAX);
    code = make_directory(objects, client, error);
    return code ? code : claim_directory(objects, client, error);
}

bool nfs_base_is_writable_by_all(const struct nfs_objects *objects, struct rpc_client *client)
{
    enum { OTHERS_WRITE = 0002, STICKY = 01000 };
    struct nfs_node node = {.handle = objects->base};
    struct error ignored;

    return nfs_getattr(client, &node, objects->base_path, &ignored) == 0 &&
           (node.mode & (OTHERS_WRITE | STICKY)) == OTHERS_WRITE;
}
