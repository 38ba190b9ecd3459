/* Ops of several calls, each of which may follow from the replies to those before it: a directory
 * that is read to its end. */
#pragma once

#include "engine/engine.h"

/* What the state of such an op begins with. */
struct sequence_state {
    uint64_t entries;  /* of directories, that the op has brought so far */
    const void *shown; /* what all ops that were not examined have shown, of a type of the
                        * sequence's own; NULL: the sequence examines none */
    uint32_t *calls; /* how many calls each op of a block was when it was made last, by its number;
                      * 0: not known */
    size_t calls_room;
};

/* The calls of such an op. STATE is that of one op at a time, and begins with a struct
 * sequence_state. */
struct engine_sequence {
    bool wide; /* several calls of an op can be in flight at once */
    /* Make a state for the call whose context is CONTEXT. NULL: out of memory. */
    void *(*open)(const void *context);
    void (*close)(void *state);
    /* Begin op NUMBER of a block, whatever became of the one before it. */
    void (*begin)(void *state, size_t number);
    /* The next call, which gets a TAG, and which is valid until this is called again. NULL: none
     * can be made until a reply has come; without a call in flight, the op is complete. */
    const struct channel_message *(*next)(void *state, uint32_t *tag);
    /* Check and use the reply to the call with TAG. Returns as the check of a struct engine_call;
     * unless it is 0, the op has failed. */
    int (*take)(void *state, uint32_t tag, struct wire_reader *reply);
    /* Examine the ops that begin next, which are not timed: what is found goes into FINDINGS, of
     * the type of what they show; NULL: examine no more. NULL where the sequence has none. */
    void (*examine)(void *state, void *findings);
};

/* The calls of an op that were made. */
struct sequence_made {
    uint64_t calls, ticks, call_bytes, reply_bytes;
    bool first_try; /* each succeeded at the first attempt */
};

static inline void sequence_count_call(struct sequence_made *made, size_t bytes)
{
    made->calls++;
    made->call_bytes += bytes;
}

/* CALL's op was answered well. */
void sequence_count_op(const struct engine_call *call, const struct sequence_made *made,
                       struct engine_tally *tally);
