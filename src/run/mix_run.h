/* A mix in a run. Each block has calls of all ops of the mix, in random order or in the mix's fixed
 * order. The mix is a series. Each of its ops is a series, too, whose samples are from the mix's
 * blocks. */
#pragma once

#include "common/memory.h"
#include "common/random.h"
#include "engine/engine.h"
#include "measure/rounds.h"
#include "nfs/mix.h"

struct load_run;
struct run_series;
struct series_set;

/* The calls of one block. In an open loop, several blocks can be under way. */
struct mix_block {
    struct mix_run *mix;
    struct engine_call all;               /* the block in the form that the engine takes */
    size_t length;                        /* number of calls */
    uint32_t shares[NFS_MIX_OPS_MAXIMUM]; /* number of calls of each op */
    size_t called[NFS_MIX_OPS_MAXIMUM];   /* number of calls of each op that are already in STEPS */
    /* variant number (struct engine_step) of each op's first call */
    size_t first[NFS_MIX_OPS_MAXIMUM];
    /* engine_call of each op, with the places in files for this block */
    struct engine_call calls[NFS_MIX_OPS_MAXIMUM];
    struct engine_place *places;
    size_t *sequence; /* number of the op of each call */
    struct engine_step *steps;
    struct mix_block *next; /* next block in the list that this block is in */
};

struct mix_run {
    const struct nfs_mix *mix;
    struct series_set *set;
    struct load_run *load; /* makes the blocks under load; NULL without load */
    struct run_series *series;
    struct run_series **ops;              /* the series of the ops, in the mix's order */
    uint32_t shares[NFS_MIX_OPS_MAXIMUM]; /* number of calls of each op in a full block */
    uint32_t length;
    uint64_t *ticks;  /* latencies of each op's calls in the last complete block */
    size_t capacity;  /* number of latencies per op for which TICKS has memory */
    size_t *recorded; /* number of entries in TICKS for each op */
    /* for each op, the number of its prepared calls that belong to blocks already begun */
    size_t *used;
    /* lists: OLDEST to LATEST have begun but are not complete; SPARE is the first unused block */
    struct mix_block *oldest, *latest, *spare;
    const struct mix_block *made; /* block that was made last; NULL: none */
    bool reduced;                 /* ops were removed after the rounds */
    struct random random;
    struct op_order order; /* order of the calls, if the mix has a fixed order */
    struct arena arena;
};

/* Prepare the mix of SET, with about BLOCK calls in a block. LOAD makes the blocks if SET's plan
 * makes load; otherwise it is not used. Returns 0 or -ENOMEM. */
int mix_run_open(struct mix_run *mix, struct series_set *set, struct load_run *load, uint32_t block,
                 struct error *error);
void mix_run_close(struct mix_run *mix);

/* Return the number of calls of SERIES, an op of the mix, in a block of COUNT calls. COUNT may be
 * less than a full block. The result is at least 1, or 0 if SERIES was given up. */
uint32_t mix_run_calls_in_block(const struct mix_run *mix, const struct run_series *series,
                                size_t count);

/* Prepare COUNT calls of the mix, make the next block, and clear up after the calls, for struct
 * block_source. BLOCK's ticks are those of all ops' calls. An op that fails is given up, with a
 * warning, if series_can_be_given_up(). */
int mix_run_prepare(struct mix_run *mix, size_t count, struct error *error);
int mix_run_block(struct mix_run *mix, struct block *block, struct error *error);
int mix_run_clear(struct mix_run *mix, struct error *error);

/* Only if one schedule runs through all blocks (run/load_run.h): submit a block of COUNT calls.
 * mix_run_block() later takes the oldest submitted block. Returns 0 or -ENOMEM. */
int mix_run_submit(struct mix_run *mix, size_t count, struct error *error);

/* Copy to BLOCK the samples of SERIES, an op of the mix, in the block that was made last. Returns
 * 0, or -ECANCELED if SERIES was given up. */
int mix_run_op_samples(const struct mix_run *mix, const struct run_series *series,
                       struct block *block);

/* Remove SERIES, an op that failed in this or another session, from the mix after the rounds. */
void mix_run_remove(struct mix_run *mix, const struct run_series *series);

/* Set the mix's calls to the sum of its ops' calls, and its level in each of ROUNDS to the mean of
 * its ops' levels, weighted by the ops' numbers of calls, because a trimmed mean of all calls would
 * lose the rare and costly ops. If ops were removed, correct the mix's histogram and duration. Set
 * the duration of each op's blocks to 0 (unknown), because only the mix's blocks have one. Call
 * this after the rounds and removals. */
void mix_run_complete(const struct mix_run *mix, struct rounds *rounds);
