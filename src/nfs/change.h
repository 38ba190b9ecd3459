/* NFS calls that make, change or remove the scratch directory and its contents. Calls that change
 * nothing, and return codes, are in nfs/client.h. PATH is the path of DIRECTORY, for messages. */
#pragma once

#include "nfs/client.h"

/* nfs_create() makes an empty file of mode 0600, or accepts an existing file. nfs_mkdir() makes a
 * directory of mode 0700, or returns -EEXIST if NAME exists. Both store the object's handle in
 * *HANDLE, unless HANDLE is NULL. */
int nfs_create(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
               const char *name, struct nfs_handle *handle, struct error *error);
int nfs_mkdir(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
              const char *name, struct nfs_handle *handle, struct error *error);

/* Make a directory as nfs_mkdir() does, with STAMP (seconds) as its time of last change. If the
 * reply is lost, the directory can be recognised by its stamp. */
int nfs_mkdir_stamped(struct rpc_client *client, const struct nfs_handle *directory,
                      const char *path, const char *name, uint32_t stamp, struct nfs_handle *handle,
                      struct error *error);

/* Make a symbolic link with the contents TEXT, and store its handle in *HANDLE (unless NULL). */
int nfs_symlink(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
                const char *name, const char *text, struct nfs_handle *handle, struct error *error);

/* Remove NAME by OP: "rmdir" for an empty directory, "remove" for anything else. nfs_remove_once()
 * makes one call, and returns -EAGAIN after NFS3ERR_JUKEBOX. nfs_remove() repeats the call then. */
int nfs_remove(struct rpc_client *client, const char *op, const struct nfs_handle *directory,
               const char *path, const char *name, struct error *error);
int nfs_remove_once(struct rpc_client *client, const char *op, const struct nfs_handle *directory,
                    const char *path, const char *name, struct error *error);

struct nfs_write_data {
    uint64_t offset;
    const uint8_t *data;
    uint32_t count; /* number of bytes */
    stable_how stable;
};

/* Write WANTED to FILE, whose path is PATH, by one WRITE. *WRITTEN is the number of bytes that the
 * server accepted. It may be less than requested, even 0; if it is more, returns -EBADMSG. */
int nfs_write_once(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                   const struct nfs_write_data *wanted, uint32_t *written, struct error *error);

/* nfs_write_all() writes all of WANTED, in as many calls as needed. nfs_write() writes COUNT bytes
 * of DATA at OFFSET in the same way, as unstable data. If the server accepts 0 bytes: -EBADMSG. */
int nfs_write_all(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                  const struct nfs_write_data *wanted, struct error *error);
int nfs_write(struct rpc_client *client, const struct nfs_handle *file, const char *path,
              uint64_t offset, const uint8_t *data, uint32_t count, struct error *error);
