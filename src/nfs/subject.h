/* Finding the objects that a run's procedures are applied to. */
#ifndef NFSBENCH_NFS_SUBJECT_H
#define NFSBENCH_NFS_SUBJECT_H

#include "nfs/client.h"
#include "nfs/procedures.h"

struct nfs_subject_request {
    struct nfs_handle root;       /* of the export */
    const char *export;           /* its path; it must outlive the subject */
    const char *path;             /* below the root, "" for the root itself: the target */
    const char *file;             /* below the target, or NULL: search for one */
    bool want_file, want_symlink; /* what the run's procedures need */
    uint32_t read_size;           /* bytes to READ */
    uint64_t read_offset;
    bool want_read; /* there is a READ in the run: plan it */
    bool verify;    /* keep its data to compare with */
};

/* Walk to the target and settle on the objects: the target itself if it is a file, else REQUEST's
 * file, else the first regular file found at or below it (a bounded, breadth-first search), and the
 * first symbolic link likewise. Lacking a file or a link is no error here. 0, or a negative errno
 * with ERROR set: as nfs/client.h says, and -EINVAL (ERROR_USAGE) for a path that is neither file
 * nor directory, or an offset behind the file's end. Release it with nfs_subject_free(). */
int nfs_subject_find(struct nfs_subject *subject, struct rpc_client *client,
                     const struct nfs_subject_request *request, struct error *error);

void nfs_subject_free(struct nfs_subject *subject);

#endif
