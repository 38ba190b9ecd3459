/* The result of 'nfsbench explain --xdr': the time that encoding and decoding take in each op's
 * call, and by Kerberos its protection. Times are in ns. */
#pragma once

#include <stddef.h>

#include "measure/statistics/estimate.h"
#include "output/result/origin.h"
#include "output/result/result.h"

/* The figures of an op. */
enum xdr_figure {
    XDR_FIGURE_ENCODE,       /* encoding the call, by rpcgen's routines */
    XDR_FIGURE_DECODE,       /* decoding the reply and freeing the result, likewise */
    XDR_FIGURE_STAMP,        /* engine wire's substitute for encoding each call */
    XDR_FIGURE_CHECK,        /* engine wire's substitute for decoding each reply */
    XDR_FIGURE_ROUND_TRIP,   /* from before the send until the reply is in user space: includes none
                                of the above */
    XDR_FIGURE_SHARE_RPCGEN, /* (encode + decode) / (encode + decode + round trip), 0 to 1 */
    XDR_FIGURE_SHARE_WIRE,   /* likewise with stamp and check */
    /* By Kerberos; NAN: the call has no such part. The round trip includes the first two. */
    XDR_FIGURE_MIC,    /* the header, with the credential and its MIC */
    XDR_FIGURE_WRAP,   /* krb5i, krb5p: the arguments */
    XDR_FIGURE_VERIFY, /* the reply's verifier */
    XDR_FIGURE_UNWRAP, /* krb5i, krb5p: the results */
    XDR_FIGURES,
};

struct xdr_row {
    const char *op;
    size_t call_bytes, reply_bytes; /* of the RPC messages, without record marks */
    struct interval figures[XDR_FIGURES];
};

struct xdr_result {
    struct origin origin;
    char client_cpus[128];
    int server_cpu; /* to which self: is bound; -1: none */
    const char *clock;
    double clock_cost_ns;   /* subtracted from each sample */
    size_t rounds, batches; /* batches of each kind, consecutive, in a round */
    size_t round_trips;     /* of each op in a round */
    double batch_ns;        /* minimum duration of a batch */
    struct xdr_row *rows;
    size_t row_count;
    struct result_skipped *skipped;
    size_t skipped_count;
    const char *cut_short_by; /* why the run ended early; or NULL */
};

extern const struct view view_xdr;
