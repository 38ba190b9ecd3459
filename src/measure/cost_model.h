/* What a call costs beside the server's work: by the length of its messages, and by its pause.
 *
 * A call is longer when its credential is padded; a reply is longer when more is read. From series
 * of calls that differ in nothing else come the cost of a byte sent and of a byte received (and,
 * where replies of different length take a different number of packets, of a packet).
 *
 * And calls that come more rarely cost more, on their way there and back: the caches of both
 * machines forget. While a server works for 50 us on a call, everything else waits for 50 us more
 * than it does with null calls; so null calls are made with a pause before each, and from these
 * comes what a ns of waiting costs. With these,
 *
 *     cost above null = bytes sent x cost + bytes received x cost (+ packets x cost)
 *                       + waiting x cost + the server's work.
 *
 * Slopes are found by least squares in each round, and their median over the rounds is the
 * estimate: a disturbed block spoils one round, and the median does not mind. What grows with the
 * length is counted as bytes wherever it is spent: on the network, in both kernels, in the server's
 * copying.
 *
 * Kernels' buffers come in sizes, and the cost of a reply is not quite a line over its length. So
 * where a reply's length lies between two that were measured, its cost is interpolated between
 * these two; the line serves beyond the ends. */
#ifndef NFSBENCH_MEASURE_COST_MODEL_H
#define NFSBENCH_MEASURE_COST_MODEL_H

#include "measure/estimate.h"
#include "measure/rounds.h"

enum { COST_MODEL_POINTS_MAXIMUM = 8 };

/* The lengths of an op's calls. */
struct cost_lengths {
    double call, reply; /* bytes on the wire */
    double packets;     /* that the reply takes */
    double pause;       /* before the call, ns */
};

/* A series of calls of known lengths. */
struct cost_point {
    struct cost_lengths lengths;
    const struct series *series;
};

struct cost_points {
    struct cost_point points[COST_MODEL_POINTS_MAXIMUM];
    size_t count;
};

/* Points that differ in one thing only: the length of the call, that of the reply (in ascending
 * order), the pause. */
struct cost_points_by {
    struct cost_points call, reply, pause;
};

/* A cost per byte, packet or ns. */
struct cost_rate {
    bool known; /* false: there were no series to derive it from */
    struct interval ns;
    struct replicates replicates;
};

struct cost_model {
    const struct cost_points_by *points; /* that it was made from; they must outlive it */
    struct resampling resampling;        /* likewise */
    struct cost_rate call, reply;        /* per byte */
    struct cost_rate packet; /* per packet of a reply; unknown where none takes more than one */
    struct cost_rate pause;  /* per ns that a call comes later */
    /* How far the lines are off at worst: the largest distance of a length's median from them, ns.
     */
    double call_misfit_ns, reply_misfit_ns, pause_misfit_ns;
    double reply_longest; /* bytes: the model says nothing of replies much longer */
};

/* An op's cost, split; the parts add up to it. */
struct cost_split {
    struct interval bytes, pause, server; /* ns; the server's holds what the pause may be, too */
    struct {
        struct replicates bytes, pause, server;
    } replicates; /* of the same */
};

/* Fit the model; a rate with fewer than two lengths to derive it from is unknown. RESAMPLING as for
 * the costs that are to be split. 0 or -ENOMEM. */
int cost_model_fit(struct cost_model *model, const struct cost_points_by *points,
                   const struct resampling *resampling, struct error *error);

/* Split COST, that of an op of lengths OP above null calls of lengths NULL_CALLS. Both rates of
 * bytes must be known; an unknown pause costs nothing. 0 or -ENOMEM. */
int cost_model_split(const struct cost_model *model, const struct replicates *cost,
                     const struct cost_lengths *op, const struct cost_lengths *null_calls,
                     struct cost_split *split, struct error *error);

#endif
