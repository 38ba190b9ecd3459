/* NFS calls made one at a time: a call of any procedure, and calls that get attributes, look up,
 * read and list. Errors are reported by name. */
#pragma once

#include "engine/channel/rpc_client.h"
#include "nfs/procedures/items.h"
#include "nfs/procedures/procedures.h"
#include "nfs3.h"

struct nfs_node {
    struct nfs_handle handle;
    ftype3 type;
    uint32_t mode;
    uint64_t size;     /* bytes */
    uint64_t id, fsid; /* the object's fileid3, and the fsid of its file system */
    nfstime3 accessed, modified, changed;
};

/* All functions below that have an ERROR return 0, or a negative errno with ERROR set. An NFS
 * status becomes -ENOENT, -EEXIST, -ENOTEMPTY, -EISDIR, -ENOTDIR, -EROFS or -ESTALE if it has the
 * name of one of these, else -EIO (-EBADMSG for a status above INT32_MAX). Without an answer, the
 * value is that of rpc_client_call(). PATH is the path of the object, for messages. A call is
 * repeated for some seconds if the answer is NFS3ERR_JUKEBOX. */

/* Write the path of NAME in DIRECTORY to OUT. Returns 0, or -ENAMETOOLONG with OUT truncated. */
int nfs_path_join(char out[NFS_PATH_SIZE], const char *directory, const char *name);

/* Wait 0.1 s, for example before a call is repeated after NFS3ERR_JUKEBOX. nfs_single_call() makes
 * a call at most NFS_JUKEBOX_TRIES times. Returns true, or false if a signal or the deadline of
 * CLIENT's channel ended the wait early. */
enum { NFS_JUKEBOX_TRIES = 50 };
bool nfs_pause(const struct rpc_client *client);

/* Call the NFS procedure OP, in lower case ("getattr"), and store its result in *RESULT. After 0,
 * release the result with nfs_free_result(). */
int nfs_single_call(struct rpc_client *client, const char *op, union nfs_arguments *arguments,
                    union nfs_result *result, const char *path, struct error *error);
void nfs_free_result(const char *op, union nfs_result *result);

/* Make one call of OP, like nfs_single_call(), but without repeating it: after NFS3ERR_JUKEBOX,
 * -EAGAIN is returned. */
int nfs_try_call(struct rpc_client *client, const char *op, union nfs_arguments *arguments,
                 union nfs_result *result, const char *path, struct error *error);

/* Replies to FSINFO, PATHCONF and FSSTAT about one export. An unknown reply is all zeros. */
struct nfs_export_info {
    FSINFO3resok fsinfo;
    PATHCONF3resok pathconf;
    FSSTAT3resok fsstat;
};

/* Call OP, "fsinfo", "pathconf" or "fsstat", for the handle ROOT, whose path is PATH, and store the
 * reply in INFO. If the call fails, INFO is unchanged. */
int nfs_ask_export(struct rpc_client *client, const char *op, const struct nfs_handle *root,
                   const char *path, struct nfs_export_info *info, struct error *error);

/* Get the attributes of the object whose handle is in NODE, and store them in NODE. */
int nfs_getattr(struct rpc_client *client, struct nfs_node *node, const char *path,
                struct error *error);

/* Look up NAME in DIRECTORY, and get the attributes of the object by GETATTR. Store its handle and
 * its attributes in NODE. PATH is the path of DIRECTORY. Returns -EBADMSG for an empty handle. */
int nfs_lookup(struct rpc_client *client, const struct nfs_handle *directory, const char *name,
               const char *path, struct nfs_node *node, struct error *error);

struct nfs_read_data {
    uint8_t *bytes; /* the data, allocated; the caller frees them */
    uint32_t count;
    bool ended; /* the server reported the end of the file (eof) */
};

/* Read at most COUNT bytes at OFFSET of FILE, whose path is PATH, by one READ, into allocated
 * memory. Returns -EBADMSG if the server sends more. */
int nfs_read(struct rpc_client *client, const struct nfs_handle *file, uint64_t offset,
             uint32_t count, const char *path, struct nfs_read_data *read, struct error *error);

/* Read up to LENGTH bytes at OFFSET of FILE, whose path is PATH, into DATA, with as many READs as
 * needed. *GOT is the number of bytes read, less than LENGTH only at the end of the file. Returns
 * -EBADMSG if eight READs in a row bring neither data nor the end of the file. */
int nfs_read_whole(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                   uint64_t offset, uint32_t length, uint8_t *data, uint32_t *got,
                   struct error *error);

/* List the first LIMIT entries of DIRECTORY by READDIR, and call VISIT for each. "." and ".." count
 * towards LIMIT, but are not visited. If VISIT does not return 0, the listing ends and VISIT's
 * value is returned. Returns -EBADMSG if cookies lead back to an earlier page, or for an exceeded
 * bound of nfs/listing.h. */
int nfs_list(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             unsigned limit, int (*visit)(void *context, const char *name), void *context,
             struct error *error);

/* Count the entries of DIRECTORY, except "." and "..", in *ENTRIES. PATH is the path of DIRECTORY,
 * which nobody may change meanwhile. The calls are READDIRPLUS if PLUS, else READDIR, with replies
 * of at most COUNT bytes. A reply without entries ends the listing. Returns -EBADMSG if a name or a
 * cookie came twice, if cookies lead back to an earlier page, if there are more than LIMIT entries
 * ("." and ".." included), or for an exceeded bound of nfs/listing.h. */
int nfs_walk(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             bool plus, uint32_t count, uint64_t limit, uint64_t *entries, struct error *error);
