/* A mix in a run: each block has calls of all its ops in a new order, random or as the mix says.
 * The mix is a series, and so is each of its ops, whose samples are taken from the mix's blocks. */
#pragma once

#include "common/memory.h"
#include "common/random.h"
#include "engine/engine.h"
#include "measure/rounds.h"
#include "nfs/mix.h"

struct load_run;
struct run_series;
struct series_set;

/* The calls of a block. In an open loop, the next blocks are submitted before it is over. */
struct mix_block {
    struct mix_run *mix;
    struct engine_call all;                        /* the block as the engine takes it */
    size_t length;                                 /* calls */
    uint32_t shares[NFS_MIX_OPS_MAXIMUM];          /* calls of each op */
    size_t called[NFS_MIX_OPS_MAXIMUM];            /* of these, those that have a step */
    size_t first[NFS_MIX_OPS_MAXIMUM];             /* variant of each op's first call */
    struct engine_call calls[NFS_MIX_OPS_MAXIMUM]; /* of each op, with the places of this block */
    struct engine_place *places;
    size_t *sequence; /* of ops */
    struct engine_step *steps;
    struct mix_block *next; /* submitted after it, or to be used again */
};

struct mix_run {
    const struct nfs_mix *mix;
    struct series_set *set;
    struct load_run *load;                /* makes its blocks in a run under load; otherwise NULL */
    struct run_series *series;            /* the mix's */
    struct run_series **ops;              /* in the mix's order */
    uint32_t shares[NFS_MIX_OPS_MAXIMUM]; /* calls of each op in a whole block */
    uint32_t length;                      /* their sum */
    uint64_t *ticks;                      /* of each op's calls in the latest block made */
    size_t capacity;                      /* of TICKS, in calls per op */
    size_t *recorded;                     /* of each op */
    size_t *used; /* calls of each op in blocks since its calls were prepared */
    struct mix_block *oldest, *latest, *spare; /* begun and not made yet; to be used again */
    const struct mix_block *made; /* the latest, until the next one begins; NULL: none */
    bool reduced;                 /* ops were removed after the rounds */
    struct random random;
    struct op_order order; /* of a mix that has one */
    struct arena arena;    /* all of this */
};

/* Prepare the mix of SET, with about BLOCK calls in a block, under LOAD (NULL: none). Returns 0 or
 * -ENOMEM. */
int mix_run_open(struct mix_run *mix, struct series_set *set, struct load_run *load, uint32_t block,
                 struct error *error);
void mix_run_close(struct mix_run *mix);

/* The number of calls of SERIES, one of the mix's ops, in a block of COUNT calls, which may be
 * shorter than a full block; at least 1. */
uint32_t mix_run_calls_in_block(const struct mix_run *mix, const struct run_series *series,
                                size_t count);

/* Prepare, make and time, and clear up after a block of COUNT calls, for struct block_source. The
 * block's ticks are those of all ops. An op that fails is given up, with a warning. */
int mix_run_prepare(struct mix_run *mix, size_t count, struct error *error);
int mix_run_block(struct mix_run *mix, struct block *block, struct error *error);
int mix_run_clear(struct mix_run *mix, struct error *error);

/* Where one schedule runs through the blocks: submit a block of COUNT calls (run/load_run.h), which
 * mix_run_block() then takes. Preparation is for several blocks then. 0 or -ENOMEM with ERROR set.
 */
int mix_run_submit(struct mix_run *mix, size_t count, struct error *error);

/* Store the samples of SERIES, one of the mix's ops, from the mix's last block in BLOCK. Returns 0,
 * or -ECANCELED if it was given up: the others then have their calls as before. */
int mix_run_op_samples(const struct mix_run *mix, const struct run_series *series,
                       struct block *block);

/* Take SERIES, which was given up, out of the mix, after the rounds. */
void mix_run_remove(struct mix_run *mix, const struct run_series *series);

/* When all ROUNDS are done, and have only the ops that are left: set the mix's level in each round
 * to the mean of its ops' levels, weighted by their numbers of calls. The trimmed mean of all calls
 * would not do, since trimming would remove exactly the rare and costly ops. The duration of the
 * ops' blocks is set to 0 (unknown), since only the mix's is known. */
void mix_run_complete(const struct mix_run *mix, struct rounds *rounds);
