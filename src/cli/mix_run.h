/* A mix in a run: one block has calls of all its ops, in an order that is drawn afresh for each
 * block. The mix is a series, and each of its ops is one, which gets its calls out of the mix's
 * block. */
#ifndef NFSBENCH_CLI_MIX_RUN_H
#define NFSBENCH_CLI_MIX_RUN_H

#include "common/random.h"
#include "engine/engine.h"
#include "nfs/mix.h"

struct session;

struct mix_run {
    size_t first;     /* index of the first op's series; they stand in the mix's order, behind its
                         own */
    uint32_t *shares; /* calls of each op in a whole block */
    uint32_t length;  /* their sum */
    size_t *sequence; /* of ops in the present block */
    uint64_t *ticks;  /* of each op's calls in the present block, */
    size_t room;      /* for so many of each */
    size_t *recorded; /* of each op */
    size_t *made;     /* calls of each op */
    struct engine_step *steps; /* under load: the present block's calls */
    struct random random;
};

/* Make ready for SESSION's mix, whose ops' series begin at FIRST, with about BLOCK calls in a
 * block. 0 or -ENOMEM. */
int mix_run_open(struct session *session, size_t first, uint32_t block, struct error *error);
void mix_run_close(struct mix_run *mix);

/* Calls of the op at INDEX (of the mix) in a block of COUNT: COUNT may be shorter than a whole
 * block; one at least. */
uint32_t mix_run_share(const struct mix_run *mix, size_t index, size_t count);

/* A block of COUNT calls, as the rounds ask for them: made ready, made and timed (TICKS: of all
 * ops), cleared. */
int mix_run_prepare(struct session *session, size_t count, struct error *error);
int mix_run_block(struct session *session, size_t count, uint64_t *ticks, size_t *recorded,
                  struct error *error);
int mix_run_clear(struct session *session, size_t count, struct error *error);

/* The calls in the last block of the op whose series is SERIES. */
void mix_run_take(const struct mix_run *mix, size_t series, uint64_t *ticks, size_t *recorded);

/* When all rounds are done: in each, the mix's level is the sum of its ops' by their shares, and
 * not the trimmed mean of all calls, of which trimming would take off just the rare and the dear
 * ones. And the time that its ops' blocks took is not known: it is the mix's. */
void mix_run_weigh(struct session *session);

#endif
