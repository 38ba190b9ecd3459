/* Ops without NFS: series of the same calls on local files, in the rounds of the NFS calls. */
#pragma once

#include "common/mountinfo.h"
#include "run/local_ops.h"
#include "run/series/series.h"

/* The calls of a mix on local files. */
struct local_mix {
    struct local_call parts[NFS_MIX_OPS_MAXIMUM];
    size_t *order; /* index in PARTS of each call in the block */
    size_t room;
    struct random random;
};

struct local_run {
    char name[NFS_NAME_SIZE]; /* name of the directory that the run makes */
    struct local_directory directory;
    struct local_files files[LOCAL_FILES];
    struct local_mix mix;
    char file_system[MOUNTINFO_TYPE_SIZE]; /* type such as "ext4"; "": unknown */
    /* Share of the files' bytes in the page cache when the rounds ended, 0 to 1; NAN: unknown. */
    double cached_share;
};

/* Open the local directory of SETUP's plan, if the plan has one. Returns 0, or a negative errno
 * with ERROR set. */
int local_run_open(struct setup *setup, struct error *error);

/* Make the local files for calls of OP unless the files exist, and set *MADE to the files. Returns
 * 0, or a negative errno with ERROR set. */
int local_run_make_files(struct setup *setup, const struct local_op *op,
                         const struct local_files **made, struct error *error);

/* Prepare the next COUNT calls of SERIES: draw their places, for a mix also their order, and for
 * COMMITs write the data to commit. Returns 0, or a negative errno with ERROR set. */
int local_run_prepare(struct series_set *set, struct run_series *series, size_t count,
                      struct error *error);

/* Set CACHED_SHARE of SETUP's local files, if SETUP has local files. */
void local_run_look(struct setup *setup);

uint64_t local_run_bytes(const struct local_run *local);

/* Remove the local files, or warn. Data about the files are kept until local_run_close(). */
void local_run_end(struct setup *setup);
void local_run_close(struct setup *setup);
