/* A block of calls that several threads work on. Each takes some when it has room, so that all are
 * busy to the end. It also records the steady part of the block: from when every connection has had
 * its first reply, and the calls of the lead-in have been taken, until no call is left to take.
 * What comes before is the ramp, and after it the cool-down, when fewer calls are in flight than
 * were asked for. */
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
    size_t lead_in;           /* calls to take before the steady part begins */
    _Atomic unsigned filling; /* connections that have had no reply yet in this block */
    _Atomic uint64_t from;    /* ticks: when the steady part begins; 0: not yet */
    _Atomic uint64_t until;   /* ticks: when it ends; 0: not yet */
    uint64_t until_ns;        /* as in struct block */
    atomic_bool is_cut;       /* likewise */
    atomic_bool failed;       /* a thread has met an error, so the others must end, too */
    struct block_queue
        *queue; /* an open loop's blocks, in place of this one; NULL: a closed loop */
};

/* Take up to WANTED calls. Returns how many, numbered from *FIRST. */
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

/* No more calls of the block are taken. */
static inline void work_cut(struct engine_work *work)
{
    if (!work_is_all_taken(work))
        atomic_store(&work->is_cut, true);
    atomic_store(&work->next, work->count);
}

/* The same if the time of the block is over. */
static inline void work_cut_if_late(struct engine_work *work)
{
    if (work->until_ns && deadline_now_ns() >= work->until_ns)
        work_cut(work);
}

/* The call with NUMBER in a block of calls like CALL. */
static inline struct engine_step engine_step_of(const struct engine_call *call, size_t number)
{
    return call->steps ? call->steps[number]
                       : (struct engine_step){.call = call, .variant = call->first + number};
}

/* Does a block of calls like CALL end if the reply to call NUMBER can't be decoded? With calls of
 * several procedures it is an error of that one, and the others go on, unless errors are to end the
 * run. */
static inline bool engine_ends_by_garbage(const struct engine_call *call, size_t number)
{
    return !call->steps || engine_step_of(call, number).call->strict;
}

/* No call was left to take at NOW. */
static inline void work_ends(struct engine_work *work, uint64_t now)
{
    uint64_t unset = 0;

    if (atomic_load_explicit(&work->until, memory_order_relaxed) == 0)
        atomic_compare_exchange_strong(&work->until, &unset, now);
}

/* Open loop: one thread's calls of the segment took until AT; other threads may take longer. */
static inline void work_lasts(struct engine_work *work, uint64_t at)
{
    uint64_t until = atomic_load(&work->until);

    while (until < at && !atomic_compare_exchange_weak(&work->until, &until, at))
        ;
}

/* Begin the steady part at NOW if nothing is missing. */
static inline void work_try_steady(struct engine_work *work, uint64_t now)
{
    uint64_t unset = 0;

    if (atomic_load_explicit(&work->filling, memory_order_relaxed) == 0 &&
        atomic_load_explicit(&work->next, memory_order_relaxed) >= work->lead_in)
        atomic_compare_exchange_strong(&work->from, &unset, now);
}

/* A connection has had its first reply of the block at NOW (or won't have one soon). */
static inline void work_one_is_filled(struct engine_work *work, uint64_t now)
{
    if (atomic_fetch_sub(&work->filling, 1) == 1)
        work_try_steady(work, now);
}

/* Is NOW in the steady part? */
static inline bool work_is_steady(struct engine_work *work, uint64_t now)
{
    uint64_t from = atomic_load_explicit(&work->from, memory_order_relaxed);
    uint64_t until = atomic_load_explicit(&work->until, memory_order_relaxed);

    if (from == 0)
        work_try_steady(work, now);
    return from != 0 && now > from && (until == 0 || now <= until);
}
