/* The rounds of 'nfsbench explain --xdr': of each op of a session a block of round trips, and
 * blocks of each kind of its XDR by itself, all in random order. */
#ifndef NFSBENCH_CLI_XDR_ROUNDS_H
#define NFSBENCH_CLI_XDR_ROUNDS_H

#include "cli/session.h"
#include "nfs/xdr_work.h"

/* A timed sample of XDR is a batch of repetitions, which takes long enough that the clock's
 * resolution, and what is left of its cost, are nothing beside it. */
enum { XDR_BATCH_NS = 10 * 1000, XDR_BATCHES = 10 /* in a row */ };

struct xdr_rounds_op {
    size_t index; /* of the session's series */
    struct xdr_work work;
    size_t repetitions[XDR_WORKS]; /* in a batch */
};

struct xdr_rounds {
    struct session *session;
    struct block_source source; /* the session's own */
    struct xdr_rounds_op ops[SETTINGS_OPS_MAXIMUM + 2];
    size_t op_count;
    struct rounds rounds; /* of each op, one after the other, XDR_WORKS series and the round trips'
                             (xdr_rounds_series()); times of XDR are those of batches */
    bool narrow;
};

/* Make ready what the ops of SESSION, which is open, take. 0, or a negative errno with ERROR set.
 * Close it in any case. */
int xdr_rounds_open(struct xdr_rounds *run, struct session *session, struct error *error);
void xdr_rounds_close(struct xdr_rounds *run);

/* Measure. 0, or what ended it early, with ERROR set; the rounds then hold what was measured until
 * then. */
int xdr_rounds_measure(struct xdr_rounds *run, struct error *error);

/* The series of OP (by its index in RUN) and KIND: an enum xdr_work_kind, or XDR_WORKS for its
 * round trips. */
const struct series *xdr_rounds_series(const struct xdr_rounds *run, size_t op, size_t kind);

/* What that series' times are to be multiplied with, for those of one call: 1 over the repetitions
 * in a batch. */
double xdr_rounds_scale(const struct xdr_rounds *run, size_t op, size_t kind);

/* How many batches a block has. */
uint32_t xdr_rounds_batches(const struct xdr_rounds *run);

#endif
