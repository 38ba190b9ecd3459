/* A run whose calls are system calls on a mount of the kernel's NFS client: what an engine that
 * makes such calls provides (struct engine_type, mount). This process then has no connection, file
 * handle or message of NFS. */
#pragma once

#include "measure/statistics/cost_model.h"
#include "output/result/result.h"
#include "run/series/series.h"

/* What the kernel's client counted of a series, in the measured blocks that count. */
struct mount_counts {
    struct result_mounted means; /* its texts are the series' */
    uint64_t retransmissions;
    struct cost_lengths lengths; /* of a call; how many packets replies need is unknown */
    bool in_scratch;             /* the calls are made in the scratch directory */
};

/* Functions return 0, or a negative errno with ERROR set. */
struct mount_calls {
    uint32_t verified_writes; /* the most WRITEs of a block that can be read back */

    /* Check PLAN, and set what it has no choice of. -EINVAL with ERROR_USAGE: it can't be made. */
    int (*settle)(struct run_plan *plan, struct error *error);

    /* Find what is mounted at the target of SETUP's plan, and set SETUP's on_mount, mounted_at and
     * mount, and the paths of its objects. -ENODEV with ERROR_USAGE: it is no NFSv3. */
    int (*open)(struct setup *setup, const struct clock *clock, struct error *error);
    /* Remove what the run made there, with a warning if it can't be removed. What was found and
     * counted can still be asked for: SETUP keeps its on_mount, which setup_close() frees. */
    void (*close)(struct setup *setup);
    /* What has happened to the mount since, as a clause: "the mount was unmounted"; NULL: nothing
     * that can be seen. */
    const char *(*change)(const struct setup *setup);
    /* Set TARGET to the server, export and path that are mounted. */
    void (*target)(const struct setup *setup, struct target *target);
    /* The process that makes the calls, 0 if it ended; and the processor time that it has used. */
    pid_t (*process)(const struct setup *setup);
    void (*times)(const struct setup *setup, double *user_ns, double *system_ns);

    /* Add the baselines and the ops to SET, each tried once. */
    int (*add_ops)(struct series_set *set, struct error *error);
    /* Prepare COUNT calls of SERIES; make BLOCK's calls; and remove what COUNT calls left. */
    int (*prepare)(struct series_set *set, const struct run_series *series, size_t count,
                   struct error *error);
    int (*run)(struct series_set *set, struct run_series *series, struct block *block,
               struct engine_tally *tally, struct error *error);
    int (*clear)(struct series_set *set, const struct run_series *series, size_t count,
                 struct error *error);
    /* The warm-up of SERIES is over: discard what was counted. */
    void (*begin)(struct run_series *series);
    /* Set COUNTS to what was counted of SERIES. */
    void (*count)(const struct series_set *set, const struct run_series *series,
                  struct mount_counts *counts);
};

/* What was counted of SERIES, which is one of SET's on a mount. */
static inline struct mount_counts mount_counts_of(const struct series_set *set,
                                                  const struct run_series *series)
{
    struct mount_counts counts;

    set->plan->engine->mount->count(set, series, &counts);
    return counts;
}
