/* The ladder: the cost of each part of a call, from measurements (rungs) each of which adds one
 * part to another. All rungs are blocks of the same rounds, so that the cost of one rung above
 * another (a step) is, like a cost above null, the median over the rounds of the paired
 * differences. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"

/* The rungs, in the order in which they are reported. */
enum ladder_rung {
    LADDER_TIMER,   /* the clock's start and stop around nothing; its step is its whole level */
    LADDER_XDR,     /* above the timer: encode the op and decode its reply, in memory */
    LADDER_ECHO,    /* above the timer: exchange as many bytes as a NULL's with a plain echo */
    LADDER_NULL,    /* above the echo: a NULL call */
    LADDER_ECHO_OP, /* above the echo: exchange as many bytes as the op's with the echo */
    LADDER_OP, /* above NULL: the op; the cost of the bytes (LADDER_ECHO_OP's step) is subtracted
                  from its step */
    LADDER_RUNGS,
};

struct ladder_rung_type {
    const char *name;       /* of the rung, for programs: "echo-op" */
    const char *step;       /* name of the part that it adds: "bytes" */
    enum ladder_rung above; /* the rung that it adds to; the timer: itself */
    bool beside;            /* the step is not part of the op's round trip */
};

extern const struct ladder_rung_type ladder_rungs[LADDER_RUNGS];

/* In ns. All levels, and so the sum, include the timer's cost. */
struct ladder {
    struct interval levels[LADDER_RUNGS];
    struct interval steps[LADDER_RUNGS];
    struct interval sum; /* of all steps except XDR: the op's round trip, reassembled */
    double discrepancy;  /* (the op's level - sum) / the op's level: medians need not add up if the
                            level jumps between rounds */
    struct interval control; /* the null control's cost above NULL: the noise floor */
    struct interval whole;   /* the sum plus XDR's step: a call by a client that encodes and decodes
                                each message */
};

/* Estimate the ladder from SERIES, indexed by rung, and CONTROL, all with N rounds (1 or more).
 * Returns 0, or -ENOMEM with ERROR set. */
int ladder_estimate(struct ladder *ladder, const struct series *const series[LADDER_RUNGS],
                    const struct series *control, size_t n, uint64_t seed, struct error *error);

/* RUNG's step as a share of the op's level. */
double ladder_share(const struct ladder *ladder, enum ladder_rung rung);

/* Does the interval of RUNG's step exclude 0, and does the step exceed the noise floor, as a cost
 * above null must (measure/statistics/above_null.h)? Steps in memory have no such floor. */
bool ladder_is_distinguishable(const struct ladder *ladder, enum ladder_rung rung);
