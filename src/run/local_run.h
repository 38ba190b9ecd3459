/* Ops without NFS: the same calls on files of this machine, as series of the same rounds. */
#pragma once

#include "common/mountinfo.h"
#include "run/local_ops.h"
#include "run/series/series.h"

/* The calls of a mix: the calls of each of its ops, and the order of those of a block. */
struct local_mix {
    struct local_call parts[NFS_MIX_OPS_MAXIMUM];
    size_t *order; /* of each call of the block, its part */
    size_t room;   /* of ORDER */
    struct random random;
};

struct local_run {
    char name[NFS_NAME_SIZE]; /* of the run's own directory */
    struct local_directory directory;
    struct local_files files[LOCAL_FILES];
    struct local_mix mix;
    char file_system[MOUNTINFO_TYPE_SIZE]; /* "ext4"; "": not known */
    double cached_share; /* of the files' bytes, in the page cache when the rounds ended; NAN: not
                          * known */
};

/* If SETUP's plan names a directory, open it. Returns 0, or a negative errno with ERROR set. */
int local_run_open(struct setup *setup, struct error *error);

/* Make the files that calls of OP need, unless they have been made: *MADE. Returns 0, or a negative
 * errno with ERROR set. */
int local_run_make_files(struct setup *setup, const struct local_op *op,
                         const struct local_files **made, struct error *error);

/* Draw the places of the next COUNT calls of SERIES, of a mix their order, too, and write what they
 * are to commit. Returns 0, or a negative errno with ERROR set. */
int local_run_prepare(struct series_set *set, struct run_series *series, size_t count,
                      struct error *error);

/* Look at how much of the files is in the page cache. */
void local_run_look(struct setup *setup);

/* The bytes of all files. */
uint64_t local_run_bytes(const struct local_run *local);

/* Remove the files, with a warning if that fails; then what is known of them is still there, until
 * it is released. */
void local_run_end(struct setup *setup);
void local_run_close(struct setup *setup);
