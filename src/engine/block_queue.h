/* The blocks of an open loop. One schedule runs through all blocks of a segment: a block is the
 * label of the calls that are due in a part of the schedule, and never a barrier. The thread that
 * submits and collects the blocks is none of the workers that make the calls, so what is done with
 * a block's samples delays no call.
 *
 * Calls are numbered through all segments. Of n workers, worker w makes the calls whose number,
 * divided by n, leaves the remainder w. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/worker.h"

/* What one worker did in a block. */
struct queued_part {
    struct engine_samples samples;
    struct engine_tally tally;
    uint64_t began;  /* ticks; when the worker's first call of the block was due; 0: it had none */
    uint64_t cpu_ns; /* that its thread used from its first call of the block to the next block's */
};

struct queued_block {
    const struct engine_call *call;
    size_t variant;              /* of CALL, that the block's first call is */
    bool is_placed;              /* each call has a place */
    struct engine_place *places; /* the places, copied: the call's own are drawn anew meanwhile */
    size_t places_capacity, count;
    uint64_t first;                     /* number of the block's first call in the schedule */
    struct queued_part *parts;          /* by worker */
    struct queued_block *_Atomic next;  /* the block submitted after this one; NULL: none yet */
    _Atomic size_t unfinished;          /* calls without an outcome, and workers still in it */
    struct queued_block *next_to_reuse; /* of the blocks that were collected */
};

/* The end of a block, from which rate and calls in flight are reckoned on in the next block. */
struct block_mark {
    uint64_t number; /* of the last call with a sample */
    uint64_t sent;   /* ticks; when that call was sent; 0: there is none */
};

struct block_worker_mark {
    uint64_t sent, area; /* of the worker's last call with a sample: as in struct call_slot */
};

struct block_queue {
    unsigned workers;
    const struct clock *clock;
    double ticks_between; /* from one call to the next, on average */
    size_t lookahead;     /* calls that should have been submitted beyond those that are due */
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* a block is finished, or more calls are wanted */
    bool is_asked;          /* more calls are wanted; under MUTEX */
    /* Of the thread that submits and collects: */
    struct queued_block *oldest, *latest; /* submitted and not collected; NULL: none */
    struct queued_block *to_reuse;
    uint64_t next_number; /* of the next block's first call */
    struct block_mark last;
    struct block_worker_mark *last_of; /* by worker */
    /* Read by the workers: */
    struct queued_block *first; /* of the segment */
    uint64_t begins;            /* ticks; when the segment begins */
    uint64_t begins_with;       /* number of its first call */
    uint64_t previous_end;      /* ticks; the schedule's end of the segment before; 0: none */
    atomic_bool ended;          /* no block follows the latest one */
    _Atomic uint64_t *sent;     /* by worker: the number of its next call */
};

/* Prepare QUEUE for WORKERS threads that make calls at RATE a second in all, by CLOCK. 0 or
 * -ENOMEM; call block_queue_close() in either case. */
int block_queue_open(struct block_queue *queue, unsigned workers, double rate,
                     const struct clock *clock);
void block_queue_close(struct block_queue *queue);

/* Append a block of COUNT calls like CALL, whose first variant and places may change afterwards;
 * but steps must stay as they are until the block was collected. 0 or -ENOMEM. */
int block_queue_append(struct block_queue *queue, const struct engine_call *call, size_t count);

/* Should more blocks be appended, so that no worker waits for one? */
bool block_queue_wants_block(const struct block_queue *queue);

/* Take the samples and counts of the oldest block into BLOCK and TALLY, and forget it. Calls that
 * were due within BLOCK's settle_ticks after the block's begin leave no sample, except that the
 * last tenth of a block always does, and so does the last call of each procedure in it. */
void block_queue_collect(struct block_queue *queue, struct block *block,
                         struct engine_tally *tally);

/* Forget the oldest block, whose calls have no outcome. */
void block_queue_drop(struct block_queue *queue);

/* Wait until the oldest block is finished, for WAIT_NS at most, or until a worker asks for more
 * calls. Returns whether it is finished. */
bool block_queue_await(struct block_queue *queue, uint64_t wait_ns);

/* Call NUMBER of BLOCK. */
static inline struct engine_step block_queue_step(const struct queued_block *block, size_t number)
{
    return block->call->steps
               ? block->call->steps[number]
               : (struct engine_step){.call = block->call, .variant = block->variant + number};
}

/* A worker has an outcome of one call of BLOCK, or will make no more calls of BLOCK. */
void block_queue_finish_one(struct block_queue *queue, struct queued_block *block);

/* A worker has sent all calls that were submitted. */
void block_queue_ask_for_more(struct block_queue *queue);
