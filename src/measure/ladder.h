/* The ladder: what each part of a call costs, by measurements of which each has one thing more in
 * it than another. All are blocks of the same rounds, so that what one rung costs above another is
 * the median over the rounds of the paired differences, as a cost above null is. */
#ifndef NFSBENCH_MEASURE_LADDER_H
#define NFSBENCH_MEASURE_LADDER_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/estimate.h"
#include "measure/rounds.h"

/* The rungs, in the order in which they are reported. Each is a step above another. */
enum ladder_rung {
    LADDER_TIMER,   /* the clock's start and stop around nothing: the step is all of it */
    LADDER_XDR,     /* above the timer: the op encoded and its reply decoded in memory */
    LADDER_ECHO,    /* above the timer: a NULL's bytes to a bare echo, and its reply's back */
    LADDER_NULL,    /* above the echo */
    LADDER_ECHO_OP, /* above the echo: the op's bytes and its reply's */
    LADDER_OP,      /* above NULL; the step is less what the bytes cost (LADDER_ECHO_OP's) */
    LADDER_RUNGS,
};

struct ladder_rung_type {
    const char *name;       /* of the rung, for programs: "echo-op" */
    const char *step;       /* of what it adds: "bytes" */
    enum ladder_rung above; /* of the timer: itself */
    bool beside;            /* the step is no part of the op's round trip */
};

extern const struct ladder_rung_type ladder_rungs[LADDER_RUNGS];

/* In ns. The timer's cost is in all levels, and so in the sum. */
struct ladder {
    struct interval levels[LADDER_RUNGS];
    struct interval steps[LADDER_RUNGS];
    struct interval sum;     /* of the steps but XDR: the op's round trip, put together again */
    double discrepancy;      /* the op's level less the sum, over the level: medians need not add up
                                where the level jumps between rounds */
    struct interval control; /* the null control above NULL: the noise floor */
    struct interval whole;   /* the sum and XDR's step: a call by a client that encodes and decodes
                                each */
};

/* Estimate it from SERIES, by rung, and CONTROL, all of which have N rounds (1 or more). 0 or
 * -ENOMEM with ERROR set. */
int ladder_estimate(struct ladder *ladder, const struct series *const series[LADDER_RUNGS],
                    const struct series *control, size_t n, uint64_t seed, struct error *error);

/* The share of the op's level that RUNG's step is. */
double ladder_share(const struct ladder *ladder, enum ladder_rung rung);

/* Does the interval of RUNG's step leave out 0, and the step exceed the noise floor, as a cost
 * above null must (measure/above_null.h)? What is done in memory has no such floor. */
bool ladder_is_distinguishable(const struct ladder *ladder, enum ladder_rung rung);

#endif
