/* Declarations for calls under load (many in flight), which several files of engine wire need. */
#pragma once

#include "engine/block_queue.h"
#include "engine/known_reply.h"
#include "engine/sequence.h"
#include "engine/silence.h"
#include "engine/wire/connection.h"
#include "engine/worker.h"
#include "measure/arrivals.h"

/* A connection, and its state in the current block. */
struct link {
    struct connection connection;
    unsigned client;
    bool filled;        /* true: in this block, the connection had a reply or was lost */
    bool waits_to_send; /* true: the socket's send buffer is full */
    /* RESERVED: number of calls taken but not added yet. NUMBER: number of the first of these. */
    size_t reserved, number;
    /* With think times: CALLS_LEFT calls remain before the next think time, which ends at
     * THINKS_UNTIL (ticks; 0: not drawn yet). */
    size_t calls_left;
    uint64_t thinks_until;
};

enum {
    SCHEDULE_UNSENT_MAXIMUM = 64,
    PIPELINE_LOOK_AROUND_MS = 50 /* interval of checks for timeouts */
};

/* Due times of an open loop's calls. The schedule stops between segments and continues with the
 * next one. All workers draw the same arrivals, but each worker makes only some of the calls. */
struct schedule {
    struct arrivals arrivals;
    bool begun;
    uint64_t origin; /* ticks: time that the arrivals count from */
    uint64_t number; /* number of this worker's next call */
    uint64_t due;    /* ticks: due time of the worker's next call */
    /* Block of the worker's next call, or an earlier one if that block is not submitted yet. */
    struct queued_block *block;
    uint64_t cpu_ns; /* processor time of this thread when it entered the block */
    /* ticks: time when this worker had no call left to send; 0: some are left */
    uint64_t all_taken_at;
    uint64_t drained_by;    /* ticks: time until which to wait for replies; 0: unknown yet */
    uint64_t ready;         /* ticks: end of the latest wait for room for a due call */
    enum load_hold hold;    /* why the last tried link without room had none */
    uint64_t area, area_at; /* time integral of calls in flight, until AREA_AT (ticks) */
    uint64_t latest_due;    /* ticks: due time of the successful call that was due last */
    uint64_t latest_at;     /* ticks: time when the call of LATEST_DUE was answered */
    uint64_t least_service; /* ticks: shortest service time so far; 0: none */
    /* ticks: time since which the sender's delay is watched; 0: the delay is below a second */
    uint64_t behind_from;
    uint64_t behind_by; /* ticks: how late the sender was at BEHIND_FROM */
    uint64_t sent;      /* number of this worker's calls sent in all segments */
    size_t turn;        /* TURN % LINK_COUNT: index of the link to try next */
    struct link *unsent[SCHEDULE_UNSENT_MAXIMUM]; /* links with unsent calls */
    size_t unsent_count;
};

/* The current op of several calls. */
struct pipeline_op {
    /* the block's call, whose ops are sequences of several calls; NULL: each op is a single call */
    const struct engine_call *call;
    /* calls of the op so far; TICKS: total of its past periods with calls in flight */
    struct sequence_made made;
    uint64_t busy_from; /* ticks: time since which the op has calls in flight */
    int status;         /* status of the failed call that ends the op; 0: none */
};

struct pipeline;

/* What closed and open loops do differently. Both functions return 0, or a negative errno with the
 * pipeline's error set. */
struct pipeline_loop {
    /* At NOW (ticks), send calls on LINK, which may have room again, and retransmit its lost calls.
     * A closed loop also adds new calls. */
    int (*resume)(struct pipeline *pipeline, struct link *link, uint64_t now);
    /* Use the latest replies, which came at NOW (ticks), as replies to calls of the current op.
     * NULL: each reply is checked as that of a single call. */
    int (*take_parts)(struct pipeline *pipeline, uint64_t now);
};

struct pipeline {
    const struct engine_config *config;
    unsigned thread; /* number of this thread in the load */
    struct link *links;
    size_t link_count;
    struct channel **contexts; /* channels that own the clients' security contexts */
    size_t context_count;      /* number of CONTEXTS; 0: calls are not protected */
    int epoll;
    size_t in_flight;   /* number of calls taken and not answered, on all links */
    size_t lost;        /* number of links whose connection is lost */
    bool held;          /* true: calls may be waiting for room in the server's window */
    size_t least_reply; /* bytes of the block's shortest reply with its record mark; 0: none yet */
    uint64_t next_look_ns;
    struct known_reply known_reply;   /* last good reply of the current block or segment */
    struct connection_reply *replies; /* replies of the latest receive; room for DEPTH */
    size_t reply_count;
    struct silences silences;
    struct schedule schedule; /* due times of an open loop; unused in a closed loop */
    struct random random;     /* draws think times */
    /* The current block. */
    const struct pipeline_loop *loop;
    struct engine_work *work;
    struct engine_samples *samples;
    struct engine_tally *tally;
    struct pipeline_op op;
    struct error *error;
};

/* Take up to WANTED calls of the block for LINK. Returns how many were taken, and sets *FIRST to
 * the number of the first. */
static inline size_t pipeline_take(struct pipeline *pipeline, const struct link *link,
                                   size_t wanted, size_t *first)
{
    const struct engine_call *call = pipeline->work->call;
    size_t taken = work_take(pipeline->work, wanted, first);

    if (taken && call->choose)
        call->choose(call->chooser, link->client, *first, taken);
    return taken;
}

static inline void pipeline_add_in_flight(struct pipeline *pipeline, size_t count, uint64_t now)
{
    if (pipeline->in_flight == 0)
        pipeline->silences.answered_at = now;
    pipeline->in_flight += count;
}

/* Add call NUMBER of a closed loop's block to LINK, which must have room for it. */
static inline void pipeline_put(struct pipeline *pipeline, struct link *link, size_t number)
{
    struct engine_step step = engine_step_of(pipeline->work->call, number);

    connection_put(&link->connection, engine_message(step.call, step.variant),
                   engine_place(step.call, step.variant), number, NULL);
}

/* Have epoll watch LINK's connection. OPERATION is that of epoll_ctl(). Returns 0, or a negative
 * errno with the pipeline's error set. */
int pipeline_watch(struct pipeline *pipeline, struct link *link, int operation);

/* Send the calls added to LINK, and retransmit its lost calls. Returns 0, even if some calls must
 * wait or the connection was lost, or a negative errno with the pipeline's error set.
 * pipeline_receive(), pipeline_wait() and pipeline_look_around() return as pipeline_send(). */
int pipeline_send(struct pipeline *pipeline, struct link *link);

/* Handle messages that arrived on LINK, and make the next calls of a closed loop. If WAIT is true,
 * first wait for a message, at most 50 ms. */
int pipeline_receive(struct pipeline *pipeline, struct link *link, bool wait);

/* Wait at most TIMEOUT_NS for messages or room to send on any connection, then receive or send. */
int pipeline_wait(struct pipeline *pipeline, uint64_t timeout_ns);

/* Return whether epoll is not needed: there is one connection, which is up and takes calls. */
bool pipeline_is_simple(const struct pipeline *pipeline);

/* Handle what epoll does not report: timeouts, lost connections, requested stops, failures of other
 * workers, the end of a block's time, replies below the low-water mark, and calls that wait for the
 * server's window. */
int pipeline_look_around(struct pipeline *pipeline);

/* Add the connections' counts and turn-arounds to the pipeline's tally, and zero them. */
void pipeline_add_counts(struct pipeline *pipeline);

/* closed_loop_run() makes the block's calls, each as soon as there is room for it and its user's
 * think time is over. closed_loop_run_sequences() makes the block's ops of several calls. Both
 * return as pipeline_send(). */
int closed_loop_run(struct pipeline *pipeline);
int closed_loop_run_sequences(struct pipeline *pipeline);

/* Make the calls of all the segment's blocks when they are due, whatever happened to earlier calls.
 * Then wait for the replies, until the channel's timeout has passed since the last call was due.
 * Calls that are unsent or unanswered by then are counted, and are no error. Returns 0, or a
 * negative errno with the pipeline's error set: -ETIME if the rate can't be reached or calls are
 * sent far too late, -ETIMEDOUT if no reply came for much longer than a timeout (latest_ns()). */
int open_loop_run(struct pipeline *pipeline);

/* Update the schedule's area, because the number of calls in flight is about to change at NOW. */
static inline void open_loop_add_area(struct pipeline *pipeline, uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;

    if (now > schedule->area_at) {
        schedule->area += pipeline->in_flight * (now - schedule->area_at);
        schedule->area_at = now;
    }
}

static inline struct queued_part *pipeline_part(const struct pipeline *pipeline,
                                                const struct queued_block *block)
{
    return &block->parts[pipeline->thread];
}

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
