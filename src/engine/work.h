/* A block of calls that several threads share. Each thread takes calls when it has room for them,
 * so that all are busy until the block's end. A block has three phases. The ramp lasts until every
 * connection has had its first reply or was lost, and LEAD_IN calls have been taken. The steady
 * phase lasts until no call is left to take. In the cool-down, fewer calls are in flight. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/deadline.h"
#include "engine/engine.h"

struct engine_work {
    const struct engine_call *call;
    size_t count;
    _Atomic size_t next;      /* number of the next call to take */
    size_t lead_in;           /* least number of calls taken before the steady phase */
    _Atomic unsigned filling; /* connections that had no reply in this block and were not lost */
    _Atomic uint64_t from;    /* ticks: begin of the steady phase; 0: it has not begun */
    _Atomic uint64_t until;   /* ticks: end of the steady phase or segment; 0: it has not ended */
    uint64_t until_ns;        /* clock_raw_ns() at which to cut the block; 0: never */
    atomic_bool is_cut;       /* true: the block ended before all calls were taken */
    /* true: all threads must leave run(), because one has failed or the pool is being closed */
    atomic_bool failed;
    /* Open loop: queue of blocks, used instead of this block. NULL: a closed loop. */
    struct block_queue *queue;
};

/* Take up to WANTED calls, and set *FIRST to the number of the first. Returns how many were taken;
 * 0: none was left. */
static inline size_t work_take(struct engine_work *work, size_t wanted, size_t *first)
{
    size_t at = atomic_load_explicit(&work->next, memory_order_relaxed);

    if (at >= work->count)
        return 0;
    *first = atomic_fetch_add_explicit(&work->next, wanted, memory_order_relaxed);
    if (*first >= work->count)
        return 0;
    return wanted < work->count - *first ? wanted : work->count - *first;
}

static inline bool work_is_all_taken(const struct engine_work *work)
{
    return atomic_load_explicit(&work->next, memory_order_relaxed) >= work->count;
}

/* Cut the block short: no more of its calls are taken. */
static inline void work_cut(struct engine_work *work)
{
    if (!work_is_all_taken(work))
        atomic_store(&work->is_cut, true);
    atomic_store(&work->next, work->count);
}

/* Cut the block short if its time is over. */
static inline void work_cut_if_late(struct engine_work *work)
{
    if (work->until_ns && deadline_now_ns() >= work->until_ns)
        work_cut(work);
}

/* Return the kind and the variant or place of call NUMBER in a block that was started with CALL. */
static inline struct engine_step engine_step_of(const struct engine_call *call, size_t number)
{
    return call->steps ? call->steps[number]
                       : (struct engine_step){.call = call, .variant = call->first + number};
}

/* Return whether a block of CALL ends if the reply to call NUMBER can't be decoded. In a block of
 * several procedures, the reply is only counted as an error, unless its call is strict. */
static inline bool engine_ends_by_garbage(const struct engine_call *call, size_t number)
{
    return !call->steps || engine_step_of(call, number).call->strict;
}

/* End the steady phase at NOW if it has not ended yet, because no call is left to take. */
static inline void work_ends(struct engine_work *work, uint64_t now)
{
    uint64_t unset = 0;

    if (atomic_load_explicit(&work->until, memory_order_relaxed) == 0)
        atomic_compare_exchange_strong(&work->until, &unset, now);
}

/* Open loop: note that a thread's calls lasted until AT. The segment ends at the greatest AT. */
static inline void work_lasts(struct engine_work *work, uint64_t at)
{
    uint64_t until = atomic_load(&work->until);

    while (until < at && !atomic_compare_exchange_weak(&work->until, &until, at))
        ;
}

/* Begin the steady phase at NOW (ticks) if its conditions are met and it has not begun yet. */
static inline void work_try_steady(struct engine_work *work, uint64_t now)
{
    uint64_t unset = 0;

    if (atomic_load_explicit(&work->filling, memory_order_relaxed) == 0 &&
        atomic_load_explicit(&work->next, memory_order_relaxed) >= work->lead_in)
        atomic_compare_exchange_strong(&work->from, &unset, now);
}

/* Note at NOW (ticks) that one more connection had its first reply in the block, or was lost. */
static inline void work_note_first_reply(struct engine_work *work, uint64_t now)
{
    if (atomic_fetch_sub(&work->filling, 1) == 1)
        work_try_steady(work, now);
}

static inline bool work_is_steady(struct engine_work *work, uint64_t now)
{
    uint64_t from = atomic_load_explicit(&work->from, memory_order_relaxed);
    uint64_t until = atomic_load_explicit(&work->until, memory_order_relaxed);

    if (from == 0)
        work_try_steady(work, now);
    return from != 0 && now > from && (until == 0 || now <= until);
}
