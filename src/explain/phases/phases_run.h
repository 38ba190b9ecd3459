/* A run that explains phases of calls: phases_run.c has its blocks, phases_result.c its result. */
#pragma once

#include "experiment/load_use.h"
#include "explain/explain_run.h"
#include "explain/phases/calls.h"

struct phases_op {
    const struct run_series *series;
    struct explain_calls calls;
    struct load_use use; /* under load: the resources that its blocks with timestamps used; see
                            phases_use_of() */
};

struct phases_run {
    /* Its rounds have the session's series, and then a series with timestamps for each item of
     * OBSERVED, in the same order. */
    struct explain_run run;
    bool load;
    uint32_t sample;                    /* successive calls, 1/SAMPLE of a block, have timestamps */
    enum service_kind service;          /* the service that the explained calls belong to */
    struct server_counters load_server; /* under load: counters of a server on this machine */
    struct engine *engine;              /* engine that makes the observed calls */
    struct load_log log;
    struct server_side server;
    const struct phase_view *view; /* view of the phases that are known for all blocks so far */
    struct phases_op *ops;
    size_t op_count;
    size_t *observed; /* indexes of the session's series whose calls are observed */
    size_t observed_count;
    struct explanations result;
};

/* Add OP to the skipped ops of RESULT, for REASON. */
void phases_skip_op(struct explanations *result, const char *op, const char *reason);

/* Return the op of call NUMBER in a block of SERIES. */
struct phases_op *phases_op_of(struct phases_run *phases, const struct run_series *series,
                               size_t number);

/* Return the counts of the resources that SERIES' blocks with timestamps use. A mix is counted at
 * its first op. */
struct load_use *phases_use_of(struct phases_run *phases, const struct run_series *series);

int phases_make_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error);
