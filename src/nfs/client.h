/* The few NFS calls that are needed to find the objects of a run. Errors are reported by name. */
#pragma once

#include "engine/channel/rpc_client.h"
#include "nfs/procedures/items.h"
#include "nfs/procedures/procedures.h"
#include "nfs3.h"

struct nfs_node {
    struct nfs_handle handle;
    ftype3 type;
    uint32_t mode;
    uint64_t size;     /* in bytes */
    uint64_t id, fsid; /* its fileid3, and the fsid of its file system */
    nfstime3 accessed, modified, changed;
};

/* Every function returns 0; for an nfsstat3 other than NFS3_OK the corresponding one of -ENOENT,
 * -EEXIST, -ENOTEMPTY, -EISDIR, -ENOTDIR, -EROFS and -ESTALE, otherwise -EIO; or what
 * rpc_client_call() returned; with ERROR set. PATH is the object's, for messages. NFS3ERR_JUKEBOX
 * is tried again for some seconds. */

/* The path of NAME in DIRECTORY. 0, or -ENAMETOOLONG and OUT is cut. */
int nfs_path_join(char out[NFS_PATH_SIZE], const char *directory, const char *name);

/* The pause before a server is asked again, and how often that is done after NFS3ERR_JUKEBOX. False
 * if the deadline of CLIENT's channel, or a signal, has cut it short. */
enum { NFS_JUKEBOX_TRIES = 50 };
bool nfs_pause(const struct rpc_client *client);

/* Call OP of the table of procedures, and return its result (release it with nfs_free_result()). */
int nfs_single_call(struct rpc_client *client, const char *op, union nfs_arguments *arguments,
                    union nfs_result *result, const char *path, struct error *error);
void nfs_free_result(const char *op, union nfs_result *result);

/* The same, but once: -EAGAIN for NFS3ERR_JUKEBOX. */
int nfs_try_call(struct rpc_client *client, const char *op, union nfs_arguments *arguments,
                 union nfs_result *result, const char *path, struct error *error);

/* Ask for the size LIMITS of the server of ROOT, whose path is PATH, by FSINFO. Where that fails,
 * it does not say them. */
int nfs_size_limits(struct rpc_client *client, const struct nfs_handle *root, const char *path,
                    struct nfs_size_limits *limits, struct error *error);

/* Get the attributes of NODE's handle. */
int nfs_getattr(struct rpc_client *client, struct nfs_node *node, const char *path,
                struct error *error);

/* Look NAME up in DIRECTORY, whose path is PATH. */
int nfs_lookup(struct rpc_client *client, const struct nfs_handle *directory, const char *name,
               const char *path, struct nfs_node *node, struct error *error);

/* What a READ returned. */
struct nfs_read_data {
    uint8_t *bytes; /* allocated: free() it */
    uint32_t count;
    bool ended; /* the server said that the file ends there (eof) */
};

/* Read at most COUNT bytes at OFFSET. */
int nfs_read(struct rpc_client *client, const struct nfs_handle *file, uint64_t offset,
             uint32_t count, const char *path, struct nfs_read_data *read, struct error *error);

/* READ LENGTH bytes at OFFSET of FILE, whose path is PATH, into DATA, in as many READs as it takes,
 * or as many bytes as there are before the end of the file: *GOT. -EBADMSG also if READs bring
 * neither data nor the end. */
int nfs_read_whole(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                   uint64_t offset, uint32_t length, uint8_t *data, uint32_t *got,
                   struct error *error);

/* Call VISIT for each entry of DIRECTORY except "." and "..", until it returns other than 0, or
 * there are no more, or LIMIT entries were seen. Returns VISIT's last return where that is not 0,
 * and -EBADMSG for a list that goes round, or beyond nfs/listing.h. */
int nfs_list(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             unsigned limit, int (*visit)(void *context, const char *name), void *context,
             struct error *error);

/* Walk DIRECTORY, whose path is PATH and which nobody changes, from its beginning to its end by
 * READDIRPLUS if PLUS, else by READDIR, in replies of COUNT bytes, each from the last cookie and
 * the verifier of the one before. It has LIMIT entries at most, "." and ".." among them.
 * *ENTRIES gets the number of the others. 0, or a negative errno with ERROR set: -EBADMSG for a
 * name or a cookie that came twice, more entries, or a list that makes no progress or goes beyond
 * nfs/listing.h. */
int nfs_walk(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             bool plus, uint32_t count, uint64_t limit, uint64_t *entries, struct error *error);
