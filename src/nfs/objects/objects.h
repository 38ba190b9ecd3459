/* Find the test objects of a run's procedures. */
#pragma once

#include "nfs/client.h"
#include "nfs/procedures/procedures.h"

struct nfs_objects_request {
    struct nfs_handle root;       /* root of the export */
    const char *export;           /* path of the export; must outlive the test objects */
    const char *path;             /* path of the target below the root; "" for the root */
    const char *file;             /* path of a file below the target; NULL to search for one */
    bool want_file, want_symlink; /* the run's procedures need this object */
    uint32_t read_size;           /* size of READs, bytes */
    uint64_t read_offset;
    bool verify; /* calls are to be verified (nfs/verify/verify.h) */
};

/* Look up the target, and choose the file of OBJECTS: the target if it is a file, else REQUEST's
 * file, if REQUEST has one. Release OBJECTS with nfs_objects_free(). Returns 0, or a negative errno
 * with ERROR set, as nfs/client.h says. These are ERROR_USAGE: -EINVAL if the target is neither a
 * regular file nor a directory, or if REQUEST's file is not regular; -ENOENT or -ENOTDIR if
 * REQUEST's file (not the target) does not exist; -ENOTDIR if the target is a file and REQUEST has
 * a file too; -ENAMETOOLONG. */
int nfs_objects_find(struct nfs_objects *objects, struct rpc_client *client,
                     const struct nfs_objects_request *request, struct error *error);

/* Do nothing if the target is a file. If REQUEST wants a file and OBJECTS has none yet, search for
 * the first regular file. If REQUEST wants a symbolic link, search for the first one. The search is
 * breadth-first from the target, in a limited number of directories and of entries in each. Finding
 * no object there is not an error, but exceeding a traversal's time limit is (-EBADMSG). Returns 0,
 * or a negative errno with ERROR set, as nfs/client.h says. */
int nfs_objects_search(struct nfs_objects *objects, struct rpc_client *client,
                       const struct nfs_objects_request *request, struct error *error);

void nfs_objects_free(struct nfs_objects *objects);
