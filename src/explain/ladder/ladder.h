/* The result of 'nfsbench explain --ladder'. Times are in ns. */
#pragma once

#include "measure/statistics/ladder.h"
#include "output/result/breakdown.h"
#include "output/result/result.h"

/* Measurements of a rung. */
struct ladder_level {
    const char *rung;
    size_t call_bytes, reply_bytes; /* bytes on the connection; 0 for a rung without a socket */
    struct interval level;
    uint64_t calls;
    double mean, p50, p99; /* statistics of all calls, ns */
};

struct ladder_result {
    const char *op;      /* name of the op on the command line */
    const char *null_op; /* name of the op's baseline: null or mount-null */
    const char *echo;    /* address of the bare echo: "127.0.0.1 port 4711 over TCP" */
    bool echo_is_own;    /* true: the echo was started for this run */
    struct ladder ladder;
    struct ladder_level rungs[LADDER_RUNGS];
    /* Step i: the time that rung i adds to the rung ladder_rungs[i].above; for LADDER_OP, less the
     * step of LADDER_ECHO_OP. */
    struct breakdown_part steps[LADDER_RUNGS];
    const struct result *run; /* null and op as a plain run, which provides the verdict */
};

/* Set the rungs and steps of RESULT from its LADDER and from SERIES, from which LADDER was
 * estimated. Does not set the rungs' bytes. */
void ladder_set_rungs(struct ladder_result *result,
                      const struct series *const series[LADDER_RUNGS]);

extern const struct view view_ladder;
