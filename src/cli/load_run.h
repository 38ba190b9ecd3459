/* What a run under load keeps of its series beyond what every run does: the steady rate, each
 * client's part, the processor time, and what an open loop tells of its sender. */
#ifndef NFSBENCH_CLI_LOAD_RUN_H
#define NFSBENCH_CLI_LOAD_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "engine/engine.h"
#include "measure/histogram.h"
#include "measure/timeline.h"

struct session;

struct load_series {
    uint64_t calls;              /* made, warm-up excluded */
    uint64_t cpu_ns;             /* of the client's process in them */
    struct load_client *clients; /* each one's part */
    struct histogram service;    /* open loop: from when a call was sent to its reply */
    struct histogram lateness;   /* open loop: from when it was due to when it was sent */
    struct timeline timeline;
};

struct load_run {
    struct load_series *series; /* by the session's index; NULL: no load */
    struct engine_detail detail;
    double *done_ns, *ns; /* room for a block, for the timeline */
    uint64_t began_ticks; /* of the rounds that count */
};

/* Have room for what SESSION's series bring. 0 or -ENOMEM with ERROR set. */
int load_run_open(struct session *session, struct error *error);
void load_run_close(struct session *session);

/* The warm-up is over. */
void load_run_begin(struct session *session);

/* A block of the series at INDEX, as engine_run() makes it of CALL. */
int load_run_block(struct session *session, size_t index, const struct engine_call *call,
                   size_t count, uint64_t *ticks, size_t *recorded, struct error *error);

/* The last block has been made. */
void load_run_end(struct session *session);

#endif
