/* The result of 'nfsbench explain --xdr': how long encoding, decoding and, with Kerberos,
 * protection take in each op's call. Times are in ns. */
#pragma once

#include <stddef.h>

#include "measure/statistics/estimate.h"
#include "nfs/procedures/xdr_work.h"
#include "output/result/origin.h"
#include "output/result/result.h"

/* The values of an op: a time for each enum xdr_work_kind (NAN if the call has no such work), then
 * the values below. */
enum xdr_figure {
    /* time from before the send until the reply is in user space; includes MIC and wrapping by
       Kerberos, with --check-in-time also verifying and unwrapping, but no other XDR work */
    XDR_ROUND_TRIP = XDR_WORKS,
    XDR_SHARE_RPCGEN, /* (encode + decode) / (encode + decode + round trip), 0 to 1 */
    XDR_SHARE_WIRE,   /* (stamp + check) / (stamp + check + round trip), 0 to 1 */
    XDR_FIGURES,
};

struct xdr_row {
    const char *op;
    size_t call_bytes, reply_bytes; /* length of the RPC messages, without record marks */
    struct interval figures[XDR_FIGURES];
};

struct xdr_result {
    struct origin origin;
    char client_cpus[128];
    int server_cpu; /* processor that the server of self: is bound to; -1: none */
    const char *clock;
    double clock_cost_ns;   /* cost of reading the clock, which is subtracted from each sample */
    size_t rounds, batches; /* BATCHES: number per round, op and kind of work */
    size_t round_trips;     /* number of round trips of each op in a round */
    double batch_ns;        /* minimum duration of a batch */
    struct xdr_row *rows;
    size_t row_count;
    struct result_skipped *skipped;
    size_t skipped_count;
    const char *cut_short_by; /* why the run ended early; or NULL */
};

extern const struct view view_xdr;
