/* A run on a mount: the functions of struct mount_calls (run/mount_calls.h). */
#pragma once

#include "engine/mounted/caller.h"
#include "engine/mounted/mountstats.h"
#include "run/mount_calls.h"

/* State of a set-up: the process that makes the calls, and the target. */
struct mount_state {
    struct caller *caller;
    struct caller_file_system file_system;
};

enum { MOUNTED_INSTEAD_SIZE = 160 };

struct mounted_series {
    const struct mounted_operation *operation;
    /* RPCs of the blocks that were not cut short and sent the expected RPCs */
    struct mountstats sent;
    uint64_t calls;                     /* number of calls of all processes in these blocks */
    uint64_t discarded;                 /* number of blocks discarded for unexpected RPCs */
    char instead[MOUNTED_INSTEAD_SIZE]; /* RPCs that the last discarded block sent */
};

/* Check that a mount supports PLAN, and set PLAN's no_model to true. Returns 0, or -EINVAL with
 * ERROR set. */
int mounted_check_plan(struct run_plan *plan, struct error *error);

/* Start the calling process, find the mount, describe it in SETUP and, if an op needs it, make the
 * scratch directory or use the target file. Returns 0, or a negative errno with ERROR set. */
int mounted_setup_open(struct setup *setup, const struct clock *clock, struct error *error);
void mounted_setup_close(struct setup *setup);
const char *mounted_setup_change(const struct setup *setup);
void mounted_setup_target(const struct setup *setup, struct target *target);

/* Return the authentication flavor of a mount, from the option sec= in INFO; AUTH_SYS if it is
 * absent or unknown. */
uint32_t mounted_flavor(const struct mountinfo *info);

/* Set WHAT to INFO's type, such as "NFSv4.2" or "ext4". Returns whether it is NFSv3. */
bool mounted_is_nfs3(const struct mountinfo *info, char *what, size_t size);

/* Add the baselines and ops to SET, and try a few calls of each (mounted_series.c). Returns 0, or a
 * negative errno with ERROR set. */
int mounted_add_ops(struct series_set *set, struct error *error);

/* Make a block (mounted_blocks.c). If the kernel's client sent unexpected RPCs, according to
 * /proc/self/mountstats, discard the block and make it again, up to a few times. A block that was
 * cut short or has failed calls is not discarded. Returns 0, or a negative errno with ERROR set:
 * -EPROTO if all attempts were discarded. */
int mounted_run_block(struct series_set *set, struct run_series *series, struct block *block,
                      struct engine_tally *tally, struct error *error);
int mounted_prepare(struct series_set *set, const struct run_series *series, size_t count,
                    struct error *error);
int mounted_clear(struct series_set *set, const struct run_series *series, size_t count,
                  struct error *error);
void mounted_begin(struct run_series *series);
void mounted_count(const struct series_set *set, const struct run_series *series,
                   struct mount_counts *counts);
