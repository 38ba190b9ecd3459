/* The ladder: the cost of each part of a call, from measurements (rungs). Each rung except the
 * timer adds one part to another rung. A step is the cost of a rung above that other rung. All
 * rungs are blocks of the same rounds, so a step is estimated like a cost above null: the median
 * over the rounds of the paired differences. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"

/* The rungs, in the order of reports. "Above" a rung means: adds a part to this rung. */
enum ladder_rung {
    LADDER_TIMER, /* the clock's start and stop around nothing */
    LADDER_XDR,   /* above the timer: encode the op's call and decode its reply, in memory */
    LADDER_ECHO,  /* above the timer: exchange a NULL call's number of bytes with an echo server */
    LADDER_NULL,  /* above the echo: a NULL call */
    LADDER_ECHO_OP, /* above the echo: exchange the op's number of bytes with the echo server */
    LADDER_OP,      /* above NULL: the op; its step is reduced by that of LADDER_ECHO_OP */
    LADDER_RUNGS,
};

struct ladder_rung_type {
    const char *name;       /* name of the rung, for programs: "echo-op" */
    const char *step;       /* name of the part that the rung adds: "bytes" */
    enum ladder_rung above; /* the rung that this rung adds a part to; for the timer: itself */
    bool beside;            /* the step is not a part of the op's round trip */
};

extern const struct ladder_rung_type ladder_rungs[LADDER_RUNGS];

/* Estimates, ns. All levels, SUM and WHOLE include the timer's cost. */
struct ladder {
    struct interval levels[LADDER_RUNGS];
    struct interval steps[LADDER_RUNGS];
    struct interval sum; /* sum of all steps except XDR's; should equal the op's round trip */
    /* (The op's level - sum) / the op's level; may differ from 0, since medians do not add up. */
    double discrepancy;
    struct interval control; /* null control's cost; its end farther from 0 is the noise floor */
    /* SUM plus XDR's step: time of a call that encodes and decodes each message */
    struct interval whole;
};

/* Estimate the ladder from SERIES, indexed by rung, and CONTROL, all with N rounds (1 or more).
 * Returns 0, or -ENOMEM with ERROR set. */
int ladder_estimate(struct ladder *ladder, const struct series *const series[LADDER_RUNGS],
                    const struct series *control, size_t n, uint64_t seed, struct error *error);

/* Return RUNG's step as a share of the op's level; 0 unless that level is above 0. */
double ladder_share(const struct ladder *ladder, enum ladder_rung rung);

/* Return true if the interval of RUNG's step excludes 0 and the step exceeds the noise floor, as
 * for a cost above null (measure/statistics/above_null.h). The steps of the timer and of XDR have
 * no noise floor. */
bool ladder_is_distinguishable(const struct ladder *ladder, enum ladder_rung rung);
