#include "nfs/scratch.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/random.h"
#include "nfs/file_set.h"
#include "nfs/walk.h"

enum {
    HOST_SIZE = 64,
    BATCH = 256,             /* names that are listed, then removed */
    LIST_MAXIMUM = 100000,   /* entries looked at in search of scratch directories */
    PASSES_MAXIMUM = 100000, /* over what is in one, before it is left to itself */
};

/* Names */

void nfs_scratch_choose_name(char name[NFS_NAME_SIZE])
{
    char host[HOST_SIZE] = "";

    gethostname(host, sizeof host - 1);
    for (char *at = host; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '.' && *at != '-')
            *at = '_';
    snprintf(name, NFS_NAME_SIZE, "%s%s-%ld-%08x", NFS_SCRATCH_PREFIX, host, (long)getpid(),
             (unsigned)random_system_seed());
}

static int join(char out[NFS_PATH_SIZE], const char *path, const char *name, struct error *error)
{
    if (snprintf(out, NFS_PATH_SIZE, "%s/%s", strcmp(path, "/") == 0 ? "" : path, name) <
        NFS_PATH_SIZE)
        return 0;
    return error_set(error, ERROR_USAGE, -ENAMETOOLONG, "the path below %.200s is too long", path);
}

/* Making */

/* Entries that only make up the number. */
static int fill(struct nfs_subject *subject, struct rpc_client *client, uint32_t entries,
                struct error *error)
{
    int code = 0;

    for (uint32_t i = NFS_SCRATCH_ENTRIES; i < entries && code == 0; i++) {
        char name[32];

        snprintf(name, sizeof name, "filler-%u", i);
        code = nfs_create(client, &subject->scratch, subject->scratch_path, name, NULL, error);
    }
    return code;
}

/* What WRITE writes, and a read back may be compared with: bytes that are not all alike. */
static int plan_write(struct nfs_subject *subject, struct rpc_client *client,
                      const struct nfs_scratch_request *request, struct error *error)
{
    struct nfs_write_plan *plan = &subject->write;

    plan->count = request->write_size;
    plan->verify = request->verify;
    plan->data = malloc(plan->count);
    subject->verifier = calloc(1, sizeof *subject->verifier);
    if (!plan->data || !subject->verifier)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for what is written");
    for (uint32_t i = 0; i < plan->count; i++)
        plan->data[i] = (uint8_t)(i * 31 + i / 256);
    return nfs_write(client, &subject->scratch_file, subject->scratch_file_path, 0, plan->data,
                     plan->count, error);
}

/* An export without a file to read has one now. */
static int serve_as_file(struct nfs_subject *subject, struct rpc_client *client,
                         struct error *error)
{
    struct nfs_node node = {.handle = subject->scratch_file};
    int code = nfs_getattr(client, &node, subject->scratch_file_path, error);

    if (code)
        return code;
    subject->has_file = true;
    subject->file = subject->scratch_file;
    subject->file_id = node.id;
    subject->file_size = subject->write.count;
    subject->directory = subject->scratch;
    subject->read =
        (struct nfs_read_plan){.count = subject->write.count, .expected = subject->write.count};
    strcpy(subject->name, NFS_SCRATCH_FILE);
    strcpy(subject->file_path, subject->scratch_file_path);
    strcpy(subject->directory_path, subject->scratch_path);
    return 0;
}

/* A server without symbolic links is measured without them. */
static int make_symlink(struct nfs_subject *subject, struct rpc_client *client, struct error *error)
{
    struct nfs_handle link;
    int code = nfs_symlink(client, &subject->scratch, subject->scratch_path, NFS_SCRATCH_SYMLINK,
                           NFS_SCRATCH_FILE, &link, error);

    subject->scratch_has_symlink = code == 0;
    if (code == 0 && !subject->has_symlink) {
        subject->has_symlink = true;
        subject->symlink = link;
        code = join(subject->symlink_path, subject->scratch_path, NFS_SCRATCH_SYMLINK, error);
    }
    return code == -EIO || code == -EPROTONOSUPPORT ? 0 : code;
}

/* Walked to its end, the directory must show each entry that was made, once. */
static int verify_listing(const struct nfs_subject *subject, struct rpc_client *client,
                          const struct nfs_scratch_request *request, struct error *error)
{
    enum { REPLY_SIZE = 4096 };
    uint64_t made = request->entries > NFS_SCRATCH_ENTRIES ? request->entries : NFS_SCRATCH_ENTRIES;
    int code = 0;

    made += request->files;
    made -= subject->scratch_has_symlink ? 0 : 1;
    for (int plus = 0; plus < 2 && code == 0; plus++) {
        uint64_t listed;

        code = nfs_walk(client, &subject->scratch, subject->scratch_path, plus, REPLY_SIZE, &listed,
                        error);
        if (code == -EPROTONOSUPPORT || code == -EIO) /* a server may lack either */
            code = 0;
        else if (code == 0 && listed != made)
            code = error_set(error, ERROR_FAILED, -EBADMSG,
                             "%s of %.300s gave %llu entries in a walk by cookies; %llu were made",
                             plus ? "READDIRPLUS" : "READDIR", subject->scratch_path,
                             (unsigned long long)listed, (unsigned long long)made);
    }
    return code;
}

/* What the server says that it takes in a WRITE (FSINFO's wtmax); where it does not say, anything.
 */
static uint32_t write_maximum(const struct nfs_subject *subject, struct rpc_client *client)
{
    union nfs_arguments arguments = {.fsinfo.fsroot = nfs_handle_argument(&subject->root)};
    union nfs_result result;
    struct error ignored;
    uint32_t maximum;

    if (nfs_single_call(client, "fsinfo", &arguments, &result, subject->base_path, &ignored) != 0)
        return UINT32_MAX;
    maximum = result.fsinfo.FSINFO3res_u.resok.wtmax;
    return maximum ? maximum : UINT32_MAX;
}

static int check_write_size(const struct nfs_subject *subject, struct rpc_client *client,
                            struct nfs_scratch_request *request, struct error *error)
{
    uint32_t maximum = write_maximum(subject, client);

    if (request->write_size <= maximum)
        return 0;
    if (request->writes || request->files)
        return error_set(error, ERROR_USAGE, -E2BIG,
                         "WRITEs of %u bytes: this server takes %u at once (wtmax); use --size %u",
                         request->write_size, maximum, maximum);
    request->write_size = maximum; /* of the file that there is, although nothing writes it */
    return 0;
}

static int make_contents(struct nfs_subject *subject, struct rpc_client *client,
                         const struct nfs_scratch_request *request, struct error *error)
{
    const char *path = subject->scratch_path;
    int code = nfs_create(client, &subject->scratch, path, NFS_SCRATCH_COMMIT_FILE,
                          &subject->scratch_commit_file, error);

    if (code == 0)
        code = nfs_create(client, &subject->scratch, path, NFS_SCRATCH_FILE, &subject->scratch_file,
                          error);
    if (code == 0)
        code = plan_write(subject, client, request, error);
    if (code == 0 && !subject->has_file)
        code = serve_as_file(subject, client, error);
    if (code == 0)
        code = make_symlink(subject, client, error);
    if (code == 0)
        code = fill(subject, client, request->entries, error);
    if (code == 0 && request->files)
        code = nfs_file_set_make(subject, client, request->files, request->file_size, error);
    return code || !request->verify ? code : verify_listing(subject, client, request, error);
}

static void explain_read_only(const struct nfs_subject *subject, struct error *error)
{
    error_set(error, ERROR_FAILED, -EROFS,
              "MKDIR of %.300s was answered by NFS3ERR_ROFS: the export is read-only; the group "
              "read-only has the ops that change nothing",
              subject->scratch_path);
}

int nfs_scratch_make(struct nfs_subject *subject, struct rpc_client *client,
                     const struct nfs_scratch_request *wanted, struct error *error)
{
    struct nfs_scratch_request copy = *wanted, *request = &copy;
    struct error ignored;
    char name[NFS_NAME_SIZE];
    int code = check_write_size(subject, client, request, error);

    if (code)
        return code;
    nfs_scratch_choose_name(name);
    if (request->name)
        snprintf(name, sizeof name, "%s", request->name);
    code = join(subject->scratch_path, subject->base_path, name, error);
    if (code == 0)
        code = join(subject->scratch_file_path, subject->scratch_path, NFS_SCRATCH_FILE, error);
    if (code == 0)
        code =
            nfs_mkdir(client, &subject->base, subject->base_path, name, &subject->scratch, error);
    if (code == -EROFS)
        explain_read_only(subject, error);
    if (code)
        return code;
    strcpy(subject->scratch_name, name);
    code = make_contents(subject, client, request, error);
    if (code) {
        nfs_scratch_remove(client, &subject->base, subject->base_path, name, &ignored);
        subject->scratch_name[0] = '\0';
    }
    return code;
}

/* Removing */

struct batch {
    char names[BATCH][NFS_NAME_SIZE];
    unsigned count;
};

static int collect(void *context, const char *name)
{
    struct batch *batch = context;

    if (strlen(name) < NFS_NAME_SIZE)
        strcpy(batch->names[batch->count++], name);
    return batch->count == BATCH;
}

/* Whatever it is. */
static int remove_any(struct rpc_client *client, const struct nfs_handle *directory,
                      const char *path, const char *name, struct error *error)
{
    struct nfs_node node;
    int code = nfs_lookup(client, directory, name, path, &node, error);

    if (code == 0 && node.type == NF3DIR)
        code = nfs_rmdir(client, directory, path, name, error);
    else if (code == 0)
        code = nfs_remove(client, directory, path, name, error);
    return code;
}

/* Most of what is there are files that the run made, which need not be looked up. */
static int remove_entry(struct rpc_client *client, const struct nfs_handle *directory,
                        const char *path, const char *name, struct error *error)
{
    static const char *const made[] = {"filler-", "file-"};
    int code = -EIO;

    for (size_t i = 0; i < sizeof made / sizeof made[0] && code == -EIO; i++)
        if (strncmp(name, made[i], strlen(made[i])) == 0)
            code = nfs_remove(client, directory, path, name, error);
    if (code == -EIO || code == -EISDIR)
        code = remove_any(client, directory, path, name, error);
    return code == -ENOENT ? 0 : code;
}

/* The file that tells what the directory is goes last: what is left is found again. */
static bool is_kept_for_last(const char *name)
{
    return strcmp(name, NFS_SCRATCH_COMMIT_FILE) == 0;
}

/* Remove a batch of what is in DIRECTORY: the names, or their first failure. */
static int remove_batch(struct rpc_client *client, const struct nfs_handle *directory,
                        const char *path, struct batch *batch, unsigned *removed,
                        struct error *error)
{
    struct error later;
    int code = 0;

    *removed = 0;
    for (unsigned i = 0; i < batch->count; i++) {
        int next;

        if (is_kept_for_last(batch->names[i]))
            continue;
        next = remove_entry(client, directory, path, batch->names[i], code ? &later : error);
        *removed += next == 0;
        if (code == 0)
            code = next;
        if (next == -ETIMEDOUT || next == -ECONNRESET || next == -ECONNREFUSED)
            return next; /* the server is gone */
    }
    return code;
}

/* From the beginning each time, as cookies need not survive the removals. */
static int empty(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
                 struct error *error)
{
    struct batch *batch = malloc(sizeof *batch);
    unsigned removed = 1;
    int code = 0;

    if (!batch)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a list of names");
    for (int pass = 0; pass < PASSES_MAXIMUM && removed > 0; pass++) {
        batch->count = 0;
        code = nfs_list(client, directory, path, BATCH + 2, collect, batch, error);
        if (code < 0 && batch->count == 0) /* else a listing that broke off has shown some */
            break;
        code = remove_batch(client, directory, path, batch, &removed, error);
    }
    free(batch);
    return code < 0 ? code : 0;
}

int nfs_scratch_remove(struct rpc_client *client, const struct nfs_handle *directory,
                       const char *path, const char *name, struct error *error)
{
    char full[NFS_PATH_SIZE];
    struct nfs_node node;
    int code = join(full, path, name, error);

    if (code == 0)
        code = nfs_lookup(client, directory, name, path, &node, error);
    if (code == -ENOENT)
        return 0;
    if (code == 0)
        code = empty(client, &node.handle, full, error);
    if (code == 0)
        code = remove_entry(client, &node.handle, full, NFS_SCRATCH_COMMIT_FILE, error);
    return code ? code : nfs_rmdir(client, directory, path, name, error);
}

/* Finding */

struct finding {
    struct rpc_client *client;
    const struct nfs_handle *directory;
    const char *path;
    int (*visit)(void *context, const char *name);
    void *context;
};

/* By its name, and by the file that is made first and removed last; or it is empty. */
static bool is_scratch(const struct finding *finding, const char *name)
{
    struct nfs_node node, file;
    struct error ignored;
    struct batch *batch;
    bool is;

    if (strncmp(name, NFS_SCRATCH_PREFIX, strlen(NFS_SCRATCH_PREFIX)) != 0 ||
        nfs_lookup(finding->client, finding->directory, name, finding->path, &node, &ignored) !=
            0 ||
        node.type != NF3DIR)
        return false;
    if (nfs_lookup(finding->client, &node.handle, NFS_SCRATCH_COMMIT_FILE, name, &file, &ignored) ==
        0)
        return true;
    batch = calloc(1, sizeof *batch);
    is = batch && nfs_list(finding->client, &node.handle, name, 3, collect, batch, &ignored) >= 0 &&
         batch->count == 0;
    free(batch);
    return is;
}

static int visit_entry(void *context, const char *name)
{
    const struct finding *finding = context;

    return is_scratch(finding, name) ? finding->visit(finding->context, name) : 0;
}

int nfs_scratch_list(struct rpc_client *client, const struct nfs_handle *directory,
                     const char *path, int (*visit)(void *context, const char *name), void *context,
                     struct error *error)
{
    struct finding finding = {client, directory, path, visit, context};

    return nfs_list(client, directory, path, LIST_MAXIMUM, visit_entry, &finding, error);
}
