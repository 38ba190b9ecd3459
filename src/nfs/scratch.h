/* The scratch directory of a run: the only place where it changes anything. It is made by the run,
 * filled to a steady size, and removed at the end. */
#ifndef NFSBENCH_NFS_SCRATCH_H
#define NFSBENCH_NFS_SCRATCH_H

#include "nfs/change.h"
#include "nfs/procedures.h"

/* What the names begin with that runs choose themselves; behind it come host, process and a random
 * number. */
#define NFS_SCRATCH_PREFIX ".nfsbench-"

/* What is in each scratch directory: the file that WRITE, SETATTR and LINK are given, and that of
 * COMMIT, whose presence also says that the directory is one. */
#define NFS_SCRATCH_FILE        "data"
#define NFS_SCRATCH_COMMIT_FILE ".nfsbench-commit"
#define NFS_SCRATCH_SYMLINK     "link" /* to the file; not where the server has none */

enum { NFS_SCRATCH_ENTRIES = 3 }; /* these */

struct nfs_scratch_request {
    const char *name;    /* NULL: to be chosen */
    uint32_t entries;    /* that the directory holds while calls are timed, at least */
    uint32_t write_size; /* bytes in a WRITE */
    bool writes;         /* the run has WRITEs: they must be of that size */
    bool verify;         /* what was written, and what is listed */
    uint32_t files;      /* of the file set; 0: none */
    uint64_t file_size;  /* in each; a multiple of WRITE_SIZE */
};

/* Choose a name: prefix, host, process, random number. */
void nfs_scratch_choose_name(char name[NFS_NAME_SIZE]);

/* Make it in SUBJECT's base directory and set SUBJECT's scratch members; they also serve as the
 * file and the symbolic link of a SUBJECT that has found none. 0, or a negative errno with ERROR
 * set: -EROFS for a read-only export, -EEXIST for a name that is there, -E2BIG for
 * WRITEs that are longer than the server takes; what was made until then is
 * removed again. */
int nfs_scratch_make(struct nfs_subject *subject, struct rpc_client *client,
                     const struct nfs_scratch_request *request, struct error *error);

/* Remove the directory called NAME in DIRECTORY (whose path is PATH), which is known to be a
 * scratch directory, with all that is in it. 0, or a negative errno with ERROR set: it names what
 * stays. */
int nfs_scratch_remove(struct rpc_client *client, const struct nfs_handle *directory,
                       const char *path, const char *name, struct error *error);

/* Call VISIT for each entry of DIRECTORY that is a scratch directory by its name and by what it
 * holds, as nfs_list() does. */
int nfs_scratch_list(struct rpc_client *client, const struct nfs_handle *directory,
                     const char *path, int (*visit)(void *context, const char *name), void *context,
                     struct error *error);

#endif
