/* Finding the test objects of a run's procedures. */
#pragma once

#include "nfs/client.h"
#include "nfs/procedures.h"

struct nfs_objects_request {
    struct nfs_handle root;       /* of the export */
    const char *export;           /* its path; it must outlive the test objects */
    const char *path;             /* below the root, "" for the root itself: the target */
    const char *file;             /* below the target, or NULL: search for one */
    bool want_file, want_symlink; /* what the run's procedures need */
    uint32_t read_size;           /* bytes to READ */
    uint64_t read_offset;
    bool want_read; /* there is a READ in the run: plan it */
    bool verify;    /* keep its data to compare with */
};

/* Walk to the target and choose the objects: the target itself if it is a file, otherwise REQUEST's
 * file, otherwise the first regular file found at or below it (a bounded, breadth-first search),
 * and likewise the first symbolic link. A missing file or link is not an error here. Returns 0, or
 * a negative errno with ERROR set: as nfs/client.h says, and -EINVAL (ERROR_USAGE) for a path that
 * is neither file nor directory, or an offset past the file's end. Release it with
 * nfs_objects_free(). */
int nfs_objects_find(struct nfs_objects *objects, struct rpc_client *client,
                     const struct nfs_objects_request *request, struct error *error);

void nfs_objects_free(struct nfs_objects *objects);
