/* What 'nfsbench explain --xdr' found: what encoding and decoding take of each op's call. Times are
 * in ns. */
#ifndef NFSBENCH_EXPLAIN_XDR_H
#define NFSBENCH_EXPLAIN_XDR_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/estimate.h"

/* What is measured of an op. */
enum xdr_figure {
    XDR_FIGURE_ENCODE,     /* the call, by rpcgen's routines */
    XDR_FIGURE_DECODE,     /* the reply, likewise, and freeing the result */
    XDR_FIGURE_STAMP,      /* what engine wire does instead of encoding each call */
    XDR_FIGURE_CHECK,      /* and of decoding each reply */
    XDR_FIGURE_ROUND_TRIP, /* from before the send until the reply was in user space: without any of
                              them */
    XDR_FIGURE_SHARE_RPCGEN, /* encoding and decoding, of them and the round trip together; 0 to 1
                              */
    XDR_FIGURE_SHARE_WIRE,   /* likewise stamp and check */
    XDR_FIGURES,
};

struct xdr_row {
    const char *op;
    size_t call_bytes, reply_bytes; /* of the RPC messages, without record marks */
    struct interval figures[XDR_FIGURES];
};

struct xdr_skipped {
    const char *op, *reason;
};

struct xdr_result {
    char start[40]; /* RFC 3339 */
    const char *target, *transport, *auth;
    char kernel[80], cpu[80], client_cpus[128];
    int server_cpu; /* that self: is bound to; -1: none */
    const char *clock;
    double clock_cost_ns; /* taken off each sample */
    uint64_t seed;
    size_t rounds, batches; /* batches: timed in a row, of each kind, in a round */
    size_t round_trips;     /* likewise, of each op */
    double batch_ns;        /* a batch takes so long at least */
    struct xdr_row *rows;
    size_t row_count;
    struct xdr_skipped *skipped;
    size_t skipped_count;
    const char *cut_short_by; /* the line that says why; NULL */
};

/* For people: a table, and what it says. */
void xdr_print(const struct xdr_result *result, FILE *out);

/* For file_write(); DATA is a struct xdr_result. */
int xdr_write_json(const void *data, FILE *out); /* doc/FORMAT.md */
int xdr_write_csv(const void *data, FILE *out);  /* a heading, and a line for each op */

#endif
