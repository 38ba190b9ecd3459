/* Single NFS calls that change something, as nfs/client.h has those that don't: for what a run
 * needs in its scratch directory. Errors are as there, with more codes: -EEXIST for
 * NFS3ERR_EXIST, -ENOTEMPTY, -EISDIR, -ENOTDIR, -EROFS likewise. DIRECTORY's path is PATH. */
#pragma once

#include "nfs/client.h"

/* Make an empty file of mode 0600, or a directory of mode 0700, and take its handle. A file may
 * exist already; a directory may not. HANDLE may be NULL. */
int nfs_create(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
               const char *name, struct nfs_handle *handle, struct error *error);
int nfs_mkdir(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
              const char *name, struct nfs_handle *handle, struct error *error);

/* As nfs_mkdir(), with STAMP (seconds) as the time of its last change. If the reply is lost, the
 * directory is recognised by it. */
int nfs_mkdir_stamped(struct rpc_client *client, const struct nfs_handle *directory,
                      const char *path, const char *name, uint32_t stamp, struct nfs_handle *handle,
                      struct error *error);

/* Make a symbolic link to TEXT and take its handle, which may be NULL. */
int nfs_symlink(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
                const char *name, const char *text, struct nfs_handle *handle, struct error *error);

/* Remove a name by OP, which is "remove" for anything but a directory, and "rmdir" for an empty
 * directory; and the same without a second attempt: -EAGAIN for NFS3ERR_JUKEBOX. */
int nfs_remove(struct rpc_client *client, const char *op, const struct nfs_handle *directory,
               const char *path, const char *name, struct error *error);
int nfs_remove_once(struct rpc_client *client, const char *op, const struct nfs_handle *directory,
                    const char *path, const char *name, struct error *error);

/* Data to write. */
struct nfs_write_data {
    uint64_t offset;
    const uint8_t *data;
    uint32_t count; /* bytes */
    stable_how stable;
};

/* Write WANTED to FILE, whose path is PATH, in one call. The server takes *WRITTEN bytes of it,
 * which may be fewer, and even 0. */
int nfs_write_once(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                   const struct nfs_write_data *wanted, uint32_t *written, struct error *error);

/* Write all of WANTED, in as many calls as that takes; and COUNT bytes at OFFSET, as unstable
 * data. */
int nfs_write_all(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                  const struct nfs_write_data *wanted, struct error *error);
int nfs_write(struct rpc_client *client, const struct nfs_handle *file, const char *path,
              uint64_t offset, const uint8_t *data, uint32_t count, struct error *error);
