/* Ops of several calls, which may depend on earlier replies, for example to read a directory. */
#pragma once

#include "engine/engine.h"

/* First member of the state of every sequence. */
struct sequence_state {
    uint64_t entries; /* number of directory entries that the op has received */
    /* Findings of all ops that were not examined, such as timed ops. Each sequence defines the type
     * of its findings. NULL: the sequence has no examine(). */
    const void *shown;
    /* Number of calls that each op last needed, by the op's number in a block; 0: unknown. */
    uint32_t *calls;
    size_t calls_room;
};

/* Functions that make the calls of an op of several calls. STATE is the state of the current op. */
struct engine_sequence {
    bool wide; /* true: several calls of one op can be in flight */
    /* Allocate the state for ops of a call with CONTEXT. Returns NULL if out of memory. */
    void *(*open)(const void *context);
    void (*close)(void *state);
    /* Begin op NUMBER of a block. The previous op need not be complete. */
    void (*begin)(void *state, size_t number);
    /* Return the next call, identified by TAG. The message is valid until its reply is taken. NULL:
     * no call is possible before the next reply; if none is in flight, the op is complete. */
    const struct channel_message *(*next)(void *state, uint32_t *tag);
    /* Check and use the reply to the call with TAG. Returns as the check() of a struct engine_call;
     * if the result is not 0, the op has failed. */
    int (*take)(void *state, uint32_t tag, struct wire_reader *reply);
    /* Examine each op that begins from now on. FINDINGS (same type as SHOWN) then has the findings
     * of the latest op only. Examined ops must not be timed. If FINDINGS is NULL, stop examining.
     * If examine() is NULL, the sequence can't examine its ops. */
    void (*examine)(void *state, void *findings);
};

/* Totals of the calls that one op has made so far. TICKS: time in which any was in flight. */
struct sequence_made {
    uint64_t calls, ticks, call_bytes, reply_bytes;
    bool first_try; /* true: every call succeeded at the first attempt */
};

static inline void sequence_count_call(struct sequence_made *made, size_t bytes)
{
    made->calls++;
    made->call_bytes += bytes;
}

/* Count in TALLY an op of CALL that succeeded. MADE has the totals of the op's calls. */
void sequence_count_op(const struct engine_call *call, const struct sequence_made *made,
                       struct engine_tally *tally);
