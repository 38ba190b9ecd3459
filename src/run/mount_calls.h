/* The functions that an engine provides to make system calls on a mount of the kernel's NFS client
 * (struct engine_type, mount). This process then has no NFS connection, file handle or message. */
#pragma once

#include "measure/statistics/cost_model.h"
#include "output/result/result.h"
#include "run/series/series.h"

/* The counts that the kernel's NFS client made in the measured blocks of a series. */
struct mount_counts {
    struct result_mounted means; /* its texts point into the series */
    uint64_t retransmissions;
    struct cost_lengths lengths; /* mean lengths; reply packets are unknown */
    bool in_scratch;             /* the series' calls access objects in the scratch directory */
};

/* The functions with an ERROR return 0, or a negative errno with ERROR set. */
struct mount_calls {
    uint32_t verified_writes; /* maximum number of WRITEs in a block that can be read back */

    /* Check PLAN, and set those of its members for which a mount allows only one value. Returns
     * -EINVAL with ERROR set (ERROR_USAGE) if a mount can't make the calls. */
    int (*settle)(struct run_plan *plan, struct error *error);

    /* Start the process that makes the calls, and find the mount at the target of SETUP's plan; set
     * SETUP's ON_MOUNT, MOUNTED_AT and MOUNT, and the paths of its test objects; make the scratch
     * directory if ops need it. Returns -ENODEV (ERROR_USAGE) if the target is not on an NFSv3
     * mount. */
    int (*open)(struct setup *setup, const struct clock *clock, struct error *error);
    /* End the process, and remove what the run made on the mount, with a warning if that fails.
     * SETUP's ON_MOUNT and the results in it stay valid until setup_close(). */
    void (*close)(struct setup *setup);
    /* Return what changed on the mount since open(), such as "the mount was unmounted", or NULL. */
    const char *(*change)(const struct setup *setup);
    /* Set TARGET to the mount's server, with its ports and transport; the path is the mounted
     * export and the user's path below it. */
    void (*target)(const struct setup *setup, struct target *target);
    /* process() returns the process that makes the calls; 0: it has ended. times() sets the
     * processor times of that process in user mode and in the kernel, ns. */
    pid_t (*process)(const struct setup *setup);
    void (*times)(const struct setup *setup, double *user_ns, double *system_ns);

    /* Add series of the baselines and the ops to SET, and try each series. */
    int (*add_ops)(struct series_set *set, struct error *error);
    /* prepare() prepares COUNT calls of SERIES; run() makes the calls of BLOCK and adds their
     * counts to TALLY; clear() clears up after COUNT calls. */
    int (*prepare)(struct series_set *set, const struct run_series *series, size_t count,
                   struct error *error);
    int (*run)(struct series_set *set, struct run_series *series, struct block *block,
               struct engine_tally *tally, struct error *error);
    int (*clear)(struct series_set *set, const struct run_series *series, size_t count,
                 struct error *error);
    /* Discard the counts of SERIES, because its warm-up is over. */
    void (*begin)(struct run_series *series);
    /* Set COUNTS to the counts of SERIES since begin(). */
    void (*count)(const struct series_set *set, const struct run_series *series,
                  struct mount_counts *counts);
};

static inline struct mount_counts mount_counts_of(const struct series_set *set,
                                                  const struct run_series *series)
{
    struct mount_counts counts;

    set->plan->engine->mount->count(set, series, &counts);
    return counts;
}
