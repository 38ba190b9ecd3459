/* A run of the phases of calls, between its files: phases_run.c makes the blocks, phases_result.c
 * the result. */
#pragma once

#include "experiment/load_use.h"
#include "explain/explain_run.h"
#include "explain/phases/calls.h"

/* An op whose calls are explained. */
struct phases_op {
    const struct run_series *series;
    struct explain_calls calls;
    struct load_use use; /* of its blocks with timestamps, under load; see phases_use_of() */
};

struct phases_run {
    struct explain_run run; /* its rounds have the session's series, then those with timestamps */
    bool load;
    uint32_t sample;                    /* one of so many calls has timestamps */
    enum service_kind service;          /* whose calls are explained */
    struct server_counters load_server; /* of a load: its server on this machine */
    struct engine *engine;              /* is observed */
    struct load_log log;
    struct server_side server;
    const struct phase_view *view; /* that all blocks so far can be explained by */
    struct phases_op *ops;
    size_t op_count;
    size_t *observed; /* the session's series whose calls are made with timestamps */
    size_t observed_count;
    struct explanations result;
};

/* The op of SERIES' call NUMBER in the block. */
struct phases_op *phases_op_of(struct phases_run *phases, const struct run_series *series,
                               size_t number);

/* What the blocks of SERIES used; a mix's is kept with its first op. */
struct load_use *phases_use_of(struct phases_run *phases, const struct run_series *series);

/* The result of the method (struct explain_method). */
int phases_make_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error);
