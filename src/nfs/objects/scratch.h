/* The scratch directory of a run: the only place where it changes anything. The run makes it, fills
 * it to a steady size, and removes it at the end. */
#pragma once

#include "nfs/change.h"
#include "nfs/objects/scratch_name.h"
#include "nfs/procedures/procedures.h"

struct nfs_scratch_request {
    const char *name;
    uint32_t entries;    /* the least number that the directory holds while calls are timed */
    uint32_t write_size; /* bytes in a WRITE */
    bool verify;         /* check what was written, and what is listed */
    uint32_t files;      /* of the file set; 0: none */
    uint64_t file_size;  /* in each; a multiple of WRITE_SIZE */
};

/* What identifies the directory: names can be given to other objects, the server's numbers and
 * handle can't. */
struct nfs_scratch {
    struct nfs_handle base; /* where it was made */
    const char *base_path, *name;
    struct nfs_handle handle; /* of length 0: not known, because the reply to MKDIR was lost */
    uint64_t id, fsid;        /* its fileid, and the fsid of its file system */
    uint32_t stamp;           /* the time of last change that it was made with */
    bool is_inner;            /* it is a directory in a scratch directory */
};

/* The scratch directory of OBJECTS, which must outlive it. */
struct nfs_scratch nfs_scratch_of(const struct nfs_objects *objects);

/* Make it in the base directory of OBJECTS, with a lease in it (nfs/objects/lease.h), and set their
 * members for it. REQUEST's write_size is lowered to what the server takes, unless it has files. 0,
 * or a negative errno with ERROR set: -EROFS for a read-only export, -EEXIST for a name that is
 * there, -E2BIG for WRITEs that are longer than the server takes. If the scratch_name of OBJECTS is
 * then not empty, the directory exists, or may exist, and must be removed. */
int nfs_scratch_make(struct nfs_objects *objects, struct rpc_client *client,
                     struct nfs_scratch_request *request, struct error *error);

/* Make what REQUEST wants in it, of which the file is empty; its symbolic link also serves OBJECTS
 * that have found none. 0, or a negative errno with ERROR set; what was made so far remains. */
int nfs_scratch_fill(struct nfs_objects *objects, struct rpc_client *client,
                     const struct nfs_scratch_request *request, struct error *error);

/* If calls of OBJECTS are verified: does the scratch file hold what was written to it first?
 * Returns 0, -NFS_NOT_AS_WRITTEN (nfs/verify/read_back.h) or another negative errno, with ERROR
 * set. */
int nfs_scratch_check_written(const struct nfs_objects *objects, struct rpc_client *client,
                              struct error *error);

/* Have the scratch file, to which the data were written (nfs/objects/data_plan.h), serve OBJECTS as
 * the file if they have found none. 0, or a negative errno with ERROR set. */
int nfs_scratch_serve_as_file(struct nfs_objects *objects, struct rpc_client *client,
                              struct error *error);

/* May all users of the server rename entries of the base directory of OBJECTS? */
bool nfs_base_is_open_to_all(const struct nfs_objects *objects, struct rpc_client *client);

/* Look up the directory that SCRATCH, which has no handle, was made as: it must be empty and have
 * its stamp. 0 with its handle, fileid and fsid set; -ENOENT if there is none, or a different one;
 * or another negative errno with ERROR set. */
int nfs_scratch_recognise(struct rpc_client *client, struct nfs_scratch *scratch,
                          struct error *error);

/* 0 if DIRECTORY, whose path is PATH, is empty; else -ENOTEMPTY or another negative errno, with
 * ERROR set. */
int nfs_scratch_is_empty(struct rpc_client *client, const struct nfs_handle *directory,
                         const char *path, struct error *error);

/* Does DIRECTORY, whose path is PATH, contain anything that runs do not make? 0, or -ENOTEMPTY with
 * ERROR naming it, or another negative errno with ERROR set. */
int nfs_scratch_check_names(struct rpc_client *client, const struct nfs_handle *directory,
                            const char *path, struct error *error);

/* Remove SCRATCH with all that runs make in it, by its handle. Nothing at all is removed if it
 * contains anything else (-ENOTEMPTY), and nothing is removed by its name if that now belongs to
 * another directory (-EXDEV). After NFS3ERR_JUKEBOX the server is asked again; everything here that
 * could repeat without end stops at the deadline of CLIENT's channel. Returns 0, also if it no
 * longer exists, or a negative errno with ERROR set: what remains, and why. */
int nfs_scratch_remove(struct rpc_client *client, const struct nfs_scratch *scratch,
                       struct error *error);
