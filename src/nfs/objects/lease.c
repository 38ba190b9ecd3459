#include "nfs/objects/lease.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/random.h"
#include "nfs/change.h"

#define HEAD "nfsbench scratch directory, format 1\n"

size_t nfs_lease_print(const struct nfs_lease *lease, char text[NFS_LEASE_TEXT_SIZE])
{
    int length = snprintf(text, NFS_LEASE_TEXT_SIZE,
                          HEAD "nonce %016" PRIx64 "\nhost %s\npid %ld\nstarted %s\n"
                               "directory %016" PRIx64 "\nname %s\n",
                          lease->nonce, lease->host, lease->process, lease->started,
                          lease->directory_id, lease->name);

    return (size_t)length;
}

/* Copy the directory's name from the end of the lease's text: LENGTH bytes at NAME, the last of
 * them a newline. The name may contain any character. */
static bool take_directory_name(struct nfs_lease *lease, const char *name, size_t length)
{
    if (length < 2 || length > sizeof lease->name || name[length - 1] != '\n')
        return false;
    memcpy(lease->name, name, length - 1);
    lease->name[length - 1] = '\0';
    return true;
}

bool nfs_lease_parse(struct nfs_lease *lease, const char *text, size_t length)
{
    char copy[NFS_LEASE_TEXT_SIZE + 1], again[NFS_LEASE_TEXT_SIZE];
    int name_at = 0;

    if (length > NFS_LEASE_TEXT_SIZE || memchr(text, '\0', length))
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *lease = (struct nfs_lease){0};
    sscanf(copy,
           HEAD "nonce %16" SCNx64 " host %63s pid %10ld started %39s directory %16" SCNx64
                " name%n",
           &lease->nonce, lease->host, &lease->process, lease->started, &lease->directory_id,
           &name_at);
    if (name_at == 0 || copy[name_at] != ' ' ||
        !take_directory_name(lease, copy + name_at + 1, length - (size_t)name_at - 1))
        return false;
    /* sscanf() accepts more texts than nfs_lease_print() writes, so print and compare. */
    return nfs_lease_print(lease, again) == length && memcmp(again, text, length) == 0;
}

void nfs_lease_begin(struct nfs_lease *lease, const struct nfs_node *directory, const char *name)
{

    *lease = (struct nfs_lease){
        .nonce = random_system_seed(), .process = (long)getpid(), .directory_id = directory->id};
    nfs_scratch_host_name(lease->host);
    system_clock_text(time(NULL), lease->started);
    snprintf(lease->name, sizeof lease->name, "%s", name);
}

int nfs_lease_write(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
                    const struct nfs_lease *lease, struct nfs_handle *file, struct error *error)
{
    char text[NFS_LEASE_TEXT_SIZE];
    uint32_t length = (uint32_t)nfs_lease_print(lease, text);
    const struct nfs_write_data wanted = {0, (const uint8_t *)text, length, FILE_SYNC};
    char full[NFS_PATH_SIZE];
    int code = nfs_create(client, directory, path, NFS_LEASE_FILE, file, error);

    if (code)
        return code;
    nfs_path_join(full, path, NFS_LEASE_FILE);
    return nfs_write_all(client, file, full, &wanted, error);
}

static int set_times(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                     const sattr3 *attributes, struct error *error)
{
    union nfs_arguments arguments = {
        .setattr = {.object = nfs_handle_argument(file), .new_attributes = *attributes}};
    union nfs_result result;
    int code = nfs_try_call(client, "setattr", &arguments, &result, path, error);

    if (code == 0)
        nfs_free_result("setattr", &result);
    return code;
}

int nfs_lease_renew(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                    struct error *error)
{
    const sattr3 now = {.mtime.set_it = SET_TO_SERVER_TIME};

    return set_times(client, file, path, &now, error);
}

int nfs_lease_end(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                  struct error *error)
{
    const sattr3 long_ago = {.mtime.set_it = SET_TO_CLIENT_TIME};

    return set_times(client, file, path, &long_ago, error);
}

static int refuse_lease(struct error *error)
{
    return error_set(error, ERROR_FAILED, -EBADMSG,
                     "the file " NFS_LEASE_FILE
                     " in the directory was not written by nfsbench for this directory; inspect "
                     "the directory, and remove it by hand");
}

/* Do what nfs_lease_read() does, but without comparing fileids. */
static int read_lease_file(struct rpc_client *client, const struct nfs_node *directory,
                           const char *path, const char *name, struct nfs_lease *lease,
                           struct nfs_handle *file, struct error *error)
{
    struct nfs_node node;
    char text[NFS_LEASE_TEXT_SIZE], full[NFS_PATH_SIZE];
    uint32_t length;
    bool good;
    int code = nfs_lookup(client, &directory->handle, NFS_LEASE_FILE, path, &node, error);

    if (code)
        return code;
    if (node.type == NF3REG && node.size == 0)
        return error_set(error, ERROR_FAILED, -ENOENT, "%.300s/" NFS_LEASE_FILE " is empty", path);
    if (node.type != NF3REG || node.size > NFS_LEASE_TEXT_SIZE)
        return refuse_lease(error);
    nfs_path_join(full, path, NFS_LEASE_FILE);
    code = nfs_read_whole(client, &node.handle, full, 0, (uint32_t)node.size, (uint8_t *)text,
                          &length, error);
    if (code)
        return code;
    good = nfs_lease_parse(lease, text, length) && strcmp(lease->name, name) == 0;
    *file = node.handle;
    return good ? 0 : refuse_lease(error);
}

int nfs_lease_read(struct rpc_client *client, const struct nfs_node *directory, const char *path,
                   const char *name, struct nfs_lease *lease, struct nfs_handle *file,
                   struct error *error)
{
    int code = read_lease_file(client, directory, path, name, lease, file, error);

    return code || lease->directory_id == directory->id ? code : refuse_lease(error);
}

int nfs_lease_find(struct rpc_client *client, const struct nfs_node *directory, const char *path,
                   const char *name, uint64_t nonce, struct nfs_handle *file, struct error *error)
{
    struct nfs_lease lease;
    int code = read_lease_file(client, directory, path, name, &lease, file, error);

    return code || lease.nonce == nonce ? code : refuse_lease(error);
}

/* Get the server's current time: renew the lease, read its time of last change (some servers do not
 * update the time of last access), and restore the earlier time of last change. If a live run
 * renews the lease in between, that renewal is lost, but the run's next renewal is not. */
static int find_now(struct rpc_client *client, const struct nfs_node *before, const char *path,
                    struct nfs_node *now, struct error *error)
{
    const sattr3 back = {
        .mtime = {.set_it = SET_TO_CLIENT_TIME, .set_mtime_u.mtime = before->modified}};
    int code = nfs_lease_renew(client, &before->handle, path, error);

    *now = *before;
    if (code == 0)
        code = nfs_getattr(client, now, path, error);
    return code ? code : set_times(client, &before->handle, path, &back, error);
}

int nfs_lease_age(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                  uint32_t *renewed, uint64_t *seconds, struct error *error)
{
    struct nfs_node before = {.handle = *file}, now;
    int code = nfs_getattr(client, &before, path, error);

    *renewed = before.modified.seconds;
    *seconds = UINT64_MAX;
    if (code || *renewed == 0)
        return code;
    code = find_now(client, &before, path, &now, error);
    if (code)
        return code;
    if (now.modified.nseconds >= 1000000000 || before.modified.nseconds >= 1000000000)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "the server did not set a time of " NFS_LEASE_FILE
                         " in the directory to its own clock, so the age of the lease is not "
                         "known; inspect the directory, and remove it by hand");
    *seconds = now.modified.seconds > *renewed ? now.modified.seconds - *renewed : 0;
    return 0;
}
