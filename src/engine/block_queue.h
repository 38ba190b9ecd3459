/* The blocks of an open loop. One schedule covers all blocks of a segment (a time without
 * interruption). A block is only a label for the calls that are due in one section of the schedule;
 * workers don't wait for each other at its end. The thread that submits and collects blocks makes
 * no calls, so that its work on samples delays no call.
 *
 * Calls are numbered through all segments. Worker w of n makes calls whose number modulo n is w. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/worker.h"

/* Results of one worker's calls in a block. */
struct queued_part {
    struct engine_samples samples;
    struct engine_tally tally;
    uint64_t began;  /* due time of the worker's first sent call in the block, ticks; 0: none */
    uint64_t cpu_ns; /* processor time of the worker's thread from entering to leaving the block */
};

struct queued_block {
    const struct engine_call *call;
    /* number of the first call (CALL->first); its variant is this number modulo CALL->variants */
    size_t variant;
    bool is_placed; /* true: calls have PLACES (engine/patch.h); false: variants */
    /* copies of CALL's places, because CALL gets new places for the next block */
    struct engine_place *places;
    size_t places_capacity, count;
    uint64_t first;                    /* schedule number of the block's first call */
    struct queued_part *parts;         /* results, indexed by worker */
    struct queued_block *_Atomic next; /* block submitted after this one; NULL: none yet */
    /* number of calls neither answered nor given up, plus workers that have not left the block */
    _Atomic size_t unfinished;
    struct queued_block *next_to_reuse; /* next block in the queue's list TO_REUSE */
};

/* An answered call. The rate of calls is computed between two of these. */
struct block_mark {
    uint64_t number; /* schedule number of the call */
    uint64_t sent;   /* send time of the call, in ticks; 0: there is no call */
};

struct block_worker_mark {
    /* The answered call that the worker sent last, in the blocks collected so far. SENT: its send
     * time in ticks; 0: none. AREA: member AREA of its struct scheduled_call. */
    uint64_t sent, area;
};

struct block_queue {
    unsigned workers;
    const struct clock *clock;
    double ticks_between; /* mean ticks between the due times of two calls */
    size_t lookahead;     /* calls to submit ahead of the latest call that was sent or is due */
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* signalled if a block is finished or more calls are wanted */
    /* true: a worker wants more calls or a block is finished, and block_queue_await() has not
     * noticed yet; protected by MUTEX */
    bool is_asked;
    /* The members from OLDEST to LAST_OF are for the thread that submits and collects blocks. Of
     * these, workers read only NEXT_NUMBER, once ENDED is true. */
    /* first and last of the blocks to collect; NULL: there are none */
    struct queued_block *oldest, *latest;
    struct queued_block *to_reuse;
    uint64_t next_number; /* schedule number of the next block's first call */
    struct block_mark last;
    struct block_worker_mark *last_of; /* indexed by worker */
    /* Members that workers use: */
    struct queued_block *first; /* first block of the segment */
    uint64_t begins;            /* begin of the segment, in ticks */
    uint64_t begins_with;       /* schedule number of the segment's first call */
    uint64_t previous_end;      /* end of the previous segment's schedule, in ticks; 0: none */
    atomic_bool ended;          /* true: no block will follow the latest one in this segment */
    _Atomic uint64_t *sent;     /* array, indexed by worker: number of its next call */
};

/* Prepare QUEUE for WORKERS threads that make RATE calls a second in total, timed by CLOCK. Returns
 * 0 or -ENOMEM; call block_queue_close() in either case. */
int block_queue_open(struct block_queue *queue, unsigned workers, double rate,
                     const struct clock *clock);
void block_queue_close(struct block_queue *queue);

/* Append a block of COUNT calls of CALL. CALL's members FIRST and PLACES may change afterwards; the
 * other members must not change until the block is collected. Returns 0 or -ENOMEM. */
int block_queue_append(struct block_queue *queue, const struct engine_call *call, size_t count);

/* Return whether more blocks should be appended now, so that no worker waits for one. */
bool block_queue_wants_block(const struct block_queue *queue);

/* Add the samples and counts of the oldest block to BLOCK and TALLY, and remove the block. Calls
 * that were due within BLOCK's skip_ticks after the block's begin leave no sample. But the block's
 * last tenth of calls, one call before them and, if the block has several procedures, the last call
 * of each procedure always leave a sample. */
void block_queue_collect(struct block_queue *queue, struct block *block,
                         struct engine_tally *tally);

/* Remove the oldest block, which must exist and which no worker uses any more. Its samples and
 * counts are lost. */
void block_queue_drop(struct block_queue *queue);

/* Wait at most WAIT_NS until the oldest block is finished or a worker asks for more calls. Returns
 * whether the block is finished. */
bool block_queue_await(struct block_queue *queue, uint64_t wait_ns);

/* Return the kind and the variant of call NUMBER of BLOCK, counted from 0. The variant may exceed
 * the kind's number of variants; engine_message() takes it modulo this number. */
static inline struct engine_step block_queue_step(const struct queued_block *block, size_t number)
{
    return block->call->steps
               ? block->call->steps[number]
               : (struct engine_step){.call = block->call, .variant = block->variant + number};
}

/* Note that one call of BLOCK was answered or given up, or that a worker has left BLOCK. */
void block_queue_finish_one(struct block_queue *queue, struct queued_block *block);

/* Wake the collecting thread, because a block is finished or the block of a worker's next due call
 * is not submitted yet. */
void block_queue_ask_for_more(struct block_queue *queue);
