/* What a run under load keeps of its series beyond what every run does: the steady rate, each
 * client's part, the processor time, and, of an open loop, how late its sender was. */
#ifndef NFSBENCH_RUN_LOAD_RUN_H
#define NFSBENCH_RUN_LOAD_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "engine/engine.h"
#include "measure/histogram.h"
#include "measure/rounds.h"
#include "measure/timeline.h"

struct run_series;
struct series_set;

struct load_series {
    uint64_t calls;              /* made, warm-up excluded */
    uint64_t cpu_ns;             /* of the client's process in them */
    struct load_client *clients; /* each one's part */
    struct histogram service;    /* open loop: from when a call was sent to its reply */
    struct histogram lateness;   /* open loop: from when it was due to when it was sent */
    struct timeline timeline;
};

struct load_run {
    struct series_set *set; /* NULL: no load */
    struct engine_detail detail;
    double *done_ns, *ns; /* room for a block, for the timeline */
    uint64_t began_ticks; /* of the rounds that count */
};

/* Calls in a block of LOAD, of CALLS in all (0: open): enough that its beginning and its end don't
 * matter. */
uint32_t load_block(const struct load *load, uint64_t calls);

/* And at the very least. */
uint32_t load_block_minimum(const struct load *load);

/* Have room for what the series of SET bring. 0 or -ENOMEM with ERROR set. What its series have is
 * freed with them. */
int load_run_open(struct load_run *run, struct series_set *set, struct error *error);
void load_run_close(struct load_run *run);
void load_series_free(struct load_series *load);

/* The warm-up is over. */
void load_run_begin(struct load_run *run);

/* A block of SERIES, as engine_run() makes it of CALL. */
int load_run_block(struct load_run *run, struct run_series *series, const struct engine_call *call,
                   struct block *block, struct error *error);

/* The last block has been made. */
void load_run_end(struct load_run *run);

#endif
