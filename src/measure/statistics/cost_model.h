/* The parts of a call's cost that are not the server's work: the cost of its bytes and of its
 * duration.
 *
 * Padding the credential makes a call longer; reading more makes a reply longer. Series of calls
 * that differ only in these lengths yield the cost per byte sent and per byte received (and per
 * packet, if replies of different lengths take different numbers of packets).
 *
 * While a server works on a call, the caches of both machines grow cold, and all later code takes
 * longer. Null calls with a pause before each yield this cost per ns. The model is:
 *
 *   cost above null = bytes sent x cost + bytes received x cost (+ packets x cost)
 *                   + server's work x cost + server's work
 *
 * Slopes are fitted by least squares in each round; the estimate is their median over the rounds.
 * All cost that grows with the length counts as bytes: in the network, in both kernels, in the
 * server. Because kernels allocate buffers in steps, the cost of a reply is interpolated between
 * two measured lengths; the fitted line is used only outside the measured lengths. */
#pragma once

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"

enum { COST_MODEL_POINTS_MAXIMUM = 8 };

struct cost_lengths {
    double call, reply; /* lengths of the call and of the reply, bytes on the wire */
    double packets;     /* number of packets of the reply */
    double pause;       /* pause before the call, ns */
};

struct cost_point {
    struct cost_lengths lengths;
    const struct series *series;
};

struct cost_points {
    struct cost_point points[COST_MODEL_POINTS_MAXIMUM];
    size_t count;
};

/* The points of `call` differ only in the call's length, those of `pause` only in the pause. The
 * points of `reply` differ only in the reply's length and packets, in ascending order of length. */
struct cost_points_by {
    struct cost_points call, reply, pause;
};

/* A cost in ns per byte, per packet, or per ns of pause. */
struct cost_rate {
    bool known; /* true if the rate was fitted, to two points or more */
    struct interval ns;
    struct replicates replicates;
};

struct cost_model {
    const struct cost_points_by *points; /* the fitted points; they must outlive the model */
    struct resampling resampling;
    struct cost_rate call, reply; /* cost per byte of a call, and per byte of a reply */
    /* cost per packet of a reply; unknown with under 4 points or if it can't be told from bytes */
    struct cost_rate packet;
    struct cost_rate pause; /* cost per ns of pause before a call */
    /* Lack of fit: largest distance of a point's median from the line, ns. */
    double call_misfit_ns, reply_misfit_ns, pause_misfit_ns;
    /* longest measured reply, bytes; the model hardly holds for longer replies */
    double reply_longest;
};

/* An op's cost, split into parts that add up to it. */
struct cost_split {
    /* The parts, ns. SERVER's interval includes the uncertainty of the pause's cost. */
    struct interval bytes, pause, server;
    struct {
        struct replicates bytes, pause, server;
    } replicates;
};

/* Fit the model; a rate with fewer than two different lengths or pauses stays unknown. RESAMPLING
 * must be that of the costs to be split. Returns 0 or -ENOMEM. */
int cost_model_fit(struct cost_model *model, const struct cost_points_by *points,
                   const struct resampling *resampling, struct error *error);

/* Split COST, the cost of an op whose calls have the lengths OP, above null calls with the lengths
 * NULL_CALLS. Both rates per byte must be known; an unknown rate of the pause counts as 0. Returns
 * 0 or -ENOMEM. */
int cost_model_split(const struct cost_model *model, const struct replicates *cost,
                     const struct cost_lengths *op, const struct cost_lengths *null_calls,
                     struct cost_split *split, struct error *error);
