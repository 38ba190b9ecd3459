/* Finding the test objects of a run's procedures. */
#pragma once

#include "nfs/client.h"
#include "nfs/procedures/procedures.h"

struct nfs_objects_request {
    struct nfs_handle root;       /* of the export */
    const char *export;           /* its path; it must outlive the test objects */
    const char *path;             /* below the root, "" for the root itself: the target */
    const char *file;             /* below the target, or NULL: search for one */
    bool want_file, want_symlink; /* what the run's procedures need */
    uint32_t read_size;           /* bytes to READ */
    uint64_t read_offset;
    bool verify; /* the calls are to be verified (nfs/verify/verify.h) */
};

/* Walk to the target and choose the objects that REQUEST names: the target itself if it is a file,
 * otherwise REQUEST's file, if there is one. Returns 0, or a negative errno with ERROR set: as
 * nfs/client.h says, and -EINVAL (ERROR_USAGE) for a path that is neither file nor directory.
 * Release OBJECTS with nfs_objects_free(). */
int nfs_objects_find(struct nfs_objects *objects, struct rpc_client *client,
                     const struct nfs_objects_request *request, struct error *error);

/* If OBJECTS has no file yet, take the first regular file at or below the target (a bounded,
 * breadth-first search), and the first symbolic link, where REQUEST wants them. A missing file or
 * link is not an error. Returns 0, or a negative errno with ERROR set: as nfs/client.h says;
 * OBJECTS keeps what was found so far. */
int nfs_objects_search(struct nfs_objects *objects, struct rpc_client *client,
                       const struct nfs_objects_request *request, struct error *error);

void nfs_objects_free(struct nfs_objects *objects);
