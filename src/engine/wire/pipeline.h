/* The internals of engine wire under load, which its closed and its open loop have in common. */
#pragma once

#include "engine/block_queue.h"
#include "engine/known_reply.h"
#include "engine/sequence.h"
#include "engine/silence.h"
#include "engine/wire/connection.h"
#include "engine/worker.h"
#include "measure/arrivals.h"

/* A connection, and its state in the block. */
struct link {
    struct connection connection;
    unsigned client;
    bool filled;             /* has had a reply in this block, or was lost */
    bool waits_to_send;      /* its socket takes no more for now */
    size_t reserved, number; /* calls taken and not yet added, from NUMBER on */
    /* With think times: calls that are left until it waits; and ticks, when it has waited; 0: that
     * is not drawn yet. */
    size_t calls_left;
    uint64_t thinks_until;
};

enum { SCHEDULE_UNSENT_MAXIMUM = 64, PIPELINE_LOOK_AROUND_MS = 50 /* between looks at timeouts */ };

/* When the calls of an open loop are due. The schedule continues from segment to segment, and is
 * stopped in between. All workers draw the same arrivals, and each makes its part of the calls. */
struct schedule {
    struct arrivals arrivals;
    bool begun;
    uint64_t origin; /* ticks; the start that the arrivals count from */
    uint64_t number; /* of this worker's next call */
    uint64_t due;    /* ticks; when that call is due */
    struct queued_block
        *block;             /* that the call belongs to, or the one before; NULL: none is left */
    uint64_t cpu_ns;        /* processor time of this thread when it began the block */
    uint64_t all_taken_at;  /* ticks; when no call of the segment was left; 0: some are */
    uint64_t drained_by;    /* ticks; when waiting for replies is given up; 0: not yet known */
    uint64_t ready;         /* ticks; since when only the sender itself delays a call */
    enum load_hold hold;    /* what kept the call that was to be sent then */
    uint64_t area, area_at; /* calls in flight times ticks, summed up to AREA_AT (ticks) */
    uint64_t latest_due;    /* ticks; when the latest answered call was due */
    uint64_t latest_at;     /* ticks; when that call was answered */
    uint64_t least_service; /* ticks; the shortest service time so far; 0: none */
    uint64_t behind_from;   /* ticks; since when the sender has only been later; 0: in time */
    uint64_t behind_by;     /* ticks; how late it was then */
    uint64_t sent;          /* calls, in all segments */
    size_t turn;            /* the link that gets the next call */
    struct link *unsent[SCHEDULE_UNSENT_MAXIMUM]; /* links with calls that are not sent yet */
    size_t unsent_count;
};

/* An op of several calls that is being made. */
struct pipeline_op {
    const struct engine_call *call; /* NULL: there is none; all are single calls */
    struct sequence_made made;      /* TICKS: while any of its calls was in flight */
    uint64_t busy_from;             /* ticks; since when one is */
    int status;                     /* not 0: one has failed, and no more are made */
};

struct pipeline;

/* What a loop of calls does as replies arrive. Both return 0, or a negative errno with the
 * pipeline's error set. */
struct pipeline_loop {
    /* At NOW LINK may have room for calls, or must send some again: add and send them. */
    int (*resume)(struct pipeline *pipeline, struct link *link, uint64_t now);
    /* Take the latest replies, to calls of the current op, which came at NOW. NULL: each reply is
     * checked, and its call is a sample. */
    int (*take_parts)(struct pipeline *pipeline, uint64_t now);
};

struct pipeline {
    const struct engine_config *config;
    unsigned thread; /* the number of this thread in the load */
    struct link *links;
    size_t link_count;
    struct channel **contexts; /* over which the security context of each client is established */
    size_t context_count;      /* 0: calls are not protected */
    int epoll;
    size_t in_flight;   /* calls taken and not answered, over all links */
    size_t lost;        /* links whose connection is lost */
    bool held;          /* calls may wait until the server's window has room for them */
    size_t least_reply; /* bytes of the shortest reply in the block, with its record mark; 0: none
                         * yet */
    uint64_t next_look_ns;
    struct known_reply known_reply;   /* of the block */
    struct connection_reply *replies; /* that the latest receive brought; room for DEPTH */
    size_t reply_count;
    struct silences silences;
    struct schedule schedule; /* of an open loop */
    struct random random;     /* of think times */
    /* The current block. */
    const struct pipeline_loop *loop;
    struct engine_work *work;
    struct engine_samples *samples;
    struct engine_tally *tally;
    struct pipeline_op op;
    struct error *error;
};

/* Take up to WANTED calls of the block for LINK. Returns how many, numbered from *FIRST. */
static inline size_t pipeline_take(struct pipeline *pipeline, const struct link *link,
                                   size_t wanted, size_t *first)
{
    const struct engine_call *call = pipeline->work->call;
    size_t taken = work_take(pipeline->work, wanted, first);

    if (taken && call->choose)
        call->choose(call->chooser, link->client, *first, taken);
    return taken;
}

/* COUNT more calls are in flight at NOW. */
static inline void pipeline_add_in_flight(struct pipeline *pipeline, size_t count, uint64_t now)
{
    if (pipeline->in_flight == 0)
        pipeline->silences.answered_at = now;
    pipeline->in_flight += count;
}

/* Add call NUMBER of a closed loop's block to LINK, which has room for it. */
static inline void pipeline_put(struct pipeline *pipeline, struct link *link, size_t number)
{
    struct engine_step step = engine_step_of(pipeline->work->call, number);

    connection_put(&link->connection, engine_message(step.call, step.variant),
                   engine_place(step.call, step.variant), number, NULL);
}

/* Have epoll watch LINK's connection; OPERATION is one of epoll_ctl()'s. Returns 0, or a negative
 * errno with the pipeline's error set. */
int pipeline_watch(struct pipeline *pipeline, struct link *link, int operation);

/* Send what was added to LINK. Returns 0, also where it must wait or the connection was lost; or a
 * negative errno with the pipeline's error set. The functions below return the same. */
int pipeline_send(struct pipeline *pipeline, struct link *link);

/* Handle what has arrived over LINK; with WAIT, wait for it. */
int pipeline_receive(struct pipeline *pipeline, struct link *link, bool wait);

/* Wait for any of the connections, for TIMEOUT_NS at most, and handle what arrived. */
int pipeline_wait(struct pipeline *pipeline, uint64_t timeout_ns);

/* Is there only one connection, and is it usable? Then there is no need to ask which one is
 * ready. */
bool pipeline_is_simple(const struct pipeline *pipeline);

/* Handle what is not checked with each reply: timeouts, lost connections, a request to stop. */
int pipeline_look_around(struct pipeline *pipeline);

/* Move what the connections have counted to the pipeline's tally. */
void pipeline_add_counts(struct pipeline *pipeline);

/* Make the block's calls, each as soon as there is room for it, or its user has thought; or its
 * ops, each of which is several calls. */
int closed_loop_run(struct pipeline *pipeline);
int closed_loop_run_sequences(struct pipeline *pipeline);

/* Make the calls of all blocks of the segment when they are due, whatever happened to earlier ones,
 * and wait for their replies, at most for the timeout of the pipeline's channel. */
int open_loop_run(struct pipeline *pipeline);

/* The number of calls in flight is about to change, at NOW. */
static inline void open_loop_add_area(struct pipeline *pipeline, uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;

    if (now > schedule->area_at) {
        schedule->area += pipeline->in_flight * (now - schedule->area_at);
        schedule->area_at = now;
    }
}

/* What this worker did in BLOCK. */
static inline struct queued_part *pipeline_part(const struct pipeline *pipeline,
                                                const struct queued_block *block)
{
    return &block->parts[pipeline->thread];
}

/* Record that CALL was answered at NOW. */
static inline void open_loop_note(struct pipeline *pipeline, const struct call_slot *call,
                                  uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;
    uint64_t service = now - call->submitted;

    if (service < schedule->least_service || schedule->least_service == 0)
        schedule->least_service = service;
    if (call->scheduled->due >= schedule->latest_due) {
        schedule->latest_due = call->scheduled->due;
        schedule->latest_at = now;
    }
}
