/* A mix in a run. Each block has calls of all ops of the mix, in random order or as the mix says.
 * The mix is one series and each op is another, whose samples are taken from blocks of the mix. */
#pragma once

#include "common/memory.h"
#include "common/random.h"
#include "engine/engine.h"
#include "measure/rounds.h"
#include "nfs/mix.h"

struct load_run;
struct run_series;
struct series_set;

/* The calls of a block. In an open loop, further blocks are submitted before it is complete. */
struct mix_block {
    struct mix_run *mix;
    struct engine_call all;                        /* the block in the form that the engine takes */
    size_t length;                                 /* number of calls */
    uint32_t shares[NFS_MIX_OPS_MAXIMUM];          /* number of calls of each op */
    size_t called[NFS_MIX_OPS_MAXIMUM];            /* number of calls of each op that have a step */
    size_t first[NFS_MIX_OPS_MAXIMUM];             /* variant of each op's first call */
    struct engine_call calls[NFS_MIX_OPS_MAXIMUM]; /* one per op, with the places of this block */
    struct engine_place *places;
    size_t *sequence; /* the op of each call */
    struct engine_step *steps;
    struct mix_block *next; /* block that was submitted after this one; in the list of unused
                               blocks, the next one */
};

struct mix_run {
    const struct nfs_mix *mix;
    struct series_set *set;
    struct load_run *load; /* makes the blocks under load; NULL without load */
    struct run_series *series;
    struct run_series **ops;              /* the series of the ops, in the mix's order */
    uint32_t shares[NFS_MIX_OPS_MAXIMUM]; /* number of calls of each op in a full block */
    uint32_t length;
    uint64_t *ticks;  /* latencies of each op's calls in the last block that was made */
    size_t capacity;  /* size of TICKS, in calls per op */
    size_t *recorded; /* number of entries in TICKS for each op */
    size_t *used;     /* number of calls of each op in the blocks since its calls were prepared */
    /* Lists of blocks: from OLDEST to LATEST, begun and not made yet; from SPARE on, unused. */
    struct mix_block *oldest, *latest, *spare;
    const struct mix_block *made; /* block that was made last; NULL: none */
    bool reduced;                 /* ops were removed after the rounds */
    struct random random;
    struct op_order order; /* order of the calls, if the mix has a fixed order */
    struct arena arena;
};

/* Prepare the mix of SET, with about BLOCK calls in a block, under LOAD (or NULL). Returns 0 or
 * -ENOMEM. */
int mix_run_open(struct mix_run *mix, struct series_set *set, struct load_run *load, uint32_t block,
                 struct error *error);
void mix_run_close(struct mix_run *mix);

/* Return the number of calls of SERIES, an op of the mix, in a block of COUNT calls. COUNT may be
 * less than a full block; the result is at least 1. */
uint32_t mix_run_calls_in_block(const struct mix_run *mix, const struct run_series *series,
                                size_t count);

/* Prepare, make and clear up a block of COUNT calls, for struct block_source. The block's ticks are
 * those of all ops. An op that fails is given up, with a warning. */
int mix_run_prepare(struct mix_run *mix, size_t count, struct error *error);
int mix_run_block(struct mix_run *mix, struct block *block, struct error *error);
int mix_run_clear(struct mix_run *mix, struct error *error);

/* Submit a block of COUNT calls if one schedule runs through all blocks (run/load_run.h).
 * mix_run_block() takes it later. Several blocks are prepared together. Returns 0 or -ENOMEM. */
int mix_run_submit(struct mix_run *mix, size_t count, struct error *error);

/* Copy to BLOCK the samples that SERIES, an op of the mix, has in the last block. Returns 0, or
 * -ECANCELED if SERIES was given up; the other ops keep their numbers of calls. */
int mix_run_op_samples(const struct mix_run *mix, const struct run_series *series,
                       struct block *block);

/* Remove SERIES, which was given up, from the mix after the rounds. */
void mix_run_remove(struct mix_run *mix, const struct run_series *series);

/* Set the mix's level in each of ROUNDS to the mean of its ops' levels, weighted by their numbers
 * of calls. Call this when all rounds are complete and failed ops were removed. A trimmed mean of
 * all calls would lose the rare and costly ops. The duration of the ops' blocks is set to 0
 * (unknown), because only that of the mix is known. */
void mix_run_complete(const struct mix_run *mix, struct rounds *rounds);
