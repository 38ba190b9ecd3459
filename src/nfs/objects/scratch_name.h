/* The names of scratch directories, and of their entries. Only entries with names that runs give
 * are removed. */
#pragma once

#include "nfs/procedures/procedures.h"

enum { NFS_HOST_NAME_SIZE = 64 };

/* Names that runs choose themselves are this prefix, then HOST-PID-RANDOM. */
#define NFS_SCRATCH_PREFIX ".nfsbench-"

/* The contents of each scratch directory: the file that WRITE, SETATTR and LINK are applied to,
 * that of COMMIT, and the lease (nfs/objects/lease.h). */
#define NFS_SCRATCH_FILE        "data"
#define NFS_SCRATCH_COMMIT_FILE ".nfsbench-commit"
#define NFS_SCRATCH_SYMLINK                                                                        \
    "link" /* to the file; missing where the server does not support                               \
            * symbolic links */

/* What names begin with that are made to see which names a server takes. */
#define NFS_SCRATCH_ODD_PREFIX "character-"

enum { NFS_SCRATCH_ENTRIES = 4 }; /* the four above */

/* This machine's name, with characters replaced that must not be in a file's name. */
void nfs_scratch_host_name(char host[NFS_HOST_NAME_SIZE]);

/* Choose a name: prefix, host, process, random number. */
void nfs_scratch_choose_name(char name[NFS_NAME_SIZE]);

/* Could NAME have been chosen so? Exactly: a process number without leading zeros, eight
 * hexadecimal digits. */
bool nfs_scratch_is_chosen_name(const char *name);

/* The name of filler entry NUMBER. */
void nfs_scratch_filler_name(char name[NFS_VARIANT_NAME_SIZE], uint32_t number);

/* What a run calls NAME in its scratch directory; the directories are empty ones. */
enum nfs_scratch_kind {
    NFS_SCRATCH_FOREIGN,
    NFS_SCRATCH_LEASE,
    NFS_SCRATCH_FILES,
    NFS_SCRATCH_DIRECTORIES
};
enum nfs_scratch_kind nfs_scratch_kind_of(const char *name);
