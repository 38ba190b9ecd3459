/* A run by several processes at once, on one machine or on many: "ranks", as MPI calls them. Each
 * has a session of its own with the same blocks in the same order; they meet before each block, so
 * that their loads coincide, and decide together what ends anything. What carries their messages is
 * handed in; nothing here knows MPI. */
#ifndef NFSBENCH_RUN_RANKS_H
#define NFSBENCH_RUN_RANKS_H

#include <stdint.h>

#include "common/error.h"
#include "run/plan.h"

struct series_set;

struct ranks {
    unsigned rank, count; /* this one's, from 0, and of how many */
    uint64_t patience_ns; /* for a rank that others wait for */
    /* Wait until all ranks are here. CODE is how this one fares: 0, or a negative errno with ERROR
     * set. *LEAST (NULL: 0) becomes the least of all ranks' values. 0 when all fare well; else, in
     * all of them, the code of one that doesn't, with ERROR set to its line and its name. From then
     * on each meeting ends at once, and so. */
    int (*meet)(struct ranks *ranks, int code, uint64_t *least, struct error *error);
};

/* The same; without RANKS (NULL), this process is alone: CODE, and *LEAST is as it was. */
int ranks_meet(struct ranks *ranks, int code, uint64_t *least, struct error *error);

/* Make SETTINGS, as they were parsed, those of one of several ranks. 0, or -EINVAL with ERROR set
 * for what only a process alone can do. */
int ranks_prepare(struct ranks *ranks, struct run_plan *plan, struct error *error);

/* Agree with the other ranks on what must be the same in all of them: the seed of SETTINGS, before
 * a session is opened; the blocks of SET, before they are measured. CODE is how this rank has
 * fared. As meet() returns. */
int ranks_agree_seed(struct ranks *ranks, struct run_plan *plan, int code, struct error *error);
int ranks_agree_blocks(struct ranks *ranks, struct series_set *set, int code, struct error *error);

#endif
