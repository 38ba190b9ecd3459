/* Names of scratch directories and of their entries. Only entries with such names are removed. */
#pragma once

#include "nfs/procedures/procedures.h"

enum { NFS_HOST_NAME_SIZE = 64 };

/* Prefix of the names that runs choose; HOST-PID-RANDOM follows. */
#define NFS_SCRATCH_PREFIX ".nfsbench-"

/* Entries of every scratch directory: the file of WRITE, SETATTR and LINK; the file of COMMIT; a
 * symbolic link. The lease (nfs/objects/lease.h) is the fourth entry. */
#define NFS_SCRATCH_FILE        "data"
#define NFS_SCRATCH_COMMIT_FILE ".nfsbench-commit"
#define NFS_SCRATCH_SYMLINK                                                                        \
    "link" /* points to NFS_SCRATCH_FILE; missing on servers without symbolic links */

/* Prefix of names that test which names a server accepts. */
#define NFS_SCRATCH_ODD_PREFIX "character-"

/* number of entries that every scratch directory has; one less if it has no symbolic link */
enum { NFS_SCRATCH_ENTRIES = 4 };

/* Store this machine's name in HOST. Characters that are unsafe in file names are replaced. */
void nfs_scratch_host_name(char host[NFS_HOST_NAME_SIZE]);

void nfs_scratch_choose_name(char name[NFS_NAME_SIZE]);

/* Return whether nfs_scratch_choose_name() could have chosen NAME: the process number has no
 * leading zeros, and the random number has eight hexadecimal digits. */
bool nfs_scratch_is_chosen_name(const char *name);

void nfs_scratch_filler_name(char name[NFS_VARIANT_NAME_SIZE], uint32_t number);

/* Kinds of names in a scratch directory. A FOREIGN name is one that no run makes. */
enum nfs_scratch_kind {
    NFS_SCRATCH_FOREIGN,
    NFS_SCRATCH_LEASE,
    NFS_SCRATCH_FILES,
    NFS_SCRATCH_DIRECTORIES
};
enum nfs_scratch_kind nfs_scratch_kind_of(const char *name);
