/* Local files, on which equivalents of NFS calls are made in the same rounds, for comparison. */
#pragma once

#include "common/mountinfo.h"
#include "run/local_ops.h"
#include "run/series/series.h"

/* The calls of a mix on local files. */
struct local_mix {
    struct local_call parts[NFS_MIX_OPS_MAXIMUM];
    size_t *order; /* for each call in the block: index of its op in PARTS */
    size_t room;
    struct random random;
};

struct local_run {
    char name[NFS_NAME_SIZE]; /* name of the directory that the run makes */
    struct local_directory directory;
    struct local_files files[LOCAL_FILES];
    struct local_mix mix;
    char file_system[MOUNTINFO_TYPE_SIZE]; /* type such as "ext4"; "": unknown */
    /* share of the files' bytes in the page cache when the rounds ended, 0 to 1; NAN: unknown */
    double cached_share;
};

/* Open the local directory of SETUP's plan, if any. Returns 0, or -errno with ERROR set. */
int local_run_open(struct setup *setup, struct error *error);

/* Make the local files for calls of OP, unless they exist, and set *MADE to the files. Returns 0,
 * or a negative errno with ERROR set. */
int local_run_make_files(struct setup *setup, const struct local_op *op,
                         const struct local_files **made, struct error *error);

/* Prepare the next COUNT calls of SERIES: draw their places, for a mix also their order, and for
 * COMMITs write the data to commit. Returns 0, or a negative errno with ERROR set. */
int local_run_prepare(struct series_set *set, struct run_series *series, size_t count,
                      struct error *error);

/* If SETUP has local files, find how much of them is in the page cache, and set CACHED_SHARE. */
void local_run_look(struct setup *setup);

uint64_t local_run_bytes(const struct local_run *local);

/* Remove the local files, or warn. Data about the files are kept until local_run_close(). */
void local_run_end(struct setup *setup);
void local_run_close(struct setup *setup);
