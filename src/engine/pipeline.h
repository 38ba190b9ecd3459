/* The inside of engine wire under load, which its closed and its open loop share. */
#ifndef NFSBENCH_ENGINE_PIPELINE_H
#define NFSBENCH_ENGINE_PIPELINE_H

#include "engine/connection.h"
#include "engine/share.h"
#include "measure/arrivals.h"

/* A connection, and where it is in the block. */
struct link {
    struct connection connection;
    unsigned client;
    bool filled;             /* has had a reply in this block, or was lost */
    bool waits_to_send;      /* its socket takes no more for now */
    size_t reserved, number; /* calls taken and not yet put in, from NUMBER on */
};

enum { SCHEDULE_UNSENT_MAXIMUM = 64 };

/* When an open loop's calls are due. It goes on from block to block, and stands still in between.
 */
struct schedule {
    struct arrivals arrivals;
    bool begun;
    uint64_t origin;        /* ticks; what the arrivals count from */
    uint64_t due;           /* ticks; of the next call */
    uint64_t all_taken_at;  /* ticks; no call of the block was left */
    uint64_t ready;         /* ticks; since when nothing but the sender keeps a call from going */
    uint64_t latest_due;    /* ticks; when the latest call was due that has been answered, */
    uint64_t latest_at;     /* and when it was */
    uint64_t least_service; /* ticks; the shortest service time so far; 0: none */
    uint64_t sent;          /* calls, in all blocks */
    size_t turn;            /* the link that is to have the next call */
    struct link *unsent[SCHEDULE_UNSENT_MAXIMUM]; /* links that calls were put into */
    size_t unsent_count;
};

struct pipeline {
    const struct engine_config *config;
    unsigned thread; /* of the load's */
    struct link *links;
    size_t link_count;
    int epoll;
    size_t in_flight;   /* calls taken and not answered, over all links */
    size_t lost;        /* links that have no connection */
    size_t least_reply; /* bytes of the shortest reply in the block, with its mark; 0: none yet */
    uint64_t next_look_ns;
    struct schedule schedule; /* of an open loop */
    /* The block that is being made. */
    struct engine_work *work;
    struct engine_samples *samples;
    struct engine_tally *tally;
    struct error *error;
};

/* The message of call NUMBER of the block. */
const struct channel_message *pipeline_message(const struct pipeline *pipeline, size_t number);

/* Send what was put into LINK. 0, also where it must wait or the connection was lost; or a negative
 * errno with the pipeline's error set, as those below. */
int pipeline_send(struct pipeline *pipeline, struct link *link);

/* Deal with what has come over LINK, which may be waited for. */
int pipeline_receive(struct pipeline *pipeline, struct link *link, bool wait);

/* Wait for any of the connections, for TIMEOUT_NS at most, and deal with what came. */
int pipeline_wait(struct pipeline *pipeline, uint64_t timeout_ns);

/* Is there one connection only, and that whole? Then there is no need to ask which is ready. */
bool pipeline_is_simple(const struct pipeline *pipeline);

/* Deal with what is not looked at with each reply: timeouts, lost connections, the wish to stop. */
int pipeline_look_around(struct pipeline *pipeline);

/* Make the block's calls when they are due, whatever became of those before. */
int open_loop_run(struct pipeline *pipeline);

/* CALL is answered, at NOW. */
static inline void open_loop_note(struct pipeline *pipeline, const struct call_slot *call,
                                  uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;
    uint64_t service = now - call->submitted;

    if (service < schedule->least_service || schedule->least_service == 0)
        schedule->least_service = service;
    if (call->intended >= schedule->latest_due) {
        schedule->latest_due = call->intended;
        schedule->latest_at = now;
    }
}

#endif
