/* A mix in a run: one block has calls of all its ops, in an order that is drawn afresh for each
 * block. The mix is a series, and each of its ops is one, which gets its calls out of the mix's
 * block. */
#ifndef NFSBENCH_RUN_MIX_RUN_H
#define NFSBENCH_RUN_MIX_RUN_H

#include "common/random.h"
#include "engine/engine.h"
#include "measure/rounds.h"
#include "nfs/mix.h"

struct load_run;
struct run_series;
struct series_set;

struct mix_run {
    const struct nfs_mix *mix;
    struct series_set *set;
    struct load_run *load;     /* that its blocks go through where the run makes load; else NULL */
    struct run_series *series; /* its own */
    struct run_series **ops;   /* in the mix's order */
    uint32_t *shares;          /* calls of each op in a whole block */
    uint32_t length;           /* their sum */
    size_t *sequence;          /* of ops in the present block */
    uint64_t *ticks;           /* of each op's calls in the present block, */
    size_t room;               /* for so many of each */
    size_t *recorded;          /* of each op */
    size_t *made;              /* calls of each op */
    struct engine_step *steps; /* under load: the present block's calls */
    struct random random;
};

/* Make ready for the mix of SET, with about BLOCK calls in a block, under LOAD (NULL: none). 0 or
 * -ENOMEM. */
int mix_run_open(struct mix_run *mix, struct series_set *set, struct load_run *load, uint32_t block,
                 struct error *error);
void mix_run_close(struct mix_run *mix);

/* Calls of SERIES, one of the mix's ops, in a block of COUNT: COUNT may be shorter than a whole
 * block; one at least. */
uint32_t mix_run_share(const struct mix_run *mix, const struct run_series *series, size_t count);

/* A block of COUNT calls, as the rounds ask for them: made ready, made and timed (the ticks are
 * those of all ops), cleared. */
int mix_run_prepare(struct mix_run *mix, size_t count, struct error *error);
int mix_run_block(struct mix_run *mix, struct block *block, struct error *error);
int mix_run_clear(struct mix_run *mix, size_t count, struct error *error);

/* The calls in the last block of SERIES, one of the mix's ops. */
void mix_run_take(const struct mix_run *mix, const struct run_series *series, struct block *block);

/* When all of ROUNDS are done: in each, the mix's level is the sum of its ops' by their shares, and
 * not the trimmed mean of all calls, of which trimming would take off just the rare and the costly
 * ones. And the time that its ops' blocks took is not known: it is the mix's. */
void mix_run_weigh(const struct mix_run *mix, struct rounds *rounds);

#endif
