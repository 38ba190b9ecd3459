/* The result of 'nfsbench explain --ladder'. Times are in ns. */
#pragma once

#include "measure/statistics/ladder.h"
#include "output/result/breakdown.h"
#include "output/result/result.h"

/* What was measured of a rung. */
struct ladder_level {
    const char *rung;
    size_t call_bytes, reply_bytes; /* on the connection; 0 without a socket */
    struct interval level;
    uint64_t calls;
    double mean, p50, p99; /* of all calls */
};

struct ladder_result {
    const char *op;      /* as on the command line */
    const char *null_op; /* its baseline: null or mount-null */
    const char *echo;    /* its address: "127.0.0.1 port 4711 over TCP" */
    bool echo_is_own;    /* it was started for this run */
    struct ladder ladder;
    struct ladder_level rungs[LADDER_RUNGS];
    struct breakdown_part steps[LADDER_RUNGS]; /* each leads to the rung of its number */
    const struct result *run; /* null and op as a run of their own, which provides the verdict */
};

/* Set the rungs and steps of RESULT, whose ladder is there and was estimated from SERIES; but the
 * bytes of the rungs. */
void ladder_fill(struct ladder_result *result, const struct series *const series[LADDER_RUNGS]);

extern const struct view view_ladder;
