/* A run on a mount, in the parts that struct mount_calls has (run/mount_calls.h). */
#pragma once

#include "engine/mounted/caller.h"
#include "engine/mounted/mountstats.h"
#include "run/mount_calls.h"

/* Of a set-up: the process that makes the calls, and what it found. */
struct mount_state {
    struct caller *caller;
    struct caller_file_system file_system;
};

enum { MOUNTED_INSTEAD_SIZE = 160 };

/* Of a series. */
struct mounted_series {
    const struct mounted_operation *operation;
    struct mountstats sent;             /* by the measured blocks that count */
    uint64_t calls;                     /* of those */
    uint64_t discarded;                 /* blocks that were made again */
    char instead[MOUNTED_INSTEAD_SIZE]; /* what the last of them sent */
};

/* mounted_plan.c */
int mounted_settle(struct run_plan *plan, struct error *error);

/* mounted_setup.c: start the process, and find the mount. */
int mounted_setup_open(struct setup *setup, const struct clock *clock, struct error *error);
void mounted_setup_close(struct setup *setup);
const char *mounted_setup_change(const struct setup *setup);
void mounted_setup_target(const struct setup *setup, struct target *target);

/* The flavor of the calls of a mount, by its option sec= in INFO. */
uint32_t mounted_flavor(const struct mountinfo *info);

/* Set WHAT to what INFO says is mounted, for messages: "NFSv4.2", "ext4". Returns whether it is
 * NFSv3. */
bool mounted_is_nfs3(const struct mountinfo *info, char *what, size_t size);

/* mounted_series.c: the baselines and the ops, each tried once. */
int mounted_add_ops(struct series_set *set, struct error *error);

/* mounted_blocks.c: a block counts only if the kernel's client sent exactly the calls that it
 * should have sent, by /proc/self/mountstats. If it sent others, the block is made again, a few
 * times at most; -EPROTO with ERROR set if all of them were such. */
int mounted_run_block(struct series_set *set, struct run_series *series, struct block *block,
                      struct engine_tally *tally, struct error *error);
int mounted_prepare(struct series_set *set, const struct run_series *series, size_t count,
                    struct error *error);
int mounted_clear(struct series_set *set, const struct run_series *series, size_t count,
                  struct error *error);
void mounted_begin(struct run_series *series);
void mounted_count(const struct series_set *set, const struct run_series *series,
                   struct mount_counts *counts);
