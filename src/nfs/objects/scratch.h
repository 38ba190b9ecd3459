/* The scratch directory of a run: the only part of the export that the run changes. The run makes
 * the directory and a limited number of entries in it, and removes all of them at its end. */
#pragma once

#include "nfs/change.h"
#include "nfs/objects/scratch_name.h"
#include "nfs/procedures/procedures.h"

struct nfs_scratch_request {
    const char *name;
    uint32_t entries;    /* minimum number of entries while calls are timed, FILES not counted */
    uint32_t write_size; /* size of WRITEs, bytes */
    bool verify;         /* calls are verified: check the lease and the listing of the directory */
    uint32_t files;      /* number of files in the file set; 0 for none */
    uint64_t file_size;  /* size of each file, bytes; a multiple of WRITE_SIZE */
};

/* Identity of a scratch directory. A name can be given to another object, but the server's fileid,
 * fsid and handle can't. */
struct nfs_scratch {
    struct nfs_handle base; /* directory that contains the scratch directory */
    const char *base_path, *name;
    struct nfs_handle handle; /* length 0 if unknown, because the reply to MKDIR was lost */
    uint64_t id, fsid;        /* the directory's fileid, and the fsid of its file system */
    /* random number that MKDIR set as mtime, in seconds, by which the directory is recognised */
    uint32_t stamp;
    bool is_inner; /* the directory is inside another scratch directory */
};

/* Return the identity of OBJECTS' scratch directory. OBJECTS must outlive the result. */
struct nfs_scratch nfs_scratch_of(const struct nfs_objects *objects);

/* Make the scratch directory in the base directory of OBJECTS, with a lease in it
 * (nfs/objects/lease.h), and set the members of OBJECTS for it. REQUEST's write_size is lowered to
 * the server's wtmax, unless REQUEST has files. Returns 0, or a negative errno with ERROR set:
 * -EROFS for a read-only export, -EEXIST for an existing name, -E2BIG for a write_size above wtmax
 * if REQUEST has files. If the scratch_name of OBJECTS is not empty afterwards, the directory
 * exists or may exist, and must be removed. */
int nfs_scratch_make(struct nfs_objects *objects, struct rpc_client *client,
                     struct nfs_scratch_request *request, struct error *error);

/* Make the entries of the scratch directory for REQUEST, and in memory the data that calls will
 * write to the scratch file, which is still empty. If OBJECTS has no symbolic link, the one made
 * here is used. If REQUEST's `verify` is set, check the listing and the lease. Returns 0, or a
 * negative errno with ERROR set; entries made remain. */
int nfs_scratch_make_contents(struct nfs_objects *objects, struct rpc_client *client,
                              const struct nfs_scratch_request *request, struct error *error);

/* If calls on OBJECTS are verified, check that the scratch file contains the data that set-up
 * wrote. Returns 0, -NFS_NOT_AS_WRITTEN (nfs/verify/read_back.h) or another negative errno, with
 * ERROR set. */
int nfs_scratch_check_written(const struct nfs_objects *objects, struct rpc_client *client,
                              struct error *error);

/* If no file was found, use the scratch file, whose data have been written, as OBJECTS' file, and
 * plan READs of all its data. Returns 0, or a negative errno with ERROR set. */
int nfs_scratch_serve_as_file(struct nfs_objects *objects, struct rpc_client *client,
                              struct error *error);

/* Return whether all users may rename entries of OBJECTS' base directory; false if unknown. */
bool nfs_base_is_writable_by_all(const struct nfs_objects *objects, struct rpc_client *client);

/* Look up the directory of SCRATCH by name, because its handle is unknown. The directory must be
 * empty and have SCRATCH's stamp and mode 0700. Returns 0 with handle, fileid and fsid set; -ENOENT
 * (ERROR may be unset) if no directory or a different one has the name; or another negative errno
 * with ERROR set. */
int nfs_scratch_recognise(struct rpc_client *client, struct nfs_scratch *scratch,
                          struct error *error);

/* Check that DIRECTORY, whose path is PATH, is empty. Returns 0, -ENOTEMPTY or another negative
 * errno, with ERROR set. */
int nfs_scratch_is_empty(struct rpc_client *client, const struct nfs_handle *directory,
                         const char *path, struct error *error);

/* Check that DIRECTORY, whose path is PATH, contains only names that runs make. Returns 0,
 * -ENOTEMPTY with ERROR naming another entry, or another negative errno with ERROR set. */
int nfs_scratch_check_names(struct rpc_client *client, const struct nfs_handle *directory,
                            const char *path, struct error *error);

/* Remove SCRATCH and its contents. If its handle is unknown, remove only what
 * nfs_scratch_recognise() finds. First check that the directory contains no entry that runs do not
 * make (-ENOTEMPTY), and still has its name (-EXDEV). Calls are repeated after NFS3ERR_JUKEBOX; the
 * removal stops at the deadline of CLIENT's channel. Returns 0 if the directory was removed or is
 * gone, or a negative errno with ERROR set to what remains, and why. */
int nfs_scratch_remove(struct rpc_client *client, const struct nfs_scratch *scratch,
                       struct error *error);
